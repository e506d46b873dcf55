"""Upvotes over time: `upvote_curves`, when a paper had half and nine tenths of them; `upvote_growth`, what it gained
between two looks; `trending_papers`, what trended on each list day.
"""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.core.papers import PAPER_OBSERVATIONS
from warehouse.schema.ddl import quoted
from warehouse.schema.macros import trending_rules as rules
from warehouse.schema.mart import Mart
from warehouse.schema.shared import COHORT_PAPERS, MONTH_PAPERS, NEWEST_PAPERS

_CENSORED = (
    "Hours from 00:00 UTC of the first list day. Seen only when a page was fetched: the true time is between _after_ "
    "and _by_, and later upvotes would move it."
)
_UNKNOWN = "fewer than two observations, no upvotes, or never on a daily list"
UPVOTE_CURVES = Mart(
    name="upvote_curves",
    grain="One paper whose upvotes were seen.",
    answers="When a paper had half and nine tenths of its last known upvotes. The end of a curve is the last fetch, "
    "not the end of upvoting: compare papers with like last_observed_hours only.",
    key=("paper_id",),
    cohort_rows=COHORT_PAPERS,
    newest_rows=2 * NEWEST_PAPERS,
    columns=(
        c.paper_id,
        c.listed_on.but(name="first_listed_on", meaning="First day on a daily list.", null="never seen on one"),
        m.PAPER_COUNT.but(name="observation_count", unit="observations", meaning="Fetch times with upvotes."),
        c.upvote_count.but(name="first_upvote_count", meaning="Upvotes at the first observation.", null=""),
        c.upvote_count.but(name="last_upvote_count", meaning="Upvotes at the last observation.", null=""),
        m.HOURS.but(
            name="first_observed_hours",
            meaning="Hours from 00:00 UTC of the first list day to the first observation.",
            null="never on a daily list",
        ),
        m.LAST_OBSERVED.but(null="never on a daily list"),
        *(
            m.HOURS.but(name=name, meaning=f"{meaning} {_CENSORED}", null=null)
            for name, meaning, null in (
                ("half_after_hours", "Last observation with fewer than half.", f"{_UNKNOWN}; or the first had half"),
                ("half_by_hours", "First observation with at least half.", _UNKNOWN),
                ("most_after_hours", "Last with fewer than 90 %.", f"{_UNKNOWN}; or the first had 90 %"),
                ("most_by_hours", "First observation with at least 90 %.", _UNKNOWN),
            )
        ),
    ),
)


_FIRST = "the first look at the paper"
UPVOTE_GROWTH = Mart(
    name="upvote_growth",
    grain="One look at one paper's upvotes.",
    answers="How upvotes grew between looks, and how often each paper was looked at. What happened between two looks "
    "is not known; a paper with one look has no growth here, which is not growth of 0.",
    key=("paper_id", "observed_at"),
    cohort_rows=3 * COHORT_PAPERS,
    newest_rows=2 * NEWEST_PAPERS,
    columns=(
        c.paper_id,
        PAPER_OBSERVATIONS.column("observed_at"),
        c.listed_on.but(name="first_listed_on", meaning="First day on a daily list.", null="never seen on one"),
        m.PAPER_COUNT.but(
            name="observation_number", unit="place, from 1", meaning="Which look at the paper it is.", source="computed"
        ),
        m.PAPER_COUNT.but(
            name="observation_count", unit="observations", meaning="How often the paper was looked at in all."
        ),
        m.HOURS.but(
            name="observed_hours",
            meaning="Hours from 00:00 UTC of the first list day to the look.",
            null="never on a daily list",
        ),
        c.upvote_count.but(null=""),
        m.UPVOTES.but(
            name="gained_upvote_count",
            meaning="Upvotes more than at the look before; fewer, where some were taken back.",
            null=_FIRST,
            source="computed",
        ),
        m.HOURS.but(name="since_last_hours", meaning="Hours since the look before.", null=_FIRST),
        m.HOURS.but(
            name="gained_per_day",
            unit="upvotes a day",
            meaning="gained_upvote_count for each 24 hours since the look before.",
            null=_FIRST,
        ),
    ),
)


_DAYS = (
    "SELECT DISTINCT listings.listed_on + INTERVAL 1 DAY AS at_moment, "  # noqa: S608 - a number that is declared
    f"listings.listed_on - unnest(range({rules.MART_DAYS}))::INTEGER AS listed_on "
    "FROM core.daily_listings AS listings"
)
_KNOWN = (rules.RANK.but(maximum=rules.MART_PAPERS), c.paper_id, c.title, *rules.TERMS)
TRENDING_PAPERS = Mart(
    name="trending_papers",
    grain="One of the papers that trended most at the end of one list day.",
    answers=f"The {rules.MART_PAPERS} papers of a week's lists whose upvotes surprise most for their age, with every "
    "term of the score: what `trending_as_of` says of 24:00 UTC of the list day. With one look a paper it is no more "
    "than upvotes held against those of others at that age, and says so (`basis`).",
    key=("trending_on", "paper_id"),
    cohort_rows=3 * COHORT_PAPERS,
    newest_rows=3 * NEWEST_PAPERS,
    month_rows=2 * MONTH_PAPERS,
    order=("trending_on", "rank"),
    columns=(c.listed_on.but(name="trending_on", meaning="The list day at whose end it is.", null=""), *_KNOWN),
    parts={
        "scored": rules.scored(_DAYS),
        "columns": ",\n    ".join(quoted(column.name) for column in _KNOWN),
        "most": str(rules.MART_PAPERS),
    },
)
