"""The cells that differ between two states of a table, matched by the table's key: one row per cell.

A row that only one of them has is one cell, of column `*`. `was_null` says that the cell had no value before;
`paper_id`, `capture_id` and `listed_on` are those of the row, as text, where the table has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import duckdb
import polars as pl

from warehouse.schema.changes.causes import WHOLE_ROW
from warehouse.schema.ddl import literal, quoted
from warehouse.schema.table import Table

MATCHED: Final = ("old", "new")  # views of the two states, with at least all rows that differ
PLACES: Final = ("paper_id", "capture_id", "listed_on")
CELLS: Final = pl.Schema(
    dict.fromkeys(("table_name", "change", "key", "column_name"), pl.String())
    | {"was_null": pl.Boolean()}
    | dict.fromkeys(PLACES, pl.String())
)


class Unlike(NamedTuple):
    """The rows of a table that only the older of two states has, and those that only the newer one has."""

    gone: pl.DataFrame
    new: pl.DataFrame


def rows_unlike(before: pl.DataFrame, after: pl.DataFrame) -> Unlike:
    """The rows that only one of two states of a table has, by hashes of 64 bits, which are taken to be unique."""
    old, new = before.hash_rows(), after.hash_rows()
    return Unlike(before.filter(~old.is_in(new.implode())), after.filter(~new.is_in(old.implode())))


def match(
    connection: duckdb.DuckDBPyConnection, key: Sequence[str], both: Sequence[str], shared: Sequence[str] = ()
) -> pl.DataFrame:
    """One row per key that differs in views `old` and `new`: the change, columns of `both` that differ or were null.

    `shared` are all columns that the two have.
    """
    joined = " AND ".join(f"b.{quoted(name)} IS NOT DISTINCT FROM a.{quoted(name)}" for name in key) or "false"
    differ, filled = (
        ", ".join(f"CASE WHEN {test.format(quoted(name))} THEN {literal(name)} END" for name in both)
        for test in ("b.{0} IS DISTINCT FROM a.{0}", "b.{0} IS NULL AND a.{0} IS NOT NULL")
    )
    query = f"""
        SELECT CASE WHEN b.is_here IS NULL THEN 'added' WHEN a.is_here IS NULL THEN 'removed' ELSE 'changed' END
                AS change,
            CASE WHEN change = 'changed' THEN list_filter([{differ}]::VARCHAR[], lambda name: name IS NOT NULL)
                ELSE [{literal(WHOLE_ROW)}] END AS columns,
            CASE WHEN change = 'changed' THEN list_filter([{filled}]::VARCHAR[], lambda name: name IS NOT NULL)
                ELSE [] END AS filled,
            {_key_and_places("coalesce(a.{0}, b.{0})", key, shared)}
        FROM (SELECT *, true AS is_here FROM old) AS b
        FULL JOIN (SELECT *, true AS is_here FROM new) AS a ON {joined}
        WHERE change <> 'changed' OR len(columns) > 0
    """  # noqa: S608
    matched: pl.DataFrame = connection.sql(query).pl()
    return matched


def match_rows(
    connection: duckdb.DuckDBPyConnection, rows: Unlike, key: Sequence[str], both: Sequence[str]
) -> pl.DataFrame:
    """As `match`, of these rows. Where all were added or all removed, as mostly in a day's build, nothing is joined."""
    for name, frame in zip(MATCHED, rows, strict=True):
        connection.register(name, frame.to_arrow())
    if not (rows.gone.is_empty() or rows.new.is_empty()):
        return match(connection, key, both, rows.new.columns)
    view, change = ("new", "added") if rows.gone.is_empty() else ("old", "removed")
    query = f"""
        SELECT {literal(change)} AS change, [{literal(WHOLE_ROW)}] AS columns, []::VARCHAR[] AS filled,
            {_key_and_places("{0}", key, rows.new.columns)}
        FROM {view}
    """  # noqa: S608
    matched: pl.DataFrame = connection.sql(query).pl()
    return matched


def _key_and_places(value: str, key: Sequence[str], shared: Sequence[str]) -> str:
    """SQL for a row's `key` and PLACES as text; `value` is the template for one column."""
    values = ", ".join(f"CAST({value.format(quoted(name))} AS VARCHAR)" for name in key)
    found = (f"CAST({value.format(quoted(name))} AS VARCHAR)" if name in shared else "NULL::VARCHAR" for name in PLACES)
    places = ", ".join(f"{text} AS {name}" for text, name in zip(found, PLACES, strict=True))
    return f"to_json([{values}])::VARCHAR AS key, {places}"


def cells_of(matched: pl.DataFrame, name: str) -> pl.DataFrame:
    """What `match` found in the table of this name, one row per cell."""
    cells = matched.explode("columns").rename({"columns": "column_name"})
    was_null = pl.col("filled").list.contains(pl.col("column_name"))
    return cells.select(pl.lit(name).alias("table_name"), pl.all(), was_null=was_null).select(CELLS.names())


def cells_between(table: Table, rows: Unlike) -> pl.DataFrame:
    """The cells in which two frames of a table differ, bookkeeping aside."""
    if rows.gone.is_empty() and rows.new.is_empty():
        return CELLS.to_frame()
    with duckdb.connect() as connection:
        return cells_of(match_rows(connection, rows, table.key, compared_columns(table)), table.name)


def compared_columns(table: Table) -> list[str]:
    """The columns that are compared: neither key nor bookkeeping."""
    left_out = {*table.key, *(column.name for column in table.columns if column.is_bookkeeping)}
    return [name for name in table.column_names if name not in left_out]


def caused_where_unlike(cells: pl.DataFrame, unlike: pl.DataFrame, cause: str) -> pl.DataFrame:
    """Cells with `cause` filled in where it is null, and the cell or its whole row is among `unlike`."""
    rows = unlike.filter(column_name=WHOLE_ROW)["key"]
    here = cells.join(unlike.select("key", "column_name", is_unlike=True), on=("key", "column_name"), how="left")
    is_unlike = pl.col("is_unlike").fill_null(False) | pl.col("key").is_in(rows.implode())
    found = pl.when(pl.col("cause").is_null() & is_unlike).then(pl.lit(cause)).otherwise("cause")
    return here.with_columns(cause=found).drop("is_unlike")
