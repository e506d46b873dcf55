"""Marts over time. None reads as a trend what is only the source growing a field: each tells its denominator."""

from __future__ import annotations

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema.core.links import PAPER_KEYWORDS
from warehouse.schema.origin import HUB, PAPERLAKE
from warehouse.schema.table import Column, Table

# What list items may show; `field_availability.sql` tells for each how a sighting shows it
FIELDS = (
    "abstract",
    "ai_summary",
    "ai_summary_model",
    "author_login",
    "comment_count",
    "discussion_id",
    "github_added_by",
    "github_star_count",
    "github_url",
    "is_author_participating",
    "keywords",
    "media_urls",
    "organization_name",
    "project_url",
    "submitter_login",
    "upvote_count",
)
NUMBER = pl.Int64()
SHARE = Column(
    name="share",
    dtype=pl.Float64(),
    unit="of 1",
    meaning="",
    null="no page that could show it was captured: the field was not there yet",
    source="computed",
    origin=PAPERLAKE,
    minimum=0,
    maximum=1,
)
MONTH = Column(
    name="month_on",
    dtype=c.DAY,
    unit="first day of the month",
    meaning="Month of the list days.",
    source="daily_listings.listed_on",
    origin=PAPERLAKE,
)
PAPER_COUNT = Column(
    name="paper_count",
    dtype=NUMBER,
    unit="papers",
    meaning="Papers on the month's lists, each once.",
    source="counted",
    origin=PAPERLAKE,
)
KNOWN_COUNT = PAPER_COUNT.but(
    name="known_paper_count",
    meaning="Those of the month's papers of which a page was captured that could show the field.",
    source="field_availability.known_paper_count",
)
UPVOTES = PAPER_COUNT.but(
    name="upvote_count",
    unit="upvotes",
    meaning="Sum of their upvotes as last seen.",
    null="no page showed upvotes",
    source="papers.upvote_count",
)
MEDIAN_UPVOTES = UPVOTES.but(
    name="median_upvote_count", dtype=pl.Float64(), meaning="Median of their upvotes as last seen."
)
HOURS = Column(name="hours", dtype=pl.Float64(), unit="hours", meaning="", source="computed", origin=PAPERLAKE)

SOURCE_FIELDS = Table(
    name="source_fields",
    layer="mart",
    grain="One field that list items have.",
    answers="Where a field stands in the source and since when, as the dictionary declares it.",
    key=("field",),
    columns=(
        Column(
            name="field",
            dtype=c.TEXT,
            meaning="Column of `sightings`; `author_login` is in `paper_authors`.",
            source="the declarations",
            origin=PAPERLAKE,
        ),
        Column(
            name="source_path",
            dtype=c.TEXT,
            meaning="Where the source has it.",
            source="the declarations",
            origin=PAPERLAKE,
        ),
        Column(
            name="since_on",
            dtype=c.DAY,
            unit="UTC day",
            meaning="First day on which answers had it.",
            null="as long as the source is known",
            source="the declarations (SOURCES §9)",
            origin=PAPERLAKE,
        ),
    ),
)

FIELD_AVAILABILITY = Table(
    name="field_availability",
    layer="mart",
    grain="One field in one month of list days.",
    answers="For how many of a month's papers the source could show a field, and for how many it did.",
    key=("month_on", "field"),
    columns=(
        MONTH,
        SOURCE_FIELDS.columns[0],
        SOURCE_FIELDS.columns[2],
        PAPER_COUNT,
        KNOWN_COUNT.but(
            meaning="Those of which an API answer or HTML page that could show the field, or did, was captured.",
            source="sightings, source_fields.since_on",
        ),
        PAPER_COUNT.but(
            name="shown_paper_count", meaning="Those of which a page showed the field.", source="sightings"
        ),
        SHARE.but(meaning="shown_paper_count of known_paper_count."),
        Column(
            name="state",
            dtype=c.TEXT,
            meaning="`whole`: every paper could show the field; `part`: some could; `none`: it was not there yet.",
            source="computed",
            origin=PAPERLAKE,
            allowed=("whole", "part", "none"),
        ),
    ),
)

PAPERS_BY_MONTH = Table(
    name="papers_by_month",
    layer="mart",
    grain="One month of list days.",
    answers="How many papers a month's daily lists held, and how they fared.",
    key=("month_on",),
    columns=(
        MONTH,
        PAPER_COUNT.but(name="day_count", unit="days", meaning="List days of the month that the lake has."),
        PAPER_COUNT.but(
            name="expected_day_count",
            unit="days",
            meaning="List days of the month, until the last fetch, on which the source should have a list.",
            null="the month is outside `coverage`",
            source="coverage of the API",
        ),
        PAPER_COUNT.but(
            name="complete_day_count",
            unit="days",
            meaning="Those of the expected days whose list is complete. Where they are fewer, papers are lacking: "
            "compare paper_count only between months that are complete alike.",
            null="the month is outside `coverage`",
            source="coverage of the API",
        ),
        PAPER_COUNT,
        UPVOTES,
        MEDIAN_UPVOTES,
        MEDIAN_UPVOTES.but(
            name="median_author_count",
            unit="people",
            meaning="Median number of authors.",
            null="no page told the authors",
            source="papers.author_count",
        ),
        PAPER_COUNT.but(
            name="repository_paper_count",
            meaning="Papers with a GitHub repository. Read it beside repository_share: in the first months some papers "
            "were last seen before the source had the field.",
            null="the source had no such field yet",
            source="field_availability of github_url",
        ),
        SHARE.but(
            name="repository_share",
            meaning="Papers with a GitHub repository, of those whose pages could show one.",
            source="field_availability of github_url",
        ),
        PAPER_COUNT.but(
            name="organization_paper_count",
            meaning="Papers listed under an organization. Read it beside organization_share, as for repositories.",
            null="the source had no such field yet",
            source="field_availability of organization_name",
        ),
        SHARE.but(
            name="organization_share",
            meaning="Papers listed under an organization, of those whose pages could show one.",
            source="field_availability of organization_name",
        ),
    ),
)

ORGANIZATIONS_BY_MONTH = Table(
    name="organizations_by_month",
    layer="mart",
    grain="One organization in one month of list days in which it had a paper.",
    answers="How many of a month's papers an organization had. Months without organizations have no rows.",
    key=("month_on", "organization_id"),
    columns=(
        MONTH,
        Column(
            name="organization_id",
            dtype=c.TEXT,
            meaning="The organization, as in `organizations`.",
            source="organizations.organization_id",
            origin=HUB,
        ),
        c.organization_name.but(meaning="Display name as last seen.", null="seen by login only"),
        PAPER_COUNT.but(meaning="Papers of the organization on the month's lists."),
        KNOWN_COUNT,
        SHARE.but(meaning="paper_count of known_paper_count."),
        UPVOTES,
        MEDIAN_UPVOTES,
    ),
)

KEYWORDS_BY_MONTH = Table(
    name="keywords_by_month",
    layer="mart",
    grain="One keyword in one month of list days in which a paper had it.",
    answers="How many of a month's papers had a keyword. The Hub's keywords come and go (most are missing from "
    "2026-07-13 to 2026-08-11): compare shares, not counts.",
    key=("month_on", "keyword"),
    columns=(
        MONTH,
        next(column for column in PAPER_KEYWORDS.columns if column.name == "keyword").but(
            meaning="Keyword in lower case."
        ),
        PAPER_COUNT.but(meaning="Papers with the keyword on the month's lists."),
        PAPER_COUNT.but(
            name="keyword_paper_count",
            meaning="Those of the month's papers that have any keyword.",
            source="paper_keywords",
        ),
        SHARE.but(meaning="paper_count of keyword_paper_count.", null=""),
    ),
)

SUBMITTERS = Table(
    name="submitters",
    layer="mart",
    grain="One person who submitted papers to Daily Papers.",
    answers="Who submits, how much, since when, and how it fares. Listings whose page did not tell the submitter are "
    "missing here (before 2024-06-13 none did).",
    key=("submitter_login",),
    columns=(
        c.submitter_login.but(null=""),
        c.submitter_name.but(meaning="Display name as last seen."),
        PAPER_COUNT.but(meaning="Papers that they submitted."),
        PAPER_COUNT.but(name="day_count", unit="days", meaning="List days with a paper of theirs."),
        c.listed_on.but(name="first_listed_on", meaning="First list day with a paper of theirs.", null=""),
        c.listed_on.but(name="last_listed_on", meaning="Last list day with a paper of theirs.", null=""),
        UPVOTES,
        MEDIAN_UPVOTES,
    ),
)

LISTING_LAG = Table(
    name="listing_lag",
    layer="mart",
    grain="One paper on the list of one day.",
    answers="How long from arXiv to submission, to the list, to a repository. Days come from dates, hours from "
    "instants; what the source does not tell to that grain is null.",
    key=("listed_on", "paper_id"),
    columns=(
        c.listed_on.but(null=""),
        c.paper_id,
        c.published_on,
        c.published_basis,
        c.submitted_at,
        c.submitted_basis,
        PAPER_COUNT.but(
            name="published_to_listed_days",
            unit="days",
            meaning="From the day of the arXiv submission to the list day.",
            null="no `published_on`",
            source="listed_on - published_on",
        ),
        HOURS.but(
            name="published_to_submitted_hours",
            meaning="From the instant of the arXiv submission to that of the submission to Daily Papers.",
            null="one of the instants is not told: no answer since 2025-03-11 tells the second",
            source="submitted_at - published_at",
        ),
        c.first_seen_at.but(
            name="repository_seen_at",
            meaning="Fetch time of the first page that showed a GitHub repository.",
            null="no page showed one",
            source="paper_links.first_seen_at",
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
        PAPER_COUNT.but(
            name="listed_to_repository_days",
            unit="days",
            meaning="From the list day to the day of `repository_seen_at`, at most so many.",
            null="no `repository_seen_at`",
            source="repository_seen_at - listed_on",
        ),
    ),
)

_CENSORED = (
    "Hours from 00:00 UTC of the first list day. Seen only when a page was fetched: the true time is between _after_ "
    "and _by_, and later upvotes would move it."
)
_UNKNOWN = "fewer than two observations, no upvotes, or never on a daily list"
UPVOTE_CURVES = Table(
    name="upvote_curves",
    layer="mart",
    grain="One paper whose upvotes were seen.",
    answers="When a paper had half and nine tenths of its last known upvotes. The end of a curve is the last fetch, "
    "not the end of upvoting: compare papers with like last_observed_hours only.",
    key=("paper_id",),
    columns=(
        c.paper_id,
        c.listed_on.but(name="first_listed_on", meaning="First day on a daily list.", null="never seen on one"),
        PAPER_COUNT.but(name="observation_count", unit="observations", meaning="Fetch times that told upvotes."),
        c.upvote_count.but(name="first_upvote_count", meaning="Upvotes at the first observation.", null=""),
        c.upvote_count.but(name="last_upvote_count", meaning="Upvotes at the last observation.", null=""),
        HOURS.but(
            name="first_observed_hours",
            meaning="Hours from 00:00 UTC of the first list day to the first observation.",
            null="never on a daily list",
        ),
        HOURS.but(
            name="last_observed_hours",
            meaning="Hours from 00:00 UTC of the first list day to the last observation.",
            null="never on a daily list",
        ),
        *(
            HOURS.but(name=name, meaning=f"{meaning} {_CENSORED}", null=null)
            for name, meaning, null in (
                ("half_after_hours", "Last observation with fewer than half.", f"{_UNKNOWN}; or the first had half"),
                ("half_by_hours", "First observation with at least half.", _UNKNOWN),
                ("most_after_hours", "Last with fewer than 90 %.", f"{_UNKNOWN}; or the first had 90 %"),
                ("most_by_hours", "First observation with at least 90 %.", _UNKNOWN),
            )
        ),
    ),
)

TIME_MARTS = (
    SOURCE_FIELDS,
    FIELD_AVAILABILITY,
    PAPERS_BY_MONTH,
    ORGANIZATIONS_BY_MONTH,
    KEYWORDS_BY_MONTH,
    SUBMITTERS,
    LISTING_LAG,
    UPVOTE_CURVES,
)
