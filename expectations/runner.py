"""Running the suites. Polars frames become pandas ones only here, and only while they are checked."""

from __future__ import annotations

import warnings
from collections import defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import pandas as pd
import polars as pl

from expectations.declared import flat
from expectations.great import PandasExecutionEngine, Validator, configurations_kept
from expectations.report import EXAMPLES, CheckResult, show_key
from expectations.suites import demands_of, in_order, suite_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from great_expectations.core import ExpectationValidationResult

    from expectations.great import ExpectationConfiguration
    from warehouse.schema.table import Column, Table

    Answers = dict[str, ExpectationValidationResult]
    Frames = Mapping[str, pl.DataFrame]
    Rules = Mapping[str, Collection[str]]  # of tables

VALUE: Final = "value"  # a column with the values of all columns that have the same demands


def run_suites(tables: Sequence[Table], frames: Frames, proven: Frames = MappingProxyType({})) -> list[CheckResult]:
    """The result of every expectation of every table's suite; the frames must have the declared shapes.

    First each distinct value is checked once, together with those of all columns that have the same demands. Then the
    rules that some value broke are checked on the rows of their tables, to find which. Values that the `proven` table
    has in the column are left out.
    """
    with configurations_kept():
        broken = _broken(tables, frames, proven)
        return [one for table in tables for one in results(table, frames[table.name], broken[table.name])]


def results(table: Table, frame: pl.DataFrame, asked: Collection[str]) -> Iterator[CheckResult]:
    """The result of every expectation of a table's suite: rules in `asked` are checked on rows, all others passed."""
    suite = {each.meta["rule"]: each for each in suite_of(table)}
    rows = {"unexpected_index_column_names": list(table.key), "partial_unexpected_count": EXAMPLES}
    chosen = [suite[rule] for rule in suite if rule in asked]
    answers = _ask(view(frame), chosen, {"result_format": "SUMMARY", **rows}) if chosen else {}
    for rule, each in suite.items():
        passed = CheckResult(table.name, rule, "values", each.meta["meaning"], True, frame.height)
        yield passed if rule not in answers or answers[rule].success else _failure(passed, table, answers[rule])


def view(frame: pl.DataFrame) -> pd.DataFrame:
    """The frame for pandas, Arrow-backed; lists and structs are reduced to whether they are there."""
    return flat(frame).to_pandas(use_pyarrow_extension_array=True)


def _broken(tables: Sequence[Table], frames: Frames, proven: Frames) -> Rules:
    """The rules that some value breaks, for each table that has a column with these demands."""
    order = in_order(f"{table.name}.{name}" for table in tables for name in table.column_names)
    names = [f"{table.name}.{name}" for table in tables for name in frames[table.name].columns]
    unordered = _failed(pd.DataFrame(columns=names), [order])
    broken = {table.name: set(unordered) for table in tables}
    columns: dict[tuple[object, ...], list[tuple[str, Column]]] = defaultdict(list)
    values = {}
    for table in tables:
        demanding = [column for column in table.columns if any(column.checks())]
        values[table.name] = _new_values(frames[table.name], proven.get(table.name), [one.name for one in demanding])
        for column in demanding:
            columns[column.demands[1:]].append((table.name, column))
    for alike in columns.values():
        rows = pl.concat(values[name].pop(column.name) for name, column in alike).unique().to_frame(VALUE)
        demands = list(demands_of(alike[0][1].but(name=VALUE))) if rows.height else []
        for rule in _failed(view(rows), demands) if demands else ():
            for name, column in alike:
                broken[name].add(rule.replace(VALUE, column.name, 1))
    return broken


def _new_values(frame: pl.DataFrame, before: pl.DataFrame | None, columns: Sequence[str]) -> dict[str, pl.Series]:
    """The distinct values of these columns that the column did not have before."""
    held = before if before is not None and before.schema == frame.schema else frame.clear()
    is_held = {one.name: pl.col(one.name).is_in(one.implode(), nulls_equal=True) for one in flat(held.select(columns))}
    new = [pl.col(name).filter(~is_held[name]).unique().implode() for name in columns]
    return {values.name: values[0] for values in flat(frame.select(columns)).select(new)}


def _failed(rows: pd.DataFrame, suite: Sequence[ExpectationConfiguration]) -> set[str]:
    """The rules that the rows break."""
    return {rule for rule, answer in _ask(rows, suite, {"result_format": "BOOLEAN_ONLY"}).items() if not answer.success}


def _ask(rows: pd.DataFrame, suite: Sequence[ExpectationConfiguration], result_format: dict[str, Any]) -> Answers:
    """The answers of Great Expectations by rule."""
    engine = PandasExecutionEngine(batch_data_dict={"rows": rows})
    validator = Validator(execution_engine=engine)
    validator.metrics_calculator.show_progress_bars = False
    with warnings.catch_warnings():
        # pandas warns that the groups of a pattern may have been meant to be extracted.
        warnings.filterwarnings("ignore", message="This pattern is interpreted as a regular expression")
        found = validator.graph_validate(list(suite), {"result_format": result_format})
    return {each.expectation_config.meta["rule"]: each for each in found if each.expectation_config}


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
