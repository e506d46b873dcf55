"""Renders the page of a release from its tables, its report and the releases that it follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from expectations.report import Report
from flows.documents.dictionary import facts, limits, macro_facts
from flows.documents.edition import DESCRIPTION, TITLE
from flows.documents.feeds.release_feeds import MAIN_FILES
from flows.documents.page.charts import GLYPHS, LineChart
from flows.documents.page.content import Read, calendar, newest_list
from flows.documents.quality import KINDS
from flows.documents.rendering import inlined, render
from warehouse.release.about import Followed
from warehouse.release.manifest import Draft, TableFiles
from warehouse.schema.about_tables import ABOUT_TABLES
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.table import Table
from warehouse.schema.tables import ALL_TABLES, MACROS

PAPERS_SHOWN: Final = 20  # of a day; the others unfold
RELEASES_SHOWN: Final = 60  # two months of daily ones
FEW: Final = 10  # rows of a table that are seen without unfolding it
GAPS_SHOWN: Final = 100
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


def release_page(draft: Draft, followed: Sequence[Followed], files: Mapping[str, str], read: Read) -> bytes:
    """The page of the release that the draft becomes, the last of `followed`; `files` to link to, each in words.

    The same bytes for the same release: no clock is asked.
    """
    described = {table.name: table for table in draft.tables}
    figures = followed[-RELEASES_SHOWN:]
    return render(
        "page/page.html.j2",
        style=inlined("style.css", "page/page.css"),
        script=inlined("page/page.js"),
        title=TITLE,
        description=DESCRIPTION,
        draft=draft,
        figures=figures,
        released_on=date(*map(int, figures[-1].version.split(".")[:3])),
        fetched_at=read(CAPTURES)["fetched_at"].max(),
        newest=newest_list(read),
        calendar=calendar(read(COVERAGE)),
        legend=LEGEND,
        shapes=GLYPHS,
        tables=[Held(table, described.get(table.name)) for table in ALL_TABLES],
        declared=(*ALL_TABLES, *ABOUT_TABLES),
        macros=MACROS,
        facts=facts,
        macro_facts=macro_facts,
        limits=limits,
        trends=list(_trends(figures)),
        report=Report.from_json(bytes(draft.report)),
        kinds=KINDS,
        files=files,
        feeds=MAIN_FILES,
        most=PAPERS_SHOWN,
        gaps_most=GAPS_SHOWN,
        few=FEW,
    )


def _trends(figures: Sequence[Followed]) -> Iterator[LineChart]:
    """What grows from release to release; nothing to see before the second one."""
    if len(figures) == 1:
        return
    quantities = {
        "Papers": [one.paper_count for one in figures],
        "Rows of all tables": [one.row_count for one in figures],
        "Bytes of Parquet": [one.parquet_bytes for one in figures],
    }
    names = [one.version for one in figures]
    for name, values in quantities.items():
        yield LineChart(
            id=f"trend-{name.split()[0].lower()}",
            title=name,
            description=f"Release {names[0]} to {names[-1]}: from {values[0]:,} to {values[-1]:,}, "
            f"at most {max(values):,}.",
            names=names,
            values=values,
        )
