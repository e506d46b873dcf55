"""Explains how a release differs from an older one: each cell, row and figure gets its cause, a table at a time.

Cells are folded by table, kind of change, column and cause: how many there are, and the first of their keys.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Final

import polars as pl
from msgspec.structs import replace

from warehouse.changes.diff import CauseCount, DifferingByTable, ReleaseDiff, TableDiff, ToRows, compared
from warehouse.changes.finding_causes import Causes
from warehouse.changes.row_steps import MadeStep, StepMaker
from warehouse.errors import UsageError
from warehouse.release.manifest import Manifest
from warehouse.release.moves import order_of
from warehouse.release.snapshot import Snapshot, without_damaged
from warehouse.schema.catalog import CAUSES, CHANGES, KEYS_SHOWN
from warehouse.schema.core.attached import PAPER_AUTHORS
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.store.local_files import LocalFiles, local_files, whole_file
from warehouse.store.store import Store

BY: Final = ("table_name", "change", "column_name", "cause")
KEYED: Final = ("table_name", "change", "key", "column_name", "cause")
NEEDED: Final = (CAPTURES, SIGHTINGS, COVERAGE, PAPER_AUTHORS, CORRECTIONS)  # of the older release, to find causes


def diff_with_causes(store: Store, before: Manifest, after: Manifest, keys_to: Path | None = None) -> ReleaseDiff:
    """The comparison of two releases, the older one first, with `why`.

    With `keys_to`, each cell, row and figure with its cause is written there as Parquet. UsageError where `before` is
    the newer one.
    """
    if order_of(after.version) < order_of(before.version):
        raise UsageError(f"--why compares an older release with a newer one; name {after.version} first")
    cells: list[pl.DataFrame] = []
    with local_files(store) as files:
        found = Explanation(Snapshot(before, files), Snapshot(after, files), to=cells.append if keys_to else None)
        whole = found.compare()
    if keys_to:
        keyed = pl.concat([pl.DataFrame(schema=dict.fromkeys(KEYED, pl.String)), *(one.select(KEYED) for one in cells)])
        with whole_file(keys_to) as part:
            keyed.sort(KEYED).write_parquet(part)
    why = found.changes.select(*BY, "cell_count").iter_rows()
    return replace(whole, why=tuple(CauseCount(*row) for row in why))


class Explanation:
    """Collects what differs between two releases, table by table, marts too, folded by cause."""

    def __init__(
        self,
        before: Snapshot[Manifest],
        after: Snapshot[Manifest],
        to: Callable[[pl.DataFrame], None] | None = None,
    ) -> None:
        self._before, self._after = with_marts(before), with_marts(after)
        self._causes, self._to = Causes(before, after), to
        self._parts: list[pl.DataFrame] = []

    @property
    def changes(self) -> pl.DataFrame:
        """Rows of `_changes`."""
        return CHANGES.conform(pl.concat([CHANGES.empty(), *self._parts]))

    def compare(
        self,
        *,
        counts_only: bool = False,
        rows_to: ToRows | None = None,
        known: DifferingByTable = MappingProxyType({}),
    ) -> ReleaseDiff:
        """Compare them, but for tables of which the older one has a damaged file (`compared`)."""
        sound = without_damaged(self._before, self._after.of)
        return compared(sound, self._after, self._add, rows_to=rows_to, known=known, counts_only=counts_only)

    def _add(self, table: TableDiff, cells: pl.DataFrame) -> None:
        is_of_both = table.name in self._before.tables and table.name in self._after.tables
        caused = self._causes.of(table.name, cells, is_of_both=is_of_both)
        self._parts += [columns_folded(table), folded(caused)]
        if self._to:
            self._to(caused)


def with_marts(release: Snapshot[Manifest]) -> Snapshot[Manifest]:
    """A release whose marts are among its tables."""
    return Snapshot(replace(release.of, tables=(*release.of.tables, *release.of.marts)), release.files)


class SinceParent:
    """Why a release differs from its parent; known once `of` was called with its tables in place.

    `changes` are rows of `_changes`, none for the first release, and `tables` its core tables as they were compared;
    both are None where the parent is damaged. `step` has the rows themselves.
    """

    def __init__(self, files: LocalFiles) -> None:
        self._files = files
        self.changes: pl.DataFrame | None = None
        self.tables: tuple[TableDiff, ...] | None = None
        self.step = MadeStep()

    def of(self, begun: Manifest, known: DifferingByTable = MappingProxyType({})) -> pl.DataFrame:
        """Rows of `_changes` of a release, none where the parent is damaged; `known` is what differs, by table."""
        release = Snapshot(begun, self._files)
        parent = release.parent()
        maker = StepMaker(parent, release)
        if parent is None:
            self.changes = CHANGES.empty()
        elif all(map(parent.is_sound, NEEDED)):
            found = Explanation(parent, release)
            whole = found.compare(counts_only=True, rows_to=maker.add, known=known)
            marts = {mart.name for mart in (*parent.of.marts, *begun.marts)}
            self.tables = tuple(table for table in whole.tables if table.name not in marts)
            self.changes = found.changes
        self.step = maker.made()
        return CHANGES.empty() if self.changes is None else self.changes


def folded(cells: pl.DataFrame) -> pl.DataFrame:
    """The rows of `_changes` for cells that have a `cause`."""
    counted = cells.group_by(BY).agg(pl.len().alias("cell_count"), pl.col("key").sort().head(KEYS_SHOWN).alias("keys"))
    return CHANGES.conform(counted)


def columns_folded(table: TableDiff) -> pl.DataFrame:
    """The rows of `_changes` for columns that were added or removed."""
    changed = {"column added": table.columns_added, "column removed": table.columns_gone}
    rows = [
        dict(zip((*BY, "cell_count", "keys"), (table.name, change, name, "schema", 1, []), strict=True))
        for change, names in changed.items()
        for name in names
    ]
    return pl.DataFrame(rows, schema=CHANGES.schema)


def by_cause(changes: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Each cause with its rows of `_changes`, the strongest first."""
    for cause in CAUSES:
        if not (found := changes.filter(cause=cause)).is_empty():
            yield cause, found
