"""What can be fetched from the Hub, each with the moments at which it is to be fetched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal, TypeAlias

from flows.plan.past_calls import PastCalls
from flows.runtime.scope import DAY, DAYS_BACK, Scope
from warehouse.schema.list_days import SATURDAY, day_open_at, list_days, opens_at

Kind: TypeAlias = Literal["daily", "weekly", "monthly", "trending", "search", "page", "paper"]

# A week's list is asked for on the Saturday that ends its list days, and again on a Tuesday ten days later; a month's
# on the first Sunday after it, and a week later. These are the days with the fewest daily lists to fetch again (of
# eight ages 4, 5 and 3 at most), so that their pages fit in the ten requests of a day: up to 500, 400 and 600 papers.
WEEK_AGES: Final = (timedelta(0), 10 * DAY)
MONTH_AGES: Final = (timedelta(0), 7 * DAY)
DAYS_OF_A_WEEK: Final = 7
SUNDAY: Final = 6
PAGE_AFTER: Final = DAY  # a list that is still empty by then may not exist: its page shows whether it does


@dataclass(frozen=True, slots=True)
class Target:
    """A list, page or paper to fetch at each of its moments: UTC without zone, the earliest first.

    `subject` is the list day or period (`2026-10-02`, `2026-W40`, `2026-09`), the query of a search, the arXiv id of
    a paper; a trending list has none. A `page` is the HTML page of a day's list.
    """

    kind: Kind
    subject: str
    moments: tuple[datetime, ...]


def list_targets(scope: Scope, now: datetime) -> Iterator[Target]:
    """Lists of the API: daily ones; unless in a backfill also weeks and months, trending, and searches."""
    for day in list_days(*scope.list_range(now, scope.refetch_after)):
        yield Target("daily", day.isoformat(), tuple(opens_at(day) + age for age in scope.refetch_after))
    if not scope.is_backfill:
        yield from period_targets(now)
        today = day_open_at(now)
        # these change all the time: they are fetched when a list opens, or would on a weekend
        moments = (opens_at(today), opens_at(today + DAY))
        yield Target("trending", "", moments)
        yield from (Target("search", query, moments) for query in scope.searches)


def page_targets(scope: Scope, past: PastCalls, now: datetime) -> Iterator[Target]:
    """HTML pages of weekdays whose list is empty: without a list of its own, the page shows the previous day's."""
    for day in list_days(*scope.list_range(now, scope.refetch_after)):
        if past.is_empty(day):
            yield Target("page", day.isoformat(), (opens_at(day) + PAGE_AFTER,))


def detail_targets(scope: Scope, listed: Mapping[str, date]) -> Iterator[Target]:
    """The details of papers, the latest listed first; `listed` has the last list day of each."""
    for arxiv_id, day in sorted(listed.items(), key=lambda item: (item[1], item[0]), reverse=True):
        yield Target("paper", arxiv_id, tuple(opens_at(day) + age for age in scope.details_after))


def period_targets(now: datetime) -> Iterator[Target]:
    """Weeks and months that ended in the last 31 days, or end in the next."""
    today = day_open_at(now)
    for days in range(-DAYS_BACK.days, DAYS_BACK.days):
        end = today + days * DAY  # the first day after the period's list days
        if end.weekday() == SATURDAY:
            year, week, _ = end.isocalendar()
            yield Target("weekly", f"{year}-W{week:02}", tuple(opens_at(end + age) for age in WEEK_AGES))
        if end.day == 1:
            sunday = end + (SUNDAY - end.weekday()) % DAYS_OF_A_WEEK * DAY
            yield Target("monthly", f"{end - DAY:%Y-%m}", tuple(opens_at(sunday + age) for age in MONTH_AGES))
