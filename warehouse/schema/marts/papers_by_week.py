"""`papers_by_week`: the papers of a week's lists by upvotes, and how late those were seen."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema import mart_columns as m
from warehouse.schema.mart import OF_WEEK, Cut, Mart
from warehouse.schema.origin import PAPERLAKE
from warehouse.schema.rules import COHORT_PAPERS, NEWEST_PAPERS
from warehouse.schema.table import Column

PAPERS_BY_WEEK = Mart(
    name="papers_by_week",
    grain="One paper in one ISO week of list days.",
    answers="A week's top papers, by upvotes as last seen: `WHERE week = '2026-W40' AND rank <= 10`. A list that lacks "
    "papers lacks them here too, and a paper that was looked at later has had more time: see is_over, "
    "complete_day_count and last_observed_hours.",
    key=("week_on", "paper_id"),
    cut=Cut(OF_WEEK, ("coverage", "daily_listings", "papers", "upvote_curves")),
    cohort_rows=COHORT_PAPERS,
    newest_rows=NEWEST_PAPERS,
    order=("week_on", "rank", "paper_id"),
    columns=(
        c.listed_on.but(
            name="week_on", unit="Monday of the week", meaning="Week of the list days.", null="", origin=PAPERLAKE
        ),
        Column(
            name="week",
            dtype=c.TEXT,
            unit="ISO week",
            meaning="The same week by its ISO number, as the Hub's addresses have it.",
            source="daily_listings.listed_on",
            origin=PAPERLAKE,
            pattern=r"^[0-9]{4}-W[0-9]{2}$",
        ),
        m.PAPER_COUNT.but(
            name="rank",
            unit="place, from 1",
            meaning="Place among the week's papers by upvotes as last seen; papers with as many share it.",
            null="no page showed upvotes",
            source="computed",
        ),
        c.paper_id,
        c.title,
        c.organization_name,
        c.upvote_count.but(meaning="Upvotes as last seen."),
        m.LAST_OBSERVED,
        m.PAPER_COUNT.but(
            name="observation_count",
            unit="observations",
            meaning="How often its upvotes were looked at.",
            source="upvote_curves.observation_count",
        ),
        c.listed_on.but(meaning="First day of the week on whose list the paper is.", null=""),
        m.PAPER_COUNT.but(meaning="Papers on the week's lists, each once."),
        m.EXPECTED_DAYS,
        m.COMPLETE_DAYS,
        m.IS_OVER,
    ),
)
