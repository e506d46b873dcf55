"""The daily lists as readers see them, how long papers took to be on them, and who submits.

`daily_papers` is a list as a reader sees it; `listing_lag` how long from arXiv to submission, list and repository;
`submitters` who submits papers.
"""

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.mart import Mart
from warehouse.schema.provenance import ARXIV, HUB
from warehouse.schema.shared import COHORT_PAPERS, NEWEST_PAPERS
from warehouse.schema.table import Cut

DAILY_PAPERS = Mart(
    name="daily_papers",
    grain="One paper on the list of one day.",
    answers="The daily list as a reader sees it, with counts as last seen and links.",
    key=("listed_on", "paper_id"),
    cut=Cut(COHORT_PAPERS, NEWEST_PAPERS),
    group_rows=512,
    is_of_papers=True,
    columns=(
        c.listed_on.but(null=""),
        c.integer.but(
            name="rank",
            unit="place, from 1",
            meaning="Place on the day's list when it was last fetched: most upvotes first.",
            null="seen only in answers that are not the day's own list",
            sources=("daily_listings.rank",),
            origin=HUB,
        ),
        c.title,
        c.upvote_count.but(meaning="Upvotes as last seen."),
        c.comment_count.but(meaning="Comments as last seen."),
        c.paper_id,
        c.texts.but(
            name="authors",
            whose="author",
            meaning="Names of the authors, in order.",
            null="no page listed them",
            sources=("paper_authors.name",),
            origin=ARXIV,
        ),
        c.author_count,
        c.organization_name,
        c.organization_login,
        c.submitter_login,
        m.SOUND_PUBLISHED_ON,
        m.LAST_OBSERVED,
        c.github_star_count.but(meaning="Stars of the linked GitHub repository as last seen."),
        SIGHTINGS.column("github_url").but(meaning="GitHub address as last seen.", sources=("paper_links.url",)),
        SIGHTINGS.column("project_url").but(meaning="Project page as last seen.", sources=("paper_links.url",)),
        c.arxiv_id,
        COVERAGE.column("state").but(
            name="list_state",
            meaning="Whether the day's list is `complete`. Of a `partial` one papers may be lacking; `empty` or "
            "`missing` where the API's own list is, and other pages named the paper.",
            null="the day is outside `coverage`",
            source="coverage.state of the API",
            sources=("coverage.state",),
        ),
        m.OUTCOME,
        c.last_seen_at,
    ),
)


LISTING_LAG = Mart(
    name="listing_lag",
    grain="One paper on the list of one day.",
    answers="How long from arXiv to submission, to the list, to a repository. Days come from dates, hours from "
    "instants; what the source does not give to that grain is null.",
    key=("listed_on", "paper_id"),
    cut=Cut(COHORT_PAPERS, 2 * NEWEST_PAPERS),
    is_of_papers=True,
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
            null="no `published_on`, or one that the arXiv id contradicts: all that is known then is its month",
            source="listed_on - published_on",
        ),
        m.HOURS.but(
            name="published_to_submitted_hours",
            meaning="From the instant of the arXiv submission to that of the submission to Daily Papers.",
            null="one of the instants is unknown, or contradicted: no answer since 2025-03-11 has the second",
            source="submitted_at - published_at",
        ),
        c.first_seen_at.but(
            name="repository_seen_at",
            meaning="Fetch time of the first page that showed a GitHub repository.",
            null="no page showed one",
            sources=("paper_links.first_seen_at",),
            is_bookkeeping=False,
        ),
        c.choice.but(
            name="repository_basis",
            meaning="`appeared`: an earlier page that could show one did not; `at_first_look`: the first page that "
            "could show one did, so that it may be older.",
            null="no `repository_seen_at`",
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


SUBMITTERS = Mart(
    name="submitters",
    grain="One person who submitted papers to Daily Papers.",
    answers="Who submits, how much, since when, and how it fares. Listings whose page did not name the submitter are "
    "missing here (before 2024-06-13 none did).",
    key=("submitter_login",),
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
