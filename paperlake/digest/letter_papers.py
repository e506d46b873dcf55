"""The papers of a letter: which of them a filter finds and why, and what one skims of each.

Letters, previews and counts ask the same matcher.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from functools import cached_property
from types import MappingProxyType
from typing import Final, Literal, NamedTuple
from urllib.parse import quote

from flows.documents.page.page import PLACES, PaperLink
from paperlake.answers.one_paper import NO_SUMMARY, Summary
from paperlake.find.finder import Finder
from warehouse.errors import NothingThere, UsageError
from warehouse.release.query import Database

FOUND: Final = 1000
DAYS: Final = 30
WEEK: Final = 7
FEWEST_LISTS: Final = 15  # of the 22 or so of 30 days: with fewer, that nothing was found says little
MONTH: Final = """
SELECT listed_on, paper_id FROM mart.daily_papers
WHERE list_state IN ('complete', 'partial') AND listed_on > $1 AND listed_on <= $2
"""
Kind = Literal["query", "authors", "organizations", "keywords"]
WHY: Final = MappingProxyType(
    {
        "query": "matches \N{LEFT DOUBLE QUOTATION MARK}{}\N{RIGHT DOUBLE QUOTATION MARK}",
        "authors": "you follow the author {}",
        "organizations": "you follow {}",
        "keywords": "has your keyword {}",
    }
)
LISTED: Final = "SELECT DISTINCT paper_id FROM core.daily_listings WHERE listed_on IN (SELECT unnest($1))"
KEYWORDS: Final = "list_value(*COLUMNS('^(normal_)?keyword$'))"  # a release of 0.1.0 has no normal form
NAMES: Final = MappingProxyType(
    {
        "authors": f"SELECT name, paper_id FROM core.paper_authors WHERE paper_id IN ({LISTED})",  # noqa: S608
        "organizations": """
SELECT unnest([organization_name, organization_login]), paper_id FROM mart.daily_papers
WHERE listed_on IN (SELECT unnest($1))
""",
        "keywords": f"""
SELECT unnest({KEYWORDS}), paper_id FROM core.paper_keywords WHERE paper_id IN ({LISTED})
""",  # noqa: S608
    }
)


class Filter(NamedTuple):
    """One thing that a subscriber follows."""

    kind: Kind
    value: str

    @property
    def why(self) -> str:
        """Why a paper that it finds is in a letter."""
        return WHY[self.kind].format(self.value)


class Matcher:
    """The filters of subscribers on the lists of some days of a release."""

    def __init__(self, database: Database, days: Iterable[date]) -> None:
        self._database, self._days = database, sorted(days)
        self._found: dict[Filter, frozenset[str]] = {}
        self._named: dict[str, dict[str, set[str]]] = {}

    def papers_of(self, one: Filter) -> frozenset[str]:
        """The papers on these lists that a filter finds."""
        if one not in self._found:
            found = self._searched(one.value) if one.kind == "query" else self._of_name(one.kind, one.value)
            self._found[one] = frozenset(found)
        return self._found[one]

    def why(self, paper_id: str, filters: Iterable[Filter]) -> tuple[str, ...]:
        """By which of these filters a paper was found, in words."""
        return tuple(one.why for one in filters if paper_id in self.papers_of(one))

    def _of_name(self, kind: str, name: str) -> set[str]:
        if kind not in self._named:
            named = self._named[kind] = {}
            for one, paper_id in self._database.rows(NAMES[kind], [self._days]).rows:
                if one is not None:
                    named.setdefault(one.casefold(), set()).add(paper_id)
        return self._named[kind].get(name.casefold(), set())

    def _searched(self, query: str) -> set[str]:
        if not self._days or self._finder is None:
            return set()
        try:
            hits = self._finder.search(f"{query} since:{self._days[0]} until:{self._days[-1]}", FOUND).hits
        except (UsageError, NothingThere):
            hits = []  # the query is `like:` a paper that this release does not have
        return {hit.paper_id for hit in hits}

    def can_ask(self, one: Filter) -> bool:
        """Whether a filter can be asked at all: a query cannot where the release has no index."""
        return one.kind != "query" or self._finder is not None

    @cached_property
    def _finder(self) -> Finder | None:
        try:
            return Finder(self._database)
        except NothingThere:
            return None


class LastMonth:
    """How often filters match on the lists of the thirty days up to the newest list of a release."""

    def __init__(self, database: Database, newest: date) -> None:
        rows = database.rows(MONTH, [newest - timedelta(days=DAYS), newest]).rows
        listed: dict[date, set[str]] = {}
        for listed_on, paper_id in rows:
            listed.setdefault(listed_on, set()).add(paper_id)
        week_start = newest - timedelta(days=WEEK)
        self._week = {paper_id for day, papers in listed.items() if day > week_start for paper_id in papers}
        self._month = {paper_id for papers in listed.values() for paper_id in papers}
        self._matcher = Matcher(database, listed)
        self.is_known = len(listed) >= FEWEST_LISTS

    def week_count(self, filters: Iterable[Filter]) -> int:
        """How many papers a letter a day would have had in the last week, with these filters or the whole list."""
        found = [self._matcher.papers_of(one) for one in filters]
        return len(self._week & frozenset().union(*found)) if found else len(self._week)

    def silent(self, filters: Iterable[Filter]) -> tuple[Filter, ...]:
        """The filters that found nothing; none where the release has too few lists to say so."""
        asked = [one for one in filters if self.is_known and self._matcher.can_ask(one)]
        return tuple(one for one in asked if not self._month & self._matcher.papers_of(one))


COLUMNS: Final = """papers.paper_id, papers.title, papers.authors[1:3], papers.author_count, papers.organization_name,
    papers.upvote_count, papers.arxiv_id, papers.github_url, papers.github_star_count"""


class NewsPaper(NamedTuple):
    """A paper on a list. Its texts are the source's, and may hold anything."""

    paper_id: str
    title: str
    authors: list[str] | None
    author_count: int | None
    organization: str | None
    upvote_count: int | None
    arxiv_id: str | None
    code_url: str | None = None
    star_count: int | None = None
    summary: Summary = NO_SUMMARY
    status: str = ""
    why: tuple[str, ...] = ()

    @property
    def links(self) -> dict[str, str]:
        """The paper's pages, made of its arXiv id, by the name of the site. They outlive every release."""
        return {} if self.arxiv_id is None else {name: url.format(quote(self.arxiv_id)) for name, url in PLACES.items()}

    @property
    def code(self) -> str | None:
        """The address of its code at GitHub, where it is a plain one."""
        is_plain = self.code_url is not None and PaperLink("", self.code_url).host == "github.com"
        return self.code_url if is_plain else None
