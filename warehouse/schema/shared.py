"""Rules, references and sizes that several tables share, and columns that several marts share.

A mart gives every share with its denominator: a field that the source only began to show must not look like a trend.
"""

from datetime import timedelta
from typing import Final

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema.table import Rule

# Papers per file, which limits what a day writes again; a table's limit is this times the rows that a paper has. A year
# of lists had 3,311 papers, and has 8,000 at the pace of today, of which a file is a quarter then.
COHORT_PAPERS: Final = 4_000
# Papers per file in the newest year, in tables of which a day would else write much again, and in marts. Of most tables
# twice as many are in a file, a quarter of a year: such a file is a fifth of a year's on the average, and the tables
# grow by 2 %. Of `sightings`, of long texts and of the index of search it is a month.
NEWEST_PAPERS: Final = 1_000
# Papers per file in the newest month, where the same tables would write a month each day for some 30 papers: a third of
# it. Older months are whole, so a table has two files more, whatever its age. `daily_papers` is not cut so: a month's
# best papers are one file.
MONTH_PAPERS: Final = 200
ONE_LOOK: Final = timedelta(hours=1)  # pages that are fetched within it are one look


# Of several that hold of a paper the first is said: what a reader must know before they cite it
OUTCOMES: Final = ("withdrawn", "deleted", "retracted", "concern", "suspected", "published", "present")

# As marts and macros show it beside a paper
OUTCOME = c.choice.but(
    name="status",
    meaning="What became of the paper by the newest looks, the first that holds: `withdrawn` at arXiv by two signs, "
    "`deleted` there; the work that it is published as was `retracted`, or is of `concern`; `suspected` to be "
    "withdrawn by one sign; `published`; `present` at arXiv.",
    null="nobody asked arXiv or a registry, or neither knows it: it may be withdrawn",
    sources=("paper_status.status", "paper_publications.status"),
    allowed=OUTCOMES,
)


def in_order(name: str, first: str, last: str, meaning: str) -> Rule:
    """A rule that `last` is not before `first`."""
    return Rule(name, f"{first} <= {last}", meaning)


def basis_rule(value: str, basis: str) -> Rule:
    """A rule that a value and its basis are there together."""
    sql = f"({value} IS NULL) = ({basis} IS NULL)"
    return Rule(f"{basis}_told", sql, f"one of {value} and {basis} without the other")


SEEN_RULE = in_order("seen_in_order", "first_seen_at", "last_seen_at", "last seen before first seen")
LISTED_RULE = in_order("listed_in_order", "first_listed_on", "last_listed_on", "last listed before first listed")
BASIS_RULE = basis_rule("published_on", "published_basis")
# Whether `published_on` comes after the month that an arXiv id begins with (2504.12984; hep-th/9901001): arXiv gives no
# id before the submission. In 7,313 papers until April 2026 none did
_FROM_MONTH = "substr(arxiv_id, strpos(arxiv_id, '/') + 1, {})"
AFTER_ID_MONTH = (
    f"strftime(published_on, '%Y%m') > CASE WHEN {_FROM_MONTH.format(2)} >= '91' THEN '19' ELSE '20' END"
    f" || {_FROM_MONTH.format(4)}"
)
JUDGED_BASIS = f"CASE WHEN {AFTER_ID_MONTH} THEN '{c.CONTRADICTED}' ELSE published_basis END"
DATE_RULE = Rule(
    "published_by_id",
    f"({AFTER_ID_MONTH}) = (published_basis = '{c.CONTRADICTED}')",
    "published after the month of the arXiv id without a word, or said to be and not",
)
SOUND_PUBLISHED_ON = c.published_on.but(
    meaning="Day of the first submission to arXiv.",
    null=f"{c.published_on.null}, or one that the arXiv id contradicts (`papers.published_basis`)",
    sources=("papers.published_on",),
)
SUBMITTED_RULE = basis_rule("submitted_at", "submitted_basis")

# Texts that say nothing of a paper, in any layout: tags, pictures, buttons of the site, addresses. Each part is
# anchored at both ends, because `!~` searches for a pattern in Polars, and matches all of a text in DuckDB.
NO_WORDS = (
    r"(?i)^(?:(?:</?[a-z][^<>]*>|!\[[^\[\]]*\]\([^()]*\))\s*)+$|^(?:https?://|www\.)\S+$"
    r"|^(?:copy markdown|(?:view )?arxiv page|view pdf|project page|add to collection|upvote|subscribe|submitted by)$"
)


def words_rule(*names: str) -> Rule:
    """A rule that none of these titles or names is one that says nothing; a missing one is allowed."""
    sql = " AND ".join(f"coalesce({name} !~ '{NO_WORDS}', true)" for name in names)
    return Rule("no_words", sql, "a title or a name that is only markup, the words of a button, or an address")


SHARE = c.real.but(
    name="share",
    unit="of 1",
    meaning="",
    null="no page that could show it was captured: the field was not there yet",
    minimum=0,
    maximum=1,
)
MONTH = c.day.but(
    name="month_on",
    unit="first day of the month",
    meaning="Month of the list days.",
    sources=("daily_listings.listed_on",),
)
PAPER_COUNT = c.total.but(
    name="paper_count", unit="papers", meaning="Papers on the month's lists, each once.", minimum=None
)
KNOWN_COUNT = PAPER_COUNT.but(
    name="known_paper_count",
    meaning="Those of the month's papers of which a page was captured that could show the field.",
    sources=("field_availability.known_paper_count",),
)
UPVOTES = PAPER_COUNT.but(
    name="upvote_count",
    unit="upvotes",
    meaning="Sum of their upvotes as last seen.",
    null="no page showed upvotes",
    sources=("papers.upvote_count",),
)
MEDIAN_UPVOTES = UPVOTES.but(
    name="median_upvote_count", dtype=pl.Float64(), meaning="Median of their upvotes as last seen."
)
HOURS = c.real.but(name="hours", unit="hours", meaning="")
# Upvotes that can be compared stand beside the hours after which they were seen: lists were fetched in the 17th hour of
# their day in 2024, and in the 8th since
LAST_OBSERVED = HOURS.but(
    name="last_observed_hours",
    meaning="Hours from 00:00 UTC of the first list day to the last look at the upvotes. Compare only upvotes that "
    "were seen about as late.",
    null="never on a daily list, or no look whose time is known",
    source="paper_observations.observed_at - papers.first_listed_on",
    sources=("paper_observations.observed_at", "papers.first_listed_on"),
)
MEDIAN_OBSERVED = LAST_OBSERVED.but(
    name="median_observed_hours",
    meaning="Median, over the papers, of the hours from 00:00 UTC of the first list day to the last look at the "
    "upvotes. Compare only upvotes that were seen about as late.",
    null="no look whose time is known",
    sources=("upvote_curves.last_observed_hours",),
)
IS_OVER = c.flag.but(
    name="is_over",
    meaning="Whether all its lists were closed when the lake last fetched anything; else papers are still to come.",
    null="outside `coverage`",
    sources=("coverage.listed_on",),
)
EXPECTED_DAYS = PAPER_COUNT.but(
    name="expected_day_count",
    unit="days",
    meaning="List days, until the last fetch, on which the source should have a list.",
    null="outside `coverage`",
    source="coverage of the API",
)
COMPLETE_DAYS = EXPECTED_DAYS.but(
    name="complete_day_count",
    meaning="Those of the expected days whose list is complete. Where they are fewer, papers are lacking: compare "
    "counts only between times that are complete alike.",
)
