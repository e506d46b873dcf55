"""The DuckDB file of a release, assembled from its Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

import duckdb

from warehouse.query import Database, opened
from warehouse.render.ddl import comments, create_schemas, create_table, literal, qualified, quoted
from warehouse.table import Table
from warehouse.tables import ALL_TABLES, CORE_TABLES, MART_TABLES
from warehouse.tables.mart_time import FIELDS
from warehouse.tables.pages import SIGHTINGS
from warehouse.tables.people import PAPER_AUTHORS

# Clients from DuckDB 1.0 on open it; newer formats made the file no smaller (21.8 to 22.8 MB)
STORAGE_VERSION: Final = "v1.0.0"


def assemble(path: Path, parquet: Mapping[str, Sequence[Path]]) -> None:
    """Write the database: core tables from their Parquet files, marts as views, comments on everything.

    Every table and mart has a view of its name in `main`, so that names resolve without a schema in any client.
    """
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH {literal(str(path))} AS lake (STORAGE_VERSION {literal(STORAGE_VERSION)})")
        connection.execute("USE lake")
        for statement in create_schemas(ALL_TABLES):
            connection.execute(statement)
        for table in CORE_TABLES:
            connection.execute(create_table(table))
            _fill(connection, table, parquet.get(table.name, ()))
        for table in MART_TABLES:
            connection.execute(f"CREATE VIEW {qualified(table)} AS {mart_sql(table)}")
        for table in ALL_TABLES:
            for statement in comments(table):
                connection.execute(statement)
            connection.execute(f"CREATE VIEW main.{quoted(table.name)} AS FROM {qualified(table)}")
        connection.execute("USE memory")
        connection.execute("DETACH lake")


def _fill(connection: duckdb.DuckDBPyConnection, table: Table, paths: Sequence[Path]) -> None:
    if paths:
        order = ", ".join(quoted(name) for name in table.order or table.key)
        source = connection.read_parquet([str(path) for path in paths])
        source.create_view("source_files", replace=True)
        connection.execute(f"INSERT INTO {qualified(table)} SELECT * FROM source_files ORDER BY {order}")  # noqa: S608


def mart_sql(table: Table) -> str:
    """The query of a mart, from its own file."""
    sql = (files("warehouse") / "marts" / f"{table.name}.sql").read_text("utf-8")
    return sql.replace("$fields", ",\n    ".join(_fields()))


def _fields() -> Iterator[str]:
    """Rows of `source_fields`: the columns of sightings, and the author's login, as they are declared."""
    login = next(column for column in PAPER_AUTHORS.columns if column.name == "login")
    for column in (*SIGHTINGS.columns, login.but(name="author_login")):
        since = f"DATE {literal(str(column.since))}" if column.since else "NULL::DATE"
        if column.name in FIELDS:
            yield f"({literal(column.name)}, {literal(column.source)}, {since})"


def row_counts(path: Path) -> dict[str, int]:
    """Rows of each core table, as the database counts them."""
    with opened(path) as database:
        return {table.name: _row_count(database, table) for table in CORE_TABLES}


def _row_count(database: Database, table: Table) -> int:
    count: int = next(database.rows(f"SELECT count(*) FROM {qualified(table)}").rows)[0]  # noqa: S608
    return count
