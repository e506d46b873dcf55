"""How the source changed since the previous release: found when a draft is made, and kept in it."""

from __future__ import annotations

import polars as pl

from transforms.collect.source_paths import drift
from warehouse.release.manifest import Manifest
from warehouse.release.schema_changes import has_declared_columns
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.schema_paths import SCHEMA_PATHS


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
