"""The DuckDB file of a release: assembled from its Parquet, opened read-only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Final

import duckdb

from warehouse.errors import Damaged, QueryFailed
from warehouse.render.ddl import comments, create_schemas, create_table, literal, qualified, quoted
from warehouse.table import Table
from warehouse.tables import ALL_TABLES, CORE_TABLES, MART_TABLES

# Clients from DuckDB 1.0 on open it; newer formats made the file no smaller (21.8 to 22.8 MB)
STORAGE_VERSION: Final = "v1.0.0"
SCHEMAS: Final = "core,mart"
MEMORY_LIMIT: Final = "2GB"


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
        connection.execute(f"INSERT INTO {qualified(table)} SELECT * FROM source_files ORDER BY {order}")


def mart_sql(table: Table) -> str:
    """The query of a mart, from its own file."""
    return (files("warehouse") / "marts" / f"{table.name}.sql").read_text("utf-8")


def row_counts(path: Path) -> dict[str, int]:
    """Rows of each core table, as the database counts them."""
    with opened(path) as connection:
        return {
            table.name: connection.execute(f"SELECT count(*) FROM {qualified(table)}").fetchall()[0][0]
            for table in CORE_TABLES
        }


@contextmanager
def opened(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A read-only connection that reaches nothing but the database itself, with core and mart on the search path."""
    try:
        connection = duckdb.connect(
            str(path), read_only=True, config={"memory_limit": MEMORY_LIMIT, "enable_external_access": "false"}
        )
    except duckdb.Error as error:
        raise Damaged(f"{path.name} does not open as a DuckDB database: {error}") from error
    with connection:
        connection.execute(f"SET search_path = {literal(SCHEMAS)}")
        connection.execute("SET lock_configuration = true")
        yield connection


@contextmanager
def query(path: Path, sql: str, parameters: Sequence[object] = ()) -> Iterator[duckdb.DuckDBPyRelation]:
    """The result of one query; what DuckDB says of a broken one, now or while rows are fetched, the user sees."""
    with opened(path) as connection:
        try:
            relation = connection.sql(sql, params=list(parameters) or None)
            if relation is None:
                raise QueryFailed("the statement gives no rows; ask with SELECT, FROM, SHOW or DESCRIBE")
            yield relation
        except duckdb.Error as error:
            raise QueryFailed(str(error)) from error
