"""The trending score: its formula and constants, declared once for the macro and the mart (docs/trending.md)."""

from __future__ import annotations

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.mart import sql_of
from warehouse.schema.provenance import PAPERLAKE
from warehouse.schema.table import Column

FORMULA: Final = 2  # goes up with any change of a constant below, or of trending.sql
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
    """CTEs up to `ranked`, which has every paper at every moment; `days` is SQL with one row per moment and list day
    in its window, as `at_moment` and `listed_on`.
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
    c.author_count.but(
        name="past_count",
        unit="papers",
        meaning="How many papers that is the mean of.",
        null="",
        source="counted",
        origin=PAPERLAKE,
        minimum=0,
        is_past=False,
    ),
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
