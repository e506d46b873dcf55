"""Records of erasures, `log/erasures/<name>.json`: what changed in releases, and which hash replaced which.

`latest.json` names each record with its hash, as it names what was retracted, and every move passes the names on. So a
manifest or a move with another hash than expected was rewritten where a record says so, and is damaged otherwise.
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
    """A rewritten object (a manifest, a move, a citation): its key in the lake, and its hash before and after."""

    key: str
    before: str
    after: str


class Cells(Struct, frozen=True):
    """The number of rows of a release in which a column changed."""

    version: Version
    table: str
    column: str
    row_count: int


class Erasure(Struct, frozen=True, kw_only=True):
    """One erasure, without saying of whom: what was rewritten, and how many rows of which columns."""

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
    """The hash that an object with this hash has now, after all erasures."""
    for erasure in erasures(store):
        sha256 = next((one.after for one in erasure.renewed if one.before == sha256), sha256)
    return sha256


def erasure_faults(store: Store) -> Iterator[str]:
    """A line for each record of an erasure that is not what `latest.json` names."""
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
