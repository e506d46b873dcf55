"""The declarations of every table and macro."""

from __future__ import annotations

import hashlib
from typing import Final

from warehouse.schema.core import CORE_TABLES
from warehouse.schema.ddl import type_of
from warehouse.schema.macros import MACROS
from warehouse.schema.marts import MART_TABLES
from warehouse.schema.table import Table

ALL_TABLES: tuple[Table, ...] = CORE_TABLES + MART_TABLES
# The schema version of a lake's first release; a release whose core tables have other columns than its parent's adds 1
SCHEMA_VERSION: Final = 2


def widening(table: Table) -> list[Table]:
    """The tables whose columns `main` shows together with this one's."""
    return [wide for wide in ALL_TABLES if wide.widens == table.name]


def schema_digest(table: Table) -> str:
    """SHA-256 over a table's column names and types and its revision: Parquet of the same digest needs no rewriting."""
    columns = "".join(f"{column.name} {type_of(column.dtype)}\n" for column in table.columns)
    revision = f"revision {table.revision}\n" if table.revision > 1 else ""
    return hashlib.sha256(f"{columns}{revision}".encode()).hexdigest()


__all__ = ["ALL_TABLES", "CORE_TABLES", "MACROS", "MART_TABLES", "SCHEMA_VERSION", "schema_digest", "widening"]
