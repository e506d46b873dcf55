"""The marts: wide views for analysts. The SQL of each stands in `warehouse/marts/<name>.sql`."""

from __future__ import annotations

import polars as pl

from warehouse import columns as c
from warehouse.origin import ARXIV, HUB, PAPERLAKE
from warehouse.table import Column, Table
from warehouse.tables.history import PAPER_VERSIONS

DAILY_PAPERS = Table(
    name="daily_papers",
    layer="mart",
    grain="One paper on the list of one day.",
    answers="The daily list as a reader sees it, with counts as last seen and links.",
    key=("listed_on", "paper_id"),
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
        ),
        Column(
            name="project_url",
            dtype=c.TEXT,
            meaning="Project page as last seen.",
            null="none shown",
            source="paper_links.url",
            origin=HUB,
        ),
        c.arxiv_id,
        c.last_seen_at,
    ),
)

PAPERS_BY_MONTH = Table(
    name="papers_by_month",
    layer="mart",
    grain="One month of list days.",
    answers="How many papers a month's daily lists held, and how they fared.",
    key=("month_on",),
    columns=(
        Column(
            name="month_on",
            dtype=c.DAY,
            unit="first day of the month",
            meaning="Month of the list days.",
            source="daily_listings.listed_on",
            origin=PAPERLAKE,
        ),
        Column(
            name="day_count",
            dtype=pl.Int64(),
            unit="days",
            meaning="List days of the month that the lake has.",
            source="counted",
            origin=PAPERLAKE,
        ),
        Column(
            name="paper_count",
            dtype=pl.Int64(),
            unit="papers",
            meaning="Papers on the month's lists, each once.",
            source="counted",
            origin=PAPERLAKE,
        ),
        Column(
            name="upvote_count",
            dtype=pl.Int64(),
            unit="upvotes",
            meaning="Sum of their upvotes as last seen.",
            null="no page showed upvotes",
            source="papers.upvote_count",
            origin=PAPERLAKE,
        ),
        Column(
            name="median_upvote_count",
            dtype=pl.Float64(),
            unit="upvotes",
            meaning="Median of their upvotes as last seen.",
            null="no page showed upvotes",
            source="papers.upvote_count",
            origin=PAPERLAKE,
        ),
        Column(
            name="median_author_count",
            dtype=pl.Float64(),
            unit="people",
            meaning="Median number of authors.",
            null="no page told the authors",
            source="papers.author_count",
            origin=PAPERLAKE,
        ),
        Column(
            name="repository_paper_count",
            dtype=pl.Int64(),
            unit="papers",
            meaning="Papers with a GitHub repository; the source has none before 2025-03-04.",
            null="the source had no such field yet",
            source="paper_links",
            origin=PAPERLAKE,
        ),
        Column(
            name="organization_paper_count",
            dtype=pl.Int64(),
            unit="papers",
            meaning="Papers listed under an organization; the source has none before 2025-09-29.",
            null="the source had no such field yet",
            source="papers.organization_login",
            origin=PAPERLAKE,
        ),
    ),
)

TEXT_VERSIONS = Table(
    name="text_versions",
    layer="mart",
    grain="One content of one text of one paper.",
    answers="`paper_versions` with every text: titles, abstracts and AI summaries, first and last seen.",
    key=PAPER_VERSIONS.key,
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

MART_TABLES = (DAILY_PAPERS, PAPERS_BY_MONTH, TEXT_VERSIONS)
