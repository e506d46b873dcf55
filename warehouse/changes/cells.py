"""The cells that differ between two states of a table, matched by the table's key: one row per cell.

A row that only one of them has is one cell, of column `*`. `was_null` says that the cell had no value before;
`paper_id`, `capture_id` and `listed_on` are those of the row, as text, where the table has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import duckdb
import polars as pl

from warehouse.release.parquet import Differing
from warehouse.schema.catalog import WHOLE_ROW
from warehouse.schema.ddl import quoted

OLD: Final = " before"  # behind the name of a column: its value on the older side
PLACES: Final = ("paper_id", "capture_id", "listed_on")
CELLS: Final = pl.Schema(
    dict.fromkeys(("table_name", "change", "key", "column_name"), pl.String())
    | {"was_null": pl.Boolean()}
    | dict.fromkeys(PLACES, pl.String())
)

MATCHED: Final = pl.Schema(
    {"change": pl.String(), "columns": pl.List(pl.String), "filled": pl.List(pl.String), "key": pl.String()}
    | dict.fromkeys(PLACES, pl.String())
)

OF_WHOLE_ROWS: Final = (
    pl.lit([WHOLE_ROW], pl.List(pl.String)).alias("columns"),
    pl.lit([], pl.List(pl.String)).alias("filled"),
)


def match(
    connection: duckdb.DuckDBPyConnection,
    rows: Differing,
    key: Sequence[str],
    both: Sequence[str],
    shared: Sequence[str],
) -> pl.DataFrame:
    """One row per key that differs: the change, the columns of `both` that differ, and those that were null before.

    `shared` are all columns that the two sides have. The `key` is a list of its values as DuckDB writes them, in JSON.
    """
    unlike = [pl.col(name).cast(pl.String) for name in key if rows.gone.schema[name] != rows.new.schema[name]]
    gone, new = rows.gone.with_columns(unlike), rows.new.with_columns(unlike)
    removed, added = Differing(gone, new).of_one_side(key)
    kinds = {"added": added, "removed": removed}
    if both:
        kinds["changed"] = new.join(gone.select(*key, *both), on=key, how="inner", nulls_equal=True, suffix=OLD)
    places = [
        (pl.col(name).cast(pl.String) if name in shared else pl.lit(None, pl.String)).alias(name) for name in PLACES
    ]
    parts, keys = [], []
    for change, found in kinds.items():
        if found.is_empty():
            continue
        columns = _of_pairs(found, both) if change == "changed" else OF_WHOLE_ROWS
        told = found.with_columns(pl.lit(change).alias("change"), *columns, *places)
        parts.append(told.select("change", "columns", "filled", *PLACES))
        keys.append(found.select(key))
    if not parts:
        return MATCHED.to_frame()
    connection.register("_keys", pl.concat(keys).to_arrow())
    values = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in key)
    texts = connection.sql(f"SELECT to_json([{values}])::VARCHAR AS key FROM _keys").pl()  # noqa: S608
    matched = pl.concat(parts).with_columns(texts["key"]).select(MATCHED.names())
    return matched.filter(pl.col("columns").list.len() > 0)


def _of_pairs(pairs: pl.DataFrame, both: Sequence[str]) -> Iterator[pl.Expr]:
    """The names of columns that differ in a pair of rows, and of those that had no value before."""
    differ = {name: _differs(pairs, name) for name in both}
    filled = {name: pl.col(name + OLD).is_null() & pl.col(name).is_not_null() for name in both}
    for alias, tests in (("columns", differ), ("filled", filled)):
        names = [pl.when(test).then(pl.lit(name)) for name, test in tests.items()]
        yield pl.concat_list(names).list.drop_nulls().alias(alias)


def _differs(pairs: pl.DataFrame, name: str) -> pl.Expr:
    """Whether a column differs in a pair of rows; as text where it has another type than before."""
    new, old = pl.col(name), pl.col(name + OLD)
    kinds = pairs.schema[name], pairs.schema[name + OLD]
    if kinds[0] == kinds[1] or all(kind.is_numeric() for kind in kinds):
        return new.ne_missing(old)
    if any(kind.is_nested() for kind in kinds):
        return new.is_not_null() | old.is_not_null()
    return new.cast(pl.String).ne_missing(old.cast(pl.String))


def cells_of(matched: pl.DataFrame, name: str) -> pl.DataFrame:
    """The cells that `match` found to differ in the table of this name, one row per cell."""
    cells = matched.explode("columns").rename({"columns": "column_name"})
    was_null = pl.col("filled").list.contains(pl.col("column_name"))
    return cells.select(pl.lit(name).alias("table_name"), pl.all(), was_null=was_null).select(CELLS.names())
