"""What is due: which list days are to be fetched now. One rule for the daily run, a missed one and a backfill."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from transforms.readers.request import request_of
from warehouse.cdxj import IndexEntry
from warehouse.list_days import opens_at

OK: Final = 200
NOT_MODIFIED: Final = 304
# A list grows all day and upvotes for weeks (SOURCES §6): this long after it opened it is fetched again
AGES: Final = (
    timedelta(hours=1),
    timedelta(hours=6),
    *(timedelta(days=days) for days in (1, 2, 3, 7, 14, 30)),
)


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
