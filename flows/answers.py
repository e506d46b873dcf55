"""Answers of the latest release as text: a table for a person, JSON or CSV for a script."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO

import msgspec

from warehouse.database import query
from warehouse.errors import UsageError

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

ROWS_AT_A_TIME = 1_000
ROWS_SHOWN = 1_000  # of a table on a terminal; JSON and CSV give all

TABLES = """
SELECT schema_name AS layer, table_name AS "table", estimated_size AS "rows", comment AS meaning
FROM duckdb_tables() WHERE database_name = current_database()
UNION ALL
SELECT schema_name, view_name, NULL, comment
FROM duckdb_views() WHERE database_name = current_database() AND NOT internal AND schema_name = 'mart'
ORDER BY layer, "table"
"""
COLUMNS = """
SELECT column_name AS "column", data_type AS type, comment AS meaning
FROM duckdb_columns()
WHERE database_name = current_database() AND schema_name IN ('core', 'mart') AND table_name = ?
ORDER BY column_index
"""


def write_answer(path: Path, sql: str, output_format: Literal["table", "json", "csv"], out: TextIO) -> None:
    """Write the rows of one query, a thousand at a time."""
    writers = {"table": _write_table, "json": _write_json, "csv": _write_csv}
    with query(path, sql) as relation:
        writers[output_format](relation, out)


def _write_table(relation: DuckDBPyRelation, out: TextIO) -> None:
    width = max(shutil.get_terminal_size((160, 40)).columns, 40)
    relation.limit(ROWS_SHOWN).show(max_width=width, max_rows=ROWS_SHOWN)
    out.flush()


def _rows(relation: DuckDBPyRelation) -> Iterator[tuple[Any, ...]]:
    while rows := relation.fetchmany(ROWS_AT_A_TIME):
        yield from rows


def _write_json(relation: DuckDBPyRelation, out: TextIO) -> None:
    """One array of objects, a row a line. Instants are ISO 8601 in UTC, days ISO days; what is no number is null."""
    encode = msgspec.json.Encoder().encode
    separator = "[\n"
    for row in _rows(relation):
        out.write(separator + encode(dict(zip(relation.columns, row, strict=True))).decode())
        separator = ",\n"
    out.write("[]\n" if separator == "[\n" else "\n]\n")


def _write_csv(relation: DuckDBPyRelation, out: TextIO) -> None:
    writer = csv.writer(out)
    writer.writerow(relation.columns)
    writer.writerows(_rows(relation))


def write_tables(path: Path, out: TextIO) -> None:
    write_answer(path, TABLES, "table", out)


def write_columns(path: Path, name: str, out: TextIO) -> None:
    """The columns of one table; UsageError where there is no such table."""
    with query(path, COLUMNS, [name]) as relation:
        if not relation.fetchone():
            raise UsageError(f'there is no table {name!r}; "paperlake tables" lists them')
    with query(path, COLUMNS, [name]) as relation:
        _write_table(relation, out)
