"""What changed between two releases, for programs: the rows, and how many cells and rows by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from warehouse.errors import NothingThere
from warehouse.release import moves
from warehouse.store.local_files import local_files
from warehouse.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from warehouse.changes.step_chain import TableChanges
    from warehouse.release.manifest import Latest, Manifest, Parent

CHANGED: Final = ("table_name", "change", "column_name", "cause", "cell_count")


def rows_since(store: Store, to: Parent, since: str, past: Sequence[Latest], *, whole: bool) -> dict[str, TableChanges]:
    """What to delete and insert, by table, to come from one release to a later one; the first may be dropped by now.

    NothingThere where it was never published, StepsMissing where no steps lead on from it.
    """
    from warehouse.changes.step_chain import changes_between

    older = None
    try:
        older = moves.published(store, since, past)
    except NothingThere:
        if since not in {move.version for move in past}:
            raise
    with local_files(store) as files:
        return changes_between(files, to, since, older, whole=whole)


def causes_since(store: Store, older: Manifest, newer: Manifest) -> pl.DataFrame:
    """How many cells and rows differ between two releases, each with its cause, found file by file."""
    import polars as pl

    from warehouse.changes.explain import diff_with_causes

    found = diff_with_causes(store, older, newer)
    rows = [(one.table, one.change, one.column, one.cause, one.count) for one in found.why]
    return pl.DataFrame(rows, dict.fromkeys(CHANGED[:4], pl.String) | {CHANGED[4]: pl.Int64}, orient="row")
