"""The rendered statements, run in DuckDB."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest

from warehouse.schema.catalog.tables import ALL_TABLES, CORE_TABLES
from warehouse.schema.ddl import comments, create_schemas, create_table, literal, qualified, quoted, type_of
from warehouse.schema.provenance import PAPERLAKE
from warehouse.schema.table import Column, Table

AWKWARD = Table(
    name="order",
    grain="One 'thing'.",
    answers="What; DROP TABLE x; --",
    key=("select",),
    columns=(
        Column(name="select", dtype=pl.String(), meaning='it\'s "it"', source="it", origin=PAPERLAKE, unit="people"),
        Column(
            name='a"b',
            dtype=pl.List(pl.Struct({"from": pl.Int64})),
            meaning="b",
            source="it",
            origin=PAPERLAKE,
            null="none",
        ),
    ),
)

VIEWS = [table for table in ALL_TABLES if table.is_view]


@pytest.fixture
def database():
    with duckdb.connect() as connection:
        for statement in create_schemas(ALL_TABLES):
            connection.execute(statement)
        yield connection


@pytest.mark.parametrize("table", [*ALL_TABLES, AWKWARD], ids=lambda table: table.name)
def test_a_table_takes_its_empty_frame_and_gives_the_same_types_back(database, table):
    database.execute(create_table(table))
    database.register("frame", table.conform(table.empty()))
    database.execute(f"INSERT INTO {qualified(table)} SELECT * FROM frame")
    assert database.sql(f"FROM {qualified(table)}").pl().schema == table.schema


def test_null_is_refused_where_a_column_is_never_null(database):
    database.execute(create_table(AWKWARD))
    with pytest.raises(duckdb.ConstraintException):
        database.execute(f"INSERT INTO {qualified(AWKWARD)} VALUES (NULL, NULL)")
    database.execute(f"INSERT INTO {qualified(AWKWARD)} VALUES ('x', NULL)")


def test_there_are_no_keys(database):
    for table in CORE_TABLES:
        database.execute(create_table(table))
    kinds = database.sql("SELECT DISTINCT constraint_type FROM duckdb_constraints()").fetchall()
    assert kinds == [("NOT NULL",)]


@pytest.mark.parametrize("table", [*CORE_TABLES, AWKWARD], ids=lambda table: table.name)
def test_comments_of_a_table_come_back(database, table):
    database.execute(create_table(table))
    for statement in comments(table):
        database.execute(statement)
    assert table.grain in comment(database, "duckdb_tables()", "table_name", table.name)
    for column in table.columns:
        told = comment(database, "duckdb_columns()", "column_name", column.name)
        assert column.meaning in told
        assert column.null in told
        assert column.source_in_words in told


@pytest.mark.parametrize("table", VIEWS, ids=lambda table: table.name)
def test_comments_of_a_view_come_back(database, table):
    columns = ", ".join(f"NULL::{type_of(column.dtype)} AS {quoted(column.name)}" for column in table.columns)
    database.execute(f"CREATE VIEW {qualified(table)} AS SELECT {columns}")
    for statement in comments(table):
        database.execute(statement)
    assert table.answers in comment(database, "duckdb_views()", "view_name", table.name)
    bare = "SELECT count(*) FROM duckdb_columns() WHERE table_name = $1 AND comment IS NULL"
    assert database.execute(bare, [table.name]).fetchone() == (0,)


def test_a_literal_is_only_a_literal(database):
    text = "'; DROP TABLE x; -- \\' \"\n é 😀"
    assert database.execute(f"SELECT {literal(text)}").fetchone() == (text,)


def test_a_type_without_agreement_is_refused():
    with pytest.raises(TypeError, match="no DuckDB type is agreed on for Datetime"):
        type_of(pl.Datetime("ms"))


def comment(database, listing, column, name):
    return database.execute(f"SELECT comment FROM {listing} WHERE {column} = $1", [name]).fetchone()[0]
