"""What we did ourselves to single cells: it is the cause of their difference, whatever else happened to them."""

from __future__ import annotations

from typing import Final

import polars as pl

from warehouse.schema.changes.causes import STRENGTH, WHOLE_ROW
from warehouse.schema.table import Table

# One row a cell that was corrected, or a row of which somebody was erased, since the older release: `key` as JSON, as
# in `_changes`, and `column_name` `*` for the whole row. Figures of marts are found by `paper_id` and `column_name`
OVERRIDES: Final = pl.Schema(dict.fromkeys(("table_name", "key", "column_name", "paper_id", "cause"), pl.String()))


def overridden(table: Table, told: pl.DataFrame, overrides: pl.DataFrame) -> pl.DataFrame:
    """Cells that have a cause, with that of `overrides` where these name the cell, its row, or the figure's paper."""
    if overrides.is_empty():
        return told
    on = ("paper_id",) if table.layer == "mart" else ("table_name", "key")
    first = pl.col("cause").sort_by(pl.col("cause").replace_strict(STRENGTH)).first()
    for by, is_row in (((*on, "column_name"), False), (on, True)):
        strongest = overrides.filter((pl.col("column_name") == WHOLE_ROW) == is_row).group_by(by).agg(ours=first)
        told = told.join(strongest, on=by, how="left", maintain_order="left")
        told = told.with_columns(cause=pl.coalesce("ours", "cause")).drop("ours")
    return told
