"""Cells with their causes, folded: by table, kind of change, column and cause how many, and the first of their keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import polars as pl

from warehouse.release.changes.diff import TableDiff
from warehouse.schema.changes.causes import CAUSES, CHANGES, KEYS_SHOWN

BY: Final = ("table_name", "change", "column_name", "cause")


def folded(cells: pl.DataFrame) -> pl.DataFrame:
    """Rows of `_changes`, of cells that have a `cause`."""
    counted = cells.group_by(BY).agg(pl.len().alias("cell_count"), pl.col("key").sort().head(KEYS_SHOWN).alias("keys"))
    return CHANGES.conform(counted)


def columns_folded(table: TableDiff) -> pl.DataFrame:
    """The same of columns that came or went."""
    changed = {"column added": table.columns_added, "column removed": table.columns_gone}
    rows = [
        dict(zip((*BY, "cell_count", "keys"), (table.name, change, name, "schema", 1, []), strict=True))
        for change, names in changed.items()
        for name in names
    ]
    return pl.DataFrame(rows, schema=CHANGES.schema)


def by_cause(changes: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Causes with what they changed, the strongest first."""
    for cause in CAUSES:
        if not (found := changes.filter(cause=cause)).is_empty():
            yield cause, found


def joined_folds(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    return CHANGES.conform(pl.concat([CHANGES.empty(), *parts]))
