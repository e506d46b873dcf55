"""Accounts for each page: every item is counted as a sighting, as a duplicate or as in quarantine."""

from __future__ import annotations

from typing import Final

import polars as pl

from transforms.readers.reading import ReadOutcome
from warehouse.schema.columns import URL_LIMIT

IN_QUARANTINE: Final = "{} of {} items are in quarantine; the first: {}"
# The state of a page that no reader read, by what came of it
STATES: Final[dict[ReadOutcome, str]] = {
    "failed": "failed",
    "http_error": "error",
    "no_papers": "unknown",
    "unknown_layout": "unknown",
    "unreadable": "rejected",
}


def account(facts: pl.DataFrame, kept: pl.DataFrame, is_first: pl.Series, quarantine: pl.DataFrame) -> pl.DataFrame:
    """The facts of each page with its counts of items, its state, and the reason in words."""
    of_kept = kept.select("capture_id", is_first.alias("is_first")).group_by("capture_id")
    kept_counts = of_kept.agg(
        pl.col("is_first").sum().alias("sighting_count"), (~pl.col("is_first")).sum().alias("duplicate_count")
    )
    none_kept, some_rejected = pl.col("sighting_count") == 0, pl.col("rejected_count") > 0
    of_outcome = pl.col("outcome").replace_strict(STATES, default=None, return_dtype=pl.String)
    tally = pl.format(IN_QUARANTINE, "rejected_count", "item_count", "first_detail").str.slice(0, URL_LIMIT)
    return (
        facts.join(kept_counts, on="capture_id", how="left")
        .join(rejections(quarantine), on="capture_id", how="left")
        .with_columns(pl.col("sighting_count", "duplicate_count", "rejected_count").fill_null(0).cast(pl.Int64))
        .with_columns(item_count=pl.sum_horizontal("sighting_count", "duplicate_count", "rejected_count"))
        .with_columns(
            state=pl.when(pl.col("outcome") != "read")
            .then(of_outcome)
            .when(some_rejected)
            .then(pl.when(none_kept).then(pl.lit("rejected")).otherwise(pl.lit("partial")))
            .otherwise(pl.when(item_count=0).then(pl.lit("empty")).otherwise(pl.lit("read")))
        )
        .with_columns(
            reason=pl.coalesce(
                "reason",
                pl.when(some_rejected).then(tally),
                pl.when(state="empty").then(pl.lit("the list has no items")),
            )
        )
    )


def rejections(quarantine: pl.DataFrame) -> pl.DataFrame:
    """`capture_id`, `rejected_count`, `first_detail`: how many items of a page are in quarantine, why the first is."""
    return quarantine.group_by("capture_id").agg(
        pl.len().alias("rejected_count"), pl.col("detail").sort_by("position").first().alias("first_detail")
    )
