"""What is new in a release: since its parent, for its notes; since older ones, in `changes/since/`; and at the source.

Each file of the second is made of the previous release's and of what is new in this one, so that its cost does not grow
with its reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import starmap
from typing import Any, Final

import polars as pl
from msgspec import Struct, structs

from expectations.report import Report
from flows.documents.notes import Corrected, Corrections, Loss, Notes, Rekeyed, TableNote, Why
from transforms.collect.source_paths import drift
from transforms.core.papers import rekeyed
from warehouse.changes.diff import TableDiff, compared
from warehouse.changes.explain import by_cause
from warehouse.release.manifest import Draft, Erratum, Manifest, decode, encode
from warehouse.release.schema_changes import has_declared_columns, kind_of
from warehouse.release.snapshot import Snapshot, without_damaged
from warehouse.schema.catalog.about_tables import CAUSES, KEYS_SHOWN, STRENGTH
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.identity import PAPER_ALIASES
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.schema_paths import SCHEMA_PATHS

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


FOLDER: Final = "changes/since/"
SINCE: Final = 7  # releases back: whoever comes once a week misses none of a daily lake
KEYED: Final = ("added", "removed", "changed")


class ChangedKeys(Struct, frozen=True):
    """Keys of one table with the same change and cause, each as a JSON array of the key's values; one cause a key."""

    table: str
    change: str
    cause: str
    keys: tuple[str, ...]


class Since(Struct, frozen=True):
    """How `version` differs from the older release `since`. `whole`: tables with more changes than `keys` lists.

    A key that changed, and came back to what it was, may be among those that changed.
    """

    version: str
    since: str
    whole: tuple[str, ...]
    keys: tuple[ChangedKeys, ...]

    @classmethod
    def of(cls, version: str, parent: str, changes: pl.DataFrame) -> Since:
        """How a release differs from its parent, by the rows of `_changes`: of each key the strongest cause."""
        rows = changes.rename({"table_name": "table", "keys": "key"})
        cut = rows.filter(~pl.col("change").is_in(KEYED) | (pl.col("cell_count") > pl.col("key").list.len()))
        whole = tuple(cut["table"].unique().sort())
        keys = rows.filter(pl.col("change").is_in(KEYED)).explode("key").sort(pl.col("cause").replace_strict(STRENGTH))
        return cls(version, parent, whole, _listed(keys.unique(("table", "key"), keep="first"), whole))

    def then(self, new: Since) -> Since:
        """This followed by `new`, of the next release, as one difference."""
        both = self.frame().join(new.frame(), on=("table", "key"), how="full", coalesce=True, suffix="_now")
        change, now = pl.col("change"), pl.col("change_now")
        both = both.filter(~((change == "added") & (now == "removed")).fill_null(False))  # it came, and went
        stays_added = (change == "added") & (now == "changed")
        keys = both.select(
            "table",
            "key",
            pl.when(change.is_null() | now.is_null() | stays_added)
            .then(pl.coalesce(change, now))
            .when(now == "removed")
            .then(now)
            .otherwise(pl.lit("changed"))
            .alias("change"),
            pl.when(stays_added).then("cause").otherwise(pl.coalesce("cause_now", "cause")).alias("cause"),
        )
        long = keys.group_by("table", "change", "cause").len().filter(pl.col("len") > KEYS_SHOWN)["table"]
        whole = tuple(sorted({*self.whole, *new.whole, *long}))
        return structs.replace(new, since=self.since, whole=whole, keys=_listed(keys, whole))

    def frame(self) -> pl.DataFrame:
        """One row a key."""
        names = dict.fromkeys(("table", "change", "cause"), pl.String())
        rows = [structs.asdict(one) for one in self.keys]
        return pl.DataFrame(rows, {**names, "keys": pl.List(pl.String)}).explode("keys").rename({"keys": "key"})


class Following(Struct, frozen=True):
    """`changes/index.json`: why the release differs from its parent, and the files to follow along by."""

    version: str
    parent: str | None
    why: tuple[Why, ...] | None
    changes: tuple[dict[str, Any], ...]
    since: tuple[str, ...]


def since_files(version: str, parent: Snapshot[Manifest] | None, changes: pl.DataFrame | None) -> dict[str, bytes]:
    """Name → bytes of the files, made of the rows of `_changes`; none where these are not known.

    To the difference from the parent are added the parent's own files, continued: the newest that are sound.
    """
    if parent is None or changes is None:
        return {}
    new = Since.of(version, parent.name, changes)
    files = [file for file in parent.of.files if file.key.startswith(FOLDER) and parent.has(file)]
    found = (decode(parent.path(file.key).read_bytes(), Since, file.key) for file in files)
    older = sorted(found, key=lambda one: [int(part) for part in one.since.split(".")], reverse=True)
    return {f"{one.since}.json": encode(one) for one in (new, *(one.then(new) for one in older[: SINCE - 1]))}


def index_json(notes: Notes, changes: pl.DataFrame, names: Iterable[str]) -> bytes:
    """`changes/index.json`: the names of the files, and the rows of `_changes` without their keys."""
    rows = tuple(changes.drop("keys").iter_rows(named=True))
    since = tuple(f"since/{name}" for name in names)
    return encode(Following(notes.version, notes.parent, notes.why, rows, since))


def _listed(keys: pl.DataFrame, whole: Sequence[str]) -> tuple[ChangedKeys, ...]:
    listed = keys.filter(~pl.col("table").is_in(list(whole)))
    grouped = listed.group_by("table", "change", "cause").agg(pl.col("key").sort()).sort("table", "change", "cause")
    return tuple(ChangedKeys(table, change, cause, tuple(found)) for table, change, cause, found in grouped.iter_rows())


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
        + f", {row['item_count']:,} items, capture {row['capture_id']}"
        + (f", for example {row['example']}" if row["example"] else "")
        for row in changes.iter_rows(named=True)
    )
