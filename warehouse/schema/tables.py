"""The declarations of every table and macro."""

from __future__ import annotations

import hashlib

from warehouse.schema.core import CORE_TABLES
from warehouse.schema.macros import MACROS
from warehouse.schema.marts import MART_TABLES
from warehouse.schema.table import Table

ALL_TABLES: tuple[Table, ...] = CORE_TABLES + MART_TABLES
SCHEMA_VERSION = 2  # counts up when a table, a column or a type changes


def widening(table: Table) -> list[Table]:
    """The tables whose columns `main` shows together with this one's."""
    return [wide for wide in ALL_TABLES if wide.widens == table.name]


def schema_digest() -> str:
    """SHA-256 over the names and types of all columns of all tables: what SCHEMA_VERSION stands for."""
    columns = (f"{table.name}.{name} {dtype}\n" for table in ALL_TABLES for name, dtype in table.schema.items())
    return hashlib.sha256("".join(columns).encode()).hexdigest()


__all__ = ["ALL_TABLES", "CORE_TABLES", "MACROS", "MART_TABLES", "SCHEMA_VERSION", "schema_digest", "widening"]
