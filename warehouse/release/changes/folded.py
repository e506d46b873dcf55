"""Cells grouped by table, kind of change, column and cause: how many there are, and the first of their keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import polars as pl

from warehouse.release.changes.diff import TableDiff
from warehouse.schema.changes.causes import CAUSES, CHANGES, KEYS_SHOWN

BY: Final = ("table_name", "change", "column_name", "cause")


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


def joined_folds(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    return CHANGES.conform(pl.concat([CHANGES.empty(), *parts]))
