"""The calendar of the daily lists: which ones the lake has, which it lacks, and why, in words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

import polars as pl

from flows.documents.page.charts import HalfYear
from transforms.core.coverage import NEVER_FETCHED, Gap, gaps
from transforms.core.list_pages import EARLY
from warehouse.archive.captured import shown

WORK_WEEK, WEEK = 5, 7
UNEXPECTED: Final = "unexpected"  # a day without a list, of a source that should have none
# What became of an expected list, the best first. A list that was fetched on its day is no failure: what joined it
# before it was closed is there. One that nobody asked for is none either.
OUTCOMES: Final = {
    "whole": "fetched after it was closed",
    "early": "fetched on its day: papers that joined later may be missing",
    "some": "some papers are missing, with a reason",
    "empty": "the source gave an empty list",
    "failed": "asked for, but nothing could be read",
    "unfetched": "not fetched",
}
COUNTED: Final = {"whole": "complete", "early": "fetched on the day", "some": "partial", "unfetched": "not fetched"}
WORDS: Final = {
    "whole": "complete",
    "early": "fetched on its day",
    "empty": OUTCOMES["empty"],
    "unfetched": "not fetched",
    UNEXPECTED: "no list expected",
}
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
        return sum(self.counts[outcome] for outcome in ("whole", "early", "some", "empty"))


def calendar(coverage: pl.DataFrame) -> Calendar:
    """The calendar of all expected lists, from the rows of `coverage`."""
    days = coverage.filter(source="api").sort("listed_on").with_columns(outcome=_outcome())
    by_year = dict(iter(days.group_by(pl.col("listed_on").dt.year(), maintain_order=True)))
    years = tuple(_year(by_year[year]) for year in sorted(by_year, reverse=True))
    expected = days.filter("is_expected")
    day = pl.col("listed_on")
    last_on = expected.select(day.last()).item()
    lacking = expected.filter(pl.col("outcome") != "whole").group_by("outcome", "reason")
    found = lacking.agg(pl.len().alias("day_count"), day.min().alias("first_on"), day.max().alias("last_on"))
    lacks = (Lack(*row) for row in found.sort("day_count", "last_on", "reason", descending=True).iter_rows())
    as_complete = pl.when(outcome="early").then(pl.lit("complete")).otherwise("state").alias("state")
    return Calendar(years, _counts(days), last_on, tuple(lacks), gaps(expected.with_columns(as_complete)))


def _outcome() -> pl.Expr:
    state = pl.col("state")
    return (
        pl.when(~pl.col("is_expected") & (state == "missing"))
        .then(pl.lit(UNEXPECTED))
        .when((state == "partial") & (pl.col("reason") == EARLY))
        .then(pl.lit("early"))
        .when((state == "missing") & (pl.col("reason") == NEVER_FETCHED))
        .then(pl.lit("unfetched"))
        .otherwise(
            state.replace_strict({"complete": "whole", "partial": "some", "empty": "empty", "missing": "failed"})
        )
    )


def _year(days: pl.DataFrame) -> Year:
    """`days` are those of one year, in order. Each chart has its numbers in words too, for whoever cannot see it."""
    year, counts = days["listed_on"].dt.year()[0], _counts(days)
    if counts["unfetched"] == sum(counts.values()):
        return Year(year, (), counts)
    drawn = days.filter((pl.col("listed_on").dt.weekday() <= WORK_WEEK) | (pl.col("outcome") != UNEXPECTED))
    row_count = WEEK if (drawn["listed_on"].dt.weekday() > WORK_WEEK).any() else WORK_WEEK
    halves = []
    for name, start, end in (("January to June", 1, 6), ("July to December", 7, 12)):
        half = drawn.filter(pl.col("listed_on").dt.month().is_between(start, end))
        if half.is_empty():
            continue
        chart = HalfYear(
            id=f"half-{year}-{start:02}",
            title=f"{name} {year}",
            description=f"Expected lists: {in_words(_counts(half))}.",
            start=date(year, start, 1),
            days=list(_days(half)),
            row_count=row_count,
        )
        halves.append(chart)
    return Year(year, tuple(halves), counts)


def _days(days: pl.DataFrame) -> Iterator[tuple[date, str, str]]:
    """Each day, its glyph, and its description."""
    for day, outcome, reason, paper_count in days.select("listed_on", "outcome", "reason", "paper_count").iter_rows():
        papers = f"{paper_count:,} paper{'s' if paper_count != 1 else ''}, " if paper_count else ""
        words = WORDS.get(outcome) or shown(reason or "", REASON_LENGTH)
        yield day, outcome, f"{day:%a} {day.day} {day:%b %Y}: {papers}{words}"


def _counts(days: pl.DataFrame) -> dict[str, int]:
    """Expected days by outcome, the best first."""
    found = dict(days.filter("is_expected").group_by("outcome").len().iter_rows())
    return {outcome: found.get(outcome, 0) for outcome in OUTCOMES}


def in_words(counts: dict[str, int]) -> str:
    """The counts of lists by outcome, in words, without zeros.

    >>> in_words({"whole": 3, "early": 1_204, "failed": 0})
    '3 complete, 1,204 fetched on the day'
    """
    words = [f"{count:,} {COUNTED.get(outcome, outcome)}" for outcome, count in counts.items() if count]
    return ", ".join(words) or "none"
