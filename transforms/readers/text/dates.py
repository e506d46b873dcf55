"""Dates of a saved page. The page writes no year for dates of its own year (docs/source.md §0)."""

import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Literal, NamedTuple, Self

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
DAY = rf"({'|'.join(MONTHS)})[a-z]{{0,6}}\.? {{1,3}}(\d{{1,2}})(?!\d)(?:, ?(\d{{4}})(?!\d))?"
# `Oct 15 2`, `Mar 13 [ 3]`, `May 29[6](/papers/2504.12984#community)`: the number of comments
DATE_LINE = re.compile(
    rf"(?:Published on )?{DAY}(?:\s{{0,3}}\[\s*(\d{{1,4}})\s*\](?:\([^()\s]*\)|\[\d+\])?|\s{{1,3}}(\d{{1,3}}))?\s*"
)
BARE_DATE = re.compile(DAY)


class Day(NamedTuple):
    """A day as a page writes it, `number` of month; `year` is None where the page leaves it out."""

    month: int
    number: int
    year: int | None
    text: str

    @classmethod
    def of(cls, month: str, number: str, year: str | None) -> Self:
        text = f"{month} {number}, {year}" if year else f"{month} {number}"
        return cls(MONTHS.index(month) + 1, int(number), int(year) if year else None, text)

    @property
    def is_possible(self) -> bool:
        """Whether some year has such a day."""
        return 1 <= self.number <= LENGTHS[self.month - 1]


class DayReading(NamedTuple):
    """The date of a day, or that no year has such a day. With neither, the year is unknown."""

    on: date | None = None
    basis: Literal["stated", "inferred"] | None = None
    is_impossible: bool = False


def date_line(text: str) -> tuple[Day, int | None] | None:
    """The day and the number of comments of a line that is nothing else.

    >>> date_line("Aug 6, 2024 3")
    (Day(month=8, number=6, year=2024, text='Aug 6, 2024'), 3)
    """
    match = DATE_LINE.fullmatch(text)
    if match is None:
        return None
    month, number, year, boxed, bare = match.groups()
    comments = boxed or bare
    return Day.of(month, number, year), int(comments) if comments else None


def bare_day(text: str) -> Day | None:
    """The day of a line that is nothing else: the date in a page's header."""
    match = BARE_DATE.fullmatch(text)
    return Day.of(match[1], match[2], match[3]) if match else None


def page_year(days: Iterable[Day], fetched_at: datetime | None) -> int | None:
    """The year that a page leaves out of the days it shows.

    It is the year of the fetch; a day later than the fetch shows that the page is of the year before. Without a
    fetch time it is the year after the newest one written, for every day with a year is before the page's year.
    """
    days = list(days)
    if fetched_at is None:
        newest = max((day.year for day in days if day.year is not None), default=None)
        return None if newest is None else newest + 1
    today = (fetched_at.month, fetched_at.day)
    yearless = [day for day in days if day.year is None and day.is_possible]
    return fetched_at.year - any((day.month, day.number) > today for day in yearless)


def dated(day: Day | None, year: int | None) -> DayReading:
    """The date of a day on a page of some year.

    >>> dated(Day.of("Feb", "29", None), 2025).is_impossible
    True
    """
    if day is None:
        return DayReading()
    if day.year is None and year is None:
        return DayReading(is_impossible=not day.is_possible)
    try:
        on = date(day.year if day.year is not None else year or 0, day.month, day.number)
    except ValueError:
        return DayReading(is_impossible=True)
    return DayReading(on, "inferred" if day.year is None else "stated")
