"""What is new in a release beside its parent: counted when it is published, told in its notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
import polars as pl
from msgspec import structs

from expectations.report import Report
from flows.drift import drift_lines
from transforms.identity import rekeyed
from transforms.schema_paths import drift
from warehouse.diff import TableDiff, diff
from warehouse.draft import draft_files, is_sound
from warehouse.fetch import PathOf
from warehouse.latest import manifest_of, release_files
from warehouse.manifest import Draft, Manifest, TableFiles
from warehouse.render.notes import Loss, Notes, Rekeyed, TableNote
from warehouse.scratch import local_files
from warehouse.store import Store
from warehouse.table import Table
from warehouse.tables.drift import SCHEMA_PATHS
from warehouse.tables.lists import DAILY_LISTINGS
from warehouse.tables.papers import PAPER_ALIASES

NAMES: Final = ("kind", "alias", "paper_id")


def notes_of(store: Store, draft: Draft, version: str, report: Report) -> Notes:
    """The notes of the release that a draft becomes."""
    parent = manifest_of(store, draft.parent) if draft.parent else None
    damaged = _damaged(store, parent, draft) if parent else set()
    if parent:
        parent = structs.replace(parent, tables=tuple(table for table in parent.tables if table.name not in damaged))
    return Notes(
        version=version,
        parent=parent.version if parent else None,
        schema_version=draft.schema_version,
        tables=tuple(_tables(store, parent, draft, damaged)),
        accepted_loss=report.accepted_loss,
        losses=tuple(_losses(report)),
        **_changes(store, parent, draft, damaged),
    )


def notes_json(notes: Notes) -> bytes:
    return msgspec.json.format(msgspec.json.encode(notes), indent=2) + b"\n"


def _damaged(store: Store, parent: Manifest, draft: Draft) -> set[str]:
    """Tables that changed, of which the parent's files are not what they were: they cannot be compared."""
    changed = [table for table in parent.tables if table not in draft.tables]
    with local_files(store) as path_of:
        stored = release_files(parent.version, path_of)
        return {table.name for table in changed if not all(is_sound(file, stored) for file in table.files)}


def _tables(store: Store, parent: Manifest | None, draft: Draft, damaged: set[str]) -> Iterator[TableNote]:
    rows = {table.name: table.row_count for table in draft.tables}
    if parent is None:
        yield from (TableNote(name, count, count, 0, 0) for name, count in rows.items())
        return
    found = {table.name: table for table in diff(store, parent, draft).tables}
    for name in dict.fromkeys([*rows, *found]):
        if name in damaged:
            yield TableNote(name, rows.get(name, 0))
        else:
            yield _table(found[name]) if name in found else TableNote(name, rows[name], 0, 0, 0)


def _table(found: TableDiff) -> TableNote:
    counts = (found.rows_after, found.added_count, found.removed_count, found.changed_count)
    return TableNote(found.name, *counts, found.columns_added, found.columns_gone)


def _changes(store: Store, parent: Manifest | None, draft: Draft, damaged: set[str]) -> dict[str, Any]:
    """What else changed: list days, ids of papers, and the source, as far as both releases have the same columns."""
    with local_files(store) as path_of:
        new = draft_files(draft, path_of)
        days = _read(DAILY_LISTINGS, draft.tables, new, "listed_on")
        if parent is None:
            return {"list_days": _days(days), "rekeyed": (), "source_changes": ()}
        old = release_files(parent.version, path_of)
        known = _read(DAILY_LISTINGS, parent.tables, old, "listed_on")
        before = _read(PAPER_ALIASES, parent.tables, old, *NAMES)
        after = _read(PAPER_ALIASES, draft.tables, new, *NAMES)
        return {
            "list_days": None
            if DAILY_LISTINGS.name in damaged
            else _days(days.join(known, on="listed_on", how="anti")),
            "rekeyed": tuple(Rekeyed(*row) for row in rekeyed(before, after).iter_rows()),
            "source_changes": tuple(_source_changes(parent, old, draft, new)),
        }


def _source_changes(parent: Manifest, old: PathOf, draft: Draft, new: PathOf) -> list[str]:
    if parent.schema_version != draft.schema_version:
        return []
    before = _read(SCHEMA_PATHS, parent.tables, old, *SCHEMA_PATHS.column_names)
    after = _read(SCHEMA_PATHS, draft.tables, new, *SCHEMA_PATHS.column_names)
    return drift_lines(drift(before, after))


def _read(table: Table, described: tuple[TableFiles, ...], path_of: PathOf, *columns: str) -> pl.DataFrame:
    """These columns of a table; a release of an older schema has more of them, or fewer."""
    files = [path_of(file.key) for found in described if found.name == table.name for file in found.files]
    parts = [pl.read_parquet(path, columns=list(columns)) for path in files]
    return pl.concat([table.empty().select(columns), *parts])


def _days(listed: pl.DataFrame) -> tuple[str, ...]:
    return tuple(listed["listed_on"].unique().sort().cast(pl.String))


def _losses(report: Report) -> Iterator[Loss]:
    for result in report.failed:
        check = f"{result.table}.{result.rule}"
        yield Loss(check, result.meaning, result.failed_count, result.row_count, result.examples)
