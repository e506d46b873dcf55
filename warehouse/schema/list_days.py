"""The calendar of the daily lists: which days have one, when it opens, and until when it grows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

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
