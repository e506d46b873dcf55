"""The declarations of every table."""

from warehouse.tables.core import CORE_TABLES
from warehouse.tables.mart import MART_TABLES

ALL_TABLES = CORE_TABLES + MART_TABLES
SCHEMA_VERSION = 2  # counts up when a table, a column or a type changes

__all__ = ["ALL_TABLES", "CORE_TABLES", "MART_TABLES", "SCHEMA_VERSION"]
