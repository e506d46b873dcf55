"""The files of a release that hold some papers: only these are read, and only those with a change are written.

Tables are cut by cohort, the papers of one period; marts in the same way, after their queries ran in the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import duckdb
import polars as pl

from warehouse.release.manifest import Draft, File, Manifest
from warehouse.release.parquet import Differing, Renewed, place_of
from warehouse.release.snapshot import Snapshot
from warehouse.schema import places
from warehouse.schema.catalog import CORE_TABLES, MART_TABLES
from warehouse.schema.ddl import qualified, quoted
from warehouse.schema.mart import Mart
from warehouse.schema.table import Table

CUT: Final = tuple(table for table in CORE_TABLES if table.cohort_rows and "paper_id" in table.column_names)


class Near:
    """The rows that a snapshot has of some papers, read from the files of their cohorts."""

    def __init__(self, snapshot: Snapshot[Manifest | Draft], paper_ids: Iterable[str]) -> None:
        self.snapshot = snapshot
        self.ids = pl.DataFrame({"paper_id": sorted(set(paper_ids))}, {"paper_id": pl.String})
        cohorts = self.ids.select(places.PLACE).unique().rows()
        self._places = {place for [cohort] in cohorts for place in places.lineage(cohort)}

    def files(self, table: Table) -> list[File]:
        """The files that may hold rows of these papers."""
        return [file for file in self.snapshot.tables[table.name].files if place_of(file) in self._places]

    def rows(self, table: Table) -> pl.DataFrame:
        """All rows of these papers; Damaged where a file is not what was written."""
        return self.snapshot.read_files(table, self.files(table), self.ids["paper_id"])


def papers_that_differ(after: Snapshot[Draft], before: Snapshot[Manifest]) -> pl.Series:
    """The papers of which any row differs in a table cut by cohort; files that both sides have are not read."""
    sides = ((own_rows(table, after, before), own_rows(table, before, after)) for table in CUT)
    return pl.concat(papers_unlike(now, then) for now, then in sides).unique().sort()


def papers_unlike(now: pl.DataFrame, then: pl.DataFrame) -> pl.Series:
    """Papers with a row that only one of two sides of a table has."""
    one, other = now.hash_rows(), then.hash_rows()  # of 64 bits, which are taken to be unique
    sides = (now.filter(~one.is_in(other.implode())), then.filter(~other.is_in(one.implode())))
    return pl.concat(rows["paper_id"] for rows in sides).unique()


def own_rows(table: Table, one: Snapshot[Manifest | Draft], other: Snapshot[Manifest | Draft]) -> pl.DataFrame:
    """The rows of those files of a table that only the first of two snapshots has."""
    shared = {file.sha256 for file in other.tables[table.name].files}
    return one.read_files(table, [file for file in one.tables[table.name].files if file.sha256 not in shared])


def is_cut_alike(release: Snapshot[Manifest | Draft]) -> bool:
    """Whether the release's tables are cut as they are declared now; those of an older paperlake may not be."""
    rows = {table.name: table.cohort_rows for table in release.of.tables}
    return all(rows.get(table.name) == table.cohort_rows for table in CORE_TABLES)


def stored_marts(
    connection: duckdb.DuckDBPyConnection,
    before: Snapshot[Manifest] | None = None,
    changed: Mapping[str, Differing] | None = None,
) -> Iterator[tuple[Mart, Renewed]]:
    """The marts that the database in use stores, each conforming to its declaration.

    Files of the release `before` in which no row differs are passed on: `changed` has, by mart, the rows that do.
    Without it all are written.
    """
    for mart in (mart for mart in MART_TABLES if not mart.is_view):
        is_same = before and changed is not None and changed[mart.name].is_empty
        if before and is_same and (files := _held_files(mart, before)) and all(map(before.has, files)):
            yield mart, Renewed(mart.empty(), files)
            continue
        lead, table = quoted(mart.key[0]), qualified(mart)
        counted = connection.sql(f"SELECT {lead}, count(*) AS row_count FROM {table} GROUP BY 1").pl()  # noqa: S608
        leads = _placed(mart, counted)
        passed = _unchanged_files(mart, leads, before, changed[mart.name]) if before and changed is not None else ()
        near = leads.filter(~pl.col("place").is_in([place_of(file) for file in passed]))
        connection.register("_near", near.to_arrow())
        rows = connection.sql(f"FROM {table} SEMI JOIN _near USING ({lead})" if passed else f"FROM {table}")
        yield mart, Renewed(mart.conform(rows.pl()), passed)


def marts_of(path: Path) -> Iterator[tuple[Mart, Renewed]]:
    """The marts of a database that nobody uses, which stays as it is.

    A process that writes it leaves in free blocks what its memory had.
    """
    with duckdb.connect(str(path), read_only=True) as connection:
        yield from stored_marts(connection)


def _unchanged_files(
    mart: Mart, leads: pl.DataFrame, before: Snapshot[Manifest], changed: Differing
) -> tuple[File, ...]:
    """The previous release's sound files, in the same cut, that hold no row which differs."""
    now = set(leads["place"])
    if mart.cohort_rows:
        cohorts = pl.concat(
            side.select(cohort=places.place_of_rows(mart))["cohort"].unique() for side in (changed.gone, changed.new)
        )
        now -= {place for cohort in cohorts for place in places.lineage(cohort)}
    elif not changed.is_empty:
        now.clear()
    return tuple(file for file in _held_files(mart, before) if place_of(file) in now and before.has(file))


def _held_files(mart: Mart, before: Snapshot[Manifest]) -> tuple[File, ...]:
    """The previous release's files of a mart, if they are cut in the same way and it says how many rows they have."""
    held = (one for one in before.of.marts if one.name == mart.name and one.cohort_rows == mart.cohort_rows)
    files = tuple(file for one in held for file in one.files)
    return files if all(file.row_count is not None for file in files) else ()


def _placed(mart: Mart, leads: pl.DataFrame) -> pl.DataFrame:
    """The first values of a mart's key, of which each has so many rows, with their file as `place_of` names it."""
    if mart.cohort_rows is None:
        return leads.with_columns(place=pl.lit(mart.name))
    found = leads.with_columns(place=places.place_of_rows(mart))
    counts = found.group_by("place").agg(pl.col("row_count").sum())
    return found.with_columns(pl.col("place").replace(places.files_of(mart, dict(counts.iter_rows()))))
