"""Turning a copy of a release's database into that of the next release: only rows that differ are replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb
import polars as pl

from warehouse.release import about
from warehouse.release.changes.cells import Unlike, rows_unlike
from warehouse.release.cohorts.touched import Touched
from warehouse.schema.ddl import qualified, quoted
from warehouse.schema.mart import in_order_of_creation
from warehouse.schema.table import Table
from warehouse.schema.tables import CORE_TABLES, MART_TABLES


class Changed(NamedTuple):
    """The files of a table that only the previous release has, and those that only the new one has."""

    gone: Sequence[Path]
    new: Sequence[Path]


def replace_rows(
    connection: duckdb.DuckDBPyConnection, changed: Mapping[str, Changed], about_tables: about.Frames
) -> dict[str, Unlike]:
    """Replace the rows that differ in these files, and what follows from them, in the database in use; returns them."""
    unlike: dict[str, Unlike] = {}
    examples, touched = about.examples_in(connection), Touched(connection)

    def replaced(table: Table, before: pl.DataFrame, after: pl.DataFrame) -> bool:
        gone, new = rows_unlike(before, after)
        rows = Unlike(gone, new.sort(table.order or table.key, nulls_last=False))
        if rows.gone.is_empty() and rows.new.is_empty():
            return False
        _replace(connection, table, rows)
        examples[table.name] = about.examples_after(connection, table, rows, examples[table.name])
        unlike[table.name] = rows
        return True

    connection.execute("BEGIN")
    for table in (table for table in CORE_TABLES if table.name in changed):
        sides = (pl.concat([table.empty(), *map(pl.read_parquet, paths)]) for paths in changed[table.name])
        if replaced(table, *sides):
            touched.note(table)
    touched.noted_all()
    for mart in in_order_of_creation(MART_TABLES):
        if not mart.is_view:
            replaced(mart, *touched.rows(mart))
        elif mart.name in examples:
            examples[mart.name] = about.lowest_of(connection, mart)
    about.write(connection, about_tables, examples)
    return unlike


def _replace(connection: duckdb.DuckDBPyConnection, table: Table, rows: Unlike) -> None:
    """Delete the old rows and insert the new ones; they stay registered as `_gone` and `_new` until the next call."""
    for name, frame in zip(("_gone", "_new"), rows, strict=True):
        connection.register(name, frame.to_arrow())
    if not rows.gone.is_empty():
        same = " AND ".join(f"held.{quoted(name)} IS NOT DISTINCT FROM _gone.{quoted(name)}" for name in table.key)
        connection.execute(f"DELETE FROM {qualified(table)} AS held USING _gone WHERE {same}")  # noqa: S608
    if not rows.new.is_empty():
        connection.execute(f"INSERT INTO {qualified(table)} FROM _new")
