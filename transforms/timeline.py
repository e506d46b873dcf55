"""The order in which sightings count, and what every derived table says of when something was seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import polars as pl

from warehouse.schema.precedence import BEST, SOURCES, Precedence

IN_TIME = ("observed_at", "capture_id", "position")  # an unknown fetch time counts as the earliest
# How far up a sighting stands by each criterion; a sighting has what stands in `paper`: by `inner` all are alike
STANDING: dict[str, tuple[pl.Expr, ...]] = {
    "stated": (pl.col("published_basis") == "stated",),
    "source": (pl.col("source").replace_strict(SOURCES, range(len(SOURCES))),),
    "inner": (),
    "own_list": (pl.col("list_kind") == "daily",),
    "latest": tuple(pl.col(name) for name in IN_TIME),
}


def in_time(sightings: pl.DataFrame) -> pl.DataFrame:
    """Sightings in the order they were made, the latest last."""
    return sightings.sort(IN_TIME, nulls_last=False)


def ranked(
    sightings: pl.DataFrame, criteria: Iterable[str], standing: Mapping[str, tuple[pl.Expr, ...]] = STANDING
) -> pl.DataFrame:
    """Sightings with the one that counts most by these criteria last."""
    return sightings.sort([by for name in criteria for by in standing[name]], nulls_last=False)


def by_precedence(sightings: pl.DataFrame) -> pl.DataFrame:
    """Sightings with the most trusted last."""
    return ranked(sightings, BEST)


def last_known(name: str) -> pl.Expr:
    """The last value of a group that is not null; null where there is none."""
    return pl.col(name).last(ignore_nulls=True)


def last_told(precedence: Precedence) -> pl.Expr:
    """For a group of ranked sightings: the fields as the last sighting tells them that tells any of them."""
    if len(precedence.fields) == 1:
        return last_known(precedence.fields[0])
    fields = pl.col(*precedence.fields)
    return fields.filter(pl.any_horizontal(pl.col(*precedence.fields).is_not_null())).last()


def seen() -> list[pl.Expr]:
    """For a group of sightings in time: when first and last seen, how often, and the last page."""
    return [
        pl.col("observed_at").min().alias("first_seen_at"),
        pl.col("observed_at").max().alias("last_seen_at"),
        pl.len().alias("sighting_count"),
        pl.col("capture_id").last(),
    ]
