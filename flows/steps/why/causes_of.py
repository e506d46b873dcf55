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
from warehouse.release.changes.restated import Said
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.changes.causes import STRENGTH, WHOLE_ROW
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table
from warehouse.schema.tables import ALL_TABLES

FETCHED: Final = ("capture_id", "fetched_at")
DECLARED: Final = {table.name: table for table in ALL_TABLES}
# What a helper of ours did to single cells between the two releases: it is the cause of these, whatever else happened.
# `column_name` is `*` where it did so to the whole row; figures of marts are told by `paper_id` and `column_name`
OVERRIDES: Final = pl.Schema(dict.fromkeys(("table_name", "key", "column_name", "paper_id", "cause"), pl.String()))


class Step(NamedTuple):
    """What differs from this changed last by that cause."""

    cause: str
    without: Counterfactual


def new_captures(before: Snapshot[Manifest], after: Snapshot[Manifest | Draft]) -> pl.DataFrame:
    """The pages that only the newer release has, each with the cause that it is.

    `late_capture` was fetched before the newest page of the older release, or nobody knows when; others are `world`.
    """
    known, found = before.select(CAPTURES, FETCHED), after.select(CAPTURES, FETCHED)
    is_late = pl.col("fetched_at").is_null() | (pl.col("fetched_at") < known["fetched_at"].max()).fill_null(False)
    cause = pl.when(is_late).then(pl.lit("late_capture")).otherwise(pl.lit("world"))
    return found.join(known, on="capture_id", how="anti").select("capture_id", cause=cause)


class Causes:
    """Tells the cause of cells. `overrides` come first (OVERRIDES)."""

    def __init__(
        self,
        before: Snapshot[Manifest],
        after: Snapshot[Manifest | Draft],
        overrides: pl.DataFrame | None = None,
    ) -> None:
        self._before, self._after = before, after
        self._overrides = OVERRIDES.to_frame() if overrides is None else overrides.cast(OVERRIDES)
        self._new = new_captures(before, after)
        self._kinds = [cause for cause in ("world", "late_capture") if cause in set(self._new["cause"])]
        self._is_same_code = bool(after.of.code_sha256) and before.of.code_sha256 == after.of.code_sha256
        self._figures: list[dict[str, pl.DataFrame]] = []

    def with_marts(self, marts: Mapping[str, Sequence[Path]]) -> None:
        """Let the figures of these marts, which lie there, be asked for."""
        self._figures = [step.without.figures_unlike(marts) for step in self._steps]

    def of(self, name: str, cells: pl.DataFrame, *, is_of_both: bool = True) -> pl.DataFrame:
        """The cells of a table, with their `cause`; `is_of_both` tells whether both releases have the table."""
        if not is_of_both:
            return cells.with_columns(cause=pl.lit("schema"))
        table = DECLARED[name]
        told = self._by_step(table, cells)
        is_restated = (pl.col("cause") == "world") & self._said.is_restated(table, cells)
        told = told.with_columns(cause=pl.when(is_restated).then(pl.lit("restated")).otherwise("cause"))
        return _overridden(table, told, self._overrides)

    @cached_property
    def _said(self) -> Said:
        return Said(self._before)

    @cached_property
    def _steps(self) -> list[Step]:
        """The latest first."""
        if not self._kinds or (self._is_same_code and len(self._kinds) == 1):
            return []
        known = self._before.select(CAPTURES, ["capture_id"])
        with_late = pl.concat([known, self._new.filter(cause="late_capture").select("capture_id")])
        wanted = [("world", with_late)] if len(self._kinds) > 1 else []
        wanted += [] if self._is_same_code else [(self._kinds[-1], known)]
        papers = papers_concerned(self._before, self._after, self._new)
        return [Step(cause, Counterfactual.of(self._after, papers, captures)) for cause, captures in wanted]

    @property
    def _first(self) -> str:
        """The cause of what no step changed after the first."""
        if self._is_same_code and self._kinds:
            return self._kinds[-1]
        ours = self._overrides["cause"].unique().to_list() if self._is_same_code else []
        return min(ours, key=STRENGTH.__getitem__, default="reader")

    def _by_step(self, table: Table, cells: pl.DataFrame) -> pl.DataFrame:
        told = cells.with_columns(cause=pl.lit(None, pl.String))
        for number, step in enumerate(self._steps):
            is_mart = table.layer == "mart"
            unlike = self._figures[number].get(table.name) if is_mart else step.without.unlike(table)
            if unlike is None:
                return self._by_place(table, cells)
            told = _where_unlike(told, unlike, step.cause)
        return told.with_columns(pl.col("cause").fill_null(self._first))

    def _by_place(self, table: Table, cells: pl.DataFrame) -> pl.DataFrame:
        """Of a table that is not made again: by the page that a row is of, or its paper, if only new pages show it."""
        on, known = ("paper_id", self._new_papers)
        if "capture_id" in table.column_names and "paper_id" not in table.column_names:
            on, known = "capture_id", self._new
        rest = "world" if self._is_same_code else "reader"
        return cells.join(known, on=on, how="left", maintain_order="left").with_columns(pl.col("cause").fill_null(rest))

    @cached_property
    def _new_papers(self) -> pl.DataFrame:
        """Papers that only new pages show; what came late would have been enough for those that it shows."""
        seen = self._after.select(SIGHTINGS, ("capture_id", "paper_id"))
        new = seen.join(self._new, on="capture_id", how="left")
        ever = new.group_by("paper_id").agg(pl.col("cause").min(), is_known=pl.col("cause").is_null().any())
        return ever.filter(~pl.col("is_known")).select("paper_id", "cause")


def _where_unlike(told: pl.DataFrame, unlike: pl.DataFrame, cause: str) -> pl.DataFrame:
    """The cells that have no cause yet get this one, where they or their rows are among those that are unlike."""
    rows = unlike.filter(column_name=WHOLE_ROW)["key"]
    here = told.join(unlike.select("key", "column_name", is_unlike=True), on=("key", "column_name"), how="left")
    is_unlike = pl.col("is_unlike").fill_null(False) | pl.col("key").is_in(rows.implode())
    found = pl.when(pl.col("cause").is_null() & is_unlike).then(pl.lit(cause)).otherwise("cause")
    return here.with_columns(cause=found).drop("is_unlike")


def _overridden(table: Table, told: pl.DataFrame, overrides: pl.DataFrame) -> pl.DataFrame:
    """Cells that we changed ourselves have that as their cause; so have figures of the same name of the same paper."""
    if overrides.is_empty():
        return told
    on = ("paper_id",) if table.layer == "mart" else ("table_name", "key")
    first = pl.col("cause").sort_by(pl.col("cause").replace_strict(STRENGTH)).first()
    for by, is_row in (((*on, "column_name"), False), (on, True)):
        strongest = overrides.filter((pl.col("column_name") == WHOLE_ROW) == is_row).group_by(by).agg(ours=first)
        told = told.join(strongest, on=by, how="left", maintain_order="left")
        told = told.with_columns(cause=pl.coalesce("ours", "cause")).drop("ours")
    return told
