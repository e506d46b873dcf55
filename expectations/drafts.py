"""Step `gate`: check a draft as it was written; one that passes may be published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from expectations.comparison import SHOWN
from expectations.gate import Proven, check, rules_digest
from expectations.in_parts import check_in_parts
from expectations.report import Report
from flows.documents.quality import quality_pages
from warehouse.release.cohorts.near import CUT, Near, is_cut_alike, own_rows, papers_that_differ, papers_unlike
from warehouse.release.cohorts.places import COHORT
from warehouse.release.draft import name_current, superseded_if_gone
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.schema_changes import changed_tables, read_common
from warehouse.release.snapshot import Snapshot, draft_key
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.core.search import SIMILAR_PAPERS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table
from warehouse.schema.tables import CORE_TABLES
from warehouse.store.local_files import LocalFiles

OF_COHORTS = tuple(table for table in CORE_TABLES if table.cohort_rows and table not in CUT)
ROWS_OF_A_PART = 16_000  # that are checked together, as sightings count: what bounds the memory, not the result
ROWS_OF_A_PAPER = 5  # what its rows in all other tables weigh beside a sighting
OTHERS = tuple(table for table in CORE_TABLES if not table.cohort_rows and table != SIMILAR_PAPERS)


def check_draft(files: LocalFiles, draft: Draft, *, accepted_loss: str | None = None) -> Report:
    """Run the gate over the draft as it was written; where it does not pass, store the report's pages in the draft.

    It is compared with its parent, as far as that is sound; rows that passed there are proven. Where the parent passed
    this very gate, papers whose every row is the parent's are not checked again.

    With `accepted_loss`, which is the reason, losses compared with the previous release do not close the gate.
    Superseded where another release was published meanwhile, and the draft's files were dropped.
    """
    with superseded_if_gone(files.store, draft):
        written = Snapshot(draft, files)
        written.require_sound()
        parent = written.parent()
        if parent is None:
            others = {table.name: written.read(table) for table in OTHERS}
            report = replace(check_in_parts(others, in_parts(written), written.scan), accepted_loss=accepted_loss)
        else:
            given = _given_near(written, parent) if _is_proven(parent, draft) else _given_whole(written, parent)
            report = check(given.tables, proven=given.proven, accepted_loss=accepted_loss, scan=written.scan)
    if report.passed:
        name_current(files.store, draft, report.to_json())
    else:
        for name, page in quality_pages(report, title=f"draft {draft.draft_id}").items():
            files.store.put(draft_key(draft.draft_id, f"quality/{name}"), page)
    return report


class _Given(NamedTuple):
    tables: Mapping[str, pl.DataFrame]
    proven: Proven


def in_parts(written: Snapshot[Draft | Manifest]) -> Iterator[dict[str, pl.DataFrame]]:
    """The rows of a draft in parts that are checked one by one: those of some papers at a time, then files of cohorts,
    then `similar_papers`, which has 20 rows of each paper.
    """
    seen = written.scan(SIGHTINGS.name, ["paper_id"]).group_by("paper_id").len()
    ids = pl.concat(written.scan(table.name, ["paper_id"]).unique() for table in CUT).unique()
    counted = ids.join(seen, on="paper_id", how="left").with_columns(cohort=COHORT).collect().sort("cohort", "paper_id")
    part = (pl.col("len").fill_null(0) + ROWS_OF_A_PAPER).cum_sum() // ROWS_OF_A_PART
    papers = counted.select("paper_id", part=part).partition_by("part", maintain_order=True)
    for some in papers or [counted]:
        near = Near(written, some["paper_id"])
        yield {table.name: near.rows(table) for table in CUT}
    for table in OF_COHORTS:
        for file in written.tables[table.name].files:
            yield {table.name: written.read_files(table, [file])}
    yield {SIMILAR_PAPERS.name: written.read(SIMILAR_PAPERS)}


def _is_proven(parent: Snapshot[Manifest], draft: Draft) -> bool:
    """Whether the parent passed this very gate, and its tables are those that it was given."""
    return (
        parent.of.code_version == draft.code_version
        and _rules(parent) == rules_digest()
        and not changed_tables(parent)
        and is_cut_alike(parent)
        and all(map(parent.is_sound, (*CUT, *OF_COHORTS)))
    )


def _given_near(written: Snapshot[Draft], parent: Snapshot[Manifest]) -> _Given:
    """What the gate is given: rows of papers that differ from the parent's, and whole tables not cut by cohort."""
    ids = papers_that_differ(written, parent)
    now, then, whole = Near(written, ids), Near(parent, ids), (*OTHERS, SIMILAR_PAPERS)
    tables = {table.name: now.rows(table) for table in CUT} | {table.name: written.read(table) for table in whole}
    tables |= {table.name: own_rows(table, written, parent) for table in OF_COHORTS}
    before = {table.name: then.rows(table) for table in CUT} | _before(whole, written, parent, tables)
    before |= {table.name: own_rows(table, parent, written) for table in OF_COHORTS}
    if SIMILAR_PAPERS.name in before:
        leave_out_alike(tables, before)
    heights = {table.name: table.row_count for table in parent.of.tables}
    usual = parent.select(SIGHTINGS, SHOWN, then.files(SIGHTINGS))
    return _Given(tables, Proven(parent.name, _rules(parent), before, heights, usual))


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


def _given_whole(written: Snapshot[Draft], parent: Snapshot[Manifest]) -> _Given:
    tables = {table.name: written.read(table) for table in CORE_TABLES}
    return _Given(tables, Proven(parent.name, _rules(parent), _before(CORE_TABLES, written, parent, tables)))


def _before(
    asked: tuple[Table, ...],
    written: Snapshot[Draft],
    parent: Snapshot[Manifest],
    tables: Mapping[str, pl.DataFrame],
) -> dict[str, pl.DataFrame]:
    """The parent's tables, as far as they are sound."""
    return {
        table.name: tables[table.name]
        if parent.tables[table.name] == written.tables[table.name]
        else read_common(table, parent)
        for table in asked
        if table.name in parent.tables and parent.is_sound(table)
    }


def _rules(parent: Snapshot[Manifest]) -> str:
    return Report.from_json(bytes(parent.of.checks)).rules_sha256
