"""`listing_lag`: how long from arXiv to submission, list and repository."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema import mart_columns as m
from warehouse.schema.mart import OF_PAPER, Cut, Mart
from warehouse.schema.origin import PAPERLAKE
from warehouse.schema.rules import COHORT_PAPERS
from warehouse.schema.table import Column

LISTING_LAG = Mart(
    name="listing_lag",
    grain="One paper on the list of one day.",
    answers="How long from arXiv to submission, to the list, to a repository. Days come from dates, hours from "
    "instants; what the source does not give to that grain is null.",
    key=("listed_on", "paper_id"),
    cut=Cut(OF_PAPER, ("daily_listings", "paper_links", "papers", "sightings", "source_fields")),
    cohort_rows=COHORT_PAPERS,
    columns=(
        c.listed_on.but(null=""),
        c.paper_id,
        c.published_on,
        c.published_basis,
        c.submitted_at,
        c.submitted_basis,
        m.PAPER_COUNT.but(
            name="published_to_listed_days",
            unit="days",
            meaning="From the day of the arXiv submission to the list day.",
            null="no `published_on`",
            source="listed_on - published_on",
        ),
        m.HOURS.but(
            name="published_to_submitted_hours",
            meaning="From the instant of the arXiv submission to that of the submission to Daily Papers.",
            null="one of the instants is unknown: no answer since 2025-03-11 has the second",
            source="submitted_at - published_at",
        ),
        c.first_seen_at.but(
            name="repository_seen_at",
            meaning="Fetch time of the first page that showed a GitHub repository.",
            null="no page showed one",
            source="paper_links.first_seen_at",
            is_bookkeeping=False,
        ),
        Column(
            name="repository_basis",
            dtype=c.TEXT,
            meaning="`appeared`: an earlier page that could show one did not; `at_first_look`: the first page that "
            "could show one did, so that it may be older.",
            null="no `repository_seen_at`",
            source="computed",
            origin=PAPERLAKE,
            allowed=("appeared", "at_first_look"),
        ),
        m.PAPER_COUNT.but(
            name="listed_to_repository_days",
            unit="days",
            meaning="From the list day to the day of `repository_seen_at`, at most so many.",
            null="no `repository_seen_at`",
            source="repository_seen_at - listed_on",
        ),
    ),
)
