"""Which pages of the Hub are due: for the daily run, after a missed one, for a backfill.

Of the latest release it reads which papers were listed lately, whose details may be due, and which list is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import polars as pl

from flows.plan.past_calls import NEVER, PastCalls
from flows.runtime.scope import DAY, DAYS_BACK, Scope
from warehouse.errors import NoList
from warehouse.release.snapshot import latest_release, open_latest
from warehouse.schema.columns import ARXIV_ID
from warehouse.schema.core.cited_by import ADOPTION_LOOKS
from warehouse.schema.core.listings import COVERAGE, DAILY_LISTINGS
from warehouse.schema.daily_lists import SATURDAY, closes_at, day_open_at, list_days, opens_at
from warehouse.store.local_files import LocalFiles
from warehouse.store.store import Store

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
    """The calls that the next run would make to the Hub."""
    lists, pages = list_targets(scope, now), page_targets(scope, past, now)
    return due(chain(lists, pages, detail_targets(scope, listed), adoption_targets(scope, now, wanted)), past, now)


def next_due(scope: Scope, now: datetime, listed: Mapping[str, date] = NO_PAPERS) -> Due | None:
    """The first call due after `now`; None where the scope has none."""
    targets = (*list_targets(scope, now), *detail_targets(scope, listed))
    to_come = [
        Due(target.kind, target.subject, moment) for target in targets for moment in target.moments if moment > now
    ]
    return min(to_come, key=lambda due: due.at, default=None)


# A scraped id of another form is never put into an address
ON_AN_ARXIV_ID: Final = pl.col("paper_id").str.contains(ARXIV_ID)
LISTS: Final[dict[str, ListKind]] = {"model": "models", "dataset": "datasets", "space": "spaces"}


def listed_papers(store: Store, scope: Scope, now: datetime) -> dict[str, date]:
    """The last list day of each paper on a list of the last 31 days, by arXiv id.

    In a backfill, papers that were listed in its days, and none unless it is to fetch details.
    """
    if not scope.details_after or (scope.is_backfill and not scope.with_details):
        return {}
    with open_latest(store) as release:
        if release is None:
            return {}
        listings = release.read(DAILY_LISTINGS)
    since, until = scope.list_range(now, scope.details_after)
    listings = listings.filter(ON_AN_ARXIV_ID)
    papers = listings.group_by("paper_id").agg(
        pl.col("listed_on").max(), pl.col("listed_on").is_between(since, until).any().alias("is_wanted")
    )
    return dict(papers.filter("is_wanted").select("paper_id", "listed_on").iter_rows())


def adoption_wanted(store: Store, scope: Scope) -> dict[tuple[TargetKind, str], date]:
    """The calls that ask who builds on papers, each with the paper's last list day; none unless the setting is on.

    Of each paper that was ever listed its own answer, which has the totals; and the whole lists of those kinds whose
    last such answer was cut.
    """
    if scope.adoption_every is None or scope.is_backfill:
        return {}
    with open_latest(store) as release:
        if release is None:
            return {}
        listings = release.read(DAILY_LISTINGS).filter(ON_AN_ARXIV_ID)
        looks = release.read(ADOPTION_LOOKS) if ADOPTION_LOOKS.name in release.tables else ADOPTION_LOOKS.empty()
    days = dict(listings.group_by("paper_id").agg(pl.col("listed_on").max()).iter_rows())
    last = looks.filter(asked="paper").sort("observed_at").group_by("paper_id", "kind").last()
    cut = last.filter(is_last_page=False).select("kind", "paper_id").iter_rows()
    papers: dict[tuple[TargetKind, str], date] = {("paper", one): day for one, day in days.items()}
    return papers | {(LISTS[kind], one): days[one] for kind, one in cut if one in days}


GRACE: Final = timedelta(hours=6)  # the second fetch of a list; earlier it may still be empty (docs/source.md §6)
LOOK_BACK: Final = timedelta(days=4)  # from a Monday before its list opens, to the Friday, and to spare


def missing_list_of_latest(files: LocalFiles, now: datetime) -> date | None:
    """The list day that the latest release lacks, by the rule of `missing_list`."""
    release = latest_release(files)
    return missing_list(release.read(COVERAGE) if release else COVERAGE.empty(), now)


def missing_list(coverage: pl.DataFrame, now: datetime) -> date | None:
    """The newest list day that should have papers by now, if none came from the daily API; `now` is UTC.

    A day is settled, too, that is not expected any more: its list page showed an earlier list when the day was over.
    """
    today = now.date()
    expected = max(day for day in list_days(today - LOOK_BACK, today) if opens_at(day) + GRACE <= now)
    is_settled = (pl.col("paper_count") > 0) | ~pl.col("is_expected")
    return None if coverage.filter(is_settled, source="api", listed_on=expected).height else expected


def no_list(missing: date, published: str) -> NoList:
    """The error that a run ends with where a list is missing; `published` says what it published all the same."""
    return NoList(
        f"no list of {missing:%A, %Y-%m-%d}: it opened at {opens_at(missing):%Y-%m-%d %H:%M} UTC, and the daily API "
        f"has shown none of its papers; {published}. On a holiday there is none: then a run after "
        f"{closes_at(missing):%Y-%m-%d %H:%M} UTC, which asks for the list's page, ends with 0. What was answered: "
        f"paperlake sql \"FROM captures WHERE listed_on = DATE '{missing}'\""
    )
