"""The page of a release of tiny tables, for tests."""

import html.parser
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import duckdb
import polars as pl

from expectations.report import CheckResult, Report
from flows.documents.notes import Notes
from flows.documents.page.beside import coverage_page
from flows.documents.page.page import release_page
from tests.builders import reader
from warehouse.release.about import Followed
from warehouse.release.manifest import Draft, Erratum, File, TableFiles
from warehouse.release.query import LIMITS, Database
from warehouse.schema.core.attached import PAPER_LINKS
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.listings import COVERAGE, DAILY_LISTINGS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.mart import Mart
from warehouse.schema.marts.boards import BOARDS
from warehouse.schema.marts.by_period import KEYWORDS_BY_MONTH, ORGANIZATIONS_BY_MONTH, PAPERS_BY_MONTH
from warehouse.schema.marts.paper_status import PAPER_PUBLICATIONS, PAPER_STATUS
from warehouse.schema.marts.source_fields import FIELD_AVAILABILITY
from warehouse.schema.table import Table

DAY = date(2026, 10, 7)
HELD = CheckResult("papers", "title_not_null", "values", "title is missing", True, 3)
SOUND = Report((HELD,))
DOCUMENTS = {"DICTIONARY.md": "every column", "quality/index.html": "what was checked"}


def figures(version: str = "2026.10.09.1", **more: Any) -> Followed:
    told = {"parent": None, "schema_version": 2, "code_version": "0.1.0", "capture_count": 2, "paper_count": 3}
    told |= {"row_count": 30, "parquet_bytes": 4_000, "check_count": 1, "failed_check_count": 0}
    return Followed(version, **(told | more))


def releases(count: int) -> tuple[Followed, ...]:
    """As many daily releases, each larger than the one before."""
    days = [DAY + timedelta(number) for number in range(count)]
    return tuple(figures(f"{day:%Y.%m.%d}.1", paper_count=3 + number) for number, day in enumerate(days))


def paper(rank: int | None, title: str = "A title", **more: Any) -> dict[str, Any]:
    """One paper on the list of DAY; `github` and `project` are addresses of it."""
    return {"rank": rank, "title": title, "paper_id": f"2610.{rank or 99999:05}"} | more


def days(*states: str, first: date = DAY, reason: str = "a reason", **more: Any) -> list[dict[str, Any]]:
    """Days of coverage that follow each other, each in a state."""
    told = {"source": "api", "is_expected": True} | more
    reasons = [None if state == "complete" else reason for state in states]
    return [
        told | {"listed_on": first + timedelta(number), "state": state, "reason": why}
        for number, (state, why) in enumerate(zip(states, reasons, strict=True))
    ]


def page(
    papers: Sequence[dict[str, Any]] = (),
    listed: Sequence[dict[str, Any]] = (),
    *,
    over: tuple[Followed, ...] = (figures(),),
    report: Report = SOUND,
    fetched_at: datetime | None = datetime(2026, 10, 8, 2, 30),
    listed_on: date = DAY,
    marts: Mapping[Mart, Sequence[dict[str, Any]]] | None = None,
    quarantine: Sequence[dict[str, Any]] = (),
    corrections: Sequence[dict[str, Any]] = (),
    files: int = 1,
    has_explorer: bool = True,
    errata: Sequence[Erratum] = (),
) -> bytes:
    """The page of a release that holds these papers on one list day, and these days of coverage."""
    links = [
        {"paper_id": paper["paper_id"], "kind": kind, "url": paper[kind]}
        for paper in papers
        for kind in ("github", "project")
        if paper.get(kind)
    ]
    frames = {
        CAPTURES: _frame(CAPTURES, [{"fetched_at": fetched_at, "state": "read"}]),
        COVERAGE: _frame(COVERAGE, listed),
        DAILY_LISTINGS: _frame(DAILY_LISTINGS, [dict(paper, listed_on=listed_on) for paper in papers]),
        PAPERS: _frame(PAPERS, papers),
        PAPER_TEXTS: _frame(PAPER_TEXTS, papers),
        QUARANTINE: _frame(QUARANTINE, quarantine),
        CORRECTIONS: _frame(CORRECTIONS, corrections),
        PAPER_LINKS: _frame(PAPER_LINKS, links),
        BOARDS: BOARDS.empty(),
        PAPER_STATUS: PAPER_STATUS.empty(),
        PAPER_PUBLICATIONS: PAPER_PUBLICATIONS.empty(),
    }
    keys = [f"data/papers/{number}.parquet" for number in range(files)] if files > 1 else ["data/papers.parquet"]
    table = TableFiles("papers", 3, tuple(File(key, 4_000, "0" * 64) for key in keys))
    stored = TableFiles("papers_by_month", 1, (File("marts/papers_by_month.parquet", 2_000, "0" * 64),))
    draft = Draft("a", 2, "0.1.0", None, 2, "c" * 64, (table,), (), report.to_json())
    with duckdb.connect() as connection:
        for mart in (PAPERS_BY_MONTH, FIELD_AVAILABILITY, KEYWORDS_BY_MONTH, ORGANIZATIONS_BY_MONTH):
            connection.from_arrow(_frame(mart, (marts or {}).get(mart, ())).to_arrow()).create(mart.name)
        read, ask = reader({table.name: frame for table, frame in frames.items()}), Database(connection, LIMITS).rows
        notes = Notes("2026.10.09.1", None, 2, (), (), (), (), None, (), errata)
        return release_page(draft, [stored], over, DOCUMENTS, notes, read=read, ask=ask, has_explorer=has_explorer)


def coverage(rows: Sequence[dict[str, Any]] = ()) -> bytes:
    """The calendar of a release with these days."""
    return coverage_page("2026.10.09.1", reader({COVERAGE.name: _frame(COVERAGE, rows)}))


def _frame(table: Table, rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """Rows of which only some columns are given; the others are null."""
    known = [{name: row[name] for name in table.column_names if name in row} for row in rows]
    return pl.DataFrame(known, schema=table.schema, strict=False, orient="row") if rows else table.empty()


def keyword(on: date, text: str, count: int, known: int) -> dict[str, Any]:
    """A row of `keywords_by_month`, of a keyword that is its own normal form."""
    shares = {"share": count / known, "normal_share": count / known, "keyword_paper_count": known}
    return {
        "month_on": on,
        "keyword": text,
        "normal_keyword": text,
        "normal_paper_count": count,
        "paper_count": count,
    } | shares


class Elements(html.parser.HTMLParser):
    """Every tag with its attributes, in order, and the text without style and script."""

    EMPTY = frozenset({"meta", "link", "wbr", "input", "br"})

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), f"an attribute of {tag} stands twice"
        self.tags.append((tag, dict(attrs)))
        self.text.append("" if tag in {"wbr", "code", "b", "bdi"} else " ")
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))  # of a picture

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["script"]):
            self.text.append(data)

    def named(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]

    def words(self) -> str:
        return " ".join("".join(self.text).split())
