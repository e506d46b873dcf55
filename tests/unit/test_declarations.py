"""The declarations agree with each other, and with the golden files: `python -m tests.golden.refresh` renews them. And
the statements rendered of a table with awkward names.
"""

import re
from collections.abc import Mapping

import duckdb
import polars as pl
import pytest

from tests.golden.refresh import HERE, rendered
from warehouse.schema.catalog import ABOUT_TABLES, ALL_TABLES, CORE_TABLES, MART_TABLES
from warehouse.schema.ddl import comments, create_schemas, create_table, literal, qualified, type_of
from warehouse.schema.macros import SORTED_BY
from warehouse.schema.mart import Mart, in_order_of_creation
from warehouse.schema.provenance import CRITERIA, PAPERLAKE
from warehouse.schema.table import Column, Table

TABLES = {table.name: table for table in ALL_TABLES}


@pytest.mark.parametrize("table", ALL_TABLES, ids=lambda table: table.name)
def test_every_name_a_table_uses_is_one_of_its_columns(table: Table) -> None:
    assert len(set(table.column_names)) == len(table.columns)
    ruled = {name for rule in table.rules for name in rule.check().holds.meta.root_names()}
    used = {*table.key, *table.order, *table.references, *ruled}
    assert used <= set(table.column_names)
    goes_by_days = table.layer == "mart" and table.column(table.key[0]).dtype == pl.Date()
    assert not table.cohort_rows or goes_by_days or {"paper_id", "cohort"} & set(table.column_names)


@pytest.mark.parametrize("table", ALL_TABLES, ids=lambda table: table.name)
def test_a_pattern_is_of_the_whole_value(table: Table) -> None:
    """Some tools that read the schemas of a release match all of a value, some a part."""
    patterns = [column.pattern for column in table.columns if column.pattern is not None]
    assert [one for one in patterns if "^" not in one[:4] or one[-1] != "$"] == []


@pytest.mark.parametrize("table", CORE_TABLES, ids=lambda table: table.name)
def test_keys_are_never_null_and_decide_the_order(table: Table) -> None:
    assert not any(column.is_nullable for column in table.columns if column.name in table.key)
    assert set(table.key) <= set(table.order or table.key)


@pytest.mark.parametrize("table", CORE_TABLES, ids=lambda table: table.name)
def test_references_lead_to_the_key_of_a_table(table: Table) -> None:
    for target in table.references.values():
        name, _, column = target.partition(".")
        assert TABLES[name].key == (column,)


@pytest.mark.parametrize("table", MART_TABLES, ids=lambda table: table.name)
def test_every_mart_has_its_query_with_a_word_for_the_reader(table: Mart) -> None:
    assert table.sql.startswith("-- ")


def test_a_mart_is_created_after_those_that_it_reads() -> None:
    created = [mart.name for mart in in_order_of_creation(MART_TABLES)]
    assert sorted(created) == [mart.name for mart in MART_TABLES]
    for first, then in (("source_fields", "field_availability"), ("field_availability", "papers_by_month")):
        assert created.index(first) < created.index(then)


def test_sql_sorts_by_every_criterion_of_precedence() -> None:
    assert SORTED_BY.keys() == CRITERIA.keys()


@pytest.mark.parametrize("table", ALL_TABLES, ids=lambda table: table.name)
def test_no_published_text_names_a_path_of_the_code(table: Table) -> None:
    texts = [text for column in table.columns for text in (column.meaning, column.null, column.source_in_words)]
    path = re.compile(r"(?:flows|transforms|expectations|warehouse)/|\.py\b")
    assert not [text for text in (table.grain, table.answers, *texts) if path.search(text)]


def fields_of_text(dtype: pl.DataType) -> set[str]:
    """The fields of a struct that have text, at any depth; `` for text itself."""
    if dtype == pl.String:
        return {""}
    if isinstance(dtype, pl.List):
        return fields_of_text(dtype.inner)  # type: ignore[arg-type]
    if isinstance(dtype, pl.Struct):
        return {f.name for f in dtype.fields if fields_of_text(f.dtype)}  # type: ignore[arg-type]
    return set()


def says_whose(column: Column) -> bool:
    fields = fields_of_text(column.dtype)
    if not fields or column.allowed:
        return True
    if isinstance(column.whose, Mapping):
        return set(column.whose) == fields
    return fields == {""} and column.whose is not None


@pytest.mark.parametrize("table", [*ALL_TABLES, *ABOUT_TABLES], ids=lambda table: table.name)
def test_every_text_says_whose_it_is(table: Table) -> None:
    """Erasing a person follows from that."""
    assert [column.name for column in table.columns if not says_whose(column)] == []
    named = {column.named_by for column in table.columns if column.named_by}
    assert named <= set(table.column_names)


NAMES = sorted(path.name for path in HERE.iterdir() if path.suffix not in {".py", ""})


@pytest.fixture(scope="module")
def fresh():
    return rendered()


@pytest.mark.parametrize("name", NAMES)
def test_golden_file_is_what_the_declarations_render_to(fresh, name):
    golden = (HERE / name).read_text(encoding="utf-8")
    assert fresh[name].splitlines() == golden.splitlines(), "if this is meant: python -m tests.golden.refresh"


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
