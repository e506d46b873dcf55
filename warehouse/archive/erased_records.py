"""Erasing a person from the archive: records that hold something of theirs are rewritten, with a note, into new files.

Each new file is put whole, then the index of its month is swapped; the old files are removed when all new ones are
there. After a kill at any point the same command resumes. Records in which nothing changes keep their bytes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import msgspec

from warehouse.archive.captured import Capture, Note, instant_of, masked_capture
from warehouse.archive.index import (
    IndexEntry,
    index_key,
    parse_index,
    read_index,
    remove_from_index,
    render_index,
)
from warehouse.archive.warc_file import index_of, month_of, name_of, records_of
from warehouse.archive.warc_write import record_of
from warehouse.archive.writer import WARCS
from warehouse.errors import Damaged
from warehouse.people.person import Person
from warehouse.store.store import Store, change_object, read_if_there


class ErasedFile(NamedTuple):
    """A WARC file to rewrite: how many records hold something of the person, and how many others change with them."""

    filename: str
    record_count: int
    moved_count: int


def erase_raw(store: Store, person: Person, note: Note, *, apply: bool) -> list[ErasedFile]:
    """The files that hold something of the person; with `apply` they are rewritten, and the old ones removed.

    Damaged where a file is not sound: a fault must not be rewritten under digests that say it is right.
    """
    found = []
    moved: dict[tuple[str, int], IndexEntry] = {}
    for filename, data in _files(store):
        entries, members, record_count = [], dict[int, bytes](), 0
        for entry, capture in records_of(filename, data):
            is_theirs, member = _renewed(entry, capture, person, note, moved)
            entries.append(entry)
            record_count += is_theirs
            if member is not None:
                members[entry.offset] = member
        if not members:
            continue
        found.append(ErasedFile(filename, record_count, len(members) - record_count))
        new = _rewrite(store, filename, data, entries, members) if apply else {}
        moved |= {(filename, entry.offset): new.get(entry.capture_id, entry) for entry in entries}
    for gone in reversed(found) if apply else ():  # revisits before their originals, so that none is left without
        store.delete(WARCS + gone.filename)
    if apply:  # who stored one of them before the ledger had the person may have indexed it since
        remove_from_index(store, {gone.filename for gone in found})
    return found


def _files(store: Store) -> Iterator[tuple[str, bytes]]:
    """Every WARC file, by its name; files of originals come before those with revisits of them."""
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
            yield filename, data
        left -= {*ready}


def _renewed(
    entry: IndexEntry, capture: Capture, person: Person, note: Note, moved: dict[tuple[str, int], IndexEntry]
) -> tuple[bool, bytes | None]:
    """Whether a record holds something of the person, and its new bytes; None where it may stay as it is."""
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
    store: Store, filename: str, data: bytes, entries: Iterable[IndexEntry], members: dict[int, bytes]
) -> dict[str, IndexEntry]:
    """Put the file with these members, by offset, in place of its own, and index it; the entries by capture id."""
    parts, end = [], 0
    for entry in entries:
        if entry.offset in members:
            parts += [data[end : entry.offset], members[entry.offset]]
            end = entry.offset + entry.length
    new = b"".join([*parts, data[end:]])
    name = name_of(new, month_of(filename))
    indexed = index_of(name, new)
    store.put_new(WARCS + name, new)
    key = index_key(month_of(filename))

    def with_new_lines(stored: bytes) -> bytes:
        return render_index([*(one for one in parse_index(stored, key) if one.filename != filename), *indexed])

    change_object(store, key, with_new_lines)
    return {entry.capture_id: entry for entry in indexed}
