"""The DuckDB file of a release, assembled from its Parquet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import duckdb
import polars as pl

from warehouse.release import about
from warehouse.release.query import opened
from warehouse.schema.ddl import (
    comments,
    create_macro,
    create_main_view,
    create_schemas,
    create_table,
    literal,
    qualified,
    quoted,
)
from warehouse.schema.mart import Mart, in_order_of_creation
from warehouse.schema.table import Table
from warehouse.schema.tables import ALL_TABLES, CORE_TABLES, MACROS, MART_TABLES, widening

# Clients from DuckDB 1.2 on open it: the storage before that takes 1 MiB for what every client reads when it attaches
# the file, in place of 0.2. Over HTTP a client reads whole blocks; what blocks smaller than 64 KiB save in bytes they
# cost in requests (bench/RESULTS.md).
LAYOUT: Final = "STORAGE_VERSION 'v1.2.0', BLOCK_SIZE 65536"


def assemble(path: Path, parquet: Mapping[str, Sequence[Path]], about_tables: about.Frames | None = None) -> None:
    """Write the database: core tables from their Parquet files, marts, macros, comments on everything.

    `about_tables` are those on the release itself (warehouse/release/about.py), if it is a release.
    Every table, mart and macro has one of its name in `main`, so that names resolve without a schema in any client.
    OSError where there is no room for it.
    """
    failure = ""
    try:
        _assemble(path, parquet, about_tables)
    except (duckdb.IOException, duckdb.TransactionException) as error:  # the second: it could not commit
        failure = str(error)
    if failure:  # raised here, so that no traceback keeps the connection: at its end the process would report leaks
        raise OSError(failure)


def _assemble(path: Path, parquet: Mapping[str, Sequence[Path]], about_tables: about.Frames | None) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH {literal(str(path))} AS lake ({LAYOUT})")
        connection.execute("USE lake")
        connection.execute("BEGIN")  # a statement by itself is synced to the disk, and there are a thousand
        for statement in create_schemas(ALL_TABLES):
            connection.execute(statement)
        for table in CORE_TABLES:
            connection.execute(create_table(table))
            _fill(connection, table, parquet.get(table.name, ()))
        for mart in in_order_of_creation(MART_TABLES):
            connection.execute(f"CREATE VIEW {qualified(mart)} AS {mart.sql}" if mart.is_view else create_table(mart))
            if not mart.is_view:
                connection.execute(f"INSERT INTO {qualified(mart)} {mart.sql}")
        for table in ALL_TABLES:
            for statement in comments(table):
                connection.execute(statement)
            connection.execute(create_main_view(table, widening(table)))
        for macro in MACROS:
            for statement in create_macro(macro):
                connection.execute(statement)
        if about_tables is not None:
            about.write(connection, about_tables)
        connection.execute("COMMIT")
        connection.execute("USE memory")
        connection.execute("DETACH lake")


def _fill(connection: duckdb.DuckDBPyConnection, table: Table, paths: Sequence[Path]) -> None:
    if paths:
        order = ", ".join(quoted(name) for name in table.order or table.key)
        source = f"read_parquet([{', '.join(literal(str(path)) for path in paths)}])"
        connection.execute(f"INSERT INTO {qualified(table)} SELECT * FROM {source} ORDER BY {order}")  # noqa: S608


def marts(path: Path) -> Iterator[tuple[Table, pl.DataFrame]]:
    """The marts that the database stores, each conforming to its declaration."""
    with duckdb.connect(str(path), read_only=True) as connection:
        for table in MART_TABLES:
            if not table.is_view:
                yield table, table.conform(connection.sql(f"FROM {qualified(table)}").pl())


def mart_of(mart: Mart, read: Callable[[Table], pl.DataFrame]) -> pl.DataFrame:
    """A mart made of core tables alone, before there is a database of the release."""
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA core")
        for table in CORE_TABLES:
            if re.search(rf"\bcore\.{table.name}\b", mart.sql):
                connection.from_arrow(read(table).to_arrow()).create(qualified(table))
        return mart.conform(connection.sql(mart.sql).pl())


def row_counts(path: Path, **names: Iterable[str]) -> dict[str, int]:
    """Rows of the tables of these names, by their layer, as the database counts them."""
    with opened(path) as database:
        return {
            name: next(database.rows(f"SELECT count(*) FROM {quoted(layer)}.{quoted(name)}").rows)[0]  # noqa: S608
            for layer, named in names.items()
            for name in named
        }
