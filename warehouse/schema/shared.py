"""Columns that several marts share.

A mart gives every share with its denominator: a field that the source only began to show must not look like a trend.
"""

from __future__ import annotations

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema.origin import PAPERLAKE
from warehouse.schema.table import Column

NUMBER = pl.Int64()
SHARE = Column(
    name="share",
    dtype=pl.Float64(),
    unit="of 1",
    meaning="",
    null="no page that could show it was captured: the field was not there yet",
    source="computed",
    origin=PAPERLAKE,
    minimum=0,
    maximum=1,
)
MONTH = Column(
    name="month_on",
    dtype=c.DAY,
    unit="first day of the month",
    meaning="Month of the list days.",
    source="daily_listings.listed_on",
    origin=PAPERLAKE,
)
PAPER_COUNT = Column(
    name="paper_count",
    dtype=NUMBER,
    unit="papers",
    meaning="Papers on the month's lists, each once.",
    source="counted",
    origin=PAPERLAKE,
)
KNOWN_COUNT = PAPER_COUNT.but(
    name="known_paper_count",
    meaning="Those of the month's papers of which a page was captured that could show the field.",
    source="field_availability.known_paper_count",
)
UPVOTES = PAPER_COUNT.but(
    name="upvote_count",
    unit="upvotes",
    meaning="Sum of their upvotes as last seen.",
    null="no page showed upvotes",
    source="papers.upvote_count",
)
MEDIAN_UPVOTES = UPVOTES.but(
    name="median_upvote_count", dtype=pl.Float64(), meaning="Median of their upvotes as last seen."
)
HOURS = Column(name="hours", dtype=pl.Float64(), unit="hours", meaning="", source="computed", origin=PAPERLAKE)
# Upvotes that can be compared stand beside the hours after which they were seen: lists were fetched in the 17th hour of
# their day in 2024, and in the 8th since
LAST_OBSERVED = HOURS.but(
    name="last_observed_hours",
    meaning="Hours from 00:00 UTC of the first list day to the last look at the upvotes. Compare only upvotes that "
    "were seen about as late.",
    null="never on a daily list, or no look whose time is known",
    source="paper_observations.observed_at - papers.first_listed_on",
)
MEDIAN_OBSERVED = LAST_OBSERVED.but(
    name="median_observed_hours",
    meaning="Median, over the papers, of the hours from 00:00 UTC of the first list day to the last look at the "
    "upvotes. Compare only upvotes that were seen about as late.",
    null="no look whose time is known",
    source="upvote_curves.last_observed_hours",
)
IS_OVER = Column(
    name="is_over",
    dtype=c.FLAG,
    meaning="Whether all its lists were closed when the lake last fetched anything; else papers are still to come.",
    null="outside `coverage`",
    source="coverage.listed_on",
    origin=PAPERLAKE,
)
EXPECTED_DAYS = PAPER_COUNT.but(
    name="expected_day_count",
    unit="days",
    meaning="List days, until the last fetch, on which the source should have a list.",
    null="outside `coverage`",
    source="coverage of the API",
)
COMPLETE_DAYS = EXPECTED_DAYS.but(
    name="complete_day_count",
    meaning="Those of the expected days whose list is complete. Where they are fewer, papers are lacking: compare "
    "counts only between times that are complete alike.",
)
