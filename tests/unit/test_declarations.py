"""The declarations agree with each other: an error there would be an error everywhere."""

from __future__ import annotations

import re
from collections.abc import Mapping

import polars as pl
import pytest

from warehouse.schema.catalog import ABOUT_TABLES, ALL_TABLES, CORE_TABLES, MART_TABLES
from warehouse.schema.macros import SORTED_BY
from warehouse.schema.mart import Mart, in_order_of_creation
from warehouse.schema.provenance import CRITERIA
from warehouse.schema.table import Column, Table

TABLES = {table.name: table for table in ALL_TABLES}


@pytest.mark.parametrize("table", ALL_TABLES, ids=lambda table: table.name)
def test_every_name_a_table_uses_is_one_of_its_columns(table: Table) -> None:
    assert len(set(table.column_names)) == len(table.columns)
    used = {*table.key, *table.order, *table.references, *(name for rule in table.rules for name in rule.columns)}
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
