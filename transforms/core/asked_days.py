"""`coverage` of registries of DOIs: on which days works were asked for, and whether each answer could be read."""

from __future__ import annotations

from datetime import date
from typing import Final

import polars as pl

from warehouse.schema.columns import URL_LIMIT
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.core.works import REGISTRIES

NONE_KNOWN: Final = "the registry knows none of the DOIs that were asked for"


def asked_coverage(captures: pl.DataFrame, works: pl.DataFrame, until: date) -> pl.DataFrame:
    """Rows of `coverage`: each day to `until` on which a registry was asked; no other day is expected to have any."""
    fetched_at = pl.col("fetched_at")
    asked = captures.filter(fetched_at.is_not_null(), pl.col("list_kind").is_in(REGISTRIES))
    told = works.group_by("capture_id").agg(work_count=pl.len(), known_count=(pl.col("answer") == "known").sum())
    answers = asked.join(told, on="capture_id", how="left")
    is_read = pl.col("work_count").is_not_null() | (pl.col("state") == "read")
    days = (
        answers.filter(fetched_at.dt.date() <= until)
        .sort("fetched_at", "capture_id")
        .group_by(source="list_kind", listed_on=fetched_at.dt.date())
        .agg(
            fetch_count=is_read.sum(),
            failure_count=(~is_read).sum(),
            work_count=pl.col("work_count").sum(),
            paper_count=pl.col("known_count").sum(),
            first_fetched_at=fetched_at.filter(is_read).min(),
            last_fetched_at=fetched_at.filter(is_read).max(),
            capture_id=pl.col("capture_id").filter(is_read).first(),
            failure=pl.col("reason").filter(~is_read).last(),
        )
    )
    is_missing, is_empty, has_failed = (
        pl.col("fetch_count") == 0,
        pl.col("paper_count") == 0,
        pl.col("failure_count") > 0,
    )
    state = pl.when(is_missing).then(pl.lit("missing")).when(is_empty).then(pl.lit("empty"))
    reasons = pl.concat_str(
        pl.when(~is_missing & is_empty).then(pl.lit(NONE_KNOWN)),
        pl.when(has_failed).then(pl.format("failed: {}", "failure")),
        separator="; ",
        ignore_nulls=True,
    ).str.slice(0, URL_LIMIT)
    return COVERAGE.conform(
        days.with_columns(
            is_expected=pl.lit(value=False),
            state=state.when(has_failed).then(pl.lit("partial")).otherwise(pl.lit("complete")),
            reason=pl.when(reasons != "").then(reasons),
            item_count=pl.when(~is_missing).then("work_count"),
            paper_count=pl.when(~is_missing).then("paper_count"),
        )
    )
