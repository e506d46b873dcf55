"""The pages beside that of a release: the dictionary, the calendar of all lists, what is new, and what was checked.

The calendar says which daily lists the lake has, which it lacks, and why, in words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import groupby
from typing import Final, NamedTuple

import polars as pl
from markdown_it import MarkdownIt
from markupsafe import Markup

from expectations.report import EXAMPLES, CheckKind, CheckResult, Report
from flows.documents.dictionary import facts, limits, macro_facts
from flows.documents.edition import ReadTable
from flows.documents.notes import Notes, notes_text
from flows.documents.page.charts import GLYPHS, HalfYear
from flows.documents.rendering import inlined, render
from transforms.core.coverage import Gap, gaps, outcome, outcome_counts
from warehouse.archive.captured import shown
from warehouse.printable import counted
from warehouse.release.manifest import Draft, set_aside_count
from warehouse.schema.catalog import ABOUT_TABLES, CORE_TABLES, MACROS, MART_TABLES
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.daily_lists import HELD, OUTCOMES, REASONED, UNEXPECTED, in_words, outcome_text

STYLES: Final = ("style.css", "page/page.css")
GAPS_SHOWN: Final = 400


@cache
def dictionary_page() -> bytes:
    """Every table, view and macro with its columns, and a search of them: the same in each release."""
    return render(
        "page/dictionary.html.j2",
        style=inlined(*STYLES),
        script=inlined("page/dictionary.js"),
        version="",
        declared=(*MART_TABLES, *CORE_TABLES, *ABOUT_TABLES),
        macros=MACROS,
        facts=facts,
        macro_facts=macro_facts,
        limits=limits,
    )


def coverage_page(version: str, read: ReadTable) -> bytes:
    """The outcome of every expected list, a calendar of the newest year, and every gap, the longest first."""
    return _coverage_page(version, read(COVERAGE.name, COVERAGE.column_names).collect())


def coverage_of_years(read: ReadTable) -> dict[str, bytes]:
    """The calendar pages of the years before the newest, by page name: releases share them."""
    year = pl.col("listed_on").dt.year()
    rows = read(COVERAGE.name, COVERAGE.column_names).collect()
    lists = rows.filter(source="api").filter(year < year.max())
    years = lists.filter("is_expected", outcome() != "unfetched").select(year).to_series().unique()
    return {f"coverage-{one}.html": _coverage_page("", rows.filter(year == one)) for one in years}


def _coverage_page(version: str, rows: pl.DataFrame) -> bytes:
    return render(
        "page/coverage.html.j2",
        style=inlined(*STYLES),
        script=inlined("page/points.js"),
        version=version,
        calendar=calendar(rows),
        gaps_most=GAPS_SHOWN,
        **calendar_words(),
    )


def calendar_words() -> dict[str, object]:
    """The words and glyphs with which a page draws and describes a calendar."""
    return {
        "in_words": in_words,
        "outcome": outcome_text,
        "outcomes": OUTCOMES,
        "unexpected": UNEXPECTED,
        "meanings": {one.name: one.meaning for one in OUTCOMES},
        "reasoned": REASONED,
        "shapes": GLYPHS,
    }


def notes_page(notes: Notes) -> bytes:
    """`NOTES.md` as a page. Its words are code or escaped, and no HTML or link in them is taken as such."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image", "autolink"])
    tokens = markdown.parse(notes_text(notes).partition("\n")[2])  # the page has a headline of its own
    for token in tokens:
        if token.type == "th_open":
            token.attrSet("scope", "col")
        token.attrs.pop("style", None)  # of columns of numbers; the page's policy forbids it
    return render(
        "page/notes.html.j2",
        style=inlined(*STYLES),
        version=notes.version,
        text=Markup(markdown.renderer.render(tokens, markdown.options, {})),  # noqa: S704 - rendered with HTML off
    )


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
    """The API's lists from the first day to the one that was open at the last fetch.

    Years, the newest first; counts of expected days by outcome, and the last of them; what lacks, most lists first;
    gaps, the longest first.
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
        papers = f"{counted(paper_count, 'paper')}, " if paper_count else ""
        words = shown(reason or "", REASON_LENGTH) if became in REASONED else WORDS[became]
        yield day, became, f"{day:%a} {day.day} {day:%b %Y}: {papers}{words}"


QUALITY: Final = "quality/index.html"
CHECKS_PAGE: Final = "checks.html"  # beside it
KINDS: Final[dict[CheckKind, str]] = {
    "shape": "Columns and their types, as declared.",
    "values": "Values of single columns, and the key: the suite that Great Expectations ran.",
    "rule": "Rules across the columns of a row.",
    "reference": "References to other tables.",
    "across": "Tables compared with each other.",
    "history": "Comparison with the previous release: nothing shrinks, no field empties.",
    "pages": "New pages compared with the pages before them: nothing is swapped, no count jumps.",
}


@dataclass(frozen=True, slots=True)
class TablePart:
    """One table's part of the report; its failed checks first. A check may have seen fewer rows than there are."""

    name: str
    row_count: int
    results: tuple[CheckResult, ...]

    @property
    def anchor(self) -> str:
        return f"of-{re.sub('[^A-Za-z0-9_]', '_', self.name)}"

    @property
    def failed(self) -> tuple[CheckResult, ...]:
        return tuple(result for result in self.results if not result.passed)

    def of(self, kind: CheckKind) -> list[CheckResult]:
        return [result for result in self.results if result.kind == kind]


def quality_page(report: Report, title: str, draft: Draft) -> bytes:
    """The report: what failed, with examples, how many checks each table passed, how many pages are kept out.

    The same report gives the same bytes: no clock, no version, nothing of the machine is in them.
    """
    counts = {table.name: table.row_count for table in draft.tables}
    parts = [
        TablePart(name, counts.get(name, 0), tuple(sorted(results, key=lambda result: result.passed)))
        for name, results in groupby(report.results, key=lambda result: result.table)
    ]
    return render(
        "quality.html.j2",
        title=title,
        report=report,
        parts=sorted(parts, key=lambda part: not part.failed),  # else in the order of the report
        kinds=KINDS,
        most=EXAMPLES,
        set_aside_count=set_aside_count(draft.decisions),
    )


def checks_page(report: Report) -> bytes:
    """The page of what each check looks for, whatever it found: releases that are checked alike share it."""
    tables = groupby(report.results, key=lambda result: result.table)
    parts = [TablePart(name, 0, tuple(sorted(results, key=lambda one: one.rule))) for name, results in tables]
    by_name = sorted(parts, key=lambda part: part.name)
    return render("checks.html.j2", parts=by_name, kinds=KINDS)
