"""The raw zone: every capture, byte for byte, in WARC files that any WARC tool reads.

`raw/warc/<month>/<name>.warc.gz` holds up to some 32 MiB of payload; the month is that of landing, the name the start
of the SHA-256 of its bytes. `raw/index/<month>.cdxj` says which captures the month's files hold, and is a function of
them alone. A file is written whole and never changed; its lines come into the index second, and are the commit point.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from warehouse.archive.captured import Capture, in_utc, shown
from warehouse.archive.index import (
    IndexEntry,
    Place,
    add_to_index,
    index_key,
    months_in,
    parse_index,
    read_index,
    recent_months,
    render_index,
)
from warehouse.archive.outcome import Outcome, Revisit
from warehouse.archive.warc_file import index_of, month_of, name_of, payload_of, read_record
from warehouse.archive.writer import WARCS, ArchiveWriter, Landed
from warehouse.errors import Damaged, NothingThere
from warehouse.store.store import Store, read_if_there


@dataclass(frozen=True, slots=True)
class Damage:
    """Something `verify` found in a WARC file, or in an index. Without offset and capture it concerns all of it."""

    file: str
    detail: str
    offset: int | None = None
    capture_id: str | None = None


class Archive:
    """The raw zone of one lake."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def write(self, outcomes: Iterable[Outcome | Revisit], *, now: datetime) -> Landed:
        """Land what is not landed yet; `now` dates the files, and records without a fetch time.

        A page that a stored file has already, byte for byte and of the same address, is stored as a revisit of it, as
        is an Unchanged; one whose page the archive does not have is landed as a failed attempt, as is a Failed. A
        Revisit, out of another archive, is landed where its page is landed, before it or by the same call.
        Memory: one WARC file of some 32 MiB payload, and one capture. What a run that was killed, this month or the
        month before, had written and not indexed is indexed first. StoreFailed where the lake cannot be written: files
        finished before that stay, and the same call again lands the rest.
        """
        now = in_utc(now)
        keys = [key for month in recent_months(now) for key in self.store.list(WARCS + month)]
        writer = ArchiveWriter(self.store, self._recovered(keys)[0], now)
        for outcome in outcomes:
            writer.add(outcome)
        return writer.end()

    def index(self) -> list[IndexEntry]:
        """Every landed capture once, by file and offset; Damaged where an index cannot be read."""
        # Two runs that landed the same page at the same moment left it in two files: the first one stands for it.
        first: dict[str, IndexEntry] = {}
        for entry in read_index(self.store):
            first.setdefault(entry.capture_id, entry)
        return list(first.values())

    def find(self, capture_id: str) -> IndexEntry:
        """The entry of one capture; NothingThere where it is not landed."""
        for entry in self.index():
            if entry.capture_id == capture_id:
                return entry
        step = '`paperlake sql "select capture_id, url from captures"` lists them'
        raise NothingThere(f"no capture {shown(capture_id)!r} has been landed in {self.store.url}; {step}")

    def read(self, entry: IndexEntry) -> Capture:
        """One capture, by a range read, or two; Damaged unless it is to the byte what its digests and index say."""
        place = Place(entry.filename, entry.offset, entry.length)
        return read_record(entry, self._member(place), self._original(entry))

    def captures(self, entries: Iterable[IndexEntry]) -> Iterator[Capture]:
        """Many captures in the order of `entries`, verified; each run of entries of one file opens it once."""
        for filename, run in groupby(entries, key=lambda entry: entry.filename):
            with self.store.open(WARCS + filename) as file:
                for entry in run:
                    file.seek(entry.offset)
                    yield read_record(entry, file.read(entry.length), self._original(entry))

    def recover(self) -> tuple[str, ...]:
        """Index every WARC file of any month that is stored whole and not indexed; their names.

        One that is not the file its name says (nothing of it was ever landed) is left for `verify` to tell of.
        """
        return self._recovered(self.store.list(WARCS))[1]

    def verify(self) -> Iterator[IndexEntry | Damage]:
        """Re-read every record: its entry where all is sound, a Damage for each thing that is not.

        Sound means: the file's bytes have the digest that is its name, every record its block and payload digests,
        every capture the id that its address, time and payload give, the payload of a revisit is where it says, and
        the index tells just that.
        """
        filenames: dict[str, set[str]] = {month: set() for month in months_in(self.store)}
        for key in self.store.list(WARCS):
            filename = key.removeprefix(WARCS)
            filenames.setdefault(month_of(filename), set()).add(filename)
        for month in sorted(filenames):
            yield from self._verify_month(month, filenames[month])

    def _verify_month(self, month: str, filenames: set[str]) -> Iterator[IndexEntry | Damage]:
        key = index_key(month)
        stored = read_if_there(self.store, key)
        told = _by_file(stored or b"")
        if told is None or (stored is not None and _rendered(told) != stored):
            yield Damage(key, "its lines are not as they were written: delete it, and `paperlake land` makes it again")
        for filename in sorted(filenames | (told or {}).keys()):
            yield from self._verify_file(filename, None if told is None else told[filename])

    def _verify_file(self, filename: str, told: list[IndexEntry] | None) -> Iterator[IndexEntry | Damage]:
        """One file, against what the index tells of it; None where that cannot be read."""
        data = read_if_there(self.store, WARCS + filename)
        if data is None:
            count = len(told or ())
            yield Damage(filename, f"the WARC file is missing, and {count} captures with it: put back a copy of it")
            return
        is_whole = name_of(data, month_of(filename)) == filename
        found = _index_if_readable(filename, data) if is_whole else []
        if found and told in (found, None):
            yield from map(self._verify_original, found)
            return
        yield Damage(filename, _what_is_wrong(told, is_whole=is_whole))
        for entry in told or found:
            yield self._verify_record(entry, data)

    def _verify_original(self, entry: IndexEntry) -> IndexEntry | Damage:
        """A record that is sound in itself; if it is a revisit, its payload must be where it says."""
        try:
            if entry.original:
                payload_of(entry, self._original(entry))
        except (Damaged, NothingThere) as damage:
            return Damage(entry.filename, str(damage), entry.offset, entry.capture_id)
        return entry

    def _verify_record(self, entry: IndexEntry, data: bytes) -> IndexEntry | Damage:
        try:
            read_record(entry, data[entry.offset : entry.offset + entry.length], self._original(entry))
        except (Damaged, NothingThere) as damage:
            return Damage(entry.filename, str(damage), entry.offset, entry.capture_id)
        return entry

    def _original(self, entry: IndexEntry) -> bytes | None:
        return self._member(entry.original) if entry.original else None

    def _member(self, place: Place) -> bytes:
        return self.store.read_range(WARCS + place.filename, place.offset, place.length)

    def _recovered(self, keys: Iterable[str]) -> tuple[list[IndexEntry], tuple[str, ...]]:
        """The whole index, after the files at `keys` that it does not tell of were added to it, and their names."""
        entries, added = read_index(self.store), []
        indexed = {entry.filename for entry in entries}
        for filename in (key.removeprefix(WARCS) for key in keys):
            if filename not in indexed and (found := self._index_again(filename)):
                entries += found
                added.append(filename)
        return entries, tuple(added)

    def _index_again(self, filename: str) -> list[IndexEntry]:
        data, month = self.store.read(WARCS + filename), month_of(filename)
        entries = _index_if_readable(filename, data) if name_of(data, month) == filename else []
        if entries:
            add_to_index(self.store, month, entries)
        return entries


def _index_if_readable(filename: str, data: bytes) -> list[IndexEntry]:
    try:
        return index_of(filename, data)
    except Damaged:
        return []


def _by_file(stored: bytes) -> defaultdict[str, list[IndexEntry]] | None:
    """What an index tells of each file, by offset; None where it cannot be read."""
    by_file: defaultdict[str, list[IndexEntry]] = defaultdict(list)
    try:
        for entry in parse_index(stored, ""):
            by_file[entry.filename].append(entry)
    except Damaged:
        return None
    return by_file


def _rendered(told: dict[str, list[IndexEntry]]) -> bytes:
    return render_index(entry for entries in told.values() for entry in entries)


def _what_is_wrong(told: list[IndexEntry] | None, *, is_whole: bool) -> str:
    if not is_whole:
        return "its bytes are not those it was named by: put back a copy of it"
    if not told:
        return "it is not in the index: `paperlake land` puts it there"
    return "the index does not agree with it: delete that of its month, and `paperlake land` makes it again"
