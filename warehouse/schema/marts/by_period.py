"""What a month's or a week's lists held, with the denominator of every share.

`papers_by_month`, `papers_by_week`, `organizations_by_month` and `keywords_by_month`.
"""

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.core.attached import ORGANIZATIONS, PAPER_KEYWORDS
from warehouse.schema.mart import Mart
from warehouse.schema.provenance import PAPERLAKE
from warehouse.schema.shared import COHORT_PAPERS, NEWEST_PAPERS
from warehouse.schema.table import Cut

PAPERS_BY_MONTH = Mart(
    name="papers_by_month",
    grain="One month of list days.",
    answers="How many papers a month's daily lists held, and how they fared.",
    key=("month_on",),
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
            sources=("papers.author_count",),
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


PAPERS_BY_WEEK = Mart(
    name="papers_by_week",
    grain="One paper in one ISO week of list days.",
    answers="A week's top papers, by upvotes as last seen: `WHERE week = '2026-W40' AND rank <= 10`. A list that lacks "
    "papers lacks them here too, and a paper that was looked at later has had more time: see is_over, "
    "complete_day_count and last_observed_hours.",
    key=("week_on", "paper_id"),
    cut=Cut(COHORT_PAPERS, NEWEST_PAPERS),
    order=("week_on", "rank", "paper_id"),
    columns=(
        c.listed_on.but(
            name="week_on", unit="Monday of the week", meaning="Week of the list days.", null="", origin=PAPERLAKE
        ),
        c.text.but(
            name="week",
            unit="ISO week",
            meaning="The same week by its ISO number, as the Hub's addresses have it.",
            sources=("daily_listings.listed_on",),
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
            sources=("upvote_curves.observation_count",),
        ),
        c.listed_on.but(meaning="First day of the week on whose list the paper is.", null=""),
        m.PAPER_COUNT.but(meaning="Papers on the week's lists, each once."),
        m.EXPECTED_DAYS,
        m.COMPLETE_DAYS,
        m.IS_OVER,
    ),
)


ORGANIZATIONS_BY_MONTH = Mart(
    name="organizations_by_month",
    grain="One organization in one month of list days in which it had a paper.",
    answers="How many of a month's papers an organization had. Months without organizations have no rows. For the "
    "logins of one name together, sum paper_count or share by group_name.",
    key=("month_on", "organization_id"),
    columns=(
        m.MONTH,
        c.organization.but(
            name="organization_id",
            meaning="The organization, as in `organizations`.",
            sources=("organizations.organization_id",),
            max_length=None,
        ),
        c.organization_name.but(meaning="Display name as last seen.", null="seen by login only"),
        ORGANIZATIONS.column("group_name"),
        m.PAPER_COUNT.but(
            meaning="Papers of the organization on the month's lists, where an API answer or HTML page showed it."
        ),
        m.KNOWN_COUNT,
        m.SHARE.but(meaning="paper_count of known_paper_count."),
        m.UPVOTES,
        m.MEDIAN_UPVOTES,
        m.MEDIAN_OBSERVED,
    ),
)


KEYWORDS_BY_MONTH = Mart(
    name="keywords_by_month",
    grain="One keyword in one month of list days in which a paper had it.",
    answers="How many of a month's papers had a keyword. The Hub's keywords come and go (most are missing from "
    "2026-07-13 to 2026-08-11): compare shares, not counts.",
    key=("month_on", "keyword"),
    cut=Cut(8 * COHORT_PAPERS, 8 * NEWEST_PAPERS),
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
