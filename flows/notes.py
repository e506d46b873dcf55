"""What is new in a release beside its parent: counted when it is published, told in its notes."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import polars as pl

from expectations.report import Report
from warehouse.diff import TableDiff, diff
from warehouse.draft import draft_files, read_table
from warehouse.fetch import PathOf
from warehouse.latest import manifest_of, release_files
from warehouse.manifest import Draft, Manifest
from warehouse.render.notes import Loss, Notes, TableNote
from warehouse.scratch import local_files
from warehouse.store import Store
from warehouse.tables.lists import DAILY_LISTINGS


def notes_of(store: Store, draft: Draft, version: str, report: Report) -> Notes:
    """The notes of the release that a draft becomes."""
    parent = manifest_of(store, draft.parent) if draft.parent else None
    with local_files(store) as path_of:
        return Notes(
            version=version,
            parent=parent.version if parent else None,
            schema_version=draft.schema_version,
            tables=tuple(_tables(store, parent, draft)),
            list_days=_new_list_days(parent, draft, path_of),
            rekeyed=(),
            source_changes=(),
            accepted_loss=report.accepted_loss,
            losses=tuple(_losses(report)),
        )


def notes_json(notes: Notes) -> bytes:
    return msgspec.json.format(msgspec.json.encode(notes), indent=2) + b"\n"


def _tables(store: Store, parent: Manifest | None, draft: Draft) -> Iterator[TableNote]:
    rows = {table.name: table.row_count for table in draft.tables}
    if parent is None:
        yield from (TableNote(name, count, count, 0, 0) for name, count in rows.items())
        return
    found = {table.name: table for table in diff(store, parent, draft).tables}
    for name in dict.fromkeys([*rows, *found]):
        yield _table(found[name]) if name in found else TableNote(name, rows[name], 0, 0, 0)


def _table(found: TableDiff) -> TableNote:
    counts = (found.rows_after, found.added_count, found.removed_count, found.changed_count)
    return TableNote(found.name, *counts, found.columns_added, found.columns_gone)


def _new_list_days(parent: Manifest | None, draft: Draft, path_of: PathOf) -> tuple[str, ...]:
    days = read_table(DAILY_LISTINGS, draft.tables, draft_files(draft, path_of))["listed_on"].unique()
    if parent is not None:
        before = read_table(DAILY_LISTINGS, parent.tables, release_files(parent.version, path_of))["listed_on"]
        days = days.filter(~days.is_in(before.implode()))
    return tuple(days.sort().cast(pl.String))


def _losses(report: Report) -> Iterator[Loss]:
    for result in report.failed:
        check = f"{result.table}.{result.rule}"
        yield Loss(check, result.meaning, result.failed_count, result.row_count, result.examples)
