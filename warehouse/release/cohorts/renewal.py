"""Renewing a release's table: rows of some papers are replaced, files of other cohorts passed on as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from warehouse.release.cohorts import places
from warehouse.release.cohorts.near import Near
from warehouse.release.manifest import File, Manifest
from warehouse.release.parquet import place_counts, place_of
from warehouse.release.snapshot import Snapshot
from warehouse.schema.table import Table


class Renewed(NamedTuple):
    """A table of the next release: the rows of `frame`, and those of the parent's files that are `passed` on."""

    frame: pl.DataFrame
    passed: tuple[File, ...] = ()


def renewed(table: Table, near: Near, rows: pl.DataFrame) -> Renewed:
    """The table with all rows of the papers of `near` replaced by `rows`."""
    return completed(table, near, pl.concat([near.read(table).join(near.ids, on="paper_id", how="anti"), rows]))


def completed(table: Table, near: Near, rows: pl.DataFrame) -> Renewed:
    """The table with the files of `near` replaced by `rows`."""
    before, held = near.snapshot, near.files(table)
    far = [file for file in before.tables[table.name].files if file not in held]
    frame = table.conform(rows)
    gathered = places.gathered(place_counts(table, frame, far), table.cohort_rows or 0, table.newest_rows)
    merged = [file for file in far if gathered[place_of(file)] != place_of(file)]
    if merged:  # so few rows are left that another cohort goes into the same file, or its year is no longer the newest
        frame = table.conform(pl.concat([frame, before.read_files(table, merged)]))
    return Renewed(frame, tuple(file for file in far if file not in merged))


def compared(
    table: Table, snapshot: Snapshot[Manifest], before: pl.DataFrame, after: pl.DataFrame, by: Sequence[str]
) -> Renewed:
    """The table with rows `after` where the release has `before`; files in which no row differs are passed on.

    Only the columns `by` are compared: all others follow from them.
    """
    one, other = (frame.select(by) for frame in (before, after))
    unlike = (
        these.join(those, on=by, how="anti", nulls_equal=True)["paper_id"]
        for these, those in ((one, other), (other, one))
    )
    near = Near(snapshot, pl.concat(unlike))
    far = {place_of(file) for file in snapshot.tables[table.name].files} - set(map(place_of, near.files(table)))
    cohorts = after.select(places.COHORT).unique().to_series()
    own = pl.Series([cohort for cohort in cohorts if far.isdisjoint(places.lineage(cohort))], dtype=pl.String)
    return completed(table, near, after.filter(places.COHORT.is_in(own.implode())))
