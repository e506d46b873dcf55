"""Great Expectations: suites rendered from the declarations of the tables, never written by hand, and their results.

Importing this module imports Great Expectations, which takes seconds: only the gate's own process does. Polars frames
become pandas ones only here, and only while they are checked.
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import great_expectations as gx
import pandas as pd
import polars as pl
from great_expectations import ExpectationSuite
from great_expectations import expectations as gxe
from great_expectations.core import ExpectationValidationResult
from great_expectations.core.batch_definition import BatchDefinition
from great_expectations.data_context.types.base import ProgressBarsConfig
from great_expectations.expectations.expectation import Expectation

from expectations.checks import flat
from expectations.comparison import ComparedFrames
from expectations.report import EXAMPLES, CheckResult, show_key
from warehouse.schema.table import CONTROL_CHARACTERS, Check, Column, Table

FEWEST_DIGITS: Final = 3  # of the length of a pool: to fill one up to 999 values costs less than another call
IN_ORDER: Final = "columns_in_order"
NOT_IN_ORDER: Final = "the columns are not the declared ones in their order"
# What `Column.checks` calls a rule → the expectation that proves it, and its arguments.
EXPECTATIONS: Final[dict[str, tuple[Callable[..., Expectation], Callable[[Column], dict[str, Any]]]]] = {
    "not_null": (gxe.ExpectColumnValuesToNotBeNull, lambda _: {}),
    "minimum": (gxe.ExpectColumnValuesToBeBetween, lambda column: {"min_value": column.minimum}),
    "maximum": (gxe.ExpectColumnValuesToBeBetween, lambda column: {"max_value": column.maximum}),
    "pattern": (
        gxe.ExpectColumnValuesToMatchRegex,
        # as Python reads it, where `$` also matches before a last line feed and `\Z` does not
        lambda column: {"regex": re.sub(r"(?<!\\)\$", r"\\Z", column.pattern or "")},
    ),
    "allowed": (gxe.ExpectColumnValuesToBeInSet, lambda column: {"value_set": list(column.allowed)}),
    "length": (gxe.ExpectColumnValueLengthsToBeBetween, lambda column: {"max_value": column.max_length}),
    "control_characters": (gxe.ExpectColumnValuesToNotMatchRegex, lambda _: {"regex": CONTROL_CHARACTERS}),
}


def suite_of(table: Table) -> ExpectationSuite:
    """The expectations of a table: the order of its columns, and what each one declares.

    Types are not among them: the gate compares the whole schema before it makes a pandas view, which has fewer types.
    Nor is the key: it concerns all rows, and a suite is run on new ones.

    The `meta` of each expectation has the name of its `rule` and the `meaning` of breaking it.
    """
    demands = [one for column in table.columns for one in demands_of(column)]
    return ExpectationSuite(name=table.name, expectations=[in_order(table.column_names), *demands])


def in_order(names: Iterable[str]) -> Expectation:
    """The expectation that a table has these columns, in this order."""
    meta = {"rule": IN_ORDER, "meaning": NOT_IN_ORDER}
    return gxe.ExpectTableColumnsToMatchOrderedList(column_list=list(names), meta=meta)


def demands_of(column: Column) -> Iterator[Expectation]:
    """One expectation for each check of the column that is asked."""
    for kind, check in checks_of(column):
        expectation, arguments = EXPECTATIONS[kind]
        meta = {"rule": check.name, "meaning": check.detail}
        yield expectation(column=column.name, meta=meta, **arguments(column))


def checks_of(column: Column) -> Iterator[tuple[str, Check]]:
    """The checks that the column declares, by kind; of lists and structs only that they are there."""
    kinds = ((check.name.removeprefix(f"{column.name}_"), check) for check in column.checks())
    return ((kind, check) for kind, check in kinds if kind == "not_null" or not column.dtype.is_nested())


# Of all tables at once, where to ask for the order of so many columns takes ten times as long
IS_DECLARED: Final = gxe.ExpectColumnPairValuesToBeEqual(
    column_A="declared", column_B="found", meta={"rule": IN_ORDER, "meaning": NOT_IN_ORDER}
)
RuleAnswers: TypeAlias = dict[str, ExpectationValidationResult]

Pools: TypeAlias = dict[str, list[tuple[str, Column]]]  # name → table and column of which the values are in it


def run_suites(
    tables: Sequence[Table], frames: ComparedFrames, proven: ComparedFrames = MappingProxyType({})
) -> list[CheckResult]:
    """The result of every expectation of every table's suite; the frames must have the declared shapes.

    First each distinct value is checked once, together with those of all columns that have the same demands. Then the
    rules that some value broke are checked on the rows of their tables, to find which. Values that the `proven` table
    has in the column are left out.
    """
    batches = new_batches()
    broken = _broken(batches, tables, frames, proven)
    return [one for table in tables for one in results(batches, table, frames[table.name], broken[table.name])]


def results(
    batches: BatchDefinition[Any], table: Table, frame: pl.DataFrame, asked: Collection[str]
) -> Iterator[CheckResult]:
    """The result of every expectation of a table's suite: rules in `asked` are checked on rows, all others passed."""
    answers: RuleAnswers = {}
    if asked:
        rows = {"unexpected_index_column_names": list(table.key), "partial_unexpected_count": EXAMPLES}
        chosen = [each for each in suite_of(table).expectations if each.meta and each.meta["rule"] in asked]
        answers = _ask(batches, view(frame), chosen, {"result_format": "SUMMARY", **rows})
    checks = (check for column in table.columns for _, check in checks_of(column))
    for rule, meaning in {IN_ORDER: NOT_IN_ORDER, **{check.name: check.detail for check in checks}}.items():
        passed = CheckResult(table.name, rule, "values", meaning, True, frame.height)
        yield passed if rule not in answers or answers[rule].success else _failure(passed, table, answers[rule])


def view(frame: pl.DataFrame) -> pd.DataFrame:
    """The frame for pandas, Arrow-backed; lists and structs are reduced to whether they are there."""
    return flat(frame).to_pandas(use_pyarrow_extension_array=True)


def _broken(
    batches: BatchDefinition[Any], tables: Sequence[Table], frames: ComparedFrames, proven: ComparedFrames
) -> dict[str, set[str]]:
    """The rules that some value breaks, for each table that has a column with these demands."""
    declared = [name for table in tables for name in table.column_names]
    found = [name for table in tables for name in frames[table.name].columns]
    names = pd.DataFrame(zip_longest(declared, found), columns=["declared", "found"])
    unordered = _failed(batches, names, [IS_DECLARED])
    broken = {table.name: set(unordered) for table in tables}
    pools = _pools(tables)
    values = {table.name: new_values(table, frames[table.name], proven.get(table.name)) for table in tables}
    pooled = {
        name: pl.concat(values[table].pop(column.name) for table, column in columns).unique()
        for name, columns in pools.items()
    }
    for rows in side_by_side(pooled):
        demands = [one for name in rows.columns for one in demands_of(pools[name][0][1].but(name=name))]
        for rule in _failed(batches, view(rows), demands):
            name = next(name for name in rows.columns if rule.startswith(name))
            for table, column in pools[name]:
                broken[table].add(column.name + rule.removeprefix(name))
    return broken


def _pools(tables: Sequence[Table]) -> Pools:
    """The columns that demand anything, those with the same demands in one pool."""
    alike: dict[tuple[object, ...], list[tuple[str, Column]]] = defaultdict(list)
    for table in tables:
        for column in table.columns:
            if any(column.checks()):
                alike[column.demands[1:]].append((table.name, column))
    return {f"pool {number:05}": columns for number, columns in enumerate(alike.values())}


def new_values(table: Table, frame: pl.DataFrame, before: pl.DataFrame | None) -> dict[str, pl.Series]:
    """The distinct values of each column that demands anything, but for those that it had before."""
    columns = [column.name for column in table.columns if any(column.checks())]
    held = before if before is not None and before.schema == frame.schema else frame.clear()
    is_held = {one.name: pl.col(one.name).is_in(one.implode(), nulls_equal=True) for one in flat(held.select(columns))}
    new = [pl.col(name).filter(~is_held[name]).unique().implode() for name in columns]
    return {values.name: values[0] for values in flat(frame.select(columns)).select(new)}


def side_by_side(pooled: Mapping[str, pl.Series]) -> Iterator[pl.DataFrame]:
    """Pools of about one length as the columns of a frame, since each call of Great Expectations has its price.

    A shorter one is filled up with its first value, which demands nothing that it did not demand before.
    """
    sizes: dict[int, list[pl.Series]] = defaultdict(list)
    for name, pool in pooled.items():
        if len(pool):
            sizes[max(len(str(len(pool))), FEWEST_DIGITS)].append(pool.alias(name))
    for pools in sizes.values():
        most = max(map(len, pools))
        yield pl.DataFrame([pl.concat([pool, pool.new_from_index(0, most - len(pool))]) for pool in pools])


def new_batches() -> BatchDefinition[Any]:
    """What Great Expectations validates frames by; it holds them as long as it is there."""
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    source = context.data_sources.add_pandas("frames")
    return source.add_dataframe_asset("rows").add_batch_definition_whole_dataframe("all")


def _failed(batches: BatchDefinition[Any], rows: pd.DataFrame, suite: Iterable[Expectation]) -> set[str]:
    """The rules of a suite that are broken somewhere."""
    return {
        rule for rule, each in _ask(batches, rows, suite, {"result_format": "BOOLEAN_ONLY"}).items() if not each.success
    }


def _ask(
    batches: BatchDefinition[Any],
    rows: pd.DataFrame,
    expectations: Iterable[Expectation],
    result_format: dict[str, Any],
) -> RuleAnswers:
    """The answers of Great Expectations by rule."""
    suite = gx.ExpectationSuite(name="asked", expectations=list(expectations))
    with warnings.catch_warnings():
        # pandas warns that the groups of a pattern may have been meant to be extracted.
        warnings.filterwarnings("ignore", message="This pattern is interpreted as a regular expression")
        found = batches.get_batch({"dataframe": rows}).validate(suite, result_format=result_format)
    return {each.expectation_config.meta["rule"]: each for each in found.results if each.expectation_config}


def _failure(passed: CheckResult, table: Table, answer: ExpectationValidationResult) -> CheckResult:
    """The same check as failed; where the answer counts no rows, all of them are at fault."""
    rows = answer.result.get("partial_unexpected_index_list") or []
    keys = ({name: None if row[name] is pd.NA else row[name] for name in table.key} for row in rows)
    examples = tuple(show_key(key, table.key) for key in keys) or tuple(_remarks(answer))
    return passed.fail(answer.result.get("unexpected_count", passed.row_count), examples)


def _remarks(answer: ExpectationValidationResult) -> Iterator[str]:
    """What is known of a failure that has no rows: what was found instead, or why it could not be run."""
    if "observed_value" in answer.result:
        yield f"found {answer.result['observed_value']}"
    trouble = answer.exception_info or {}
    for info in [trouble] if "exception_message" in trouble else trouble.values():
        if info["exception_message"]:
            yield info["exception_message"]
