"""Explains how a release differs from an older one: each cell, row and figure gets its cause, a table at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl
from msgspec.structs import replace

from flows.steps.why.causes_of import Causes
from warehouse.release.changes.cells import Unlike
from warehouse.release.changes.diff import ReleaseDiff, TableDiff, compared
from warehouse.release.changes.folded import columns_folded, folded, joined_folds
from warehouse.release.manifest import Manifest
from warehouse.release.snapshot import Snapshot, without_damaged
from warehouse.schema.changes.causes import CHANGES
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.core.people import PAPER_AUTHORS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.store.local_files import LocalFiles

NEEDED = (CAPTURES, SIGHTINGS, COVERAGE, PAPER_AUTHORS, CORRECTIONS)  # of the older release, to find causes


class Explanation:
    """Collects what differs between two releases, table by table, folded by cause."""

    def __init__(
        self,
        before: Snapshot[Manifest],
        after: Snapshot[Manifest],
        overrides: pl.DataFrame | None = None,
        to: Callable[[pl.DataFrame], None] | None = None,
    ) -> None:
        self._before, self._after = before, after
        self._causes, self._to = Causes(before, after, overrides), to
        self._parts: list[pl.DataFrame] = []

    @property
    def changes(self) -> pl.DataFrame:
        """Rows of `_changes`."""
        return joined_folds(self._parts)

    def add(self, table: TableDiff, cells: pl.DataFrame) -> None:
        """Add what differs in a core table."""
        self._add(table, cells, is_of_both=table.name in self._before.tables and table.name in self._after.tables)

    def compare_marts(self, *, counts_only: bool, unlike: Mapping[str, Unlike] | None = None) -> ReleaseDiff:
        """Compare the marts of the newer release, whose files are there, with those of the older one."""
        old, new = (Snapshot(replace(one.of, tables=one.of.marts), one.files) for one in (self._before, self._after))
        both = old.tables.keys() & new.tables.keys()
        self._causes.with_marts({name: new.paths(name) for name in both if old.tables[name] != new.tables[name]})
        add = lambda table, cells: self._add(table, cells, is_of_both=table.name in both)  # noqa: E731 - a line
        return compared(old, new, add, counts_only=counts_only, unlike=unlike)

    def _add(self, table: TableDiff, cells: pl.DataFrame, *, is_of_both: bool) -> None:
        caused = self._causes.of(table.name, cells, is_of_both=is_of_both)
        self._parts += [columns_folded(table), folded(caused)]
        if self._to:
            self._to(caused)


class SinceParent:
    """Why a release differs from its parent; known once `of` was called with its tables in place.

    `changes` are rows of `_changes`, none for the first release, and `tables` its core tables as they were compared;
    both are None where the parent is damaged.
    """

    def __init__(self, files: LocalFiles) -> None:
        self._files = files
        self.changes: pl.DataFrame | None = None
        self.tables: tuple[TableDiff, ...] | None = None

    def of(self, begun: Manifest, unlike: Mapping[str, Unlike] | None) -> pl.DataFrame:
        """Rows of `_changes` of a release, none where the parent is damaged. `unlike` are rows known to differ."""
        release = Snapshot(begun, self._files)
        parent = release.parent()
        if parent is None:
            self.changes = CHANGES.empty()
        elif all(map(parent.is_sound, NEEDED)):
            found = Explanation(parent, release)
            sound = without_damaged(parent, begun)
            self.tables = compared(sound, release, found.add, counts_only=True, unlike=unlike).tables
            found.compare_marts(counts_only=True, unlike=unlike)
            self.changes = found.changes
        return CHANGES.empty() if self.changes is None else self.changes
