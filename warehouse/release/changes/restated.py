"""Restatements: cells about the past that later pages of the source changed (docs/changes.md)."""

from __future__ import annotations

from typing import Final

import polars as pl

from warehouse.release.manifest import Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.core.people import PAPER_AUTHORS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.core.versions import PAPER_VERSIONS
from warehouse.schema.table import Table

LISTED: Final = {"listed_on", "paper_id"}  # the key of a table of the daily lists
OF_A_MOMENT: Final = {"observed_at", "capture_id"}  # in a key: the row is of one moment, or one page
PAST_TEXTS: Final = tuple(column.name for column in SIGHTINGS.columns if column.is_tracked and column.is_past)
IS_CHANGED: Final = pl.col("change") == "changed"


class Restatements:
    """Finds the cells in which a later page restates what a release said of the past."""

    def __init__(self, before: Snapshot[Manifest]) -> None:
        days = before.select(COVERAGE, ("listed_on", "state")).filter(state="complete")["listed_on"]
        self._settled = days.unique().cast(pl.String)
        self._before = before

    def is_restated(self, table: Table, cells: pl.DataFrame) -> pl.Expr:
        """An expression on cells of the table that a later page changed: whether the page restates the past."""
        past = [column.name for column in table.columns if column.is_past]
        on_settled = pl.col("listed_on").is_in(self._settled.implode())
        is_past = IS_CHANGED & ~pl.col("was_null") & pl.col("column_name").is_in(past)
        if table == COVERAGE:
            return is_past & on_settled
        if OF_A_MOMENT & {*table.key}:
            is_past |= IS_CHANGED & ~pl.col("was_null") & (pl.col("column_name") != "paper_id")
        if {*table.key} == LISTED:
            is_past |= ~IS_CHANGED & on_settled
        if table.key == PAPER_VERSIONS.key:
            field, number = (pl.col("key").str.json_path_match(f"$[{place}]") for place in (1, 2))
            is_past |= ~IS_CHANGED & field.is_in(PAST_TEXTS) & (number.cast(pl.Int32) > 1)
        if table == PAPER_AUTHORS and not cells.is_empty():
            known = self._before.select(PAPER_AUTHORS, ["paper_id"])["paper_id"]
            had_authors = known.filter(known.is_in(cells["paper_id"].implode())).unique()
            is_past |= ~IS_CHANGED & pl.col("paper_id").is_in(had_authors.implode())
        return is_past
