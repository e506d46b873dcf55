"""Renders the page: everything that it tells, in one template, with its style sheet and its script inside."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from jinja2 import Template
from markupsafe import Markup, escape

from expectations.report import Report
from flows.documents.dictionary import facts, limits, macro_facts
from flows.documents.edition import DESCRIPTION, TITLE
from flows.documents.page import charts
from flows.documents.page.content import Read, calendar, newest_list
from flows.documents.quality import KINDS, environment
from warehouse.archive.captured import shown
from warehouse.release.about import LINEAGE, Followed
from warehouse.release.latest import DATABASE, MANIFEST
from warehouse.release.manifest import Draft, TableFiles
from warehouse.release.snapshot import Snapshot
from warehouse.release.write import SUMS
from warehouse.schema.about_tables import ABOUT_TABLES
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.ddl import type_of
from warehouse.schema.table import Table
from warehouse.schema.tables import ALL_TABLES, MACROS

INDEX: Final = "index.html"
HERE: Final = Path(__file__).parent
MEGABYTE: Final = 1_000_000
PAPERS_SHOWN: Final = 20  # of a day; the others are told when they are asked for
RELEASES_SHOWN: Final = 60  # two months of daily ones
FEW: Final = 10  # rows of a table that everybody sees
GAPS_TOLD: Final = 100
FILES: Final = {
    DATABASE: "every table and mart in one DuckDB file, with a comment on each table and column",
    MANIFEST: "version, parent, inputs, every file with its SHA-256, the results of the checks",
    SUMS: "the hashes again, for sha256sum --check",
    "DICTIONARY.md": "the dictionary, as a text",
    "quality/index.html": "what was checked, table by table",
    LINEAGE: "rows, bytes and checks of this release and those it follows, for a script",
    "NOTES.md": "what changed since the parent",
    "notes.json": "the same for a script",
    "README.md": "the dataset card",
    "croissant.json": "metadata as Croissant",
    "datapackage.json": "metadata as a Frictionless data package",
    "contract.yaml": "what is promised of the data, as an ODCS contract",
    "LICENSE.md": "every column under the licence of its origin",
    "CITATION.cff": "how to cite, for tools",
}
LEGEND: Final = {
    "complete": "every paper of a list that was closed",
    "partial": "some papers",
    "empty": "the source said that there are none",
    "missing": "nothing",
    "unexpected": "no list expected",
}


class Held(NamedTuple):
    """A table of the release; `files` is None where it stands in the database only."""

    table: Table
    files: TableFiles | None

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files.files) if self.files else 0


class Trend(NamedTuple):
    """A quantity of releases and its picture."""

    name: str
    last: int
    picture: Markup


def release_page(draft: Snapshot[Draft], followed: Sequence[Followed], others: Collection[str]) -> bytes:
    """The page of the release that the draft becomes, the last of `followed`; `others` are the documents beside it.

    The same bytes for the same release: no clock is asked.
    """
    return rendered(draft.of, followed, others, draft.read)


def rendered(draft: Draft, followed: Sequence[Followed], others: Collection[str], read: Read) -> bytes:
    """The same, of tables wherever they are."""
    described = {table.name: table for table in draft.tables}
    there = {DATABASE, MANIFEST, SUMS, *others}
    figures = followed[-RELEASES_SHOWN:]
    told: dict[str, Any] = {
        "draft": draft,
        "figures": figures,
        "released_on": date(*map(int, figures[-1].version.split(".")[:3])),
        "fetched_at": read(CAPTURES)["fetched_at"].max(),
        "newest": newest_list(read),
        "calendar": calendar(read(COVERAGE)),
        "tables": [Held(table, described.get(table.name)) for table in ALL_TABLES],
        "declared": (*ALL_TABLES, *ABOUT_TABLES),
        "macros": MACROS,
        "trends": list(_trends(figures)),
        "report": Report.from_json(bytes(draft.report)),
        "files": {key: words for key, words in FILES.items() if key in there},
    }
    return _template().render(told).encode()


def _trends(figures: Sequence[Followed]) -> Iterator[Trend]:
    """What grows from release to release; nothing to see before the second one."""
    quantities = {
        "Papers": [one.paper_count for one in figures],
        "Rows of all tables": [one.row_count for one in figures],
        "Bytes of Parquet": [one.parquet_bytes for one in figures],
    }
    span = f"from release {figures[0].version} to {figures[-1].version}"
    for name, values in quantities.items() if len(figures) > 1 else ():
        told = f"{name} {span}: from {values[0]:,} to {values[-1]:,}, at most {max(values):,}"
        yield Trend(name, values[-1], charts.trend(values, told))


@cache
def _template() -> Template:
    made = environment(HERE)
    made.filters |= {"coded": _coded, "day": _day, "shown": shown, "type": type_of, "size": _size}
    made.globals |= {"facts": facts, "macro_facts": macro_facts, "limits": limits, "sign": charts.sign}
    made.globals |= {"title": TITLE, "description": DESCRIPTION}
    made.globals |= {"kinds": KINDS, "legend": LEGEND, "most": PAPERS_SHOWN, "gaps_most": GAPS_TOLD, "few": FEW}
    made.globals |= {name: _inlined(file) for name, file in (("style", "page.css"), ("script", "page.js"))}
    return made.get_template("page.html.j2")


class Inlined(NamedTuple):
    """A file that stands in the page, and the hash by which the page's policy lets it count."""

    text: Markup
    sha256: str


def _inlined(name: str) -> Inlined:
    text = (HERE / name).read_text("utf-8")
    return Inlined(Markup(text), base64.b64encode(hashlib.sha256(text.encode()).digest()).decode())  # noqa: S704


def _coded(text: str) -> Markup:
    """Words of a declaration: what stands in backticks is code.

    >>> _coded("null: see `a<b`")
    Markup('null: see <code>a&lt;b</code>')
    """
    parts = [escape(part) for part in text.split("`")]
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))


def _day(day: date) -> str:
    """A day in words.

    >>> _day(date(2026, 7, 31))
    'Friday 31 July 2026'
    """
    return f"{day:%A} {day.day} {day:%B %Y}"


def _size(count: int) -> str:
    """Bytes in a unit of three or four digits.

    >>> _size(22_373), _size(33_800_000)
    ('22.4 kB', '33.8 MB')
    """
    return f"{count / 1e6:,.1f} MB" if count >= MEGABYTE else f"{count / 1e3:,.1f} kB"
