"""By the latest release: the papers that were listed lately, whose details may be due, and the list that is missing."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

import polars as pl

from flows.plan.due import ListKind, TargetKind
from flows.runtime.scope import Scope
from warehouse.errors import NoList
from warehouse.release.snapshot import latest_release, open_latest
from warehouse.schema.columns import ARXIV_ID
from warehouse.schema.core.cited_by import ADOPTION_LOOKS
from warehouse.schema.core.listings import COVERAGE, DAILY_LISTINGS
from warehouse.schema.daily_lists import closes_at, list_days, opens_at
from warehouse.store.local_files import LocalFiles
from warehouse.store.store import Store

ON_AN_ARXIV_ID: Final = pl.col("paper_id").str.contains(
    ARXIV_ID
)  # a scraped id of another form is never put into an address


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
    """What is to be asked of who builds on papers, each with the paper's last list day; nothing unless that is set.

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
