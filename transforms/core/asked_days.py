"""`coverage` of registries of DOIs and of GitHub: on which days they were asked, and whether answers were read."""

from __future__ import annotations

from datetime import date
from typing import Final

import polars as pl

from warehouse.schema.columns import URL_LIMIT
from warehouse.schema.core.links import STARS
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.core.works import REGISTRIES

NONE_KNOWN: Final = "the registry knows none of the DOIs that were asked for"
NONE_THERE: Final = "none of the repositories that were asked for is there for anybody"
GONE: Final = (404, 410, 451)  # of a repository: it is no more, or not for anybody


def asked_coverage(captures: pl.DataFrame, works: pl.DataFrame, until: date) -> pl.DataFrame:
    """Rows of `coverage`: each day to `until` on which one of them was asked; no other day is expected to have any."""
    fetched_at = pl.col("fetched_at")
    asked = captures.filter(fetched_at.is_not_null(), pl.col("list_kind").is_in((*REGISTRIES, STARS)))
    told = works.group_by("capture_id").agg(work_count=pl.len(), known_count=(pl.col("answer") == "known").sum())
    answers = asked.join(told, on="capture_id", how="left")
    of_stars, is_whole = pl.col("list_kind") == STARS, pl.col("state").is_in(("read", "partial"))
    is_read = pl.col("work_count").is_not_null() | (pl.col("state") == "read")
    is_read |= of_stars & (is_whole | pl.col("http_status").is_in(GONE))
    answers = answers.with_columns(
        work_count=pl.when(of_stars).then(is_read.cast(pl.UInt32)).otherwise("work_count"),
        known_count=pl.when(of_stars).then(is_whole.cast(pl.UInt32)).otherwise("known_count"),
        is_read=is_read,
    )
    is_read = pl.col("is_read")
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
    none = pl.when(source=STARS).then(pl.lit(NONE_THERE)).otherwise(pl.lit(NONE_KNOWN))
    reasons = pl.concat_str(
        pl.when(~is_missing & is_empty).then(none),
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
