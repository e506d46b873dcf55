"""The cells that differ between two states of a table, matched by the table's key: one row per cell.

A row that only one of them has is one cell, of column `*`. `was_null` says that the cell had no value before;
`paper_id`, `capture_id` and `listed_on` are those of the row, as text, where the table has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import duckdb
import polars as pl

from warehouse.schema.catalog.about_tables import WHOLE_ROW
from warehouse.schema.ddl import literal, quoted, same_key

MATCHED: Final = ("old", "new")  # views of the two states, with at least all rows that differ
PLACES: Final = ("paper_id", "capture_id", "listed_on")
CELLS: Final = pl.Schema(
    dict.fromkeys(("table_name", "change", "key", "column_name"), pl.String())
    | {"was_null": pl.Boolean()}
    | dict.fromkeys(PLACES, pl.String())
)


def match(
    connection: duckdb.DuckDBPyConnection, key: Sequence[str], both: Sequence[str], shared: Sequence[str] = ()
) -> pl.DataFrame:
    """One row per key that differs in views `old` and `new`: the change, columns of `both` that differ or were null.

    `shared` are all columns that the two have.
    """
    differ, filled = (
        ", ".join(f"CASE WHEN {test.format(quoted(name))} THEN {literal(name)} END" for name in both)
        for test in ("b.{0} IS DISTINCT FROM a.{0}", "b.{0} IS NULL AND a.{0} IS NOT NULL")
    )
    value = "CAST(coalesce(a.{0}, b.{0}) AS VARCHAR)"
    values = ", ".join(value.format(quoted(name)) for name in key)
    places = ", ".join(f"{value.format(name) if name in shared else 'NULL::VARCHAR'} AS {name}" for name in PLACES)
    query = f"""
        SELECT CASE WHEN b.is_here IS NULL THEN 'added' WHEN a.is_here IS NULL THEN 'removed' ELSE 'changed' END
                AS change,
            CASE WHEN change = 'changed' THEN list_filter([{differ}]::VARCHAR[], lambda name: name IS NOT NULL)
                ELSE [{literal(WHOLE_ROW)}] END AS columns,
            CASE WHEN change = 'changed' THEN list_filter([{filled}]::VARCHAR[], lambda name: name IS NOT NULL)
                ELSE [] END AS filled,
            to_json([{values}])::VARCHAR AS key, {places}
        FROM (SELECT *, true AS is_here FROM old) AS b
        FULL JOIN (SELECT *, true AS is_here FROM new) AS a ON {same_key(key, "b", "a")}
        WHERE change <> 'changed' OR len(columns) > 0
    """  # noqa: S608
    matched: pl.DataFrame = connection.sql(query).pl()
    return matched


def cells_of(matched: pl.DataFrame, name: str) -> pl.DataFrame:
    """What `match` found in the table of this name, one row per cell."""
    cells = matched.explode("columns").rename({"columns": "column_name"})
    was_null = pl.col("filled").list.contains(pl.col("column_name"))
    return cells.select(pl.lit(name).alias("table_name"), pl.all(), was_null=was_null).select(CELLS.names())
