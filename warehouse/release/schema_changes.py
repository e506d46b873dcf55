"""Which core tables of a release have other columns than are declared today, and what can be read of them.

Only what has changed itself is made anew: a table whose declaration changed, and everything from raw where it is one
of those that hold what was read. Marts and comments count for nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import polars as pl

from warehouse.release.draft import is_sound
from warehouse.release.manifest import Manifest, TableFiles
from warehouse.schema.table import Table
from warehouse.schema.tables import CORE_TABLES, SCHEMA_VERSION, schema_digest


def has_declared_columns(table: Table, described: Iterable[TableFiles], path_of: Callable[[str], Path]) -> bool:
    """Whether a release has the table with the columns that are declared.

    Releases of an older paperlake keep no digest of a table: there its sound Parquet files show the columns.
    """
    found = next((one for one in described if one.name == table.name), None)
    if found is None or found.schema_sha256:
        return found is not None and found.schema_sha256 == schema_digest(table)
    sound = (path_of(file.key) for file in found.files if is_sound(file, path_of))
    return all(pl.read_parquet_schema(path) == table.schema for path in sound)


def changed_tables(described: Iterable[TableFiles], path_of: Callable[[str], Path]) -> frozenset[str]:
    """Names of the core tables that a release lacks or has with other columns, and of those declared no more."""
    held = {one.name: one for one in described}
    unchanged = {table.name for table in CORE_TABLES if has_declared_columns(table, held.values(), path_of)}
    return frozenset({table.name for table in CORE_TABLES} ^ held.keys() | held.keys() - unchanged)


def next_schema_version(parent: Manifest | None, changed: frozenset[str]) -> int:
    """The same as long as the columns of the core tables are, along a chain of releases."""
    return parent.schema_version + bool(changed) if parent else SCHEMA_VERSION


def read_common(table: Table, described: Iterable[TableFiles], path_of: Callable[[str], Path]) -> pl.DataFrame:
    """A release's table with today's columns: one that it lacks, or has with another type, is null throughout."""
    keys = [file.key for one in described if one.name == table.name for file in one.files]
    parts = [_common(table, pl.read_parquet(path_of(key))) for key in keys]
    return table.conform(pl.concat([table.empty(), *parts], how="diagonal"))


def _common(table: Table, stored: pl.DataFrame) -> pl.DataFrame:
    return stored.select(name for name, dtype in table.schema.items() if stored.schema.get(name) == dtype)
