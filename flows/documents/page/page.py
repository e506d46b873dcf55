"""Renders the page of a release from its tables, its report and the releases that it follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from operator import attrgetter
from typing import Final, NamedTuple

from expectations.report import Report
from flows.documents.dictionary import facts, limits, macro_facts
from flows.documents.edition import DESCRIPTION, TITLE
from flows.documents.feeds.release_feeds import MAIN_FILES
from flows.documents.notes import why_counts
from flows.documents.page.charts import GLYPHS, LineChart
from flows.documents.page.content import Content, newest_list
from flows.documents.page.coverage_calendar import OUTCOMES, calendar, in_words
from flows.documents.page.findings import findings
from flows.documents.quality import KINDS
from flows.documents.rendering import inlined, render
from warehouse.release.about import Followed
from warehouse.release.manifest import Draft, File, TableFiles
from warehouse.schema.catalog.about_tables import ABOUT_TABLES
from warehouse.schema.catalog.tables import ALL_TABLES, CORE_TABLES, MACROS, MART_TABLES
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.table import Table

PAPERS_SHOWN: Final = 12  # of a day; the others unfold
RELEASES_SHOWN: Final = 60  # two months of daily ones
FEW: Final = 8  # rows of a table that are seen without unfolding it
GAPS_SHOWN: Final = 100
LAYERS: Final = {"mart": "Marts: wide tables to begin with", "core": "Core: what the source said, and where"}


class Held(NamedTuple):
    """A table of the release; a view has no files: it is in the database only."""

    table: Table
    row_count: int | None
    files: tuple[File, ...]

    @classmethod
    def of(cls, table: Table, found: TableFiles | None) -> Held:
        files = sorted(found.files, key=attrgetter("key")) if found else []
        return cls(table, found.row_count if found else None, tuple(files))

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files)


def release_page(
    draft: Draft,
    marts: Sequence[TableFiles],
    followed: Sequence[Followed],
    files: Mapping[str, str],
    content: Content,
) -> bytes:
    """The page of the release that the draft becomes, the last of `followed`; it links to `files`, each in words.

    The same bytes for the same release: no clock is asked.
    """
    described = {table.name: table for table in (*draft.tables, *marts)}
    tables = [Held.of(table, described.get(table.name)) for table in ALL_TABLES]
    figures, read = followed[-RELEASES_SHOWN:], content.read
    return render(
        "page/page.html.j2",
        style=inlined("style.css", "page/page.css"),
        script=inlined("page/page.js"),
        title=TITLE,
        description=DESCRIPTION,
        draft=draft,
        figures=figures,
        released_on=date(*map(int, figures[-1].version.split(".")[:3])),
        fetched_at=read(CAPTURES.name, ["fetched_at"]).max().collect().item(),
        findings=list(findings(content.ask)),
        has_explorer=content.has_explorer,
        errata=content.errata,
        why=content.why,
        why_counts=why_counts,
        kind=content.kind,
        newest=newest_list(read),
        calendar=calendar(read(COVERAGE.name, COVERAGE.column_names).collect()),
        in_words=in_words,
        outcomes=OUTCOMES,
        shapes=GLYPHS,
        tables={words: [one for one in tables if one.table.layer == layer] for layer, words in LAYERS.items()},
        paths={one.table.name: one.files for one in tables},
        declared=(*MART_TABLES, *CORE_TABLES, *ABOUT_TABLES),
        macros=MACROS,
        facts=facts,
        macro_facts=macro_facts,
        limits=limits,
        trends=list(_trends(figures)),
        report=Report.from_json(bytes(draft.report)),
        quarantined=read(QUARANTINE.name, ["rule"])
        .group_by("rule")
        .len()
        .sort("len", "rule", descending=[True, False])
        .collect()
        .rows(),
        corrections=CORRECTIONS.conform(read(CORRECTIONS.name, CORRECTIONS.column_names).collect()).rows(named=True),
        kinds=KINDS,
        files=files,
        feeds=MAIN_FILES,
        most=PAPERS_SHOWN,
        gaps_most=GAPS_SHOWN,
        few=FEW,
    )


def _trends(figures: Sequence[Followed]) -> Iterator[LineChart]:
    """Charts of what grows from release to release; none before the second release."""
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
