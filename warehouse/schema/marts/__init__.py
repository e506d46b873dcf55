"""The marts: wide tables for analysts. The SQL of each stands in `warehouse/marts/<name>.sql`."""

from __future__ import annotations

from datetime import date

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.core.versions import PAPER_VERSIONS
from warehouse.schema.marts.over_time import TIME_MARTS
from warehouse.schema.origin import ARXIV, HUB, PAPERLAKE
from warehouse.schema.table import Column, Table

DAILY_PAPERS = Table(
    name="daily_papers",
    layer="mart",
    grain="One paper on the list of one day.",
    answers="The daily list as a reader sees it, with counts as last seen and links.",
    key=("listed_on", "paper_id"),
    group_rows=512,
    columns=(
        c.listed_on.but(null=""),
        COVERAGE.column("state").but(
            name="list_state",
            meaning="Whether the day's list is `complete`. Of a `partial` one papers may be lacking; `empty` or "
            "`missing` where the API's own list is, and other pages told of the paper.",
            null="the day is outside `coverage`",
            source="coverage.state of the API",
        ),
        Column(
            name="rank",
            dtype=c.COUNT,
            unit="place, from 1",
            meaning="Place on the day's list when it was last fetched: most upvotes first.",
            null="seen only in answers that are not the day's own list",
            source="daily_listings.rank",
            origin=HUB,
        ),
        c.paper_id,
        c.title,
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
        c.upvote_count.but(meaning="Upvotes as last seen."),
        c.comment_count.but(meaning="Comments as last seen."),
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
        c.last_seen_at,
    ),
)

TEXT_VERSIONS = Table(
    name="text_versions",
    layer="mart",
    grain="One content of one text of one paper.",
    answers="`paper_versions` with every text: titles, abstracts and AI summaries, first and last seen.",
    key=PAPER_VERSIONS.key,
    is_view=True,
    columns=(
        *PAPER_VERSIONS.columns[:3],
        PAPER_VERSIONS.column("text").but(null=""),
        Column(
            name="has_changed",
            dtype=c.FLAG,
            meaning="Whether the paper's text has more than one version.",
            source="paper_versions",
            origin=PAPERLAKE,
        ),
        *PAPER_VERSIONS.columns[4:],
    ),
)

MART_TABLES = (DAILY_PAPERS, *TIME_MARTS, TEXT_VERSIONS)
