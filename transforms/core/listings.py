"""`daily_listings` and `list_appearances`: the lists that a paper was on, with its place."""

from __future__ import annotations

import polars as pl

from transforms.timeline import last_given, only, ranked, seen
from warehouse.schema.core.listings import DAILY_LISTINGS, LIST_APPEARANCES, LISTING_FIELDS
from warehouse.schema.precedence import OF_ITS_LIST

IS_DAILY = pl.col("list_kind") == "daily"


def daily_listings(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per list day and paper: from the day's own list, or from any page that gives the paper's list day."""
    fields = (field for precedence in LISTING_FIELDS for field in precedence.fields)
    listed = ranked(only(sightings, "listed_on", *fields).drop_nulls("listed_on"), OF_ITS_LIST)
    grouped = listed.group_by("listed_on", "paper_id", maintain_order=True)
    rank = pl.col("position").filter(IS_DAILY).last().alias("rank")
    return DAILY_LISTINGS.conform(grouped.agg(rank, *map(last_given, LISTING_FIELDS), *seen()))


def list_appearances(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per place on a list other than a daily one. A paper's own page is no list."""
    return LIST_APPEARANCES.conform(sightings.filter(~pl.col("list_kind").is_in(["daily", "paper"])))
