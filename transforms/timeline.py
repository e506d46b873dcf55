"""The order in which sightings count, and what every derived table says of when something was seen."""

from __future__ import annotations

import polars as pl

# What a field's best source is where pages disagree, worst first; later pages win within a source.
# Saved text has lost its LaTeX and the years of its dates, an HTML page the full list of authors.
SOURCE_PRECEDENCE = ("text", "html", "api")
IN_TIME = ("observed_at", "capture_id", "position")  # an unknown fetch time counts as the earliest


def in_time(sightings: pl.DataFrame) -> pl.DataFrame:
    """Sightings in the order they were made, the latest last."""
    return sightings.sort(IN_TIME, nulls_last=False)


def by_precedence(sightings: pl.DataFrame) -> pl.DataFrame:
    """Sightings with the most trusted last."""
    rank = pl.col("source").replace_strict(SOURCE_PRECEDENCE, range(len(SOURCE_PRECEDENCE)))
    return sightings.sort(rank, *IN_TIME, nulls_last=False)


def last_known(name: str) -> pl.Expr:
    """The last value of a group that is not null; null where there is none."""
    return pl.col(name).last(ignore_nulls=True)


def seen() -> list[pl.Expr]:
    """For a group of sightings in time: when first and last seen, how often, and the last page."""
    return [
        pl.col("observed_at").min().alias("first_seen_at"),
        pl.col("observed_at").max().alias("last_seen_at"),
        pl.len().alias("sighting_count"),
        pl.col("capture_id").last(),
    ]
