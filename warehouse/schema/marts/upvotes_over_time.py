"""Upvotes over time: `upvote_curves`, `upvote_growth` and `trending_papers`.

When a paper had half and nine tenths of them; what it gained between two looks; what trended on each list day. The
trending score, its formula and constants, is declared once, for the mart and for the macro `trending_as_of`
(docs/trending.md).
"""

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.core.papers import PAPER_OBSERVATIONS
from warehouse.schema.ddl import quoted
from warehouse.schema.mart import Mart, sql_of
from warehouse.schema.shared import COHORT_PAPERS, MONTH_PAPERS, NEWEST_PAPERS
from warehouse.schema.table import Column, Cut

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
    cut=Cut(COHORT_PAPERS, 2 * NEWEST_PAPERS),
    is_of_papers=True,
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
    cut=Cut(3 * COHORT_PAPERS, 2 * NEWEST_PAPERS),
    is_of_papers=True,
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

FORMULA: Final = 2  # of the trending score; goes up with any change of a constant below, or of trending.sql
# Bounds of age groups: most pages were fetched 7 to 8 or 17 hours after the list day began (docs/trending.md)
STAGE_HOURS: Final = (3, 6, 9, 12, 18, 24, 36, 48, 72, 120, 168, 336)
PRIOR_PAPERS: Final = 20  # papers at the mean of all ages, added to each age group: a few observations say little
CAUTION: Final = 1  # k: multiples of the mean added to both sides of the ratio, so that one vote is no surprise
VELOCITY_WEIGHT: Final = 0  # w: 51 of 9,785 papers were observed twice, too few to show that it helps
FADING_HOURS: Final = 48  # this much age lowers the score as much as a surprise of e raises it
LOOKS_APART: Final = 3  # hours between two observations: over less time a few votes are no speed
MART_DAYS: Final = 7  # list days in the mart's window: a week
MART_PAPERS: Final = 50  # a list day has at most as many (docs/source.md §1)

_WEEK, _WORK_WEEK = 7 * 24, 5 * 24
_HOURS = "epoch({} - TIMESTAMP '1970-01-05') / 3600"  # a Monday


def _weekday_hours(instant: str) -> str:
    """SQL for hours of weekdays since a Monday: on a weekend no new list competes with a paper (docs/source.md §1)."""
    hours = _HOURS.format(instant)
    return f"({_WORK_WEEK} * floor({hours} / {_WEEK}) + least(({hours}) % {_WEEK}, {_WORK_WEEK}))"


def scored(days: str) -> str:
    """CTEs up to `ranked`, which has every paper at every moment.

    `days` is SQL with one row per moment and list day in its window, as `at_moment` and `listed_on`.
    """
    parts = {
        "days": days,
        "stage": " + ".join(f"(looks.look_hours >= {hours})::INTEGER" for hours in STAGE_HOURS),
        "prior": str(PRIOR_PAPERS),
        "caution": str(CAUTION),
        "weight": str(VELOCITY_WEIGHT),
        "fading": str(FADING_HOURS),
        "apart": str(LOOKS_APART),
        "age": f"{_weekday_hours('at_moment')} - {_weekday_hours('listed_on')}",
        "formula": str(FORMULA),
    }
    return sql_of("macros", "trending_scored", parts)


def _number(name: str, meaning: str, unit: str, null: str = "") -> Column:
    return c.real.but(name=name, meaning=meaning, unit=unit, null=null)


_ONE_LOOK: Final = f"one look, or none {LOOKS_APART} hours before it"
RANK: Final = c.integer.but(
    name="rank",
    unit="place, from 1",
    meaning="Place by `score`; of equals the one with more upvotes, then the lower id.",
    minimum=1,
)
TITLE: Final = c.title.but(meaning="Title as last seen by then.")
TERMS: Final = (
    c.listed_on.but(null="", meaning="Day of the daily list, the last one in the window."),
    c.upvote_count.but(meaning="Upvotes at the last look by then.", null=""),
    c.observed_at.but(meaning="When that look was."),
    m.HOURS.but(name="observed_hours", meaning="Hours from 00:00 UTC of the list day to that look.", null=""),
    _number(
        "expected_count",
        f"Mean upvotes of other papers at their first look of that age, a day before the moment or earlier; "
        f"{PRIOR_PAPERS} papers with `mean_count` count in.",
        "upvotes",
    ),
    c.count.but(name="past_count", unit="papers", meaning="How many papers that is the mean of."),
    _number("mean_count", "The same mean over all ages; 1 where the lake has no past.", "upvotes"),
    _number("surprise", f"(upvote_count + {CAUTION} mean_count) / (expected_count + {CAUTION} mean_count).", "ratio"),
    c.upvote_count.but(
        name="previous_upvote_count",
        meaning=f"Upvotes at the last look that was {LOOKS_APART} hours before or more.",
        null=_ONE_LOOK,
    ),
    c.observed_at.but(name="previous_observed_at", meaning="When that was.", null=_ONE_LOOK),
    _number(
        "velocity",
        "(upvotes gained + a) / (hours between + b), a and b the means of both over past pairs of looks.",
        "upvotes an hour",
        f"{_ONE_LOOK}; or no past to compare with",
    ),
    _number("mean_velocity", "a / b.", "upvotes an hour", "no past pair of looks gained upvotes"),
    m.HOURS.but(
        name="age_hours",
        meaning="Hours from 00:00 UTC of the list day to the moment, without those of Saturdays and Sundays.",
        null="",
    ),
    _number(
        "score",
        f"ln(surprise) + {VELOCITY_WEIGHT} ln(velocity / mean_velocity) - age_hours / {FADING_HOURS}.",
        "of the formula",
    ),
    c.choice.but(
        name="basis",
        meaning="Whether there is a velocity: `two looks`, or `one look`.",
        allowed=("one look", "two looks"),
    ),
    c.integer.but(
        name="formula",
        unit="version",
        meaning="Version of the formula and its constants.",
        source="declared",
        minimum=1,
    ),
)

_DAYS = (
    "SELECT DISTINCT listings.listed_on + INTERVAL 1 DAY AS at_moment, "  # noqa: S608 - a number that is declared
    f"listings.listed_on - unnest(range({MART_DAYS}))::INTEGER AS listed_on "
    "FROM core.daily_listings AS listings "
    "WHERE listings.listed_on >= coalesce(getvariable('since'), DATE '0001-01-01')"
)
_KNOWN = (RANK.but(maximum=MART_PAPERS), c.paper_id, c.title, *TERMS)
TRENDING_PAPERS = Mart(
    name="trending_papers",
    grain="One of the papers that trended most at the end of one list day.",
    answers=f"The {MART_PAPERS} papers of a week's lists whose upvotes surprise most for their age, with every "
    "term of the score: what `trending_as_of` says of 24:00 UTC of the list day. With one look a paper it is no more "
    "than upvotes held against those of others at that age, and says so (`basis`).",
    key=("trending_on", "paper_id"),
    cut=Cut(3 * COHORT_PAPERS, 3 * NEWEST_PAPERS, 2 * MONTH_PAPERS),
    order=("trending_on", "rank"),
    columns=(c.listed_on.but(name="trending_on", meaning="The list day at whose end it is.", null=""), *_KNOWN),
    parts={
        "scored": scored(_DAYS),
        "columns": ",\n    ".join(quoted(column.name) for column in _KNOWN),
        "most": str(MART_PAPERS),
    },
    since={"daily_listings": "listed_on", "paper_observations": "observed_at", "papers": "title"},
)
