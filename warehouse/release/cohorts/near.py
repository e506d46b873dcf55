"""The rows of some papers in a release or a draft: files of other cohorts are not read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import polars as pl

from warehouse.release.changes.cells import rows_unlike
from warehouse.release.cohorts import places
from warehouse.release.manifest import Draft, File, Manifest
from warehouse.release.parquet import place_of
from warehouse.release.snapshot import Snapshot
from warehouse.schema.table import Table
from warehouse.schema.tables import CORE_TABLES

CUT: Final = tuple(table for table in CORE_TABLES if table.cohort_rows and "paper_id" in table.column_names)


class Near:
    """The rows that a snapshot has of some papers, read from the files of their cohorts."""

    def __init__(self, snapshot: Snapshot[Manifest | Draft], paper_ids: Iterable[str]) -> None:
        self.snapshot = snapshot
        self.ids = pl.DataFrame({"paper_id": sorted(set(paper_ids))}, {"paper_id": pl.String})
        cohorts = self.ids.select(places.COHORT).unique().rows()
        self._places = {place for [cohort] in cohorts for place in places.lineage(cohort)}

    def files(self, table: Table) -> list[File]:
        """The files that may hold rows of these papers."""
        return [file for file in self.snapshot.tables[table.name].files if place_of(file) in self._places]

    def read(self, table: Table) -> pl.DataFrame:
        """The files of these papers whole, with rows of other papers; Damaged where one is not what was written."""
        return self.snapshot.read_files(table, self.files(table))

    def rows(self, table: Table) -> pl.DataFrame:
        """All rows of these papers."""
        return self.snapshot.read_files(table, self.files(table), self.ids["paper_id"])


def papers_that_differ(after: Snapshot[Draft], before: Snapshot[Manifest]) -> pl.Series:
    """The papers of which any row differs in a table cut by cohort; files that both sides have are not read."""
    sides = ((own_rows(table, after, before), own_rows(table, before, after)) for table in CUT)
    return pl.concat(papers_unlike(now, then) for now, then in sides).unique().sort()


def papers_unlike(now: pl.DataFrame, then: pl.DataFrame) -> pl.Series:
    """Papers with a row that only one of two sides of a table has."""
    return pl.concat(rows["paper_id"] for rows in rows_unlike(then, now)).unique()


def own_rows(table: Table, one: Snapshot[Manifest | Draft], other: Snapshot[Manifest | Draft]) -> pl.DataFrame:
    """The rows of those files of a table that only the first of two snapshots has."""
    shared = {file.sha256 for file in other.tables[table.name].files}
    return one.read_files(table, [file for file in one.tables[table.name].files if file.sha256 not in shared])


def is_cut_alike(release: Snapshot[Manifest | Draft]) -> bool:
    """Whether the release's tables are cut as they are declared now; those of an older paperlake may not be."""
    rows = {table.name: table.cohort_rows for table in release.of.tables}
    return all(rows.get(table.name) == table.cohort_rows for table in CORE_TABLES)
