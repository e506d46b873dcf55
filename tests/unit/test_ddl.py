"""The rendered statements, of a table with awkward names; those of all tables are in tests/golden/schema.sql."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest

from warehouse.schema.catalog import ALL_TABLES
from warehouse.schema.ddl import comments, create_schemas, create_table, literal, qualified, type_of
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


@pytest.fixture
def database():
    with duckdb.connect() as connection:
        for statement in create_schemas(ALL_TABLES):
            connection.execute(statement)
        yield connection


def test_a_table_takes_its_empty_frame_and_gives_the_same_types_back(database):
    database.execute(create_table(AWKWARD))
    database.register("frame", AWKWARD.conform(AWKWARD.empty()))
    database.execute(f"INSERT INTO {qualified(AWKWARD)} SELECT * FROM frame")
    assert database.sql(f"FROM {qualified(AWKWARD)}").pl().schema == AWKWARD.schema


def test_null_is_refused_where_a_column_is_never_null(database):
    database.execute(create_table(AWKWARD))
    with pytest.raises(duckdb.ConstraintException):
        database.execute(f"INSERT INTO {qualified(AWKWARD)} VALUES (NULL, NULL)")
    database.execute(f"INSERT INTO {qualified(AWKWARD)} VALUES ('x', NULL)")


def test_comments_come_back(database):
    database.execute(create_table(AWKWARD))
    for statement in comments(AWKWARD):
        database.execute(statement)
    assert AWKWARD.grain in comment(database, "duckdb_tables()", "table_name", AWKWARD.name)
    for column in AWKWARD.columns:
        told = comment(database, "duckdb_columns()", "column_name", column.name)
        assert column.meaning in told
        assert column.null in told
        assert column.source_in_words in told


def test_a_literal_is_only_a_literal(database):
    text = "'; DROP TABLE x; -- \\' \"\n é 😀"
    assert database.execute(f"SELECT {literal(text)}").fetchone() == (text,)


def test_a_type_without_agreement_is_refused():
    with pytest.raises(TypeError, match="no DuckDB type is agreed on for Datetime"):
        type_of(pl.Datetime("ms"))


def comment(database, listing, column, name):
    return database.execute(f"SELECT comment FROM {listing} WHERE {column} = $1", [name]).fetchone()[0]
