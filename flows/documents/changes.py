"""What is new in a release beside its parent: counted when it is published, told in its notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap
from typing import Any, Final, NamedTuple

import msgspec
import polars as pl
from msgspec import structs

from expectations.report import Report
from flows.documents.drift import drift_lines
from flows.documents.notes import Loss, Notes, Rekeyed, TableNote
from transforms.collect.schema_paths import drift
from transforms.identity import rekeyed
from warehouse.release.diff import TableDiff, compared
from warehouse.release.draft import draft_files, is_sound
from warehouse.release.latest import manifest_of, release_files
from warehouse.release.manifest import Draft, Manifest, TableFiles
from warehouse.release.schema_changes import has_declared_columns
from warehouse.schema.core.aliases import PAPER_ALIASES
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.schema_paths import SCHEMA_PATHS
from warehouse.schema.table import Table
from warehouse.store.far_objects import PathOf
from warehouse.store.local_files import local_files
from warehouse.store.store import Store

NAMES: Final = ("kind", "alias", "paper_id")


class _Beside(NamedTuple):
    """A draft and its parent, without the tables that changed and are `damaged` in the parent: nobody can compare."""

    parent: Manifest
    draft: Draft
    damaged: frozenset[str]
    path_of: PathOf

    def before(self, table: Table, *columns: str) -> pl.DataFrame:
        return _read(table, self.parent.tables, release_files(self.parent.version, self.path_of), columns)

    def after(self, table: Table, *columns: str) -> pl.DataFrame:
        return _read(table, self.draft.tables, draft_files(self.draft, self.path_of), columns)


def notes_of(store: Store, draft: Draft, version: str, report: Report) -> Notes:
    """The notes of the release that a draft becomes."""
    with local_files(store) as path_of:
        changes = _changes(_beside(manifest_of(store, draft.parent), draft, path_of)) if draft.parent else None
        return Notes(
            version=version,
            parent=draft.parent.version if draft.parent else None,
            schema_version=draft.schema_version,
            accepted_loss=report.accepted_loss,
            losses=tuple(_losses(report)),
            **(changes or _all_new(draft, path_of)),
        )


def notes_json(notes: Notes) -> bytes:
    return msgspec.json.format(msgspec.json.encode(notes), indent=2) + b"\n"


def _all_new(draft: Draft, path_of: PathOf) -> dict[str, Any]:
    """Of the first release."""
    return {
        "tables": tuple(TableNote(table.name, table.row_count, table.row_count, 0, 0) for table in draft.tables),
        "list_days": _days(_read(DAILY_LISTINGS, draft.tables, draft_files(draft, path_of), ("listed_on",))),
        "rekeyed": (),
        "source_changes": (),
    }


def _beside(parent: Manifest, draft: Draft, path_of: PathOf) -> _Beside:
    stored = release_files(parent.version, path_of)
    changed = (table for table in parent.tables if table not in draft.tables)
    damaged = {table.name for table in changed if not all(is_sound(file, stored) for file in table.files)}
    sound = tuple(table for table in parent.tables if table.name not in damaged)
    return _Beside(structs.replace(parent, tables=sound), draft, frozenset(damaged), path_of)


def _changes(of: _Beside) -> dict[str, Any]:
    papers = rekeyed(of.before(PAPER_ALIASES, *NAMES), of.after(PAPER_ALIASES, *NAMES))
    return {
        "tables": tuple(_tables(of)),
        "list_days": None if DAILY_LISTINGS.name in of.damaged else _new_list_days(of),
        "rekeyed": tuple(starmap(Rekeyed, papers.iter_rows())),
        "source_changes": tuple(_source_changes(of)),
    }


def _tables(of: _Beside) -> Iterator[TableNote]:
    rows = {table.name: table.row_count for table in of.draft.tables}
    found = {table.name: table for table in compared(of.path_of, of.parent, of.draft).tables}
    for name in dict.fromkeys([*rows, *found]):
        if name in of.damaged:
            yield TableNote(name, rows.get(name, 0))
        else:
            yield _table(found[name]) if name in found else TableNote(name, rows[name], 0, 0, 0)


def _table(found: TableDiff) -> TableNote:
    counts = (found.rows_after, found.added_count, found.removed_count, found.changed_count)
    return TableNote(found.name, *counts, found.columns_added, found.columns_gone)


def _new_list_days(of: _Beside) -> tuple[str, ...]:
    after, before = of.after(DAILY_LISTINGS, "listed_on"), of.before(DAILY_LISTINGS, "listed_on")
    return _days(after.join(before, on="listed_on", how="anti"))


def _source_changes(of: _Beside) -> list[str]:
    """None where the columns of `schema_paths` changed."""
    if not has_declared_columns(SCHEMA_PATHS, of.parent.tables, release_files(of.parent.version, of.path_of)):
        return []
    names = SCHEMA_PATHS.column_names
    return drift_lines(drift(of.before(SCHEMA_PATHS, *names), of.after(SCHEMA_PATHS, *names)))


def _read(table: Table, described: Iterable[TableFiles], path_of: PathOf, columns: Sequence[str]) -> pl.DataFrame:
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
