"""The cells that differ between two states of a table, found by the table's key: one row each.

A row that only one of them has is one cell, of column `*`. `was_null` says that the cell had no value before;
`paper_id`, `capture_id` and `listed_on` are those of the row, as text, where the table has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import duckdb
import polars as pl

from warehouse.schema.changes.causes import WHOLE_ROW
from warehouse.schema.ddl import literal, quoted
from warehouse.schema.table import Table

MATCHED: Final = ("old", "new")  # views of the files that only one of two has: all others are the same, row by row
PLACES: Final = ("paper_id", "capture_id", "listed_on")
CELLS: Final = pl.Schema(
    dict.fromkeys(("table_name", "change", "key", "column_name"), pl.String())
    | {"was_null": pl.Boolean()}
    | dict.fromkeys(PLACES, pl.String())
)


def match(
    connection: duckdb.DuckDBPyConnection, key: Sequence[str], both: Sequence[str], shared: Sequence[str] = ()
) -> None:
    """Table `matched`: the keys that differ in views `old` and `new`, how, and in which of the columns `both`.

    `shared` are all columns that the two have.
    """
    joined = " AND ".join(f"b.{quoted(name)} IS NOT DISTINCT FROM a.{quoted(name)}" for name in key) or "false"
    values = ", ".join(f"CAST(coalesce(b.{quoted(name)}, a.{quoted(name)}) AS VARCHAR)" for name in key)
    differ, filled = (
        ", ".join(f"CASE WHEN {test.format(quoted(name))} THEN {literal(name)} END" for name in both)
        for test in ("b.{0} IS DISTINCT FROM a.{0}", "b.{0} IS NULL AND a.{0} IS NOT NULL")
    )
    places = ", ".join(
        f"CAST(coalesce(a.{quoted(name)}, b.{quoted(name)}) AS VARCHAR) AS {name}"
        if name in shared
        else f"NULL::VARCHAR AS {name}"
        for name in PLACES
    )
    connection.execute(f"""
        CREATE OR REPLACE TEMP TABLE matched AS
        SELECT CASE WHEN b.is_here IS NULL THEN 'added' WHEN a.is_here IS NULL THEN 'removed' ELSE 'changed' END
                AS change,
            to_json([{values}])::VARCHAR AS key,
            CASE WHEN change = 'changed' THEN list_filter([{differ}]::VARCHAR[], lambda name: name IS NOT NULL)
                ELSE [] END AS columns,
            CASE WHEN change = 'changed' THEN list_filter([{filled}]::VARCHAR[], lambda name: name IS NOT NULL)
                ELSE [] END AS filled,
            {places}
        FROM (SELECT *, true AS is_here FROM old) AS b
        FULL JOIN (SELECT *, true AS is_here FROM new) AS a ON {joined}
        WHERE change <> 'changed' OR len(columns) > 0
    """)  # noqa: S608


def cells_matched(connection: duckdb.DuckDBPyConnection, name: str) -> pl.DataFrame:
    """What `matched` holds of this table, cell by cell."""
    query = f"""
        SELECT {literal(name)} AS table_name, change, key, column_name, list_contains(filled, column_name) AS was_null,
            {", ".join(PLACES)}
        FROM (SELECT *, unnest(CASE WHEN change = 'changed' THEN columns ELSE [{literal(WHOLE_ROW)}] END) AS column_name
              FROM matched)
    """  # noqa: S608
    return CELLS.to_frame().vstack(connection.sql(query).pl().cast(CELLS))


def cells_between(table: Table, old: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """The cells in which two frames of a table differ, bookkeeping aside."""
    if old.is_empty() and new.is_empty():
        return CELLS.to_frame()
    with duckdb.connect() as connection:
        for name, frame in zip(MATCHED, (old, new), strict=True):
            connection.register(name, frame.to_arrow())
        match(connection, table.key, told_columns(table), table.column_names)
        return cells_matched(connection, table.name)


def told_columns(table: Table) -> list[str]:
    """The columns that are compared: neither key nor bookkeeping."""
    left_out = {*table.key, *(column.name for column in table.columns if column.is_bookkeeping)}
    return [name for name in table.column_names if name not in left_out]


def caused_where_unlike(told: pl.DataFrame, unlike: pl.DataFrame, cause: str) -> pl.DataFrame:
    """Cells with a `cause`: those that have none yet get this one, where they or their rows are among the `unlike`."""
    rows = unlike.filter(column_name=WHOLE_ROW)["key"]
    here = told.join(unlike.select("key", "column_name", is_unlike=True), on=("key", "column_name"), how="left")
    is_unlike = pl.col("is_unlike").fill_null(False) | pl.col("key").is_in(rows.implode())
    found = pl.when(pl.col("cause").is_null() & is_unlike).then(pl.lit(cause)).otherwise("cause")
    return here.with_columns(cause=found).drop("is_unlike")
