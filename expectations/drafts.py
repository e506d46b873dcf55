"""The rows of a draft and its parent that the gate checks, read from the files as they were written."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Final

import polars as pl
from msgspec import Struct

from expectations.gate import Proven, check, rules_digest
from expectations.history import LOOKED_AT
from expectations.report import Report
from warehouse.release.cohort_files import CUT, Near, is_cut_alike, own_rows, papers_that_differ, papers_unlike
from warehouse.release.manifest import Draft, File, Manifest
from warehouse.release.schema_changes import changed_tables, read_common
from warehouse.release.snapshot import Snapshot
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.core.search import SIMILAR_PAPERS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.places import COHORT
from warehouse.schema.table import Table
from warehouse.store.local_files import LocalFiles
from warehouse.store.opening import open_store

OF_COHORTS: Final = tuple(table for table in CORE_TABLES if table.cohort_rows and table not in CUT)
OTHERS: Final = tuple(table for table in CORE_TABLES if not table.cohort_rows and table != SIMILAR_PAPERS)
ROWS_OF_A_PART: Final = 16_000  # checked together, about, as sightings count: bounds the memory, not the result
ROWS_OF_A_PAPER: Final = 5  # what its rows in all other tables weigh beside a sighting


class GateRequest(Struct, frozen=True):
    """A draft to check, and its parent without tables that are damaged.

    `folder` has every file of both, by its key in the lake; `sha256` are the hashes that were found, by key.
    """

    folder: str
    sha256: dict[str, str]
    draft: Draft
    parent: Manifest | None
    accepted_loss: str | None = None


class GateReply(Struct, frozen=True):
    """The gate's report, or the name and the words of the PaperlakeError that it ended with."""

    report: Report | None = None
    error: str = ""
    words: str = ""


def check_written(asked: GateRequest) -> Report:
    """Run the gate over a draft as it was written.

    It is compared with its parent; rows that passed there are proven. Where the parent passed this very gate, papers
    whose every row is the parent's are not checked again. Without a parent the rows are checked in parts.
    """
    files = LocalFiles(open_store(asked.folder), Path(asked.folder), asked.sha256)
    written = Snapshot(asked.draft, files)
    confirmed = frozenset(one.capture_id for one in asked.draft.decisions if not one.is_aside)
    if asked.parent is None:
        tables, proven, parts = {table.name: written.read(table) for table in OTHERS}, None, partial(in_parts, written)
        return check(tables, accepted_loss=asked.accepted_loss, scan=written.scan, parts=parts, confirmed=confirmed)
    parent = Snapshot(asked.parent, files)
    given = given_near if is_proven(parent, asked.draft) else given_whole
    tables, proven = given(written, parent)
    return check(tables, proven=proven, accepted_loss=asked.accepted_loss, scan=written.scan, confirmed=confirmed)


def in_parts(written: Snapshot[Draft | Manifest]) -> Iterator[dict[str, pl.DataFrame]]:
    """The rows of a draft in parts that are checked one by one.

    A part has those of some papers, with the next files of every table cut by cohort; the last is `similar_papers`,
    which has 20 rows of each paper.
    """
    seen = written.scan(SIGHTINGS.name, ["paper_id"]).group_by("paper_id").len()
    ids = pl.concat(written.scan(table.name, ["paper_id"]).unique() for table in CUT).unique()
    counted = ids.join(seen, on="paper_id", how="left").with_columns(cohort=COHORT).collect().sort("cohort", "paper_id")
    rows = pl.col("len").fill_null(0) + ROWS_OF_A_PAPER
    share = (rows.cum_sum() - 1) / rows.sum()  # a last part of a few papers would cost as much as the others
    part = (share * (rows.sum() / ROWS_OF_A_PART).round().clip(1)).floor()
    papers = counted.select("paper_id", part=part).partition_by("part", maintain_order=True) or [counted]
    files = zip_longest(*(((one, some) for some in together(written.tables[one.name].files)) for one in OF_COHORTS))
    for some, others in zip_longest(papers, files, fillvalue=()):
        near = Near(written, some["paper_id"]) if isinstance(some, pl.DataFrame) else None
        of_papers = {table.name: near.rows(table) for table in CUT} if near else {}
        yield of_papers | {table.name: written.read_files(table, these) for table, these in filter(None, others)}
    yield {SIMILAR_PAPERS.name: written.read(SIMILAR_PAPERS)}


def together(files: Sequence[File]) -> Iterator[list[File]]:
    """The files in their order, as many at a time as have no more rows than the largest alone, which has to fit."""
    most = max((file.row_count or 0 for file in files), default=0)
    some: list[File] = []
    for file in files:
        if some and sum(one.row_count or 0 for one in (*some, file)) > most:
            yield some
            some = []
        some.append(file)
    if some:
        yield some


def is_proven(parent: Snapshot[Manifest], draft: Draft) -> bool:
    """Whether the parent passed this very gate, and its tables are those that it was given."""
    return (
        parent.of.code_version == draft.code_version
        and _rules(parent) == rules_digest()
        and not changed_tables(parent)
        and is_cut_alike(parent)
    )


def given_near(written: Snapshot[Draft], parent: Snapshot[Manifest]) -> tuple[dict[str, pl.DataFrame], Proven]:
    """The rows to check: those of papers that differ from the parent's, and whole tables that are not cut by cohort."""
    ids = papers_that_differ(written, parent)
    now, then, whole = Near(written, ids), Near(parent, ids), (*OTHERS, SIMILAR_PAPERS)
    tables = {table.name: now.rows(table) for table in CUT} | {table.name: written.read(table) for table in whole}
    tables |= {table.name: own_rows(table, written, parent) for table in OF_COHORTS}
    before = {table.name: then.rows(table) for table in CUT} | _before(whole, written, parent, tables)
    before |= {table.name: own_rows(table, parent, written) for table in OF_COHORTS}
    leave_out_alike(tables, before)
    heights = {table.name: table.row_count for table in parent.of.tables}
    usual = parent.select(SIGHTINGS, LOOKED_AT, then.files(SIGHTINGS))
    return tables, Proven(parent.name, _rules(parent), before, heights, usual)


def leave_out_alike(tables: dict[str, pl.DataFrame], before: dict[str, pl.DataFrame]) -> None:
    """Leave out rows of `similar_papers`, which has 20 of each paper, of papers whose rows are the same and are sound.

    A row that is the same is not sound where a paper that it refers to is gone.
    """
    now, then, papers = tables[SIMILAR_PAPERS.name], before[SIMILAR_PAPERS.name], tables[PAPERS.name]
    gone = before[PAPERS.name].join(papers, on="paper_id", how="anti")["paper_id"]
    is_lost = pl.col("other_paper_id").is_in(gone.implode())
    ids = pl.concat([papers_unlike(now, then), now.filter(is_lost)["paper_id"], gone]).unique()
    for side, rows in ((tables, now), (before, then)):
        side[SIMILAR_PAPERS.name] = rows.filter(pl.col("paper_id").is_in(ids.implode()))


def given_whole(written: Snapshot[Draft], parent: Snapshot[Manifest]) -> tuple[dict[str, pl.DataFrame], Proven]:
    """The rows to check where the parent's were cut or checked otherwise: all rows of both."""
    tables = {table.name: written.read(table) for table in CORE_TABLES}
    return tables, Proven(parent.name, _rules(parent), _before(CORE_TABLES, written, parent, tables))


def _before(
    asked: tuple[Table, ...],
    written: Snapshot[Draft],
    parent: Snapshot[Manifest],
    tables: Mapping[str, pl.DataFrame],
) -> dict[str, pl.DataFrame]:
    """The parent's tables, as far as it has them."""
    return {
        table.name: tables[table.name]
        if parent.tables[table.name] == written.tables[table.name]
        else read_common(table, parent)
        for table in asked
        if table.name in parent.tables
    }


def _rules(parent: Snapshot[Manifest]) -> str:
    return Report.from_json(bytes(parent.of.checks)).rules_sha256
