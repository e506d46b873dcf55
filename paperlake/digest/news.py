"""What is new in a release: lists whose day is over, and the papers on them that match a subscriber's wishes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Final, NamedTuple
from urllib.parse import quote

from flows.documents.page.page import PLACES
from paperlake.digest.subscribers import Wishes
from paperlake.find.finder import Finder
from warehouse.errors import NothingThere, UsageError
from warehouse.release.query import Database
from warehouse.schema.list_days import closes_at, day_open_at
from warehouse.schema.list_outcomes import told

LOOK_BACK: Final = timedelta(days=14)  # a backfill of years is no news; a weekly letter that is a week late has two
# A complete list is sent at once. One that was last fetched before its end, and so is not, is sent an hour after the
# second run that might have fetched it again (flows/schedules.py): that is at 03:40 for an end at 21:30
PATIENCE: Final = timedelta(hours=7)
FOUND: Final = 1000
NEWEST: Final = "SELECT max(listed_on) FROM mart.daily_papers WHERE list_state IN ('complete', 'partial')"
LISTS: Final = """
SELECT listed_on, state, coalesce(reason, ''), is_expected FROM core.coverage
WHERE source = 'api' AND listed_on IN (SELECT unnest($1)) ORDER BY listed_on DESC
"""
COLUMNS: Final = """papers.paper_id, papers.title, papers.authors[1:3], papers.author_count, papers.organization_name,
    papers.organization_login, papers.upvote_count, papers.arxiv_id"""
PAPERS: Final = f"""
SELECT listed_on, {COLUMNS}
FROM mart.daily_papers AS papers WHERE listed_on IN (SELECT unnest($1))
ORDER BY listed_on DESC, rank NULLS LAST, paper_id
"""  # noqa: S608
# An older release has no such table
KNOWS_TRENDS: Final = "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'trending_papers'"
TRENDING: Final = f"""
SELECT {COLUMNS}
FROM mart.trending_papers AS trends
JOIN mart.daily_papers AS papers ON papers.paper_id = trends.paper_id AND papers.listed_on = trends.listed_on
WHERE trends.trending_on = $1 ORDER BY trends.rank LIMIT 5
"""  # noqa: S608
KEYWORDS: Final = """
SELECT paper_id, list(lower(keyword)) || list(lower(normal_keyword)) FROM core.paper_keywords
WHERE paper_id IN (SELECT paper_id FROM core.daily_listings WHERE listed_on IN (SELECT unnest($1))) GROUP BY paper_id
"""


class NewsPaper(NamedTuple):
    """A paper on a list. Its texts are the source's, and may hold anything."""

    paper_id: str
    title: str
    authors: list[str] | None
    author_count: int | None
    organization: str | None
    organization_login: str | None
    upvote_count: int | None
    arxiv_id: str | None

    @property
    def links(self) -> dict[str, str]:
        """The paper's pages, made of its arXiv id, by the name of the site."""
        return {} if self.arxiv_id is None else {name: url.format(quote(self.arxiv_id)) for name, url in PLACES.items()}


@dataclass(frozen=True, slots=True)
class NewsList:
    """The list of a day. `reason` says why it may lack papers; of a gap, why there is none."""

    listed_on: date
    reason: str
    papers: tuple[NewsPaper, ...] = ()


class News(NamedTuple):
    """What is in a letter: lists, days without the list that was expected, and papers that trend."""

    lists: Sequence[NewsList]
    gaps: Sequence[NewsList] = ()
    trending: Sequence[NewsPaper] = ()


def newest_list(database: Database) -> date | None:
    """The day of a release's newest list; None where it has none."""
    newest: date | None = next(database.rows(NEWEST).rows)[0]
    return newest


class Newsroom:
    """The lists of the last two weeks that are ready to be sent, and the gaps between them; the newest first.

    `claimed` days, of letters that an earlier run has begun, are found too, whatever the clock says now.
    """

    def __init__(self, database: Database, now: datetime, claimed: Iterable[date] = ()) -> None:
        self._database, today = database, day_open_at(now)
        recent = {today - timedelta(days=days) for days in range(LOOK_BACK.days + 1)}
        self._days = sorted(recent | set(claimed))
        papers: dict[date, list[NewsPaper]] = {}
        for listed_on, *paper in database.rows(PAPERS, [self._days]).rows:
            papers.setdefault(listed_on, []).append(NewsPaper(*paper))
        self.lists: list[date] = []
        self.gaps: list[date] = []
        self._lists: dict[date, NewsList] = {}
        self._gaps: dict[date, NewsList] = {}
        for listed_on, state, reason, is_expected in database.rows(LISTS, [self._days]).rows:
            is_late = closes_at(listed_on) + PATIENCE <= now
            if listed_on in papers and state in {"complete", "partial"}:
                self._lists[listed_on] = NewsList(listed_on, reason, tuple(papers[listed_on]))
                self.lists += [listed_on] * (listed_on in recent and (state == "complete" or is_late))
            elif is_expected:
                self._gaps[listed_on] = NewsList(listed_on, told(state, reason))
                self.gaps += [listed_on] * (listed_on in recent and is_late)
        self._trending: dict[date, tuple[NewsPaper, ...]] = {}
        self._wished: dict[object, frozenset[str]] = {}

    def news(self, wishes: Wishes, lists: Iterable[date], gaps: Iterable[date] = ()) -> News | None:
        """The news of some days; None where no paper matches the wishes. Trends come with whole lists only."""
        if not (chosen := self.chosen(wishes, lists)):
            return None
        trending = () if any(wishes.choice) else self.trending(chosen[0].listed_on)
        return News(chosen, [self._gaps[day] for day in gaps if day in self._gaps], trending)

    def trending(self, day: date) -> tuple[NewsPaper, ...]:
        """The papers that trended most at the end of a list day; none where the release is older than trends."""
        if day not in self._trending:
            [(is_known,)] = self._database.rows(KNOWS_TRENDS).rows
            rows = self._database.rows(TRENDING, [day]).rows if is_known else ()
            self._trending[day] = tuple(NewsPaper(*row) for row in rows)
        return self._trending[day]

    def chosen(self, wishes: Wishes, days: Iterable[date]) -> tuple[NewsList, ...]:
        """The lists of some days, each with the papers that match the wishes; without those where none does."""
        lists = [self._lists[day] for day in days if day in self._lists]
        if any(wishes.choice):
            if wishes.choice not in self._wished:
                self._wished[wishes.choice] = frozenset(self._found(wishes))
            wished = self._wished[wishes.choice]
            lists = [replace(one, papers=tuple(p for p in one.papers if p.paper_id in wished)) for one in lists]
        return tuple(one for one in lists if one.papers)

    def _found(self, wishes: Wishes) -> set[str]:
        """The papers of these weeks that match any of the wishes."""
        organizations = {one.casefold() for one in wishes.organizations}
        keywords = {one.casefold() for one in wishes.keywords}
        found = {paper_id for paper_id, theirs in self._keywords.items() if keywords & theirs}
        for paper in (paper for one in self._lists.values() for paper in one.papers):
            names = {(paper.organization or "").casefold(), (paper.organization_login or "").casefold()}
            found |= {paper.paper_id} if organizations & names else set()
        if wishes.query:
            since, until = self._days[0], self._days[-1]
            try:
                hits = self._finder.search(f"{wishes.query} since:{since} until:{until}", FOUND).hits
            except (UsageError, NothingThere):
                hits = []  # the query is `like:` a paper that this release does not have
            found |= {hit.paper_id for hit in hits}
        return found

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self._database)

    @cached_property
    def _keywords(self) -> dict[str, set[str]]:
        return {paper_id: set(words) for paper_id, words in self._database.rows(KEYWORDS, [self._days]).rows}
