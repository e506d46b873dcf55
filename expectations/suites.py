"""Great Expectations suites, rendered from the declarations of the tables: never written by hand.

Importing this module imports Great Expectations, which takes seconds: only the functions that need a suite do.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from expectations.great import ExpectationConfiguration
from warehouse.schema.table import CONTROL_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from warehouse.schema.table import Column, Table

IN_ORDER: Final = "columns_in_order"
# What `Column.checks` calls a rule → the expectation that proves it, and its arguments.
EXPECTATIONS: dict[str, tuple[str, Callable[[Column], dict[str, Any]]]] = {
    "not_null": ("expect_column_values_to_not_be_null", lambda _: {}),
    "minimum": ("expect_column_values_to_be_between", lambda column: {"min_value": column.minimum}),
    "maximum": ("expect_column_values_to_be_between", lambda column: {"max_value": column.maximum}),
    "pattern": (
        "expect_column_values_to_match_regex",
        # as Python reads it, where `$` also matches before a last line feed and `\Z` does not
        lambda column: {"regex": re.sub(r"(?<!\\)\$", r"\\Z", column.pattern or "")},
    ),
    "allowed": ("expect_column_values_to_be_in_set", lambda column: {"value_set": list(column.allowed)}),
    "length": ("expect_column_value_lengths_to_be_between", lambda column: {"max_value": column.max_length}),
    "control_characters": ("expect_column_values_to_not_match_regex", lambda _: {"regex": CONTROL_CHARACTERS}),
}


def suite_of(table: Table) -> list[ExpectationConfiguration]:
    """The expectations of a table: the order of its columns, and what each one declares.

    Types are not among them: the gate compares the whole schema before it makes a pandas view, which has fewer types.
    Nor is the key: it concerns all rows, and a suite is run on new ones.

    The `meta` of each expectation has the name of its `rule` and the `meaning` of breaking it.
    """
    demands = chain.from_iterable(map(demands_of, table.columns))
    return [in_order(table.column_names), *demands]


def in_order(names: Iterable[str]) -> ExpectationConfiguration:
    """The expectation that a table has these columns, in this order."""
    meaning = "the columns are not the declared ones in their order"
    order = {"column_list": list(names)}
    return _expectation("expect_table_columns_to_match_ordered_list", order, IN_ORDER, meaning)


def demands_of(column: Column) -> Iterator[ExpectationConfiguration]:
    """One expectation for each check that the column declares; for lists and structs only that they are there."""
    for check in column.checks():
        kind = check.name.removeprefix(f"{column.name}_")
        if kind == "not_null" or not column.dtype.is_nested():
            type_, arguments = EXPECTATIONS[kind]
            yield _expectation(type_, {"column": column.name} | arguments(column), check.name, check.detail)


def _expectation(type_: str, arguments: dict[str, Any], rule: str, meaning: str) -> ExpectationConfiguration:
    return ExpectationConfiguration(type=type_, kwargs=arguments, meta={"rule": rule, "meaning": meaning})
