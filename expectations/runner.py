"""Run the suites. Only here do Polars frames become pandas ones, and only for as long as a run lasts."""

from __future__ import annotations

import warnings
from types import MappingProxyType
from typing import TYPE_CHECKING

import pandas as pd
import polars as pl

from expectations.great import configurations_kept, quiet_context
from expectations.report import EXAMPLES, CheckResult, show_key
from expectations.suites import rules_of, suite_for

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from great_expectations.core import ExpectationValidationResult
    from great_expectations.core.result_format import ResultFormatUnion
    from great_expectations.datasource.fluent.interfaces import Batch

    from expectations.great import gx
    from warehouse.schema.table import Table

    Answers = dict[str, ExpectationValidationResult]


def run_suites(
    tables: Sequence[Table],
    frames: Mapping[str, pl.DataFrame],
    proven: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> Iterator[CheckResult]:
    """The result of every expectation of every table's suite; the frames must have the declared shapes.

    Columns whose values are `proven`, by table, are not asked about.
    """
    # one source for all: adding and deleting one costs as much as a dozen expectations
    asset = quiet_context().data_sources.add_pandas("rows").add_dataframe_asset("rows")
    whole = asset.add_batch_definition_whole_dataframe("rows")
    for table in tables:
        frame = frames[table.name]
        if frame.is_empty():  # no row can break a rule, and asking costs the same
            yield from (_passed(table, rule, meaning, 0) for rule, meaning in rules_of(table).items())
            continue
        known = set(proven.get(table.name, ())).difference(table.key)  # a key names the rows that are wrong
        columns = [name for name in table.column_names if name not in known]
        batch = whole.get_batch({"dataframe": view(table, frame.drop(known))})  # in place of the one before
        with configurations_kept():
            results = list(_run(table, batch, columns, frame.height))
        yield from results


def view(table: Table, frame: pl.DataFrame) -> pd.DataFrame:
    """The frame for pandas, Arrow-backed; of lists and structs only whether they are there: true, or else null."""
    nested = [column.name for column in table.columns if column.dtype.is_nested() and column.name in frame.columns]
    flags = [pl.when(pl.col(name).is_not_null()).then(True).alias(name) for name in nested]
    return frame.with_columns(flags).to_pandas(use_pyarrow_extension_array=True)


def _run(table: Table, batch: Batch, columns: Sequence[str], row_count: int) -> Iterator[CheckResult]:
    """Ask yes or no of every expectation of these columns, then ask only those that failed for their rows."""
    answers = _ask(batch, suite_for(table, columns), "BOOLEAN_ONLY")
    failed = [rule for rule, answer in answers.items() if not answer.success]
    rows = {"result_format": "SUMMARY", "unexpected_index_column_names": list(table.key)}
    details = (
        _ask(batch, suite_for(table, columns, only=failed), rows | {"partial_unexpected_count": EXAMPLES})
        if failed
        else {}
    )
    for rule, meaning in rules_of(table).items():
        passed = _passed(table, rule, meaning, row_count)
        yield _failure(passed, table, details[rule]) if rule in details else passed


def _passed(table: Table, rule: str, meaning: str, row_count: int) -> CheckResult:
    return CheckResult(table.name, rule, "values", meaning, True, row_count)


def _ask(batch: Batch, suite: gx.ExpectationSuite, result_format: ResultFormatUnion) -> Answers:
    """The answers by rule."""
    with warnings.catch_warnings():
        # pandas wonders whether the groups of a pattern were meant to be extracted.
        warnings.filterwarnings("ignore", message="This pattern is interpreted as a regular expression")
        answers = batch.validate(suite, result_format=result_format).results
    return {answer.expectation_config.meta["rule"]: answer for answer in answers if answer.expectation_config}


def _failure(passed: CheckResult, table: Table, answer: ExpectationValidationResult) -> CheckResult:
    """The same check, failed; where the answer counts no rows, all of them are at fault."""
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
