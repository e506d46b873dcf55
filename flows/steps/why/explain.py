"""Why a release differs from an older one: each cell, row and figure that differs gets its cause, a table at a time."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
from msgspec.structs import replace

from flows.steps.why.causes_of import Causes
from warehouse.release.changes.diff import ReleaseDiff, TableDiff, compared
from warehouse.release.changes.folded import columns_folded, folded, joined_folds
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.core.people import PAPER_AUTHORS
from warehouse.schema.core.sightings import SIGHTINGS

NEEDED = (CAPTURES, SIGHTINGS, COVERAGE, PAPER_AUTHORS, CORRECTIONS)  # of the older release, to tell a cause


class Explanation:
    """What differs between two releases, folded by cause, as far as it was added."""

    def __init__(
        self,
        before: Snapshot[Manifest],
        after: Snapshot[Manifest | Draft],
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
        """What differs in a core table."""
        self._add(table, cells, is_of_both=table.name in self._before.tables and table.name in self._after.tables)

    def of_release(self, begun: Manifest) -> pl.DataFrame:
        """All of it, with the marts of the release that is being written."""
        self.compare_marts(begun, counts_only=True)
        return self.changes

    def compare_marts(self, after: Manifest, *, counts_only: bool) -> ReleaseDiff:
        """Compare the marts of the newer release, whose files are there, with those of the older one."""
        stored = (replace(one, tables=one.marts) for one in (self._before.of, after))
        old, new = (Snapshot(one, self._after.files) for one in stored)
        both = old.tables.keys() & new.tables.keys()
        self._causes.with_marts({name: new.paths(name) for name in both if old.tables[name] != new.tables[name]})
        add = lambda table, cells: self._add(table, cells, is_of_both=table.name in both)  # noqa: E731 - a line
        return compared(old, new, add, counts_only=counts_only)

    def _add(self, table: TableDiff, cells: pl.DataFrame, *, is_of_both: bool) -> None:
        told = self._causes.of(table.name, cells, is_of_both=is_of_both)
        self._parts += [columns_folded(table), folded(told)]
        if self._to:
            self._to(told)


def since_parent(draft: Snapshot[Draft], overrides: pl.DataFrame | None = None) -> Explanation | None:
    """Why a draft differs from the release that it follows; None before the first, and where that one is damaged."""
    parent = draft.parent()
    if parent is None or not all(map(parent.is_sound, NEEDED)):
        return None
    return Explanation(parent, draft, overrides)
