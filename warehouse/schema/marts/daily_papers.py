"""`daily_papers`: the daily list as a reader sees it."""

from __future__ import annotations

from datetime import date

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema import mart_columns as m
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.mart import OF_PAPER, Cut, Mart
from warehouse.schema.origin import ARXIV, HUB
from warehouse.schema.rules import COHORT_PAPERS, NEWEST_PAPERS
from warehouse.schema.table import Column

DAILY_PAPERS = Mart(
    name="daily_papers",
    grain="One paper on the list of one day.",
    answers="The daily list as a reader sees it, with counts as last seen and links.",
    key=("listed_on", "paper_id"),
    cut=Cut(OF_PAPER, ("coverage", "daily_listings", "paper_authors", "paper_links", "papers", "upvote_curves")),
    cohort_rows=COHORT_PAPERS,
    newest_rows=NEWEST_PAPERS,
    group_rows=512,
    columns=(
        c.listed_on.but(null=""),
        Column(
            name="rank",
            dtype=c.COUNT,
            unit="place, from 1",
            meaning="Place on the day's list when it was last fetched: most upvotes first.",
            null="seen only in answers that are not the day's own list",
            source="daily_listings.rank",
            origin=HUB,
        ),
        c.title,
        c.upvote_count.but(meaning="Upvotes as last seen."),
        c.comment_count.but(meaning="Comments as last seen."),
        c.paper_id,
        Column(
            name="authors",
            dtype=pl.List(pl.String),
            meaning="Names of the authors, in order.",
            null="no page listed them",
            source="paper_authors.name",
            origin=ARXIV,
        ),
        c.author_count,
        c.organization_name,
        c.organization_login,
        c.submitter_login,
        c.published_on,
        m.LAST_OBSERVED,
        c.github_star_count.but(meaning="Stars of the linked GitHub repository as last seen."),
        Column(
            name="github_url",
            dtype=c.TEXT,
            meaning="GitHub address as last seen.",
            null="none shown",
            source="paper_links.url",
            origin=HUB,
            since=date(2025, 3, 4),
            max_length=c.URL_LIMIT,
        ),
        Column(
            name="project_url",
            dtype=c.TEXT,
            meaning="Project page as last seen.",
            null="none shown",
            source="paper_links.url",
            origin=HUB,
            since=date(2025, 3, 4),
            max_length=c.URL_LIMIT,
        ),
        c.arxiv_id,
        COVERAGE.column("state").but(
            name="list_state",
            meaning="Whether the day's list is `complete`. Of a `partial` one papers may be lacking; `empty` or "
            "`missing` where the API's own list is, and other pages named the paper.",
            null="the day is outside `coverage`",
            source="coverage.state of the API",
        ),
        c.last_seen_at,
    ),
)
