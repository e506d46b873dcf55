"""Great Expectations suites, rendered from the declarations of the tables: never written by hand.

Importing this module imports Great Expectations, which takes seconds: only the functions that need a suite do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from expectations.great import gx
from warehouse.schema.table import CONTROL_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from warehouse.schema.table import Column, Table

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


def suite_for(
    table: Table, columns: Sequence[str] | None = None, *, only: Collection[str] | None = None
) -> gx.ExpectationSuite:
    """What must hold of these columns of the table, or of all: their order, and what each one declares.

    Types are not in it: the gate compares the whole schema before it makes a pandas view, which has fewer types. Nor
    is the key: it concerns all rows, and a suite is run on those that are new.

    The `meta` of each expectation has the name of its `rule` and the `meaning` of breaking it. With `only`, the suite
    has just the rules of these names.
    """
    chosen = [rule for rule in _rendered(table, columns) if only is None or rule["meta"]["rule"] in only]
    return gx.ExpectationSuite(name=f"{table.layer}.{table.name}", expectations=chosen)


def rules_of(table: Table) -> dict[str, str]:
    """The names of the suite's rules in order, each with the meaning of breaking it."""
    return {rule["meta"]["rule"]: rule["meta"]["meaning"] for rule in _rendered(table)}


def _rendered(table: Table, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """The order of the columns, then one expectation for each check that a column declares.

    Of lists and structs only whether they are there.
    """
    names = table.column_names if columns is None else columns
    order = {"column_list": list(names)}
    meaning = "the columns are not the declared ones in their order"
    yield _expectation("expect_table_columns_to_match_ordered_list", order, "columns_in_order", meaning)
    for column in (column for column in table.columns if column.name in names):
        for check in column.checks():
            kind = check.name.removeprefix(f"{column.name}_")
            if kind == "not_null" or not column.dtype.is_nested():
                type_, arguments = EXPECTATIONS[kind]
                yield _expectation(type_, {"column": column.name} | arguments(column), check.name, check.detail)


def _expectation(type_: str, arguments: dict[str, Any], rule: str, meaning: str) -> dict[str, Any]:
    return {"type": type_, "kwargs": arguments, "meta": {"rule": rule, "meaning": meaning}}
