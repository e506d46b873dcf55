"""The gate's report as a page to look at: static, without scripts, asking no other host for anything."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from expectations.report import EXAMPLES, CheckKind, CheckResult, Report
from flows.documents.rendering import render
from warehouse.release.manifest import Draft, set_aside_count

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
