"""Renders the page of a release from its tables, its report and the releases that it follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from operator import attrgetter
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlsplit

import polars as pl

from expectations.report import Report
from flows.documents.edition import DESCRIPTION, TITLE, ReadTable
from flows.documents.feed_formats import FORMATS
from flows.documents.notes import Notes, why_counts
from flows.documents.page.beside import KINDS, STYLES, calendar, calendar_words
from flows.documents.page.charts import LineChart
from flows.documents.page.findings import AskDatabase, findings
from flows.documents.release_feeds import main_feeds
from flows.documents.rendering import inlined, render
from warehouse.release.about import Followed
from warehouse.release.manifest import Draft, File, TableFiles, released_on
from warehouse.schema.catalog import ALL_TABLES
from warehouse.schema.core.attached import PAPER_LINKS
from warehouse.schema.core.captures import CAPTURES, IS_TAKEN, QUARANTINE
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.listings import COVERAGE, DAILY_LISTINGS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.daily_lists import EARLY
from warehouse.schema.table import Table
from warehouse.tex import untexed

SHOWN: Final = ("title", "author_count", "organization_name", "organization_login", "upvote_count", "arxiv_id")
PLACES: Final = {"arXiv": "https://arxiv.org/abs/{}", "Hugging Face": "https://huggingface.co/papers/{}"}
LINKS: Final = {"github": "GitHub", "project": "project page"}
EXPLORED: Final = "explore/index.html#/paper/{}"
UNLISTED: Final = ("partial", "seen only in answers that are not the day's own list")


class PaperLink(NamedTuple):
    """An address of a paper. A captured page may give anything as one: only a plain web address is made a link."""

    name: str
    url: str

    @property
    def host(self) -> str | None:
        """The host of a plain web address, without user and odd signs; None for anything else.

        >>> PaperLink("", "https://github.com/ada/engine").host
        'github.com'
        >>> PaperLink("", "https://github.com@evil.example/").host, PaperLink("", "javascript:alert(1)").host
        (None, None)
        """
        try:
            parts = urlsplit(self.url)
        except ValueError:
            return None
        is_plain = self.url.isprintable() and not set(self.url) & set(" \\") and "@" not in parts.netloc
        return parts.hostname if is_plain and parts.scheme in {"http", "https"} else None


class Listed(NamedTuple):
    """One paper of a day's list."""

    rank: int | None
    paper_id: str
    title: str
    abstract: str | None
    author_count: int | None
    organization: str | None
    upvote_count: int | None
    links: tuple[PaperLink, ...]

    @classmethod
    def of(cls, row: dict[str, Any]) -> Listed:
        """From a row of `papers` with its rank, and a column of addresses for each kind in LINKS."""
        links = [PaperLink(name, at.format(row["arxiv_id"])) for name, at in PLACES.items() if row["arxiv_id"]]
        links += [PaperLink(name, row[kind]) for kind, name in LINKS.items() if row[kind]]
        organization = row["organization_name"] or row["organization_login"]
        title, abstract = untexed(row["title"]), row["abstract"] and untexed(row["abstract"])
        values = (row["rank"], row["paper_id"], title, abstract, row["author_count"])
        return cls(*values, organization, row["upvote_count"], tuple(links))

    @property
    def explored(self) -> str:
        """The address of the paper in the explorer."""
        return EXPLORED.format(quote(self.paper_id, safe=""))

    @property
    def source(self) -> str | None:
        """The first address of the paper that may be a link; None without one."""
        return next((link.url for link in self.links if link.host), None)


class DayList(NamedTuple):
    """A day's list in its order, with its state in `coverage` and the reason for it."""

    listed_on: date
    state: str
    reason: str | None
    papers: tuple[Listed, ...]

    @property
    def is_early(self) -> bool:
        """Whether it is partial only because it was fetched on its own day."""
        return (self.state, self.reason) == ("partial", EARLY)


def newest_list(read: ReadTable) -> DayList | None:
    """The list of the newest day that has papers; None before the first."""
    listings = read(DAILY_LISTINGS.name, ["listed_on", "paper_id", "rank"])
    on_it = listings.filter(pl.col("listed_on") == pl.col("listed_on").max()).collect()
    if on_it.is_empty():
        return None
    day = on_it["listed_on"][0]
    is_on_it = pl.col("paper_id").is_in(on_it["paper_id"].implode())
    links = read(PAPER_LINKS.name, ["paper_id", "kind", "url", "last_seen_at"]).filter(is_on_it)
    by_paper = links.sort("last_seen_at", "url", nulls_last=False).group_by("paper_id")
    last = by_paper.agg(pl.col("url").filter(kind=kind).last().alias(kind) for kind in LINKS)
    papers = read(PAPERS.name, ["paper_id", *SHOWN]).filter(is_on_it)
    texts = read(PAPER_TEXTS.name, ["paper_id", "abstract"]).filter(is_on_it)
    shown, *others = pl.collect_all([papers, last, texts])
    ordered = on_it.select("paper_id", "rank").join(shown, on="paper_id")
    for other in others:
        ordered = ordered.join(other, on="paper_id", how="left")
    ordered = ordered.sort("rank", "paper_id", nulls_last=True)
    coverage = read(COVERAGE.name, ["source", "listed_on", "is_expected", "state", "reason"])
    judged = coverage.filter(source="api", listed_on=day, is_expected=True).select("state", "reason").collect().rows()
    state, reason = judged[0] if judged else UNLISTED
    return DayList(day, state, reason, tuple(map(Listed.of, ordered.iter_rows(named=True))))


PAPERS_SHOWN: Final = 8  # of a day; the others unfold
RELEASES_SHOWN: Final = 60  # two months of daily ones
FEW: Final = 8  # rows of a table that are seen without unfolding it
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


def release_page(  # noqa: PLR0913 - what a page is made of
    draft: Draft,
    marts: Sequence[TableFiles],
    followed: Sequence[Followed],
    files: Mapping[str, str],
    notes: Notes,
    *,
    read: ReadTable,
    ask: AskDatabase,
    has_explorer: bool,
) -> bytes:
    """The page of the release that the draft becomes, the last of `followed`; it links to `files`, each in words.

    The same bytes for the same release: no clock is asked.
    """
    described = {table.name: table for table in (*draft.tables, *marts)}
    tables = [Held.of(table, described.get(table.name)) for table in ALL_TABLES]
    figures = followed[-RELEASES_SHOWN:]
    return render(
        "page/page.html.j2",
        style=inlined(*STYLES),
        script=inlined("page/points.js", "page/page.js"),
        title=TITLE,
        description=DESCRIPTION,
        draft=draft,
        figures=figures,
        released_on=released_on(figures[-1].version),
        fetched_at=read(CAPTURES.name, ["fetched_at", "state"]).filter(IS_TAKEN).collect()["fetched_at"].max(),
        findings=list(findings(ask)),
        has_explorer=has_explorer,
        errata=notes.errata,
        why=notes.why,
        why_counts=why_counts,
        kind=notes.kind_in_words,
        newest=newest_list(read),
        calendar=calendar(read(COVERAGE.name, COVERAGE.column_names).collect()),
        tables={words: [one for one in tables if one.table.layer == layer] for layer, words in LAYERS.items()},
        paths={one.table.name: one.files for one in tables},
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
        feeds=main_feeds(read),
        formats=FORMATS,
        most=PAPERS_SHOWN,
        few=FEW,
        **calendar_words(),
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
