"""The gate's report as pages to look at: static, without scripts, asking no other host for anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from expectations.report import EXAMPLES, CheckKind, CheckResult, Report
from flows.documents.rendering import render
from warehouse.release.manifest import Draft, TableFiles, set_aside_count

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
class TablePage:
    """One table's part of the report; its failed checks first. A check may have seen fewer rows than there are."""

    name: str
    row_count: int
    results: tuple[CheckResult, ...]

    @property
    def path(self) -> str:
        return f"tables/{re.sub('[^A-Za-z0-9_]', '_', self.name)}.html"

    @property
    def failed(self) -> tuple[CheckResult, ...]:
        return tuple(result for result in self.results if not result.passed)

    def of(self, kind: CheckKind) -> list[CheckResult]:
        return [result for result in self.results if result.kind == kind]


def quality_pages(report: Report, title: str, draft: Draft) -> dict[str, bytes]:
    """Path → page: `index.html` for the whole report, `tables/<table>.html` for each table of it.

    The same report gives the same bytes: no clock, no version, nothing of the machine is in them.
    """
    return {"index.html": quality_index(report, title, draft), **quality_tables(report, title, draft.tables)}


def quality_index(report: Report, title: str, draft: Draft) -> bytes:
    """The whole report, table by table, and how many pages were kept out for it."""
    aside = set_aside_count(draft.decisions)
    return _render(report, title, _table_pages(report, draft.tables), heading=title, page=None, set_aside_count=aside)


def quality_tables(report: Report, title: str, tables: Iterable[TableFiles]) -> dict[str, bytes]:
    """Path → page of each table of the report."""
    pages = _table_pages(report, tables)
    return {page.path: _render(report, title, pages, heading=page.name, page=page) for page in pages}


def _render(report: Report, title: str, pages: Sequence[TablePage], **values: object) -> bytes:
    return render("quality.html.j2", title=title, report=report, pages=pages, kinds=KINDS, most=EXAMPLES, **values)


def _table_pages(report: Report, tables: Iterable[TableFiles]) -> list[TablePage]:
    """A page for each table, those with failed checks first, else in the order of the report."""
    counts = {table.name: table.row_count for table in tables}
    by_table = groupby(report.results, key=lambda result: result.table)
    pages = [
        TablePage(name, counts.get(name, 0), tuple(sorted(results, key=lambda result: result.passed)))
        for name, results in by_table
    ]
    return sorted(pages, key=lambda page: not page.failed)
