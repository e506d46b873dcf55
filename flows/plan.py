"""What is due: which list days are to be fetched now. One rule for the daily run, a missed one and a backfill."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from transforms.readers.request import request_of
from warehouse.cdxj import IndexEntry

NEW_YORK: Final = ZoneInfo("America/New_York")
ROLLOVER: Final = time(21, 30)  # New York; the list of the next day opens here (SOURCES §5)
FIRST_DAY: Final = date(2023, 5, 4)  # the first list there is
SATURDAY: Final = 5  # no list on a weekend (SOURCES §1)
OK: Final = 200
NOT_MODIFIED: Final = 304
# A list grows all day and upvotes for weeks (SOURCES §6): this long after it opened it is fetched again
AGES: Final = (
    timedelta(hours=1),
    timedelta(hours=6),
    *(timedelta(days=days) for days in (1, 2, 3, 7, 14, 30)),
)


def opens_at(day: date) -> datetime:
    """When the list of a day opens, UTC without zone.

    >>> opens_at(date(2026, 10, 2))
    datetime.datetime(2026, 10, 2, 1, 30)
    """
    evening = datetime.combine(day - timedelta(days=1), ROLLOVER, NEW_YORK)
    return evening.astimezone(UTC).replace(tzinfo=None)


def list_days(since: date, until: date) -> Iterator[date]:
    """The weekdays of a range, both ends included, none before the first list."""
    day = max(since, FIRST_DAY)
    while day <= until:
        if day.weekday() < SATURDAY:
            yield day
        day += timedelta(days=1)


def fetches(entries: Iterable[IndexEntry]) -> dict[date, datetime]:
    """When each list day was last fetched whole, by what the archive holds."""
    last: dict[date, datetime] = {}
    for entry in entries:
        day = request_of(entry.url).listed_on
        if day is not None and entry.fetched_at is not None and _is_whole(entry):
            last[day] = max(entry.fetched_at, last.get(day, entry.fetched_at))
    return last


def _is_whole(entry: IndexEntry) -> bool:
    return entry.failure is None and entry.http_status in (OK, NOT_MODIFIED)


def due(
    days: Iterable[date], fetched: Mapping[date, datetime], *, now: datetime, ages: Sequence[timedelta] = AGES
) -> list[date]:
    """The days whose latest age has come and that were not fetched since. `now` is UTC without zone."""
    return [day for day in days if _is_due(opens_at(day), fetched.get(day), now, ages)]


def _is_due(opened_at: datetime, fetched_at: datetime | None, now: datetime, ages: Sequence[timedelta]) -> bool:
    come = [opened_at + age for age in ages if opened_at + age <= now]
    return bool(come) and (fetched_at is None or fetched_at < come[-1])
