"""Copying a release's database without a person: into a new file, so that no free block holds what was masked.

It is made from the old file, of whichever paperlake: tables, views, macros and comments are copied as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import duckdb
import polars as pl

from warehouse.erasing.person import Person
from warehouse.release.database import LAYOUT
from warehouse.release.erasing.masking import masked_frame, words_in
from warehouse.schema.about_tables import ABOUT_TABLES
from warehouse.schema.about_tables import TABLES as TABLES_LIST
from warehouse.schema.ddl import literal, qualified, quoted

Amend = Callable[[str, pl.DataFrame], pl.DataFrame]
TABLES = """
SELECT schema_name, table_name, list(column_name) FILTER (data_type LIKE '%VARCHAR%' OR data_type = 'JSON')
FROM duckdb_tables() JOIN duckdb_columns() USING (database_name, schema_name, table_name, table_oid)
WHERE database_name = 'old' AND NOT duckdb_tables.internal GROUP BY ALL ORDER BY min(table_oid)
"""


class Stored(NamedTuple):
    """A table of the database, and those of its columns that have text."""

    schema: str
    name: str
    texts: list[str] | None

    @property
    def place(self) -> str:
        return f"old.{quoted(self.schema)}.{quoted(self.name)}"


def copied(source: Path, target: Path, person: Person, amend: Amend) -> dict[str, dict[str, int]]:
    """Write the database with the person masked; the number of changed rows, by table and column.

    `amend` updates what a table says of pages that were rewritten.
    """
    changed = {}
    with duckdb.connect() as connection:
        connection.execute("SET experimental_metadata_reuse = false")
        connection.execute(f"ATTACH {literal(str(source))} AS old (READ_ONLY)")
        connection.execute(f"ATTACH {literal(str(target))} AS lake ({LAYOUT})")
        connection.execute("COPY FROM DATABASE old TO lake (SCHEMA)")
        connection.execute("BEGIN")
        for table in map(Stored._make, connection.execute(TABLES).fetchall()):
            if found := _fill(connection, table, person, amend):
                changed[table.name] = found
        connection.execute("COMMIT")
        connection.execute("DETACH lake")
    return changed


def hits_in(source: Path, person: Person) -> tuple[dict[str, dict[str, int]], int]:
    """The number of rows with something of the person, by table and column; and how often a login remains as a word."""
    found: dict[str, dict[str, int]] = {}
    words = 0
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH {literal(str(source))} AS old (READ_ONLY)")
        for table in map(Stored._make, connection.execute(TABLES).fetchall()):
            if _has_any(connection, table, person):
                frame = connection.sql(f"FROM {table.place}").pl()
                masked, changed = masked_frame(person, frame)
                words += words_in(person, masked)
                found |= {table.name: changed} if changed else {}
    return found, words


def _fill(connection: duckdb.DuckDBPyConnection, table: Stored, person: Person, amend: Amend) -> dict[str, int]:
    new = f"lake.{quoted(table.schema)}.{quoted(table.name)}"
    if not _has_any(connection, table, person) and table.name != "captures":
        connection.execute(f"INSERT INTO {new} SELECT * FROM {table.place}")  # noqa: S608
        return {}
    frame = connection.sql(f"FROM {table.place}").pl()
    masked, changed = masked_frame(person, frame)
    connection.register("_masked", amend(table.name, masked).to_arrow())
    connection.execute(f"INSERT INTO {new} BY NAME SELECT * FROM _masked")  # noqa: S608
    connection.unregister("_masked")
    return changed


def _has_any(connection: duckdb.DuckDBPyConnection, table: Stored, person: Person) -> bool:
    """Whether the coarse pattern matches in any column of text, at any depth."""
    looks = " OR ".join(f"regexp_matches({quoted(name)}::VARCHAR, $1)" for name in table.texts or ())
    if not looks:
        return False
    query = f"SELECT 1 FROM {table.place} WHERE {looks} LIMIT 1"  # noqa: S608
    return bool(connection.execute(query, [person.either]).fetchall())


def rows_of(changed: dict[str, dict[str, int]]) -> Iterator[tuple[str, str, int]]:
    """Counts by table and column as tuples: table, column, number of rows."""
    for table, columns in changed.items():
        for column, rows in columns.items():
            yield table, column, rows


def about_tables(source: Path, person: Person, row_counts: Mapping[str, int]) -> dict[str, pl.DataFrame]:
    """The tables about the release in its database, with the person masked and these row counts of core tables."""
    frames = {}
    with duckdb.connect(str(source), read_only=True) as connection:
        for table in ABOUT_TABLES:
            frame, _ = masked_frame(person, table.conform(connection.sql(f"FROM {qualified(table)}").pl()))
            frames[table.name] = frame
    counted = pl.col("table_name").replace_strict(row_counts, default=None, return_dtype=pl.Int64)
    tables = frames[TABLES_LIST.name]
    count = pl.coalesce(pl.when(pl.col("layer") == "core").then(counted), pl.col("row_count"))
    frames[TABLES_LIST.name] = tables.with_columns(count.cast(tables.schema["row_count"]).alias("row_count"))
    return frames
