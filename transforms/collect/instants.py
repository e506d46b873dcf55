"""The dates of an item: the source's instants parsed, and what each may be trusted with (docs/source.md §5)."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import polars as pl

INSTANTS: Final = ("published", "submitted", "listed")
INSTANT_FORMAT = (
    "%Y-%m-%dT%H:%M:%S.%3fZ"  # the one form of 27,183 instants (docs/source.md §5); read 4 x faster than any
)
ANY_FRACTION = "%Y-%m-%dT%H:%M:%S%.fZ"
NEW_YORK = "America/New_York"

# What the outer publishedAt meant depends on when the page was fetched (docs/source.md §5.1)
WALL_CLOCK_SINCE = datetime(2024, 11, 29)
MEANINGLESS_SINCE = datetime(2025, 3, 11)


def dates_of_items() -> dict[str, pl.Expr]:
    """The three dates, each from the place that may be trusted with it; the instants are columns `…_instant`."""
    published, listed = pl.col("published_instant"), pl.col("listed_instant").dt.date()
    observed_at = pl.col("observed_at")
    return {
        "published_on": pl.coalesce(published.dt.date(), "published_on"),
        "published_basis": pl.when(published.is_not_null()).then(pl.lit("stated")).otherwise("published_basis"),
        "published_at": unless_midnight(published),
        "submitted_at": submitted_at(pl.col("submitted_instant"), observed_at),
        "submitted_basis": submitted_basis(observed_at),
        "listed_on": pl.coalesce("page_listed_on", listed),
        "listed_basis": pl.coalesce("page_listed_basis", pl.when(listed.is_not_null()).then(pl.lit("item"))),
    }


def instant(text: pl.Expr) -> pl.Expr:
    """The source's instants as UTC without zone; null where the text is none."""
    usual = text.str.to_datetime(INSTANT_FORMAT, time_unit="us", strict=False)
    rest = pl.when(usual.is_null()).then(text)
    return pl.coalesce(usual, rest.str.to_datetime(ANY_FRACTION, time_unit="us", strict=False))


def unless_midnight(moment: pl.Expr) -> pl.Expr:
    """Null where only the day is known: since 2026-04-03 the source cuts instants to midnight (docs/source.md §3)."""
    return pl.when(moment.dt.time() != pl.time(0)).then(moment)


def submitted_at(stated: pl.Expr, observed_at: pl.Expr) -> pl.Expr:
    """When a paper was submitted to Daily: UTC as stated at first, New York wall clock later, then no more."""
    wall_clock = stated.dt.replace_time_zone(NEW_YORK, ambiguous="earliest", non_existent="null")
    in_utc = wall_clock.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    return pl.when(observed_at < WALL_CLOCK_SINCE).then(stated).when(observed_at < MEANINGLESS_SINCE).then(in_utc)


def submitted_basis(observed_at: pl.Expr) -> pl.Expr:
    return (
        pl.when(observed_at < WALL_CLOCK_SINCE)
        .then(pl.lit("stated"))
        .when(observed_at < MEANINGLESS_SINCE)
        .then(pl.lit("inferred"))
    )
