"""The raw zone: every capture, byte for byte, in WARC files that any WARC tool reads.

`raw/warc/<name>.warc.gz` holds up to some 32 MiB of payload; its name is the start of the SHA-256 of its bytes.
`raw/index/<name>.cdxj` says which captures it holds, and is a function of the WARC file alone. The index is written
second and is the commit point: a capture is landed when its line is stored. Files are written whole and never changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Final

from warehouse import cdxj
from warehouse.capture import Capture, Refused, in_utc, shown
from warehouse.cdxj import IndexEntry, Place
from warehouse.errors import Damaged, NothingThere
from warehouse.originals import Originals
from warehouse.outcome import Failed, Outcome
from warehouse.store import Store
from warehouse.warc import id_of, unlandable
from warehouse.warc_file import SUFFIX, WarcFile, index_of, name_of, payload_of, read_record

WARCS: Final = "raw/warc/"
INDEXES: Final = "raw/index/"
FILE_BYTES: Final = 32 << 20  # before compression; a file is held in memory, compressed, until it is whole
NO_ORIGINAL: Final = "the source says that the page is unchanged, and no capture of it with that ETag is landed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """What one `Archive.write` did. `skipped_count`: captures the archive, or this very input, had before."""

    capture_ids: tuple[str, ...]
    skipped_count: int
    payload_bytes: int
    stored_bytes: int
    warcs: tuple[str, ...]
    refused: tuple[Refused, ...]

    @property
    def record_count(self) -> int:
        return len(self.capture_ids)


@dataclass(frozen=True, slots=True)
class Damage:
    """Something `verify` found. Without offset and capture it concerns the whole file."""

    warc: str
    detail: str
    offset: int | None = None
    capture_id: str | None = None


class Archive:
    """The raw zone of one lake."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def write(self, outcomes: Iterable[Outcome], *, now: datetime) -> Landed:
        """Land what is not landed yet; `now` dates the files, and records without a fetch time.

        A page that a stored file has already, byte for byte and of the same address, is stored as a revisit of it, as
        is an Unchanged; one whose page the archive does not have is landed as a failed attempt, as is a Failed.
        Memory: one WARC file of some 32 MiB payload, and one capture. What a run that was killed had written and not
        indexed is indexed first. StoreFailed where the lake cannot be written: files finished before that stay, and
        the same call again lands the rest.
        """
        self.recover()
        landing = _Landing(self.store, self.index(), in_utc(now))
        for outcome in outcomes:
            landing.add(outcome)
        return landing.end()

    def index(self) -> list[IndexEntry]:
        """Every landed capture once, by file and offset; Damaged where an index file cannot be read."""
        keys = [key for key in self.store.list(INDEXES) if key.endswith(".cdxj")]
        entries = [entry for key in keys for entry in cdxj.parse(self.store.read(key), key)]
        # Two runs that landed the same page at the same moment left it in two files: the first one stands for it.
        first: dict[str, IndexEntry] = {}
        for entry in entries:
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
        """Index the WARC files that were stored whole and not indexed, by a run that was killed; their names.

        One that is not the file its name says (nothing of it was ever landed) is left for `verify` to tell of.
        """
        indexed = {_warc_name(key) for key in self.store.list(INDEXES)}
        missing = [key.removeprefix(WARCS) for key in self.store.list(WARCS)]
        return tuple(filename for filename in missing if filename not in indexed and self._index_again(filename))

    def verify(self) -> Iterator[IndexEntry | Damage]:
        """Re-read every record: its entry where all is sound, a Damage for each thing that is not.

        Sound means: the file's bytes have the digest that is its name, every record its block and payload digests,
        every capture the id that its address, time and payload give, and the index tells just that.
        """
        names = {key.removeprefix(WARCS) for key in self.store.list(WARCS)}
        names |= {_warc_name(key) for key in self.store.list(INDEXES)}
        for filename in sorted(names):
            yield from self._verify_file(filename)

    def _verify_file(self, filename: str) -> Iterator[IndexEntry | Damage]:
        stored, data = self._read_if_there(_index_key(filename)), self._read_if_there(WARCS + filename)
        if data is None:
            count = len(_parse_if_readable(stored, filename))
            yield Damage(filename, f"the WARC file is missing, and {count} captures with it: put back a copy of it")
            return
        is_whole = name_of(data) == filename
        found = _index_if_readable(filename, data) if is_whole else []
        if stored is not None and stored == cdxj.render(found):
            yield from map(self._verify_original, found)
            return
        yield Damage(filename, _what_is_wrong(stored, is_whole=is_whole))
        for entry in _parse_if_readable(stored, filename) or found:
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

    def _read_if_there(self, key: str) -> bytes | None:
        return self.store.read(key) if self.store.exists(key) else None

    def _index_again(self, filename: str) -> bool:
        data = self.store.read(WARCS + filename)
        entries = _index_if_readable(filename, data) if name_of(data) == filename else []
        return bool(entries) and self.store.put_new(_index_key(filename), cdxj.render(entries))


class _Landing:
    """One `Archive.write` under way: the file being filled, and what was done so far."""

    def __init__(self, store: Store, entries: list[IndexEntry], now: datetime) -> None:
        self._store, self._now = store, now.replace(microsecond=0)
        self._known, self._originals = {entry.capture_id for entry in entries}, Originals(entries)
        self._file = WarcFile(self._now)
        self._entries: list[IndexEntry] = []
        self._warcs: list[str] = []
        self._refused: list[Refused] = []
        self._skipped_count = self._stored_bytes = 0

    def add(self, outcome: Outcome) -> None:
        capture, original = self._resolved(outcome)
        capture_id = id_of(capture, original)
        if capture_id in self._known:
            self._skipped_count += 1
        elif reason := unlandable(capture):
            self._refused.append(Refused(shown(capture.url or capture_id), reason))
        else:
            self._known.add(capture_id)
            self._file.add(capture, original)
        if self._file.size >= FILE_BYTES:
            self._store_file()

    def _resolved(self, outcome: Outcome) -> tuple[Capture, IndexEntry | None]:
        """What is to be a record, and the record that has its payload already."""
        if isinstance(outcome, Capture):
            return outcome, self._originals.of_payload(outcome)
        if isinstance(outcome, Failed):
            return outcome.as_capture(), None
        original = self._originals.of_etag(outcome)
        if original is None:
            return replace(outcome.as_capture(), failure=NO_ORIGINAL), None
        return outcome.as_capture(), original

    def end(self) -> Landed:
        self._store_file()
        return Landed(
            capture_ids=tuple(entry.capture_id for entry in self._entries),
            skipped_count=self._skipped_count,
            payload_bytes=sum(entry.payload_bytes for entry in self._entries),
            stored_bytes=self._stored_bytes,
            warcs=tuple(self._warcs),
            refused=tuple(self._refused),
        )

    def _store_file(self) -> None:
        packed = self._file.finish()
        self._file = WarcFile(self._now)
        if packed is None:
            return
        self._store.put_new(WARCS + packed.filename, packed.data)
        self._store.put_new(_index_key(packed.filename), cdxj.render(packed.entries))
        self._originals.add(packed.entries)
        self._entries += packed.entries
        self._warcs.append(packed.filename)
        self._stored_bytes += len(packed.data)


def _index_key(filename: str) -> str:
    return f"{INDEXES}{filename.removesuffix(SUFFIX)}.cdxj"


def _warc_name(index_key: str) -> str:
    return index_key.removeprefix(INDEXES).removesuffix(".cdxj") + SUFFIX


def _index_if_readable(filename: str, data: bytes) -> list[IndexEntry]:
    try:
        return index_of(filename, data)
    except Damaged:
        return []


def _parse_if_readable(stored: bytes | None, filename: str) -> list[IndexEntry]:
    try:
        return cdxj.parse(stored or b"", filename)
    except Damaged:
        return []


def _what_is_wrong(stored: bytes | None, *, is_whole: bool) -> str:
    if not is_whole:
        return "its bytes are not those it was named by: put back a copy of it"
    if stored is None:
        return "it has no index: `paperlake land` makes it"
    return "its index does not agree with it: delete that, and `paperlake land` makes it again"
