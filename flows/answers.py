"""Answers of the latest release as text: a table for a person, JSON or CSV for a script."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TextIO

import msgspec

from warehouse.errors import UsageError
from warehouse.query import Answer, Database, opened

ROWS_SHOWN = 1_000  # of a table on a terminal; JSON and CSV give all

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
WHERE database_name = current_database() AND schema_name IN ('core', 'mart') AND table_name = ?
ORDER BY column_index
"""


def write_answer(path: Path, sql: str, output_format: Literal["table", "json", "csv"], out: TextIO) -> None:
    """Write the rows of one query; JSON and CSV a thousand at a time."""
    with opened(path) as database:
        if output_format == "table":
            _write_table(database, sql, out)
        else:
            {"json": _write_json, "csv": _write_csv}[output_format](database.rows(sql), out)


def _write_table(database: Database, sql: str, out: TextIO, parameters: Sequence[object] = ()) -> None:
    width = max(shutil.get_terminal_size((160, 40)).columns, 40)
    out.write(database.box(sql, parameters, width=width, rows=ROWS_SHOWN))


def _write_json(answer: Answer, out: TextIO) -> None:
    """One array of objects, a row a line. Instants are ISO 8601 in UTC, days ISO days; what is no number is null."""
    encode = msgspec.json.Encoder().encode
    separator = "[\n"
    for row in answer.rows:
        out.write(separator + encode(dict(zip(answer.columns, row, strict=True))).decode())
        separator = ",\n"
    out.write("[]\n" if separator == "[\n" else "\n]\n")


def _write_csv(answer: Answer, out: TextIO) -> None:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows(answer.rows)


def write_tables(path: Path, out: TextIO) -> None:
    with opened(path) as database:
        _write_table(database, TABLES, out)


def write_columns(path: Path, name: str, out: TextIO) -> None:
    """The columns of one table; UsageError where there is no such table."""
    with opened(path) as database:
        if not any(database.rows(COLUMNS, [name]).rows):
            raise UsageError(f'there is no table {name!r}; "paperlake tables" lists them')
        _write_table(database, COLUMNS, out, [name])
