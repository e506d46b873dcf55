"""The daily lists: which days have one, when it opens, until when it grows, and what became of each.

`coverage` has the state of a list and the reason for it; of both follows one outcome, which every page, command and
chart says in the same words. A list that was fetched on its day is no failure: what joined it before it was closed is
there. One that nobody asked for is none either.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    import polars as pl

NEW_YORK: Final = ZoneInfo("America/New_York")
ROLLOVER: Final = time(21, 30)  # New York; the list of the next day opens here (docs/source.md §5)
FIRST_DAY: Final = date(2023, 5, 4)  # the first list there is
LAST_DAY: Final = date(2100, 1, 1)  # a page of a later day has a wrong clock, and must not make a calendar of millennia
SATURDAY: Final = 5  # no list on a weekend (docs/source.md §1)
DAY: Final = timedelta(days=1)


def opens_at(day: date) -> datetime:
    """When the list of a day opens, UTC without zone.

    >>> opens_at(date(2026, 10, 2))
    datetime.datetime(2026, 10, 2, 1, 30)
    """
    evening = datetime.combine(day - DAY, ROLLOVER, NEW_YORK)
    return evening.astimezone(UTC).replace(tzinfo=None)


def closes_at(day: date) -> datetime:
    """When the list of a day is closed, UTC without zone: the evening of its day in New York, a Friday's too.

    Over a weekend nothing is submitted, so a Friday's list does not grow until Monday's opens (docs/source.md §6).

    >>> closes_at(date(2026, 10, 2))  # a Friday
    datetime.datetime(2026, 10, 3, 1, 30)
    """
    return opens_at(day + DAY)


def closed_at(day: pl.Expr) -> pl.Expr:
    """The same for a column of days."""
    evening = day.dt.combine(ROLLOVER).dt.replace_time_zone(NEW_YORK.key)
    return evening.dt.convert_time_zone("UTC").dt.replace_time_zone(None)


def day_open_at(instant: datetime) -> date:
    """The day whose list is open at an instant in UTC without zone; on a weekend a day without a list.

    >>> day_open_at(datetime(2026, 10, 2, 1, 29)), day_open_at(datetime(2026, 10, 2, 1, 30))
    (datetime.date(2026, 10, 1), datetime.date(2026, 10, 2))
    """
    local = instant.replace(tzinfo=UTC).astimezone(NEW_YORK)
    return local.date() + DAY if local.time() >= ROLLOVER else local.date()


def list_days(since: date, until: date) -> Iterator[date]:
    """The weekdays of a range, both ends included, none before the first list."""
    day = max(since, FIRST_DAY)
    while day <= until:
        if day.weekday() < SATURDAY:
            yield day
        day += DAY


EARLY: Final = "fetched before the list was closed"  # 8 to 28 % of the papers come later (docs/source.md §6)
NEVER_FETCHED: Final = "never fetched"


class ListOutcome(NamedTuple):
    """An outcome, and the state and the reason by which it is known; no reason: any other.

    `words` are of one list, `counted` of several, `meaning` is for a legend.
    """

    name: str
    state: str
    reason: str | None
    words: str
    counted: str
    meaning: str


# The best first
OUTCOMES: Final = (
    ListOutcome("complete", "complete", None, "complete", "complete", "fetched after it was closed"),
    ListOutcome(
        "early",
        "partial",
        EARLY,
        "fetched on its day",
        "fetched on the day",
        "fetched on its day: papers that joined later may be missing",
    ),
    ListOutcome("partial", "partial", None, "partial", "partial", "some papers are missing, with a reason"),
    ListOutcome("empty", "empty", None, "the source gave an empty list", "empty", "the source gave an empty list"),
    ListOutcome("failed", "missing", None, "nothing could be read", "failed", "asked for, but nothing could be read"),
    ListOutcome("unfetched", "missing", NEVER_FETCHED, "not fetched", "not fetched", "not fetched"),
)
# A day without a list, of a source that should have none
UNEXPECTED: Final = ListOutcome("unexpected", "missing", None, *["no list expected"] * 3)
HELD: Final = ("complete", "early", "partial", "empty")  # the lake has papers of it, or knows that there are none

REASONED: Final = ("partial", "failed")  # the reason says more than the words


def outcome_of(state: str, reason: str | None) -> ListOutcome:
    """The outcome of an expected list; one that has a reason goes before one that fits any."""
    found = [one for one in OUTCOMES if one.state == state and one.reason in {None, reason}]
    return max(found, key=lambda one: one.reason is not None)


def outcome_text(state: str, reason: str | None) -> str:
    """The outcome of an expected list in words, with the reason where it says more.

    >>> outcome_text("partial", EARLY), outcome_text("missing", NEVER_FETCHED)
    ('fetched on its day', 'not fetched')
    >>> outcome_text("missing", "not read: no JSON")
    'failed: not read: no JSON'
    """
    one = outcome_of(state, reason)
    if one.name not in REASONED or not reason:
        return one.words
    return reason if reason.startswith(f"{one.counted}: ") else f"{one.counted}: {reason}"


def in_words(counts: dict[str, int]) -> str:
    """The counts of lists by outcome, in words, without zeros.

    >>> in_words({"complete": 3, "early": 1_204, "failed": 0})
    '3 complete, 1,204 fetched on the day'
    """
    words = [f"{counts[one.name]:,} {one.counted}" for one in OUTCOMES if counts.get(one.name)]
    return ", ".join(words) or "none"
