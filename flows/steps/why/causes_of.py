"""The cause of each cell that differs between two releases: the last step between them at which it changed.

Between the older release and the newer one stand, in this order, what today's code makes of the captures of the older
one, the same with pages that came late, and with those that were fetched since. Where the code is the same, and where
no page came late, two of these are one, and nothing is made for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from flows.steps.why.counterfactual import Counterfactual, papers_concerned
from warehouse.errors import UsageError
from warehouse.release.changes.cells import caused_where_unlike
from warehouse.release.changes.overrides import (
    CORRECTIONS,
    OVERRIDES,
    corrections_between,
    of_their_papers,
    overridden,
)
from warehouse.release.changes.restated import Restatements
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.schema_changes import changed_tables
from warehouse.release.snapshot import Snapshot
from warehouse.schema.changes.causes import STRENGTH
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table
from warehouse.schema.tables import ALL_TABLES

FETCHED: Final = ("capture_id", "fetched_at")
DECLARED: Final = {table.name: table for table in ALL_TABLES}


class Step(NamedTuple):
    """A release as it would be `without` a cause: what differs from it was last changed by the cause."""

    cause: str
    without: Counterfactual


def new_captures(before: Snapshot[Manifest], after: Snapshot[Manifest | Draft]) -> pl.DataFrame:
    """The pages that only the newer release has, each with the cause of what it changes.

    `late_capture` was fetched before the newest page of the older release, or nobody knows when; others are `world`.
    """
    known, found = before.select(CAPTURES, FETCHED), after.select(CAPTURES, FETCHED)
    newest = pl.lit(known["fetched_at"].max(), known["fetched_at"].dtype)  # null where nobody knows of any page
    is_late = pl.col("fetched_at").is_null() | (pl.col("fetched_at") < newest).fill_null(False)
    cause = pl.when(is_late).then(pl.lit("late_capture")).otherwise(pl.lit("world"))
    return found.join(known, on="capture_id", how="anti").select("capture_id", cause=cause)


def new_papers(after: Snapshot[Manifest | Draft], new: pl.DataFrame) -> pl.DataFrame:
    """Papers that only new captures show, with the cause `late_capture` where one of these came late, else `world`."""
    seen = after.select(SIGHTINGS, ("capture_id", "paper_id")).join(new, on="capture_id", how="left")
    is_late = (pl.col("cause") == "late_capture").any()
    ever = seen.group_by("paper_id").agg(is_late=is_late, is_known=pl.col("cause").is_null().any())
    cause = pl.when("is_late").then(pl.lit("late_capture")).otherwise(pl.lit("world"))
    return ever.filter(~pl.col("is_known")).select("paper_id", cause=cause)


class Causes:
    """Finds the cause of each cell that differs. Corrections, and rows of `overrides` (OVERRIDES), come first."""

    def __init__(
        self,
        before: Snapshot[Manifest],
        after: Snapshot[Manifest | Draft],
        overrides: pl.DataFrame | None = None,
    ) -> None:
        self._before, self._after = before, after
        given = [] if overrides is None else [overrides.cast(OVERRIDES)]
        self._overrides = pl.concat([corrections_between(before, after), *given])
        self._new, self._restatements = new_captures(before, after), Restatements(before)
        self._kinds = [cause for cause in ("world", "late_capture") if cause in set(self._new["cause"])]
        self._is_same_code = bool(after.of.code_sha256) and before.of.code_sha256 == after.of.code_sha256
        ours = self._overrides["cause"].unique().to_list() if self._is_same_code else []
        if self._is_same_code and self._kinds:  # the cause of what no step has changed since
            self._rest = self._kinds[-1]
        else:
            self._rest = min(ours, key=STRENGTH.__getitem__, default="reader")
        self._figures: list[dict[str, pl.DataFrame]] = []

    def with_marts(self, marts: Mapping[str, Sequence[Path]]) -> None:
        """Compare these marts, by their files, so that `of` finds the causes of their figures too."""
        self._figures = [step.without.figures_unlike(marts) for step in self._steps]

    def of(self, name: str, cells: pl.DataFrame, *, is_of_both: bool = True) -> pl.DataFrame:
        """The cells of a table, with their `cause`; `is_of_both` tells whether both releases have the table."""
        if name == CORRECTIONS:
            return cells.with_columns(cause=pl.lit("correction"))
        if not is_of_both or name not in DECLARED:
            return cells.with_columns(cause=pl.lit("schema"))
        table = DECLARED[name]
        caused = self._by_step(table, cells)
        is_restated = (pl.col("cause") == "world") & self._restatements.is_restated(table, cells)
        caused = caused.with_columns(cause=pl.when(is_restated).then(pl.lit("restated")).otherwise("cause"))
        if self._overrides.is_empty():
            return caused
        return of_their_papers(overridden(table, caused, self._overrides), self._overrides, self._concerned)

    @cached_property
    def _concerned(self) -> pl.DataFrame:
        return papers_concerned(self._before, self._after, self._new)

    @cached_property
    def _steps(self) -> list[Step]:
        """The steps between the releases for which anything is made, the latest first."""
        if not self._kinds or (self._is_same_code and len(self._kinds) == 1):
            return []
        if changed_tables(self._after):
            raise UsageError(
                f"release {self._after.name} has tables of another form than this paperlake's, which cannot find the "
                "causes; `_changes` of each release says why it differs from the previous one"
            )
        known = self._before.select(CAPTURES, ["capture_id"])
        with_late = pl.concat([known, self._new.filter(cause="late_capture").select("capture_id")])
        wanted = [("world", with_late)] if len(self._kinds) > 1 else []
        wanted += [] if self._is_same_code else [(self._kinds[-1], known)]
        return [Step(cause, Counterfactual.of(self._after, self._concerned, captures)) for cause, captures in wanted]

    def _by_step(self, table: Table, cells: pl.DataFrame) -> pl.DataFrame:
        caused = cells.with_columns(cause=pl.lit(None, pl.String))
        for number, step in enumerate(self._steps):
            is_mart = table.layer == "mart"
            unlike = self._figures[number].get(table.name) if is_mart else step.without.unlike(table)
            if unlike is None:
                return self._by_place(table, cells)
            caused = caused_where_unlike(caused, unlike, step.cause)
        return caused.with_columns(pl.col("cause").fill_null(self._rest))

    def _by_place(self, table: Table, cells: pl.DataFrame) -> pl.DataFrame:
        """The causes in a table that is not made again: by a row's page, or by its paper if only new pages show it."""
        on, known = ("paper_id", new_papers(self._after, self._new))
        if "capture_id" in table.column_names and "paper_id" not in table.column_names:
            on, known = "capture_id", self._new
        rest = "world" if self._is_same_code else "reader"
        return cells.join(known, on=on, how="left", maintain_order="left").with_columns(pl.col("cause").fill_null(rest))
