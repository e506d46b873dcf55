"""What can be fetched from the Hub, and what of it is due: for the daily run, a missed one, a backfill."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from flows.plan.past_calls import NEVER, PastCalls
from flows.runtime.scope import DAY, DAYS_BACK, Scope
from warehouse.schema.daily_lists import SATURDAY, day_open_at, list_days, opens_at

ListKind: TypeAlias = Literal["models", "datasets", "spaces"]
OtherKind: TypeAlias = Literal["changes", "arxiv", "crossref", "openalex", "github"]
TargetKind: TypeAlias = (
    Literal["daily", "weekly", "monthly", "trending", "search", "page", "paper"] | ListKind | OtherKind
)

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
    a paper, or of one that `models`, `datasets` or `spaces` cite; a trending list has none. A `page` is the HTML page
    of a day's list.
    """

    kind: TargetKind
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
    """The details of papers, the latest listed first; `listed` has the last list day of each (`listed_papers`)."""
    for arxiv_id, day in sorted(listed.items(), key=lambda item: (item[1], item[0]), reverse=True):
        yield Target("paper", arxiv_id, tuple(opens_at(day) + age for age in scope.details_after))


def adoption_targets(scope: Scope, now: datetime, wanted: Wanted) -> Iterator[Target]:
    """Who builds on which paper, in turns counted from its list day, so that each day has its share of the papers.

    `wanted` has papers, and whole lists of what cites them (`adoption_wanted`).
    """
    every = scope.adoption_every
    if every is None or scope.is_backfill:
        return
    for (kind, arxiv_id), day in sorted(wanted.items(), key=lambda item: (item[1], item[0]), reverse=True):
        opened = opens_at(day)
        turns = (now - opened) // every
        if turns >= 0:
            yield Target(kind, arxiv_id, (opened + turns * every,))


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


NO_PAPERS: Final[Mapping[str, date]] = MappingProxyType({})
Wanted: TypeAlias = Mapping[tuple[TargetKind, str], date]
NOTHING_WANTED: Final[Wanted] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Due:
    """A call to make, and the moment it is due; `kind` and `subject` as in a Target."""

    kind: TargetKind
    subject: str
    at: datetime


def due(targets: Iterable[Target], past: PastCalls, now: datetime) -> list[Due]:
    """The targets not fetched since their latest moment up to `now`, UTC without zone."""
    found = []
    for target in targets:
        at = max((moment for moment in target.moments if moment <= now), default=None)
        if at is not None and (past.fetched_at(target.kind, target.subject) or NEVER) < at:
            found.append(Due(target.kind, target.subject, at))
    return found


def due_now(
    scope: Scope,
    past: PastCalls,
    now: datetime,
    listed: Mapping[str, date] = NO_PAPERS,
    wanted: Wanted = NOTHING_WANTED,
) -> list[Due]:
    """Everything the next run would ask the Hub for."""
    lists, pages = list_targets(scope, now), page_targets(scope, past, now)
    return due(chain(lists, pages, detail_targets(scope, listed), adoption_targets(scope, now, wanted)), past, now)


def next_due(scope: Scope, now: datetime, listed: Mapping[str, date] = NO_PAPERS) -> Due | None:
    """The first call due after `now`; None where the scope has none."""
    targets = (*list_targets(scope, now), *detail_targets(scope, listed))
    to_come = [
        Due(target.kind, target.subject, moment) for target in targets for moment in target.moments if moment > now
    ]
    return min(to_come, key=lambda due: due.at, default=None)
