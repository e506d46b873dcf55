"""Query results of the latest release: on the terminal, or into a file."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO

from flows.cli.formats import Format, table, write
from warehouse.errors import UsageError
from warehouse.release.query import Limits as QueryLimits
from warehouse.release.query import opened

TABLES = """
SELECT schema_name AS layer, table_name AS "table", estimated_size AS "rows", comment AS meaning
FROM duckdb_tables() WHERE database_name = current_database()
UNION ALL
SELECT schema_name, view_name, NULL, comment
FROM duckdb_views() WHERE database_name = current_database() AND NOT internal AND schema_name = 'mart'
UNION ALL
SELECT schema_name, function_name || '(' || array_to_string(parameters, ', ') || ')', NULL, comment
FROM duckdb_functions() WHERE database_name = current_database() AND NOT internal AND schema_name = 'mart'
ORDER BY layer, "table"
"""
COLUMNS = """
SELECT column_name AS "column", data_type AS type, comment AS meaning
FROM duckdb_columns()
WHERE database_name = current_database() AND schema_name IN ('core', 'mart', 'about') AND table_name = ?
ORDER BY column_index
"""


def write_answer(path: Path, sql: str, output_format: Format, output: Path | None, limits: QueryLimits) -> None:
    """Write the rows of one query to standard output, or to a file, which is written whole or not at all."""
    with opened(path, limits) as database:
        if output is None:
            if output_format == "parquet" and sys.stdout.isatty():
                raise UsageError("Parquet is binary, not text for a terminal; name a file with --output")
            write(database, sql, output_format, sys.stdout.buffer)
            return
        partial = output.with_name(f".{output.name}.{os.getpid()}")
        try:
            try:
                with partial.open("wb") as file:
                    write(database, sql, output_format, file)
                partial.replace(output)
            finally:
                partial.unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"--output {output} cannot be written: {error.strerror or error}") from error


def write_tables(path: Path, out: TextIO) -> None:
    with opened(path) as database:
        out.write(table(database, TABLES))


def write_columns(path: Path, name: str, out: TextIO) -> None:
    """The columns of one table; UsageError where there is no such table."""
    with opened(path) as database:
        if not any(database.rows(COLUMNS, [name]).rows):
            raise UsageError(f'there is no table {name!r}; "paperlake tables" lists them')
        out.write(table(database, COLUMNS, name))
