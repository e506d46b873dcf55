"""The page's figures: each is the answer to a query of the release's own database, which is shown beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

from flows.documents.page.charts import Month, MonthChart
from flows.documents.rendering import percent
from warehouse.printable import counted
from warehouse.release.query import QueryResult

QUESTIONS: Final = Path(__file__).parent / "questions"

AskDatabase = Callable[[str], QueryResult]
FigureRow = dict[str, Any]


class PageFigure(NamedTuple):
    """A figure: what it shows, in what unit, of how many papers; its rows, and the query that gives them."""

    title: str
    subtitle: str
    sources: tuple[str, ...]  # the marts that the query reads
    chart: MonthChart | None = None
    ranks: Sequence[Rank] = ()
    id: str = ""
    sql: str = ""
    rows: Sequence[FigureRow] = ()


class Rank(NamedTuple):
    """A topic or an organization: its papers, and their share; of a topic also its earlier share, and by month."""

    name: str
    paper_count: int
    share: float
    earlier_share: float | None
    width: float  # of its bar, in percent of the longest
    line: MonthChart | None


def findings(ask: AskDatabase) -> Iterator[PageFigure]:
    """Every figure that has rows, in the order of the page."""
    makers = {"papers": _papers, "code": _code, "topics": _topics, "organizations": _organizations}
    for name, make in makers.items():
        sql = (QUESTIONS / f"{name}.sql").read_text("utf-8")
        if rows := list(ask(sql).dicts()):
            yield make(rows)._replace(id=name, sql=sql, rows=rows)


def _papers(rows: Sequence[FigureRow]) -> PageFigure:
    return PageFigure(
        "Papers on the daily lists, by month",
        f"Distinct papers that this release has, {span(rows[0]['month_on'], rows[-1]['month_on'])}",
        ("papers_by_month",),
        chart=_chart("papers", "Papers by month", rows, lambda row: counted(row["paper_count"], "paper")),
    )


def _code(rows: Sequence[FigureRow]) -> PageFigure:
    return PageFigure(
        "Papers with code",
        "Share of a month's papers whose page shows a GitHub repository, of those whose page could show one, "
        f"{span(rows[0]['month_on'], rows[-1]['month_on'])}",
        ("papers_by_month", "field_availability"),
        chart=_chart(
            "code",
            "Share of papers with code by month",
            rows,
            lambda row: f"{percent(row['value'])}, {row['shown_paper_count']:,} of {row['known_paper_count']:,} papers",
            is_share=True,
        ),
    )


def _topics(rows: Sequence[FigureRow]) -> PageFigure:
    first = rows[0]
    return PageFigure(
        "Topics on the rise",
        f"Share of papers with the keyword, {span(first['first_on'], first['last_on'])} against the months "
        f"before, from {first['earlier_on']:%B %Y}; of {counted(first['known_paper_count'], 'paper')} with any keyword",
        ("keywords_by_month",),
        ranks=[_rank(row, rows, with_line=True) for row in rows],
    )


def _organizations(rows: Sequence[FigureRow]) -> PageFigure:
    first = rows[0]
    return PageFigure(
        "Organizations with the most papers",
        f"Papers listed under the name, {span(first['first_on'], first['last_on'])}; share of "
        f"{counted(first['known_paper_count'], 'paper')} whose page could show one",
        ("organizations_by_month",),
        ranks=[_rank(row, rows, with_line=False) for row in rows],
    )


def _rank(row: FigureRow, rows: Sequence[FigureRow], *, with_line: bool) -> Rank:
    line = None
    if with_line:
        monthly = [Month(on, row["shares"].get(on, 0.0), True, "") for on in row["months"]]
        description = f"From {percent(row['earlier_share'])} to {percent(row['share'])}."
        line = MonthChart("", f"{row['name']}, share by month", description, monthly, is_share=True)
    most = max(one["paper_count"] for one in rows)
    width = round(100 * row["paper_count"] / most, 1)
    return Rank(row["name"], row["paper_count"], row["share"], row.get("earlier_share"), width, line)


def _chart(
    name: str, title: str, rows: Sequence[FigureRow], words: Callable[[FigureRow], str], *, is_share: bool = False
) -> MonthChart:
    """A monthly chart; unfinished months, and those with lists missing, are marked."""
    months = []
    for row in rows:
        expected = row["expected_day_count"] or row["day_count"]
        is_whole = bool(row["is_over"]) and row["day_count"] >= expected
        open_month = "" if row["is_over"] else ", not over yet"
        in_words = f"{row['month_on']:%B %Y}: {words(row)}; {row['day_count']} of {expected} lists{open_month}"
        months.append(Month(row["month_on"], row["value"], is_whole, in_words))
    last, most = rows[-1], max(rows, key=lambda row: row["value"])
    description = f"Most in {most['month_on']:%B %Y}: {words(most)}. Last, {last['month_on']:%B %Y}: {words(last)}."
    return MonthChart(f"chart-{name}", title, description, months, is_share=is_share)


def span(first: date, last: date) -> str:
    """Months in words.

    >>> span(date(2026, 1, 1), date(2026, 3, 1)), span(date(2025, 12, 1), date(2026, 1, 1))
    ('January to March 2026', 'December 2025 to January 2026')
    """
    if (first.year, first.month) == (last.year, last.month):
        return f"{last:%B %Y}"
    return f"{first:%B} to {last:%B %Y}" if first.year == last.year else f"{first:%B %Y} to {last:%B %Y}"
