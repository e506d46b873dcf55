"""What is new in a release since its parent, for its notes and for `changes/index.json`; and at the source."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import starmap
from typing import Any, Final

import polars as pl

from expectations.report import Report
from flows.documents.notes import Corrected, Corrections, Loss, Notes, Rekeyed, TableNote, Why
from transforms.collect.source_paths import drift
from transforms.core.papers import rekeyed
from warehouse.changes.diff import TableDiff, compared
from warehouse.changes.explain import by_cause
from warehouse.changes.row_steps import TableStep
from warehouse.printable import counted
from warehouse.release.manifest import Draft, Erratum, Manifest, packed
from warehouse.release.schema_changes import has_declared_columns, kind_of
from warehouse.release.snapshot import Snapshot, without_damaged
from warehouse.schema.catalog import CAUSES
from warehouse.schema.core.captures import SCHEMA_PATHS
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.identity import PAPER_ALIASES
from warehouse.schema.core.listings import DAILY_LISTINGS

NAMES: Final = ("kind", "alias", "paper_id")


def notes_of(
    release: Snapshot[Manifest | Draft],
    draft: Draft,
    report: Report,
    errata: tuple[Erratum, ...] = (),
    compared_tables: Sequence[TableDiff] | None = None,
) -> Notes:
    """The notes of the release that a draft becomes. `compared_tables` is its comparison with the parent, if known."""
    parent = release.parent()
    if parent is not None:
        found = changes(parent, release, compared_tables)
    else:
        added = tuple(TableNote(table.name, table.row_count, table.row_count, 0, 0) for table in draft.tables)
        found = {"tables": added, "list_days": list_days(release), "rekeyed": ()}
    return Notes(
        version=release.name,
        parent=parent.name if parent else None,
        schema_version=draft.schema_version,
        source_changes=draft.source_changes,
        accepted_loss=report.accepted_loss,
        losses=tuple(
            Loss(f"{one.table}.{one.rule}", one.meaning, one.failed_count, one.row_count, one.examples)
            for one in report.failed
        ),
        errata=errata,
        corrections=corrected_since(parent, release),
        kind=kind_of(draft, parent.of if parent else None),
        **found,
    )


def corrected_since(parent: Snapshot[Manifest] | None, release: Snapshot[Manifest | Draft]) -> Corrections:
    """The corrections that were added and removed since the parent; all are new where the parent is damaged."""
    now, is_known = release.read(CORRECTIONS), parent is not None and parent.is_sound(CORRECTIONS)
    before = parent.read(CORRECTIONS) if parent and is_known else CORRECTIONS.empty()
    columns = list(Corrected.__struct_fields__)
    new, gone = (
        one.select(columns).join(other, on=columns, how="anti", nulls_equal=True, maintain_order="left")
        for one, other in ((now, before), (before, now))
    )
    return Corrections(now.height, tuple(starmap(Corrected, new.rows())), tuple(starmap(Corrected, gone.rows())))


def changes(
    parent: Snapshot[Manifest], release: Snapshot[Manifest | Draft], compared_tables: Sequence[TableDiff] | None = None
) -> dict[str, Any]:
    """What differs between a release and its parent; a table that changed, and is damaged there, has no counts."""
    before = without_damaged(parent, release.of)
    damaged = parent.tables.keys() - before.tables.keys()
    found = compared(before, release, counts_only=True).tables if compared_tables is None else compared_tables
    papers: Iterable[tuple[str, ...]] = ()
    if any(one.name == PAPER_ALIASES.name and one.removed_count for one in found):  # else every name is as it was
        papers = rekeyed(before.select(PAPER_ALIASES, NAMES), release.select(PAPER_ALIASES, NAMES)).iter_rows()
    days = None
    if DAILY_LISTINGS.name not in damaged:
        days = tuple(sorted(set(list_days(release)).difference(list_days(before))))
    return {
        "tables": tuple(_table_notes(found, release, damaged)),
        "list_days": days,
        "rekeyed": tuple(starmap(Rekeyed, papers)),
        "recut": tuple(
            table.name
            for table in release.of.tables
            if table.name in parent.tables and parent.tables[table.name].cohort_rows != table.cohort_rows
        ),
    }


def causes_of(changes: pl.DataFrame) -> tuple[Why, ...]:
    """The causes in rows of `_changes`, the strongest first."""
    found = []
    for cause, rows in by_cause(changes):
        counts = dict(rows.group_by("change").agg(pl.col("cell_count").sum()).iter_rows())
        added, removed, changed = (counts.get(change, 0) for change in ("added", "removed", "changed"))
        tables = rows.group_by("table_name").agg(pl.col("cell_count").sum()).sort("cell_count", "table_name")
        found.append(Why(cause, CAUSES[cause], added, removed, changed, tuple(tables["table_name"].reverse())))
    return tuple(found)


def _table_notes(
    compared_tables: Sequence[TableDiff], release: Snapshot[Manifest | Draft], damaged: AbstractSet[str]
) -> Iterator[TableNote]:
    rows = {table.name: table.row_count for table in release.of.tables}
    differing = {table.name: table for table in compared_tables}
    for name in dict.fromkeys([*rows, *differing]):
        if name in damaged:
            yield TableNote(name, rows.get(name, 0))
        elif table := differing.get(name):
            counts = (table.rows_after, table.added_count, table.removed_count, table.changed_count)
            yield TableNote(name, *counts, table.columns_added, table.columns_gone)
        else:
            yield TableNote(name, rows[name], 0, 0, 0)


def list_days(release: Snapshot[Any]) -> tuple[str, ...]:
    """The days of which a release has a list, ISO, in order."""
    return tuple(release.select(DAILY_LISTINGS, ["listed_on"])["listed_on"].unique().sort().cast(pl.String))


def index_json(notes: Notes, changes: pl.DataFrame, tables: tuple[TableStep, ...]) -> bytes:
    """`changes/index.json`: why the release differs from its parent, and the step from there, table by table.

    `changes` are the rows of `_changes` without their keys.
    """
    rows = changes.drop("keys").rows(named=True)
    about = {"version": notes.version, "parent": notes.parent, "why": notes.why}
    return packed({**about, "changes": rows, "tables": tables})


def source_changes(parent: Snapshot[Manifest] | None, schema_paths: pl.DataFrame) -> tuple[str, ...]:
    """How `schema_paths` of a draft differ from its parent's, a line a change; none where they cannot be compared."""
    if parent is None or not has_declared_columns(SCHEMA_PATHS, parent) or not parent.is_sound(SCHEMA_PATHS):
        return ()
    return drift_lines(drift(parent.read(SCHEMA_PATHS), schema_paths))


def drift_lines(changes: pl.DataFrame) -> tuple[str, ...]:
    """One line a change: what changed, where, how often, the first page that shows it."""
    return tuple(
        f"{row['change']} in {row['reader']}: {row['path']}"
        + (f" ({row['json_type']})" if row["json_type"] else "")
        + f", {counted(row['item_count'], 'item')}, capture {row['capture_id']}"
        + (f", for example {row['example']}" if row["example"] else "")
        for row in changes.iter_rows(named=True)
    )
