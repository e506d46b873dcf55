"""The raw zone: every capture, byte for byte, in WARC files that any WARC tool reads.

`raw/warc/<month>/<name>.warc.gz` holds up to some 32 MiB of payload; the month is that of landing, the name the start
of the SHA-256 of its bytes. `raw/index/<month>.cdxj` says which captures the month's files hold, and is a function of
them alone. A file is written whole and never changed; its lines come into the index second, and are the commit point.
"""

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, groupby
from typing import NamedTuple

from warehouse.archive.captured import Capture, Outcome, Revisit, in_utc, shown
from warehouse.archive.index import (
    IndexEntry,
    Place,
    index_key,
    months_in,
    parse_index,
    read_index,
    render_index,
)
from warehouse.archive.warc_file import index_of, month_of, name_of, payload_of, read_record
from warehouse.archive.warc_write import record_of, warcinfo
from warehouse.archive.writer import WARCS, ArchiveWriter, Landed, add_stored
from warehouse.errors import Damaged, NothingThere, UsageError
from warehouse.people.ledger import Ledger
from warehouse.printable import counted
from warehouse.store.store import Store, read_if_there


@dataclass(frozen=True, slots=True)
class Damage:
    """A fault that `verify` found in a WARC file or an index; without offset and capture it is of the whole file."""

    file: str
    detail: str
    offset: int | None = None
    capture_id: str | None = None

    def __str__(self) -> str:
        place = "" if self.offset is None else f" at byte {self.offset}"
        capture = "" if self.capture_id is None else f", capture {self.capture_id}"
        return f"{self.file}{place}{capture}: {self.detail}"


class Archive:
    """The raw zone of one lake. While an erasure rewrites it, nobody lands but `by_erasure`."""

    def __init__(self, store: Store, *, by_erasure: bool = False) -> None:
        self.store, self._by_erasure = store, by_erasure

    def write(self, outcomes: Iterable[Outcome | Revisit], *, now: datetime) -> Landed:
        """Land what is not landed yet; `now` dates the files, and records without a fetch time.

        A page that a stored file has already, byte for byte and of the same address, is stored as a revisit of it, as
        is an Unchanged; one whose page the archive does not have is landed as a failed attempt, as is a Failed. A
        Revisit, out of another archive, is landed where its page is landed, before it or by the same call.
        Memory: one WARC file of some 32 MiB payload, and one capture. What a run that was killed had written and not
        indexed is indexed first. StoreFailed where the lake cannot be written: files finished before that stay, and the
        same call again lands the rest. Superseded while a person is being erased.
        """
        if not self._by_erasure:
            Ledger(self.store).require_quiet()
        writer = ArchiveWriter(self.store, self._recovered(), in_utc(now))
        for outcome in outcomes:
            writer.add(outcome)
        return writer.end()

    def require_any(self) -> None:
        """Raise NothingThere where nothing was ever landed."""
        if not self.store.list("raw"):
            raise NothingThere(f'nothing has been landed in {self.store.url}; run "paperlake land PATH" first')

    def index(self) -> list[IndexEntry]:
        """Every landed capture once, by file and offset; Damaged where an index cannot be read."""
        # Two runs that landed the same page at the same moment left it in two files: the first one counts.
        first: dict[str, IndexEntry] = {}
        for entry in read_index(self.store):
            first.setdefault(entry.capture_id, entry)
        return list(first.values())

    def find(self, capture_id: str) -> IndexEntry:
        """The entry of one capture; NothingThere where it is not landed."""
        for entry in self.index():
            if entry.capture_id == capture_id:
                return entry
        self.require_any()
        step = '`paperlake sql "select capture_id, url from captures"` lists them'
        raise NothingThere(f"no capture {shown(capture_id)!r} has been landed in {self.store.url}; {step}")

    def read(self, entry: IndexEntry) -> Capture:
        """One capture, by a range read, or two; Damaged unless it is to the byte what its digests and index say."""
        place = Place(entry.filename, entry.offset, entry.length)
        return read_record(entry, self.member(place), self._original(entry))

    def captures(self, entries: Iterable[IndexEntry]) -> Iterator[Capture]:
        """Many captures in the order of `entries`, verified; each run of entries of one file opens it once."""
        for filename, run in groupby(entries, key=lambda entry: entry.filename):
            try:
                opened = self.store.open(WARCS + filename)
            except NothingThere as error:
                raise _missing(filename) from error
            with opened as file:
                size = file.seek(0, os.SEEK_END)
                for entry in run:
                    start = file.seek(min(entry.offset, size))
                    yield read_record(entry, file.read(min(entry.length, size - start)), self._original(entry))

    def verify(self) -> Iterator[IndexEntry | Damage]:
        """Re-read every record; yields its entry where all is sound, and a Damage for each thing that is not.

        Sound means:
        * the SHA-256 of each file begins with its name;
        * each record has the block and payload digests that its header states;
        * each capture has the id that follows from its address, time and payload;
        * the payload of each revisit is in the record that it names;
        * the index lists exactly these records.
        """
        filenames: dict[str, set[str]] = {month: set() for month in months_in(self.store)}
        for key in self.store.list(WARCS):
            filename = key.removeprefix(WARCS)
            filenames.setdefault(month_of(filename), set()).add(filename)
        for month in sorted(filenames):
            stored = read_if_there(self.store, index_key(month))
            indexed = _by_file(stored or b"")
            if indexed is None or (stored is not None and render_index(chain(*indexed.values())) != stored):
                step = "delete it, and `paperlake land` makes it again"
                yield Damage(index_key(month), f"its lines are not as they were written: {step}")
            for filename in sorted(filenames[month] | (indexed or {}).keys()):
                yield from self._verify_file(filename, None if indexed is None else indexed[filename])

    def _verify_file(self, filename: str, indexed: list[IndexEntry] | None) -> Iterator[IndexEntry | Damage]:
        """Verify one file against its index entries; `indexed` is None where the index cannot be read."""
        data = read_if_there(self.store, WARCS + filename)
        if data is None:
            count = counted(len(indexed or ()), "capture")
            yield Damage(filename, f"the WARC file is missing, and {count} with it: put back a copy of it")
            return
        is_whole = name_of(data, month_of(filename)) == filename
        found = _index_if_readable(filename, data) if is_whole else []
        # Its name is a hash of its bytes, so every record is as it was written: only revisits are left to follow
        if found and indexed in (found, None):
            yield from (self._verify_record(entry, None) for entry in found)
            return
        yield Damage(filename, _what_is_wrong(indexed, is_whole=is_whole))
        for entry in indexed or found:
            yield self._verify_record(entry, data[entry.offset : entry.offset + entry.length])

    def _verify_record(self, entry: IndexEntry, member: bytes | None) -> IndexEntry | Damage:
        """Verify one record; where `member` is None its bytes are known to be sound, and only a revisit is followed."""
        try:
            if member is not None:
                read_record(entry, member, self._original(entry))
            elif entry.original:
                payload_of(entry, self._original(entry))
        except Damaged as damage:
            return Damage(entry.filename, str(damage), entry.offset, entry.capture_id)
        return entry

    def _original(self, entry: IndexEntry) -> bytes | None:
        return self.member(entry.original) if entry.original else None

    def member(self, place: Place) -> bytes:
        """The bytes of a record: a gzip member of its WARC file."""
        try:
            return self.store.read_range(WARCS + place.filename, place.offset, place.length)
        except UsageError as error:  # the record names a file that cannot be a key
            raise Damaged(f"the payload of a revisit is said to be in {shown(place.filename)}: {error}") from error
        except NothingThere as error:
            raise _missing(place.filename) from error

    def _recovered(self) -> list[IndexEntry]:
        """The whole index, with the files that are stored whole and that it lacked.

        One that is not the file its name says (nothing of it was ever landed) is left for `verify` to report.
        """
        entries = read_index(self.store)
        indexed = {entry.filename for entry in entries}
        for filename in (key.removeprefix(WARCS) for key in self.store.list(WARCS)):
            if filename in indexed:
                continue
            data, month = self.store.read(WARCS + filename), month_of(filename)
            if name_of(data, month) == filename and (found := _index_if_readable(filename, data)):
                add_stored(self.store, filename, found)
                entries += found
        return entries


def _missing(filename: str) -> Damaged:
    return Damaged(f"{WARCS}{filename} is missing, and captures lie in it: put back a copy of it")


def _index_if_readable(filename: str, data: bytes) -> list[IndexEntry]:
    try:
        return index_of(filename, data)
    except Damaged:
        return []


def _by_file(stored: bytes) -> defaultdict[str, list[IndexEntry]] | None:
    """The entries of an index by file, in order of offset; None where it cannot be read."""
    by_file: defaultdict[str, list[IndexEntry]] = defaultdict(list)
    try:
        for entry in parse_index(stored, ""):
            by_file[entry.filename].append(entry)
    except Damaged:
        return None
    return by_file


def _what_is_wrong(indexed: list[IndexEntry] | None, *, is_whole: bool) -> str:
    if not is_whole:
        return "its bytes are not those it was named by: put back a copy of it"
    if not indexed:
        return "it is not in the index: `paperlake land` puts it there"
    return "the index does not agree with it: delete that of its month, and `paperlake land` makes it again"


class CarriedRecord(NamedTuple):
    """A record in the file: a gzip member, and its SHA-256."""

    offset: int
    length: int
    sha256: str


class CarriedFile:
    """A WARC file that is being filled. Each record is checked when it is taken, and taken once."""

    def __init__(self, archive: Archive, entries: Iterable[IndexEntry], *, now: datetime) -> None:
        self._archive, self._now, self._data = archive, now.replace(microsecond=0), b""
        self._places: dict[Place, CarriedRecord] = {}
        taken = list(entries)
        self._append(warcinfo(now=self._now, first_id=taken[0].capture_id))
        self.records = {one.capture_id: self._records_of(one) for one in taken}
        self.payloads = {one.capture_id: archive.read(one).payload for one in taken}

    @property
    def data(self) -> bytes:
        """The file as it is now."""
        return self._data

    def add(self, page: Capture) -> None:
        """Append a page that was made, not captured."""
        self._append(record_of(page, now=self._now))

    def _records_of(self, entry: IndexEntry) -> tuple[CarriedRecord, CarriedRecord | None]:
        """The record of a page, and where that is a revisit the one that has its bytes."""
        original = self._copied(entry.original) if entry.original else None
        return self._copied(Place(entry.filename, entry.offset, entry.length)), original

    def _copied(self, place: Place) -> CarriedRecord:
        if place not in self._places:
            self._places[place] = self._append(self._archive.member(place))
        return self._places[place]

    def _append(self, member: bytes) -> CarriedRecord:
        made = CarriedRecord(len(self._data), len(member), hashlib.sha256(member).hexdigest())
        self._data += member
        return made
