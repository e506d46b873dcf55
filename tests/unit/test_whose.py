"""Every column of text says whose its values are: erasing a person follows from that."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl
import pytest

from warehouse.schema.catalog.about_tables import ABOUT_TABLES
from warehouse.schema.catalog.tables import ALL_TABLES
from warehouse.schema.table import Column, Table


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
    assert [column.name for column in table.columns if not says_whose(column)] == []
    named = {column.named_by for column in table.columns if column.named_by}
    assert named <= set(table.column_names)
