"""`papers_by_month`: how many papers a month's lists held, with the denominator of every share."""

from __future__ import annotations

from warehouse.schema import mart_columns as m
from warehouse.schema.mart import OF_MONTH, Cut, Mart

PAPERS_BY_MONTH = Mart(
    name="papers_by_month",
    grain="One month of list days.",
    answers="How many papers a month's daily lists held, and how they fared.",
    key=("month_on",),
    cut=Cut(OF_MONTH, ("coverage", "daily_listings", "field_availability", "papers", "upvote_curves")),
    columns=(
        m.MONTH,
        m.PAPER_COUNT.but(name="day_count", unit="days", meaning="List days of the month that the lake has."),
        m.EXPECTED_DAYS,
        m.COMPLETE_DAYS,
        m.IS_OVER,
        m.PAPER_COUNT,
        m.UPVOTES,
        m.MEDIAN_UPVOTES,
        m.MEDIAN_OBSERVED,
        m.MEDIAN_UPVOTES.but(
            name="median_author_count",
            unit="people",
            meaning="Median number of authors.",
            null="no page named the authors",
            source="papers.author_count",
        ),
        m.PAPER_COUNT.but(
            name="repository_paper_count",
            meaning="Papers with a GitHub repository. Read it with repository_share: in the first months some papers "
            "were last seen before the source had the field.",
            null="the source had no such field yet",
            source="field_availability of github_url",
        ),
        m.SHARE.but(
            name="repository_share",
            meaning="Papers with a GitHub repository, of those whose pages could show one.",
            source="field_availability of github_url",
        ),
        m.PAPER_COUNT.but(
            name="organization_paper_count",
            meaning="Papers listed under an organization. Read it with organization_share, as for repositories.",
            null="the source had no such field yet",
            source="field_availability of organization_name",
        ),
        m.SHARE.but(
            name="organization_share",
            meaning="Papers listed under an organization, of those whose pages could show one.",
            source="field_availability of organization_name",
        ),
    ),
)
