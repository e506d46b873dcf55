"""`papers` and `paper_texts`: the best current answer per paper."""

from __future__ import annotations

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.precedence import BEST, NEWEST, Precedence
from warehouse.schema.rules import BASIS_RULE, COHORT_PAPERS, NEWEST_PAPERS, OF_A_PAPER, READ_FROM, SEEN_RULE
from warehouse.schema.table import Rule, Table

# The precedence of sightings for values of `papers` and `paper_texts`; other columns are computed from all sightings
PAPER_FIELDS: Final = (
    Precedence(("arxiv_id",), BEST),
    Precedence(("title",), BEST),
    Precedence(("abstract",), BEST),
    Precedence(("published_on", "published_basis"), ("stated", *BEST)),
    Precedence(("published_at",), BEST),
    Precedence(("author_count",), BEST),
    Precedence(("organization_login", "organization_name"), BEST),
    Precedence(("upvote_count",), NEWEST),
    Precedence(("comment_count",), NEWEST),
    Precedence(("github_star_count",), NEWEST),
)

PAPERS = Table(
    name="papers",
    grain="One paper.",
    answers="The best current answer per paper, field by field: the last value of the best source. In DuckDB, "
    "without a schema before its name, with the abstract of `paper_texts`.",
    key=("paper_id",),
    references=READ_FROM,
    cohort_rows=COHORT_PAPERS,
    group_rows=512,
    columns=(
        c.paper_id,
        c.arxiv_id,
        c.title,
        c.published_on,
        c.published_basis,
        SIGHTINGS.column("published_at"),
        c.submitted_at.but(meaning="Instant of the first submission to Daily Papers."),
        c.listed_on.but(
            name="first_listed_on",
            meaning="First day on a daily list.",
            null="never seen on a daily list",
            is_past=True,
        ),
        c.listed_on.but(name="last_listed_on", meaning="Last day on a daily list.", null="never seen on a daily list"),
        c.author_count,
        c.organization_login,
        c.organization_name,
        c.upvote_count.but(meaning="Upvotes as last seen."),
        c.comment_count.but(meaning="Comments as last seen."),
        c.github_star_count.but(meaning="Stars of the linked GitHub repository as last seen."),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the paper."),
    ),
    rules=(
        SEEN_RULE,
        BASIS_RULE,
        Rule(
            "named_by_arxiv_id",
            ("paper_id", "arxiv_id"),
            "arxiv_id IS NULL OR paper_id = arxiv_id",
            "a paper with an arXiv id goes by another name",
        ),
        Rule(
            "listed_in_order",
            ("first_listed_on", "last_listed_on"),
            "first_listed_on <= last_listed_on",
            "last listed before first listed",
        ),
    ),
)

PAPER_TEXTS = Table(
    name="paper_texts",
    grain="One paper that a page showed an abstract of.",
    answers="The abstract, apart from `papers` because it is ten times as long as all the rest.",
    key=("paper_id",),
    references=OF_A_PAPER,
    cohort_rows=COHORT_PAPERS,
    newest_rows=NEWEST_PAPERS,
    group_rows=768,
    widens="papers",
    page_rows=256,
    columns=(
        c.paper_id,
        c.abstract.but(null=""),
        c.first_seen_at.but(meaning="Fetch time of the first page that showed one."),
        c.capture_id.but(meaning="The page that shows it."),
    ),
)
