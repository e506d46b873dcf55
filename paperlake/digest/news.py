"""News in a release: lists whose day is over, and the papers on them that match a subscriber's wishes."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Final, NamedTuple

from paperlake.answers.one_paper import NO_SUMMARY, Summary, status_words_of, summaries_of
from paperlake.digest.letter_papers import COLUMNS, LISTED, Filter, LastMonth, Matcher, NewsPaper
from paperlake.digest.subscribers import Wishes
from warehouse.printable import counted
from warehouse.release.query import Database
from warehouse.schema.daily_lists import closes_at, day_open_at, outcome_text

LOOK_BACK: Final = timedelta(days=14)  # a backfill of years is no news; a weekly letter that is a week late has two
# A complete list is sent at once. One that was last fetched before its end, and so is not, is sent an hour after the
# second run that might have fetched it again (flows/schedules.py): that is at 03:40 for an end at 21:30
PATIENCE: Final = timedelta(hours=7)
OpenRelease = Callable[[], AbstractContextManager[Database]]
NEWEST: Final = "SELECT max(listed_on) FROM mart.daily_papers WHERE list_state IN ('complete', 'partial')"
LISTS: Final = """
SELECT listed_on, state, coalesce(reason, ''), is_expected FROM core.coverage
WHERE source = 'api' AND listed_on IN (SELECT unnest($1)) ORDER BY listed_on DESC
"""
PAPERS: Final = f"""
SELECT listed_on, {COLUMNS}
FROM mart.daily_papers AS papers WHERE listed_on IN (SELECT unnest($1))
ORDER BY listed_on DESC, rank NULLS LAST, paper_id
"""  # noqa: S608
TRENDING: Final = f"""
SELECT {COLUMNS}, trends.upvote_count - trends.previous_upvote_count,
    date_diff('minute', trends.previous_observed_at, trends.observed_at) / 60
FROM mart.trending_papers AS trends
JOIN mart.daily_papers AS papers ON papers.paper_id = trends.paper_id AND papers.listed_on = trends.listed_on
WHERE trends.trending_on = $1 ORDER BY trends.rank LIMIT 5
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class NewsList:
    """The list of a day. `reason` says why it may lack papers; of a gap, why there is none."""

    listed_on: date
    reason: str
    papers: tuple[NewsPaper, ...] = ()


class EarlierLetters(NamedTuple):
    """Earlier letters to a subscriber: the days of their lists, and the newest day of each letter."""

    lists: frozenset[date] = frozenset()
    leading: frozenset[date] = frozenset()


NOTHING: Final = EarlierLetters()


class News(NamedTuple):
    """The content of a letter: lists, days without one, papers that trend, filters that found nothing."""

    lists: Sequence[NewsList]
    gaps: Sequence[NewsList] = ()
    trending: Sequence[NewsPaper] = ()
    silent: Sequence[Filter] = ()
    is_whole: bool = False


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
                self._gaps[listed_on] = NewsList(listed_on, outcome_text(state, reason))
                self.gaps += [listed_on] * (listed_on in recent and is_late)
        self._trending: dict[date, tuple[NewsPaper, ...]] = {}
        self._matcher = Matcher(database, self._days)
        self._summaries: dict[str, Summary] = {}
        self._statuses: dict[str, str] = {}
        self._sent_papers: dict[EarlierLetters, set[str]] = {}

    def news(
        self,
        wishes: Wishes,
        lists: Iterable[date],
        gaps: Iterable[date] = (),
        earlier: EarlierLetters = NOTHING,
        silent: Sequence[Filter] = (),
    ) -> News | None:
        """The news of some days, and filters that found nothing; None where no paper matches and there are none.

        Trends come with whole lists only. A paper of the lists is not repeated among them, it says there that it
        trends; nor is one that was in an earlier letter, as `earlier` has those.
        """
        if not (chosen := self.chosen(wishes, lists)) and not silent:
            return None
        trending = () if wishes.filters or not chosen else self.trending(chosen[0].listed_on)
        risen = {paper.paper_id: paper.why for paper in trending}
        chosen = tuple(
            replace(one, papers=tuple(p._replace(why=(*p.why, *risen.get(p.paper_id, ()))) for p in one.papers))
            for one in chosen
        )
        listed = {paper.paper_id for one in chosen for paper in one.papers}
        fresh = [paper for paper in trending if paper.paper_id not in listed | self._papers_sent(earlier)]
        if unread := sorted({*listed, *(paper.paper_id for paper in fresh)} - self._summaries.keys()):
            self._summaries |= dict.fromkeys(unread, NO_SUMMARY) | summaries_of(self._database, unread)
            self._statuses |= status_words_of(self._database, unread)
        chosen = tuple(replace(one, papers=tuple(map(self._skimmed, one.papers))) for one in chosen)
        missing = [self._gaps[day] for day in gaps if day in self._gaps]
        return News(chosen, missing, [self._skimmed(paper) for paper in fresh], silent, not wishes.filters)

    def silent(self, wishes: Wishes) -> tuple[Filter, ...]:
        """The filters that found nothing in the month up to the newest list."""
        return self._month.silent(wishes.filters) if wishes.filters and self._month else ()

    @cached_property
    def _month(self) -> LastMonth | None:
        newest = newest_list(self._database)
        return LastMonth(self._database, newest) if newest else None

    def trending(self, day: date) -> tuple[NewsPaper, ...]:
        """The papers that trended most at the end of a list day; none where the release is older than trends."""
        if day not in self._trending:
            rows = self._database.rows(TRENDING, [day]).rows if "trending_papers" in self._database.names else ()
            self._trending[day] = tuple(
                NewsPaper(*paper)._replace(why=(risen_words(risen, hours),)) for *paper, risen, hours in rows
            )
        return self._trending[day]

    def chosen(self, wishes: Wishes, days: Iterable[date]) -> tuple[NewsList, ...]:
        """The lists of some days, each with the papers that match the wishes and why; without those where none does."""
        lists = [self._lists[day] for day in days if day in self._lists]
        if filters := wishes.filters:
            lists = [
                replace(
                    one,
                    papers=tuple(
                        paper._replace(why=why)
                        for paper in one.papers
                        if (why := self._matcher.why(paper.paper_id, filters))
                    ),
                )
                for one in lists
            ]
        return tuple(one for one in lists if one.papers)

    def _papers_sent(self, earlier: EarlierLetters) -> set[str]:
        """The papers that were in the letters with these lists."""
        if earlier not in self._sent_papers:  # most subscribers had the same letters
            listed = (
                {row[0] for row in self._database.rows(LISTED, [sorted(earlier.lists)]).rows}
                if earlier.lists
                else set()
            )
            trended = {paper.paper_id for day in earlier.leading for paper in self.trending(day)}
            self._sent_papers[earlier] = listed | trended
        return self._sent_papers[earlier]

    def _skimmed(self, paper: NewsPaper) -> NewsPaper:
        return paper._replace(summary=self._summaries[paper.paper_id], status=self._statuses.get(paper.paper_id, ""))


def risen_words(risen: int | None, hours: float | None) -> str:
    """By how many upvotes a trending paper rose, and in what time.

    >>> risen_words(42, 23.5), risen_words(1, 6.2), risen_words(None, None)
    ('trending: +42 upvotes in a day', 'trending: +1 upvote in 6 hours', 'trending')
    """
    if risen is None or hours is None or risen <= 0:
        return "trending"
    time = "in a day" if abs(hours - 24) <= 4 else f"in {max(round(hours), 1)} hours"  # noqa: PLR2004 - of a day
    return f"trending: +{counted(risen, 'upvote')} {time}"
