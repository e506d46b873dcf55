"""A table that follows that of a release: rows of papers are replaced, files of other cohorts passed on as they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import polars as pl

from warehouse.release.cohorts import places
from warehouse.release.manifest import File, Manifest
from warehouse.release.parquet import place_counts, place_of
from warehouse.release.snapshot import Snapshot
from warehouse.schema.table import Table


class Renewed(NamedTuple):
    """A table to be: `frame`, and the rows of the parent's files that are `passed` on as they are."""

    frame: pl.DataFrame
    passed: tuple[File, ...] = ()


class Renewal:
    """What becomes of a release's tables that are cut by cohort, where these papers have other rows, or none any more.

    Files of other cohorts are not read.
    """

    def __init__(self, before: Snapshot[Manifest], paper_ids: Iterable[str]) -> None:
        self._before, self._ids = before, pl.DataFrame({"paper_id": sorted(set(paper_ids))}, {"paper_id": pl.String})
        self._places = {
            place for [cohort] in self._ids.select(places.COHORT).unique().rows() for place in places.lineage(cohort)
        }

    def rows(self, table: Table) -> pl.DataFrame:
        """What the release has of these papers."""
        return self._before.read_files(table, self._near(table)).join(self._ids, on="paper_id", how="semi")

    def renewed(self, table: Table, rows: pl.DataFrame) -> Renewed:
        """The table with these `rows` of these papers."""
        near = self._near(table)
        far = [file for file in self._before.tables[table.name].files if file not in near]
        kept = self._before.read_files(table, near).join(self._ids, on="paper_id", how="anti")
        frame = table.conform(pl.concat([kept, rows]))
        counts = place_counts(frame, far)
        gathered = places.gathered(counts, table.cohort_rows or 0)
        merged = [file for file in far if gathered[place_of(file)] != place_of(file)]
        if merged:  # so few rows are left that a cohort beside them goes into the same file
            frame = table.conform(pl.concat([frame, self._before.read_files(table, merged)]))
        return Renewed(frame, tuple(file for file in far if file not in merged))

    def _near(self, table: Table) -> list[File]:
        return [file for file in self._before.tables[table.name].files if place_of(file) in self._places]


def is_cut_alike(table: Table, release: Snapshot[Manifest]) -> bool:
    """Whether the release has the table cut as it is declared: one of an older paperlake has not."""
    return release.tables[table.name].cohort_rows == table.cohort_rows
