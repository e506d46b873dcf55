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
