"""Erasing a person from the archive: records that hold something of theirs are rewritten, with a note, into new files.

Each new file is put whole, then the index of its month is swapped; the old files are removed when all new ones are
there. After a kill at any point the same command resumes. Records in which nothing changes keep their bytes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec

from warehouse.archive.captured import Note, instant_of, masked_capture
from warehouse.archive.http_message import inflated
from warehouse.archive.index import (
    IndexEntry,
    change_index,
    index_key,
    parse_index,
    read_index,
    remove_from_index,
    render_index,
)
from warehouse.archive.warc_file import (
    ANY_SIZE,
    HEADER_ROOM,
    capture_in,
    index_of,
    month_of,
    name_of,
    only_record,
)
from warehouse.archive.warc_write import record_of
from warehouse.archive.writer import WARCS
from warehouse.errors import Damaged
from warehouse.people.person import Person
from warehouse.store.store import Store, read_if_there


class ErasedFile(NamedTuple):
    """A WARC file to rewrite: how many records hold something of the person, and how many others change with them."""

    filename: str
    record_count: int
    moved_count: int


@dataclass(frozen=True)
class _Record:
    """A record of a file: its index entry, and its bytes."""

    entry: IndexEntry
    member: bytes


def erase_raw(store: Store, person: Person, note: Note, *, apply: bool) -> list[ErasedFile]:
    """The files that hold something of the person; with `apply` they are rewritten, and the old ones removed.

    Damaged where a file is not sound: a fault must not be rewritten under digests that say it is right.
    """
    found = []
    moved: dict[tuple[str, int], IndexEntry] = {}
    for filename, data, records in _files(store):
        made = {record.entry.offset: _renewed(record, person, note, moved) for record in records}
        theirs = [offset for offset, (is_theirs, _) in made.items() if is_theirs]
        members = {offset: member for offset, (_, member) in made.items() if member is not None}
        if not members:
            continue
        found.append(ErasedFile(filename, len(theirs), len(members) - len(theirs)))
        entries = _rewrite(store, filename, data, records, members) if apply else {}
        for record in records:
            new = entries.get(record.entry.capture_id, record.entry)
            moved[filename, record.entry.offset] = new
    for gone in reversed(found) if apply else ():  # revisits before their originals, so that none is left without
        store.delete(WARCS + gone.filename)
    if apply:  # who stored one of them before the ledger had the person may have indexed it since
        remove_from_index(store, {gone.filename for gone in found})
    return found


def _files(store: Store) -> Iterator[tuple[str, bytes, list[_Record]]]:
    """Every WARC file with its records; files of originals come before those with revisits of them."""
    indexed: dict[str, list[IndexEntry]] = {}
    for entry in read_index(store):
        indexed.setdefault(entry.filename, []).append(entry)
    left = {key.removeprefix(WARCS) for key in store.list(WARCS)}
    for filename in left - indexed.keys():  # replaced by a run that was then killed, or never indexed
        indexed[filename] = index_of(filename, store.read(WARCS + filename))
    needs = {name: {one.orig_filename for one in indexed[name] if one.orig_filename} for name in left}
    while left:
        ready = sorted(name for name in left if not needs[name] & (left - {name})) or sorted(left)
        for filename in ready:
            data = read_if_there(store, WARCS + filename)
            if data is None:
                continue
            if name_of(data, month_of(filename)) != filename:
                step = "put back a copy of it, or remove it, and erase again"
                raise Damaged(f"{WARCS}{filename} does not have the bytes it was named by: {step}")
            entries = index_of(filename, data)
            yield filename, data, [_Record(one, data[one.offset : one.offset + one.length]) for one in entries]
        left -= {*ready}


def _renewed(
    record: _Record, person: Person, note: Note, moved: dict[tuple[str, int], IndexEntry]
) -> tuple[bool, bytes | None]:
    """Whether a record holds something of the person, and its new bytes; None where it may stay as it is."""
    entry = record.entry
    capture = capture_in(only_record(inflated(record.member, entry.payload_bytes + HEADER_ROOM)), ANY_SIZE)
    masked = masked_capture(person, capture, lambda _: note(entry.capture_id))
    original = moved.get((entry.orig_filename, entry.orig_offset)) if entry.orig_filename else None
    is_theirs = masked != capture or bool(original and original.digest != entry.digest)
    if not is_theirs and original is None:
        return False, None
    if (place := entry.original) and original is None:  # its headers hold something, and its original stays
        original = msgspec.structs.replace(
            entry, filename=place.filename, offset=place.offset, length=place.length, orig_filename=None
        )
    if is_theirs and masked.erased is None:
        masked = replace(masked, erased=note(entry.capture_id))
    return is_theirs, record_of(masked, now=instant_of(entry.date), original=original)


def _rewrite(
    store: Store, filename: str, data: bytes, records: Iterable[_Record], members: dict[int, bytes]
) -> dict[str, IndexEntry]:
    """Put the file with these members, by offset, in place of its own, and index it; the entries by capture id."""
    parts, end = [], 0
    for record in records:
        entry = record.entry
        parts += [data[end : entry.offset], members.get(entry.offset, record.member)]
        end = entry.offset + entry.length
    new = b"".join([*parts, data[end:]])
    name = name_of(new, month_of(filename))
    entries = index_of(name, new)
    store.put_new(WARCS + name, new)
    key = index_key(month_of(filename))

    def with_new_lines(stored: bytes) -> bytes:
        return render_index([*(one for one in parse_index(stored, key) if one.filename != filename), *entries])

    change_index(store, key, with_new_lines)
    return {entry.capture_id: entry for entry in entries}
