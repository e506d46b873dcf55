"""The invented lists of the stand-in Hub: the same day has the same papers, in any process."""

import random
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache

from tests import invented
from tests.invented import Paper

FIRST_DAY = date(2023, 5, 4)
SATURDAY = 5
IDS_A_DAY = 1500  # arXiv numbers some 1,700 a day at most: no id is of a number that its month had not reached
HALF = IDS_A_DAY // 2  # days of odd months have the upper ids: a day early in a month holds ids of the month before


class Days:
    """Every weekday since the first has a list. `counts` says how long that of a day is, where it matters.

    `quiet` weekdays have an empty list. With `is_alive` a list fills up over its day and upvotes grow for a month, by
    the moment it is asked for; otherwise it is the same at any time.
    """

    def __init__(
        self, counts: Mapping[date, int] | None = None, *, quiet: Collection[date] = (), is_alive: bool = False
    ) -> None:
        self.counts = dict(counts or {})
        self.quiet = set(quiet)
        self._is_alive = is_alive

    def has_list(self, day: date) -> bool:
        return day >= FIRST_DAY and day.weekday() < SATURDAY and day not in self.quiet

    def count(self, day: date) -> int:
        usual = random.Random(f"count {day}").randint(1, 4)  # some 40 at the source: a list is asked for all the same
        return self.counts.get(day, usual) if self.has_list(day) else 0

    def papers(self, day: date, now: datetime) -> list[Paper]:
        """The list of a day as it stands, most upvotes first."""
        shown = [self._as_of(paper_of(number, day), now) for number in range(1, self._shown_count(day, now) + 1)]
        return sorted(shown, key=lambda paper: -paper.upvotes)

    def find(self, arxiv_id: str, now: datetime) -> Paper | None:
        """The paper of an id, if it has been listed."""
        year_month, _, digits = arxiv_id.partition(".")
        if not (year_month.isdecimal() and digits.isdecimal() and len(year_month) == 4 and len(digits) == 5):
            return None
        day_of_month, rest = divmod(int(digits), IDS_A_DAY)
        half, number = divmod(rest, HALF)
        for months in (0, 1):  # a paper is listed in the month it was published in, or in the next
            year, month = divmod(2000 * 12 + int(year_month[:2]) * 12 + int(year_month[2:]) - 1 + months, 12)
            if (month + 1) % 2 == half:
                return self._listed(number, (year, month + 1, day_of_month), now)
        return None

    def _listed(self, number: int, at: tuple[int, int, int], now: datetime) -> Paper | None:
        try:
            day = date(*at)
        except ValueError:
            return None
        return self._as_of(paper_of(number, day), now) if 1 <= number <= self._shown_count(day, now) else None

    def _shown_count(self, day: date, now: datetime) -> int:
        if day > now.date():
            return 0
        return max(1, int(self.count(day) * self._share(day, now, 1))) if self.has_list(day) else 0

    def _as_of(self, paper: Paper, now: datetime) -> Paper:
        return replace(paper, upvotes=int(paper.upvotes * self._share(paper.listed_on, now, 30)))

    def _share(self, day: date, now: datetime, days: int) -> float:
        """Which share of a span of so many days has passed by now."""
        age = now - datetime.combine(day, time())
        return min(1.0, max(0.0, age / timedelta(days=days))) if self._is_alive else 1.0


@lru_cache(maxsize=100_000)
def paper_of(number: int, day: date) -> Paper:
    """An invented paper whose id no other paper of any day has, nor its repository: those of a month are on a page."""
    paper = invented.paper(number, day)
    digits = day.day * IDS_A_DAY + day.month % 2 * HALF + number
    repository = paper.repository and f"{paper.repository}-{day:%y%m}-{digits}"
    return replace(paper, arxiv_id=f"{paper.published_at:%y%m}.{digits:05d}", repository=repository)
