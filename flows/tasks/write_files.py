"""Task `write files`: rows that cohorts gave become files of the release, as the rule of places has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import polars as pl
from msgspec import Struct

from flows.runtime.lake import open_lake
from flows.tasks.derive_cohorts import Derived
from flows.tasks.read_chunk import table_key
from flows.tasks.scratch_place import ScratchPlace, scratch_place
from warehouse.release.cohorts import places
from warehouse.release.draft import held, write_part
from warehouse.release.manifest import File
from warehouse.release.parquet import Part, cohort_key
from warehouse.schema.table import Table
from warehouse.schema.tables import CORE_TABLES
from warehouse.store.local_files import LocalFiles, local_files, scratch

WRITTEN: Final = "written"  # where files are until the draft has them
ROWS: Final = 120_000  # of the files of a task: some seconds
TABLES: Final = {table.name: table for table in CORE_TABLES}


class FileToBe(Struct, frozen=True):
    """A file of a table: the rows of these cohorts, which lie in these parts."""

    table: str
    key: str
    cohorts: tuple[str, ...]
    parts: tuple[str, ...]
    rows: int
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
        return tuple(write_file(place, lake, one, _rows(place, one)) for one in some.files)


def _rows(place: ScratchPlace, one: FileToBe) -> pl.DataFrame:
    rows = place.scan([table_key(part, one.table) for part in one.parts])
    return TABLES[one.table].conform(rows.filter(pl.col("_cohort").is_in(one.cohorts)).collect())


def write_file(place: ScratchPlace, lake: LocalFiles, one: FileToBe, rows: pl.DataFrame) -> Written:
    """A file of the release before, or one written into the scratch place."""
    part = Part(TABLES[one.table], one.key, rows)
    if same := held(lake, one.held_at, one.held, part):
        return Written(same, is_held=True)
    with scratch() as folder:
        file = write_part(folder, part)
        place.put_file(f"{WRITTEN}/{part.key}", folder / part.key)
    return Written(file, is_held=False)


def files_to_be(table: Table, derived: Sequence[Derived]) -> Iterator[FileToBe]:
    """The files of a table that is cut by cohort, of all that its cohorts gave."""
    counts = {cohort: rows for one in derived for cohort, rows in one.rows[table.name].items()}
    parts = {cohort: one.key for one in derived for cohort in one.rows[table.name]}
    cohorts_of: dict[str, list[str]] = {} if counts else {places.ALL: []}
    for cohort, place in places.gathered(counts, table.cohort_rows or 0, table.newest_rows).items():
        cohorts_of.setdefault(place, []).append(cohort)
    for place, cohorts in sorted(cohorts_of.items()):
        of = tuple(dict.fromkeys(parts[cohort] for cohort in cohorts)) or (derived[0].key,)
        yield FileToBe(table.name, cohort_key(table, place), tuple(cohorts), of, sum(counts[one] for one in cohorts))


def tasks_of(files: Iterable[FileToBe], lake: str, scratch: str) -> Iterator[Files]:
    """Files gathered into tasks."""
    some: list[FileToBe] = []
    for file in files:
        if some and sum(one.rows for one in some) + file.rows > ROWS:
            yield Files(lake, scratch, tuple(some))
            some = []
        some.append(file)
    if some:
        yield Files(lake, scratch, tuple(some))
