"""What the preferences say of a release: names to complete, and what each filter would have found."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final, NamedTuple

from flows.runtime.lake import open_database
from flows.runtime.progress import log
from paperlake.digest.letter_papers import DAYS, LISTED, Filter, LastMonth
from paperlake.digest.news import OpenRelease, newest_list
from paperlake.digest.subscribers import LISTED_WISHES, Wishes
from warehouse.errors import PaperlakeError
from warehouse.release import query
from warehouse.release.query import Database

MOST_NAMES: Final = 300  # of a kind: of a longer list a page is slow on a phone
# Names of many papers first; those of the newest lists before others, since they are what comes
NAMES: Final = {
    "authors": "SELECT name, paper_id FROM core.paper_authors",
    "organizations": "SELECT organization_name AS name, paper_id FROM mart.daily_papers",
    "keywords": "SELECT normal_keyword AS name, paper_id FROM core.paper_keywords",
}
MOST_USED: Final = f"""
SELECT name FROM ({{}}) WHERE name IS NOT NULL AND name NOT LIKE '%,%' AND length(name) <= 100
GROUP BY name
ORDER BY count(DISTINCT paper_id) FILTER (WHERE paper_id IN ({LISTED})) DESC, count(DISTINCT paper_id) DESC, name
LIMIT {MOST_NAMES}
"""  # noqa: S608


class Choices(NamedTuple):
    """Names to complete by kind, and lines on what was found, by filter and in all; empty without a release."""

    names: dict[str, list[str]]
    counts: dict[Filter, str]
    total: str = ""


NO_RELEASE: Final = Choices({kind: [] for kind in LISTED_WISHES}, {})


def latest_of(lake: str) -> OpenRelease:
    """The latest release of a lake, which is opened anew for each use."""
    return lambda: query.opened(open_database(lake))


def following(release: OpenRelease | None, wishes: Wishes) -> Choices:
    """What the release says of some wishes; nothing where there is none, or it cannot be read now."""
    if release is None:
        return NO_RELEASE
    try:
        with release() as database:
            return _following(database, wishes)
    except PaperlakeError as error:
        log.warning("preferences without counts: %s", error)
        return NO_RELEASE


def _following(database: Database, wishes: Wishes) -> Choices:
    newest = newest_list(database)
    if newest is None:
        return NO_RELEASE
    days = [newest - timedelta(days=back) for back in range(DAYS)]
    names = {kind: [name for (name,) in database.rows(MOST_USED.format(NAMES[kind]), [days]).rows] for kind in NAMES}
    month = LastMonth(database, newest)
    silent = set(month.silent(wishes.filters))
    counts = dict(_counted(month, silent, wishes))
    total = month.week_count(wishes.filters)
    return Choices(names, counts, f"In the week up to {newest} you would have got {total:,} {_papers(total)}.")


def _counted(month: LastMonth, silent: set[Filter], wishes: Wishes) -> Iterator[tuple[Filter, str]]:
    for one in wishes.filters:
        count = month.week_count([one])
        yield one, f"nothing in {DAYS} days" if one in silent else f"{count:,} {_papers(count)} last week"


def _papers(count: int) -> str:
    return "paper" if count == 1 else "papers"
