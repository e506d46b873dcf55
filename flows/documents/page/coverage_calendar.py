"""The calendar of the daily lists: which ones the lake has, which it lacks, and why, in words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

import polars as pl

from flows.documents.page.charts import HalfYear
from transforms.core.coverage import Gap, gaps, outcome, outcome_counts
from warehouse.archive.captured import shown
from warehouse.schema.list_outcomes import HELD, OUTCOMES, REASONED, UNEXPECTED, in_words

WORK_WEEK, WEEK = 5, 7
WORDS: Final = {one.name: one.words for one in (*OUTCOMES, UNEXPECTED)}
REASON_LENGTH: Final = 120


class Year(NamedTuple):
    """A year of the calendar: a chart of each half that has lists, and its expected days by outcome."""

    year: int
    halves: tuple[HalfYear, ...]
    counts: dict[str, int]


class Lack(NamedTuple):
    """Lists that are not whole for the same reason."""

    outcome: str
    reason: str
    day_count: int
    first_on: date
    last_on: date


class Calendar(NamedTuple):
    """The API's lists from the first day to the one that was open at the last fetch: years, the newest first; counts of
    expected days by outcome, and the last of them; what lacks, most lists first; gaps, the longest first.
    """

    years: tuple[Year, ...]
    counts: dict[str, int]
    last_on: date | None
    lacks: tuple[Lack, ...]
    gaps: tuple[Gap, ...]

    @property
    def held_count(self) -> int:
        """Lists of which the release has papers, or knows that there are none."""
        return sum(self.counts[outcome] for outcome in HELD)


def calendar(coverage: pl.DataFrame) -> Calendar:
    """The calendar of all expected lists, from the rows of `coverage`."""
    days = coverage.filter(source="api").sort("listed_on").with_columns(outcome=outcome())
    by_year = dict(iter(days.group_by(pl.col("listed_on").dt.year(), maintain_order=True)))
    years = tuple(_year(by_year[year]) for year in sorted(by_year, reverse=True))
    expected = days.filter("is_expected")
    day = pl.col("listed_on")
    last_on = expected.select(day.last()).item()
    lacking = expected.filter(pl.col("outcome") != "complete").group_by("outcome", "reason")
    found = lacking.agg(pl.len().alias("day_count"), day.min().alias("first_on"), day.max().alias("last_on"))
    lacks = (Lack(*row) for row in found.sort("day_count", "last_on", "reason", descending=True).iter_rows())
    return Calendar(years, outcome_counts(days), last_on, tuple(lacks), gaps(expected))


def _year(days: pl.DataFrame) -> Year:
    """`days` are those of one year, in order. Each chart has its numbers in words too, for whoever cannot see it."""
    year, counts = days["listed_on"].dt.year()[0], outcome_counts(days)
    if counts["unfetched"] == sum(counts.values()):
        return Year(year, (), counts)
    drawn = days.filter((pl.col("listed_on").dt.weekday() <= WORK_WEEK) | (pl.col("outcome") != UNEXPECTED.name))
    row_count = WEEK if (drawn["listed_on"].dt.weekday() > WORK_WEEK).any() else WORK_WEEK
    halves = []
    for name, start, end in (("January to June", 1, 6), ("July to December", 7, 12)):
        half = drawn.filter(pl.col("listed_on").dt.month().is_between(start, end))
        if half.is_empty():
            continue
        chart = HalfYear(
            id=f"half-{year}-{start:02}",
            title=f"{name} {year}",
            description=f"Expected lists: {in_words(outcome_counts(half))}.",
            start=date(year, start, 1),
            days=list(_days(half)),
            row_count=row_count,
        )
        halves.append(chart)
    return Year(year, tuple(halves), counts)


def _days(days: pl.DataFrame) -> Iterator[tuple[date, str, str]]:
    """Each day, its glyph, and its description."""
    for day, became, reason, paper_count in days.select("listed_on", "outcome", "reason", "paper_count").iter_rows():
        papers = f"{paper_count:,} paper{'s' if paper_count != 1 else ''}, " if paper_count else ""
        words = shown(reason or "", REASON_LENGTH) if became in REASONED else WORDS[became]
        yield day, became, f"{day:%a} {day.day} {day:%b %Y}: {papers}{words}"
