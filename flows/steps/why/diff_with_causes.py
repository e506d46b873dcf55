"""`paperlake diff --why`: compares two releases, and gives each difference its cause, those of the marts too."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import polars as pl
from msgspec.structs import replace

from flows.steps.why.explain import Explanation
from warehouse.errors import UsageError
from warehouse.release.changes.diff import CauseCount, ReleaseDiff, compared
from warehouse.release.changes.folded import BY
from warehouse.release.manifest import Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.store.local_files import local_files
from warehouse.store.store import Store

KEYED: Final = ("table_name", "change", "key", "column_name", "cause")


def diff_with_causes(store: Store, before: Manifest, after: Manifest, keys_to: Path | None = None) -> ReleaseDiff:
    """The comparison of two releases, the older one first, with `why`.

    With `keys_to`, each cell, row and figure with its cause is written there as Parquet. UsageError where `before` is
    the newer one.
    """
    older, newer = ([int(part) for part in one.version.split(".")] for one in (before, after))
    if newer < older:
        raise UsageError(f"--why compares an older release with a newer one; name {after.version} first")
    cells: list[pl.DataFrame] = []
    with local_files(store) as files:
        old, new = Snapshot(before, files), Snapshot(after, files)
        found = Explanation(old, new, to=cells.append if keys_to else None)
        core, marts = compared(old, new, found.add), found.compare_marts(counts_only=False)
    if keys_to:
        keyed = pl.concat([pl.DataFrame(schema=dict.fromkeys(KEYED, pl.String)), *(one.select(KEYED) for one in cells)])
        keyed.sort(KEYED).write_parquet(keys_to)
    return replace(
        core,
        tables=core.tables + marts.tables,
        unchanged=core.unchanged + marts.unchanged,
        left_out=tuple(sorted({*core.left_out, *marts.left_out})),
        why=tuple(CauseCount(*row) for row in found.changes.select(*BY, "cell_count").iter_rows()),
    )
