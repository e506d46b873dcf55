"""Great Expectations: suites rendered from the declarations of the tables, never written by hand, and what they refuse.

Importing this module imports Great Expectations, which takes seconds: only the gate's own process does. Polars frames
become pandas ones only here, and only while they are checked.
"""

import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import great_expectations as gx
import pandas as pd
import polars as pl
from great_expectations import expectations as gxe
from great_expectations.core import ExpectationValidationResult
from great_expectations.core.batch_definition import BatchDefinition
from great_expectations.data_context.types.base import ProgressBarsConfig
from great_expectations.expectations.expectation import Expectation

from expectations.checks import flat
from expectations.comparison import ComparedFrames
from expectations.report import CheckResult
from warehouse.schema.table import CONTROL_CHARACTERS, Check, Column, Table

SHORT: Final = 999  # values of a pool: to fill one up to so many costs less than another call
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


def demands_of(column: Column, but: Collection[str] = ()) -> Iterator[Expectation]:
    """An expectation for each check of the column, without those of some kinds."""
    for kind, check in checks_of(column):
        if kind in but:
            continue
        expectation, arguments = EXPECTATIONS[kind]
        yield expectation(column=column.name, meta={"rule": check.name}, **arguments(column))


def checks_of(column: Column) -> Iterator[tuple[str, Check]]:
    """The checks that the column declares, by kind; of lists and structs only that they are there."""
    kinds = ((check.name.removeprefix(f"{column.name}_"), check) for check in column.checks())
    return ((kind, check) for kind, check in kinds if kind == "not_null" or not column.dtype.is_nested())


# What is asked of all columns at once, since each question has its price: whether they are there, and known words
IS_DECLARED: Final = gxe.ExpectColumnPairValuesToBeEqual(column_A="declared", column_B="found", meta={"rule": IN_ORDER})
IS_THERE: Final = gxe.ExpectColumnValuesToNotBeNull(column="value", meta={"rule": "not_null"})
AT_ONCE: Final = frozenset({"not_null", "allowed"})
MOST_BYTES: Final = 24 << 20  # of distinct values that are asked about together; bounds the memory, not the result
RuleAnswers: TypeAlias = dict[str, ExpectationValidationResult]
ColumnOf: TypeAlias = tuple[str, str]  # the names of a table and of its column


@dataclass
class Pool:
    """The distinct values of columns that have the same demands, but for those that are checked of all at once."""

    column: Column  # the first of them
    distinct: pl.Series
    of: dict[ColumnOf, None] = field(default_factory=dict)


@dataclass
class Gathered:
    """The columns whose values are gathered for Great Expectations to check together."""

    names: dict[tuple[str, str], None] = field(default_factory=dict)  # declared and found
    is_null: dict[ColumnOf, bool] = field(default_factory=dict)
    words: dict[ColumnOf, set[str]] = field(default_factory=lambda: defaultdict(set))
    pools: dict[tuple[object, ...], Pool] = field(default_factory=dict)

    def add(self, of: ColumnOf, column: Column, kinds: Collection[str], values: pl.Series) -> None:
        if "not_null" in kinds:
            self.is_null[of] = self.is_null.get(of, False) or values.has_nulls()
        if "allowed" in kinds:
            self.words[of].update(values.drop_nulls())
        if AT_ONCE.issuperset(kinds) or values.is_empty():
            return
        pool = self.pools.setdefault((column.demands[1], *column.demands[3:]), Pool(column, values.clear()))
        pool.of[of] = None
        # At once, since a value holds on to all texts that it was read with
        pool.distinct = pl.concat([pool.distinct, values]).unique()

    @property
    def size(self) -> float:
        return sum(pool.distinct.estimated_size() for pool in self.pools.values())


class Suites:
    """The suites of tables whose rows come part by part.

    Distinct values are gathered, and each is checked once, together with those of all columns that have the same
    demands. Which rows have a value that broke a rule is for Polars to find. Values that the `proven` table has in the
    column are left out.
    """

    def __init__(self, proven: ComparedFrames = MappingProxyType({})) -> None:
        self._proven, self._gathered = proven, Gathered()
        self._demanded: dict[str, dict[str, set[str]]] = {}
        self._tables: dict[str, Table] = {}
        self._row_counts = Counter[str]()
        self._broken: dict[str, set[str]] = defaultdict(set)

    def see(self, table: Table, rows: pl.DataFrame) -> None:
        """Gather the values of some rows; they must have the declared shape."""
        if table.name not in self._tables:
            self._tables[table.name] = table
            self._demanded[table.name] = {one.name: {kind for kind, _ in checks_of(one)} for one in table.columns}
        self._row_counts[table.name] += rows.height
        self._gathered.names |= dict.fromkeys(zip(table.column_names, rows.columns, strict=True))
        demanded = {name: kinds for name, kinds in self._demanded[table.name].items() if kinds}
        for name, values in new_values(list(demanded), rows, self._proven.get(table.name)).items():
            self._gathered.add((table.name, name), table.column(name), demanded[name], values)
        if self._gathered.size > MOST_BYTES:
            self._ask()

    def broken(self) -> Mapping[str, set[str]]:
        """The rules that some value broke, by table."""
        self._ask()
        return self._broken

    def passed(self) -> Iterator[CheckResult]:
        """The results of all other rules."""
        for table in self._tables.values():
            for rule, meaning in rules_of(table).items():
                if rule not in self._broken[table.name]:
                    yield CheckResult(table.name, rule, "values", meaning, True, self._row_counts[table.name])

    def _ask(self) -> None:
        asked, self._gathered, batches = self._gathered, Gathered(), new_batches()
        names = pd.DataFrame(list(asked.names), columns=["declared", "found"])
        if _failed(batches, names, [IS_DECLARED]):
            for table in self._tables:
                self._broken[table].add(IN_ORDER)
        there = ((of, None if is_null else "there") for of, is_null in asked.is_null.items())
        self._ask_at_once(batches, "not_null", IS_THERE, there)
        known = {of: self._tables[of[0]].column(of[1]).allowed for of, found in asked.words.items() if found}
        value_set = [said_of(of, word) for of, allowed in known.items() for word in allowed]
        is_known = gxe.ExpectColumnValuesToBeInSet(column="value", value_set=value_set, meta={"rule": "allowed"})
        words = ((of, said_of(of, word)) for of, found in asked.words.items() for word in sorted(found))
        self._ask_at_once(batches, "allowed", is_known, words)
        self._ask_pools(batches, {f"pool {number:05}": pool for number, pool in enumerate(asked.pools.values())})

    def _ask_at_once(
        self,
        batches: BatchDefinition[Any],
        kind: str,
        expectation: Expectation,
        values: Iterable[tuple[ColumnOf, str | None]],
    ) -> None:
        rows = pd.DataFrame([(".".join(of), value) for of, value in values], columns=["column", "value"])
        if rows.empty:
            return
        form = {"result_format": "COMPLETE", "unexpected_index_column_names": ["column"]}
        for answer in _ask(batches, rows, [expectation], form).values():
            wrong = [] if answer.success else answer.result.get("unexpected_index_list", rows.to_dict("records"))
            for table, column in (row["column"].split(".") for row in wrong):
                self._broken[table].add(f"{column}_{kind}")

    def _ask_pools(self, batches: BatchDefinition[Any], pools: Mapping[str, Pool]) -> None:
        for rows in side_by_side({name: pool.distinct for name, pool in pools.items()}):
            columns = [pools[name].column.but(name=name) for name in rows.columns]
            demands = chain.from_iterable(demands_of(column, but=AT_ONCE) for column in columns)
            for rule in _failed(batches, rows.to_pandas(use_pyarrow_extension_array=True), demands):
                name = next(name for name in rows.columns if rule.startswith(name))
                for table, column in pools[name].of:
                    self._broken[table].add(column + rule.removeprefix(name))


def said_of(of: ColumnOf, word: str) -> str:
    return f"{'.'.join(of)} is {word}"


def rules_of(table: Table) -> dict[str, str]:
    """The rules in the suite of a table, each with what breaking it means."""
    checks = (check for column in table.columns for _, check in checks_of(column))
    return {IN_ORDER: NOT_IN_ORDER, **{check.name: check.detail for check in checks}}


def new_values(columns: Sequence[str], frame: pl.DataFrame, before: pl.DataFrame | None) -> dict[str, pl.Series]:
    """The distinct values of these columns, but for those that they had before."""
    held = before if before is not None and before.schema == frame.schema else frame.clear()
    is_held = {one.name: pl.col(one.name).is_in(one.implode(), nulls_equal=True) for one in flat(held.select(columns))}
    new = [pl.col(name).filter(~is_held[name]).unique().implode() for name in columns]
    return {values.name: values[0] for values in flat(frame.select(columns)).select(new)}


def side_by_side(pooled: Mapping[str, pl.Series]) -> Iterator[pl.DataFrame]:
    """Short pools as the columns of one frame, since each call of Great Expectations has its price; a long one alone.

    A shorter one is filled up with its first value, which demands nothing that it did not demand before.
    """
    short = {name: pool for name, pool in pooled.items() if len(pool) <= SHORT}
    most = max(map(len, short.values()), default=0)
    filled = [pl.concat([pool, pool.new_from_index(0, most - len(pool))]).alias(name) for name, pool in short.items()]
    yield from [pl.DataFrame(filled)] if filled else []
    yield from (pool.to_frame(name) for name, pool in pooled.items() if name not in short)


def new_batches() -> BatchDefinition[Any]:
    """A batch definition by which Great Expectations validates frames; it holds them as long as it lives."""
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
