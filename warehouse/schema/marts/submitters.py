"""`submitters`: who submits papers to Daily Papers."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema import mart_columns as m
from warehouse.schema.mart import Cut, Mart

SUBMITTERS = Mart(
    name="submitters",
    grain="One person who submitted papers to Daily Papers.",
    answers="Who submits, how much, since when, and how it fares. Listings whose page did not name the submitter are "
    "missing here (before 2024-06-13 none did).",
    key=("submitter_login",),
    cut=Cut("submitter_login", ("daily_listings", "papers", "upvote_curves")),
    columns=(
        c.submitter_login.but(null=""),
        c.submitter_name.but(meaning="Display name as last seen."),
        m.PAPER_COUNT.but(meaning="Papers that they submitted."),
        m.PAPER_COUNT.but(name="day_count", unit="days", meaning="List days with a paper of theirs."),
        c.listed_on.but(name="first_listed_on", meaning="First list day with a paper of theirs.", null=""),
        c.listed_on.but(name="last_listed_on", meaning="Last list day with a paper of theirs.", null=""),
        m.UPVOTES,
        m.MEDIAN_UPVOTES,
        m.MEDIAN_OBSERVED,
    ),
)
