"""The gate's report as pages to look at: static, without scripts, asking no other host for anything."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from expectations.report import EXAMPLES

if TYPE_CHECKING:
    from jinja2 import Template

    from expectations.report import CheckResult, Kind, Report

KINDS: dict[Kind, str] = {
    "shape": "Columns and their types, as declared.",
    "values": "Values of single columns, and the key: the suite that Great Expectations ran.",
    "rule": "Rules across the columns of a row.",
    "reference": "References to other tables.",
    "across": "What tables say of each other.",
    "history": "Guards beside the release before: nothing shrinks, nothing jumps.",
}


@dataclass(frozen=True, slots=True)
class TablePage:
    """One table's part of the report; its failed checks first."""

    name: str
    results: tuple[CheckResult, ...]

    @property
    def path(self) -> str:
        return f"tables/{re.sub('[^A-Za-z0-9_]', '_', self.name)}.html"

    @property
    def row_count(self) -> int:
        return max(result.row_count for result in self.results)

    @property
    def failed(self) -> tuple[CheckResult, ...]:
        return tuple(result for result in self.results if not result.passed)

    def of(self, kind: Kind) -> list[CheckResult]:
        return [result for result in self.results if result.kind == kind]


def quality_pages(report: Report, title: str) -> dict[str, bytes]:
    """Path → page: `index.html` for the whole report, `tables/<table>.html` for each table of it.

    The same report gives the same bytes: no clock, no version, nothing of the machine is in them.
    """
    pages = _table_pages(report)
    told: dict[str, Any] = {"title": title, "report": report, "pages": pages, "kinds": KINDS, "most": EXAMPLES}
    index = _template().render(told, heading=title, page=None)
    tables = {page.path: _template().render(told, heading=page.name, page=page) for page in pages}
    return {path: html.encode() for path, html in {"index.html": index, **tables}.items()}


def _table_pages(report: Report) -> list[TablePage]:
    """A page a table, those with failed checks first, else in the order of the report."""
    tables = groupby(report.results, key=lambda result: result.table)
    pages = [TablePage(name, tuple(sorted(results, key=lambda result: result.passed))) for name, results in tables]
    return sorted(pages, key=lambda page: not page.failed)


@cache
def _template() -> Template:
    return environment(Path(__file__).parent).get_template("quality.html.j2")


def environment(folder: Path) -> Environment:
    """For the templates of a folder: whatever a value holds is text, and a value that is not there an error."""
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["count"] = "{:,}".format
    made.filters["breakable"] = lambda name: Markup("_<wbr>").join(name.split("_"))  # on a narrow screen
    return made
