"""`keywords_by_month`: the keywords of a month's papers."""

from __future__ import annotations

from warehouse.schema import mart_columns as m
from warehouse.schema.core.links import PAPER_KEYWORDS
from warehouse.schema.mart import OF_MONTH, Cut, Mart
from warehouse.schema.rules import COHORT_PAPERS, NEWEST_PAPERS

KEYWORDS_BY_MONTH = Mart(
    name="keywords_by_month",
    grain="One keyword in one month of list days in which a paper had it.",
    answers="How many of a month's papers had a keyword. The Hub's keywords come and go (most are missing from "
    "2026-07-13 to 2026-08-11): compare shares, not counts.",
    key=("month_on", "keyword"),
    cut=Cut(OF_MONTH, ("daily_listings", "paper_keywords")),
    cohort_rows=8 * COHORT_PAPERS,
    newest_rows=8 * NEWEST_PAPERS,
    columns=(
        m.MONTH,
        PAPER_KEYWORDS.column("keyword").but(meaning="Keyword in lower case."),
        m.PAPER_COUNT.but(meaning="Papers with the keyword on the month's lists."),
        m.PAPER_COUNT.but(
            name="keyword_paper_count",
            meaning="Those of the month's papers that have any keyword.",
            source="paper_keywords",
        ),
        m.SHARE.but(meaning="paper_count of keyword_paper_count.", null=""),
        PAPER_KEYWORDS.column("normal_keyword"),
        m.PAPER_COUNT.but(
            name="normal_paper_count",
            meaning="Papers with any keyword of the normal form on the month's lists, each once: the same in every row "
            "of the form.",
        ),
        m.SHARE.but(name="normal_share", meaning="normal_paper_count of keyword_paper_count.", null=""),
    ),
)
