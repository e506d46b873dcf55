"""What an erasure changed of releases, on record: `log/erasures/<name>.json`, and which hash came in place of which.

`latest.json` names each record with its hash, as it names what was retracted, and every move hands the names on. So a
manifest or a move that is not what it was is an erased one where a record says so, and damaged otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from warehouse.errors import Damaged
from warehouse.release.latest import LATEST
from warehouse.release.manifest import ErasureNote, Latest, Version, decode, digest
from warehouse.store.store import Store, read_if_there

RECORDS: Final = "log/erasures"


class Renewed(Struct, frozen=True):
    """A record (a manifest, a move, a citation) that was written anew: its key in the lake, and its hashes."""

    key: str
    before: str
    after: str


class Cells(Struct, frozen=True):
    """In how many rows of a release a column changed."""

    version: Version
    table: str
    column: str
    row_count: int


class Erasure(Struct, frozen=True, kw_only=True):
    """One erasure, without a word on who it was: what was written anew, and how many rows of which columns."""

    name: str
    erased_at: str
    why: str
    code_version: str
    warc_count: int
    record_count: int
    file_count: int
    renewed: tuple[Renewed, ...]
    cells: tuple[Cells, ...]


def record_key(name: str) -> str:
    return f"{RECORDS}/{name}.json"


def erasures(store: Store) -> list[Erasure]:
    """Every erasure, the first one first; Damaged where a record is not the one that `latest.json` names."""
    data = read_if_there(store, LATEST)
    notes = decode(data, Latest, LATEST).erasures if data else ()
    return [_read(store, note) for note in notes]


def resolved(store: Store, sha256: str) -> str:
    """The hash that a record of this hash has now."""
    for erasure in erasures(store):
        sha256 = next((one.after for one in erasure.renewed if one.before == sha256), sha256)
    return sha256


def erased_cells(store: Store, version: str) -> set[tuple[str, str]]:
    """The (table, column) of a release in which an erasure changed rows; which rows, `MASK` in them tells."""
    return {(cell.table, cell.column) for one in erasures(store) for cell in one.cells if cell.version == version}


def erasure_faults(store: Store) -> Iterator[str]:
    """Records of erasures that are not what `latest.json` names."""
    data = read_if_there(store, LATEST)
    for note in decode(data, Latest, LATEST).erasures if data else ():
        try:
            _read(store, note)
        except Damaged as error:
            yield str(error)


def _read(store: Store, note: ErasureNote) -> Erasure:
    key = record_key(note.name)
    data = read_if_there(store, key)
    if data is None or digest(data) != note.sha256:
        raise Damaged(f"{key} is not the record of the erasure that {LATEST} names; restore it from a copy")
    return decode(data, Erasure, key)
