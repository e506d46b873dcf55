"""What is new in a release compared with its parent: counted when it is published, for its notes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap
from typing import Any, Final, NamedTuple

import polars as pl
from msgspec import structs

from expectations.report import Report
from flows.documents.notes import Loss, Notes, Rekeyed, TableNote
from transforms.core.aliases import rekeyed
from warehouse.release.diff import TableDiff, compared
from warehouse.release.manifest import Draft, Manifest, encode
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.aliases import PAPER_ALIASES
from warehouse.schema.core.listings import DAILY_LISTINGS

NAMES: Final = ("kind", "alias", "paper_id")


class _Beside(NamedTuple):
    """A draft and its parent; the tables that changed and are `damaged` in the parent cannot be compared."""

    parent: Snapshot[Manifest]
    draft: Snapshot[Draft]
    damaged: frozenset[str]


def notes_of(draft: Snapshot[Draft], version: str, report: Report) -> Notes:
    """The notes of the release that a draft becomes."""
    parent = draft.parent()
    return Notes(
        version=version,
        parent=parent.name if parent else None,
        schema_version=draft.of.schema_version,
        source_changes=draft.of.source_changes,
        accepted_loss=report.accepted_loss,
        losses=tuple(_losses(report)),
        **(_changes(_beside(parent, draft)) if parent else _all_new(draft)),
    )


def notes_json(notes: Notes) -> bytes:
    return encode(notes)


def _all_new(draft: Snapshot[Draft]) -> dict[str, Any]:
    """Of the first release."""
    return {
        "tables": tuple(TableNote(table.name, table.row_count, table.row_count, 0, 0) for table in draft.of.tables),
        "list_days": _days(draft.select(DAILY_LISTINGS, ["listed_on"])),
        "rekeyed": (),
    }


def _beside(parent: Snapshot[Manifest], draft: Snapshot[Draft]) -> _Beside:
    changed = (table for table in parent.of.tables if table not in draft.of.tables)
    damaged = {table.name for table in changed if not all(map(parent.has, table.files))}
    sound = tuple(table for table in parent.of.tables if table.name not in damaged)
    return _Beside(Snapshot(structs.replace(parent.of, tables=sound), parent.files), draft, frozenset(damaged))


def _changes(of: _Beside) -> dict[str, Any]:
    papers = rekeyed(of.parent.select(PAPER_ALIASES, NAMES), of.draft.select(PAPER_ALIASES, NAMES))
    return {
        "tables": tuple(_tables(of)),
        "list_days": None if DAILY_LISTINGS.name in of.damaged else _new_list_days(of),
        "rekeyed": tuple(starmap(Rekeyed, papers.iter_rows())),
    }


def _tables(of: _Beside) -> Iterator[TableNote]:
    rows = {table.name: table.row_count for table in of.draft.of.tables}
    found = {table.name: table for table in compared(of.parent, of.draft).tables}
    for name in dict.fromkeys([*rows, *found]):
        if name in of.damaged:
            yield TableNote(name, rows.get(name, 0))
        else:
            yield _table(found[name]) if name in found else TableNote(name, rows[name], 0, 0, 0)


def _table(found: TableDiff) -> TableNote:
    counts = (found.rows_after, found.added_count, found.removed_count, found.changed_count)
    return TableNote(found.name, *counts, found.columns_added, found.columns_gone)


def _new_list_days(of: _Beside) -> tuple[str, ...]:
    before, after = (one.select(DAILY_LISTINGS, ["listed_on"]) for one in (of.parent, of.draft))
    return _days(after.join(before, on="listed_on", how="anti"))


def _days(listed: pl.DataFrame) -> tuple[str, ...]:
    return tuple(listed["listed_on"].unique().sort().cast(pl.String))


def _losses(report: Report) -> Iterator[Loss]:
    for result in report.failed:
        check = f"{result.table}.{result.rule}"
        yield Loss(check, result.meaning, result.failed_count, result.row_count, result.examples)
