"""Task `write files`: rows that cohorts gave become files of the release, as the rule of places has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import polars as pl
from msgspec import Struct

from flows.runtime.lake import open_lake
from flows.tasks.cohorts import staying
from flows.tasks.read_chunk import table_key
from flows.tasks.scratch_place import ScratchPlace, parcels, scratch_place
from warehouse.release.draft import held, write_part
from warehouse.release.manifest import File
from warehouse.release.parquet import Part
from warehouse.schema import places
from warehouse.schema.catalog.tables import CORE_TABLES
from warehouse.store.local_files import LocalFiles, local_files, scratch

WRITTEN: Final = "written"  # where files are until the draft has them
TABLES: Final = {table.name: table for table in CORE_TABLES}


class FileToBe(Struct, frozen=True):
    """A file of a table: the rows of these places, which lie in these parts, and in files of the release under it.

    Of the release's rows only those are meant that no part has anew.
    """

    table: str
    key: str
    places: tuple[str, ...]
    parts: tuple[str, ...]
    rows: int
    stays: tuple[str, ...] = ()
    held: File | None = None  # what the release before has of this name, and where
    held_at: str = ""


class Files(Struct, frozen=True):
    """Files that one task writes."""

    lake: str
    scratch: str
    files: tuple[FileToBe, ...]


class Written(Struct, frozen=True):
    """A file of the draft, and whether it is the one of the release before."""

    file: File
    is_held: bool


def write_files(some: Files) -> tuple[Written, ...]:
    """Write files whole, but those that the release before has with these rows; what each is."""
    with scratch_place(some.scratch) as place, local_files(open_lake(some.lake)) as lake:
        return tuple(write_file(place, lake, one, _rows(place, lake, one)) for one in some.files)


def _rows(place: ScratchPlace, lake: LocalFiles, one: FileToBe) -> pl.DataFrame:
    table, found = TABLES[one.table], []
    if one.parts:
        rows = place.scan([table_key(part, one.table) for part in one.parts])
        found.append(rows.filter(pl.col("_place").is_in(one.places)).select(table.column_names).collect())
    if one.stays:
        held = pl.scan_parquet([lake.path(key) for key in one.stays], glob=False)
        here = held.filter(places.place_in(table.empty()).is_in(one.places))
        found.append(staying(place, one.table, here).select(table.column_names).collect())
    return table.conform(pl.concat(found))


def write_file(place: ScratchPlace, lake: LocalFiles, one: FileToBe, rows: pl.DataFrame) -> Written:
    """A file of the release before, or one written into the scratch place."""
    part = Part(TABLES[one.table], one.key, rows)
    if same := held(lake, one.held_at, one.held, part):
        return Written(same, is_held=True)
    with scratch() as folder:
        file = write_part(folder, part)
        place.put_file(f"{WRITTEN}/{part.key}", folder / part.key)
    return Written(file, is_held=False)


def tasks_of(files: Iterable[FileToBe], lake: str, scratch: str, most: int) -> list[Files]:
    """Files gathered into tasks of so many rows at most; a file of more is a task of its own."""
    return [Files(lake, scratch, some) for some in parcels(files, lambda file: file.rows, most) if some]
