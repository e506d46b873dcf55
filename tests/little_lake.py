"""Databases of invented pages: a few tables and macros in memory, made in milliseconds, and the whole of a release in a
file, for half of what it takes a release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import polars as pl
import pytest

from tests.builders import frame
from tests.derived import OF_SIGHTINGS, derive
from tests.linkage import identify
from transforms.collect.collect import Collected, collect, read_page
from transforms.corrections import NONE
from warehouse.archive.captured import Capture
from warehouse.limits import QueryLimits
from warehouse.release.database import assemble
from warehouse.release.query import Database
from warehouse.schema.catalog import ALL_TABLES, CORE_TABLES, MACROS, MART_TABLES
from warehouse.schema.core.captures import CAPTURES, QUARANTINE, SCHEMA_PATHS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.ddl import create_macro, create_schemas, create_table, qualified
from warehouse.schema.mart import in_order_of_creation
from warehouse.schema.marts.paper_status import PAPER_PUBLICATIONS, PAPER_STATUS

READ = ("papers", "paper_authors", "paper_observations", "daily_listings", "paper_texts")


def tables_of(*pages: Capture) -> dict[str, pl.DataFrame]:
    """The tables in READ, and the captures and sightings that they are made of."""
    collected = collect(map(read_page, pages))
    sightings = SIGHTINGS.conform(identify(collected.sightings))
    captures = CAPTURES.conform(collected.captures)
    return {"captures": captures, "sightings": sightings} | {name: OF_SIGHTINGS[name](sightings) for name in READ}


@contextmanager
def little_lake(tables: Mapping[str, pl.DataFrame], *macros: str) -> Iterator[Database]:
    """These tables and these macros; of marts there are, empty unless given, those that an entry for BibTeX asks."""
    with duckdb.connect() as connection:
        for statement in create_schemas(ALL_TABLES):
            connection.execute(statement)
        for table in CORE_TABLES:
            if table.name in tables:
                connection.execute(create_table(table))
                connection.from_arrow(table.conform(tables[table.name]).to_arrow()).insert_into(qualified(table))
        for mart in (PAPER_STATUS, PAPER_PUBLICATIONS):
            connection.execute(create_table(mart))
            if mart.name in tables:
                connection.from_arrow(mart.conform(tables[mart.name]).to_arrow()).insert_into(qualified(mart))
        for macro in MACROS:
            for statement in create_macro(macro) if macro.name in macros else ():
                connection.execute(statement)
        yield Database(connection, QueryLimits())


@cache
def _of_nothing() -> bytes:
    """The database of a release without a row: its statements are the same each time, and take half of the time."""
    with TemporaryDirectory() as folder:
        assemble(path := Path(folder) / "empty", {})
        with duckdb.connect(str(path)) as connection:
            for mart in MART_TABLES:
                if not mart.is_view:
                    connection.execute(f"DELETE FROM {qualified(mart)}")  # fields are declared, and there in any case
        return path.read_bytes()


def write_whole(path: Path, tables: Mapping[str, pl.DataFrame]) -> None:
    """Write the database of a release of these core tables, with its marts, views and macros."""
    path.write_bytes(_of_nothing())
    with duckdb.connect(str(path)) as connection:
        connection.execute("SET threads = 1")
        connection.execute("BEGIN")
        for table in CORE_TABLES:
            if table.name in tables:
                connection.from_arrow(table.conform(tables[table.name]).to_arrow()).insert_into(qualified(table))
        for mart in in_order_of_creation(MART_TABLES):
            if not mart.is_view:
                connection.execute(f"INSERT INTO {qualified(mart)} {mart.sql}")
        connection.execute("COMMIT")


@contextmanager
def made(folder: Path, collected: Collected, corrections: pl.DataFrame = NONE) -> Iterator[duckdb.DuckDBPyConnection]:
    """The database of a release of what was read, in a folder."""
    write_whole(folder / "lake.duckdb", derive(collected, corrections=corrections))
    with duckdb.connect(str(folder / "lake.duckdb"), read_only=True) as connection:
        yield connection


def of_sightings(*rows: dict[str, Any]) -> Collected:
    """What was read, of which nothing is known but sightings."""
    return Collected(CAPTURES.empty(), frame(*rows), QUARANTINE.empty(), SCHEMA_PATHS.empty())


def made_once(read: Callable[[], Collected]) -> Any:
    """A fixture of a module: the database of a release of what it reads."""

    @pytest.fixture(scope="module")
    def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
        with made(tmp_path_factory.mktemp("made"), read()) as connection:
            yield connection

    return database
