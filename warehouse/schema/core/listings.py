"""`daily_listings` and `list_appearances`: the lists that papers were on."""

from __future__ import annotations

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.origin import HUB
from warehouse.schema.precedence import OF_ITS_LIST, Precedence
from warehouse.schema.rules import COHORT_PAPERS, OF_A_PAPER, SEEN_RULE, SUBMITTED_RULE
from warehouse.schema.table import Column, Table

# The precedence of sightings for the values of `daily_listings`
LISTING_FIELDS: Final = (
    Precedence(("submitter_login",), OF_ITS_LIST),
    Precedence(("submitter_name",), OF_ITS_LIST),
    Precedence(("submitted_at", "submitted_basis"), OF_ITS_LIST),
)

DAILY_LISTINGS = Table(
    name="daily_listings",
    grain="One paper on the list of one day.",
    answers="The daily list: rank, submitter, first and last seen on it.",
    key=("listed_on", "paper_id"),
    references=OF_A_PAPER,
    cohort_rows=COHORT_PAPERS,
    columns=(
        c.listed_on.but(null=""),
        c.paper_id,
        Column(
            name="rank",
            dtype=c.COUNT,
            unit="place, from 1",
            meaning="Place on the day's list when it was last fetched: most upvotes first.",
            null="seen only in answers that are not the day's own list",
            source="order of the day's list",
            origin=HUB,
            minimum=1,
        ),
        c.submitter_login,
        c.submitter_name,
        c.submitted_at,
        c.submitted_basis,
        *c.SEEN,
        c.capture_id.but(meaning="The page that gave rank and submitter."),
    ),
    rules=(SEEN_RULE, SUBMITTED_RULE),
)

LIST_APPEARANCES = Table(
    name="list_appearances",
    grain="One place on one captured list other than a daily one.",
    answers="Weekly, monthly, trending, latest, search and saved lists, with place and query.",
    key=("capture_id", "position"),
    references=OF_A_PAPER,
    cohort_rows=COHORT_PAPERS,
    columns=(
        c.capture_id,
        c.position,
        c.paper_id,
        CAPTURES.column("list_kind").but(
            null="", allowed=("weekly", "monthly", "trending", "latest", "search", "saved")
        ),
        CAPTURES.column("list_period"),
        CAPTURES.column("list_query"),
        c.observed_at.but(null="the page was saved without its fetch time"),
    ),
)
