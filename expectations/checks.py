"""Checks: what a table's own declaration demands, in Polars, and guards, the promises that no declaration makes.

Of a declaration these are its shape, its key, its rules and its references; values of single columns are checked by
Great Expectations (runner.py). A guard is a promise to users of a release, declared with the check that keeps it: the
gate runs the guards, the data contract quotes them, tests/golden/guards.md lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import polars as pl
from msgspec import UNSET

from expectations.comparison import Comparison
from expectations.report import ACCEPTABLE, EXAMPLES, CheckKind, CheckResult, PageFault, show_key
from warehouse.schema.table import Check, Table

Dimension = Literal["accuracy", "completeness", "conformity", "consistency", "coverage", "timeliness", "uniqueness"]
FEWEST: Final = 3  # rows; a share of fewer says nothing
BUT_FEW: Final = f"; fewer than {FEWEST} such rows are allowed."
SIGHTING: Final = ("paper_id", "capture_id")


class Finding(NamedTuple):
    """The outcome of a check: `meaning` says what is wrong where it failed, `examples` are the first rows at fault."""

    meaning: str
    row_count: int
    failed_count: int = 0
    examples: tuple[str, ...] = ()
    faults: tuple[PageFault, ...] = ()

    def fail(self, rows: pl.DataFrame, key: Iterable[str] = SIGHTING) -> Finding:
        """This finding with these rows at fault, and their pages; it passed where there are none."""
        names = tuple(key)
        examples = tuple(show_key(row, names) for row in rows.head(EXAMPLES).iter_rows(named=True))
        failed = self._replace(failed_count=rows.height, examples=examples)
        return failed.of_pages(rows["capture_id"]) if "capture_id" in rows.columns else failed

    def of_pages(self, pages: pl.Series) -> Finding:
        """This finding, with these pages as those that made it fail."""
        return self._replace(faults=tuple(map(PageFault, pages.cast(pl.String).unique().sort())))

    def result(self, table: str, rule: str, kind: CheckKind) -> CheckResult:
        """The finding as a result in the report."""
        passed = CheckResult(table, rule, kind, self.meaning, True, self.row_count)
        if not self.failed_count:
            return passed
        faults = self.faults if kind in ACCEPTABLE else ()
        return replace(passed.fail(self.failed_count, self.examples), faults=faults or UNSET)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """A promise about `table` that no declaration of the table makes, and the check that keeps it.

    The check runs where the tables that it `needs` are there; a guard of kind `history` compares with the previous
    release, and needs them of both. One of kind `pages` judges a new page in itself and beside lists of other days, or
    the change from what earlier pages said of the same papers. `evidence` is what the real captures show, on which a
    limit rests. A guard of timeliness names the `column` that it is about.
    """

    table: str
    rule: str
    promise: str
    dimension: Dimension
    check: Callable[[Comparison], Finding]
    needs: frozenset[str]
    kind: CheckKind = "across"
    evidence: str = ""
    column: str = ""

    def applies(self, tables: Comparison) -> bool:
        return self.needs <= tables.now.keys() and (self.kind != "history" or self.needs <= tables.before.keys())

    def result(self, tables: Comparison) -> CheckResult:
        return self.check(tables).result(self.table, self.rule, self.kind)


def shape(table: Table, frame: pl.DataFrame | None) -> CheckResult:
    """Check that the frame is there and has exactly the declared columns, types and order."""
    meaning = "the table is not there, or its columns are not the declared ones"
    wrong = ("no such table",) if frame is None else tuple(_differences(table.schema, frame.schema))
    passed = CheckResult(table.name, "schema", "shape", meaning, True, 0 if frame is None else frame.height)
    return passed.fail(passed.row_count, wrong) if wrong else passed


def _differences(declared: pl.Schema, found: pl.Schema) -> Iterator[str]:
    yield from (f"{name} is missing" for name in declared if name not in found)
    yield from (f"{name} is not declared" for name in found if name not in declared)
    for name, dtype in found.items():
        if name in declared and dtype != declared[name]:
            yield f"{name} is {dtype}, not {declared[name]}"
    if declared.keys() == found.keys() and list(declared) != list(found):
        yield f"the order is {', '.join(found)}"


def flat(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with lists and structs reduced to True or null, since only their presence is checked."""
    is_there = {name: pl.when(pl.col(name).is_not_null()).then(True) for name in frame.columns}
    return frame.with_columns(is_there[name].alias(name) for name, dtype in frame.schema.items() if dtype.is_nested())


def declared_checks(table: Table, tables: Comparison) -> Iterator[CheckResult]:
    """Check the table's key, rules and references; references into a table that is not there are not checked.

    The key of a table in parts is checked here if rows that share a key are in one part; else once over all parts.
    """
    frame = tables.now[table.name]
    if is_in_one_file(table) or table.name not in tables.in_parts:
        yield key_unique(table, tables)
    for rule in table.rules:
        yield broken_by(rule.check(), frame, table).result(table.name, rule.name, "rule")
    for column, target in table.references.items():
        other, _ = target.split(".")
        if other in tables.now:
            yield held_in(table, column, target, tables).result(table.name, f"{column}_in_{other}", "reference")


def broken_by(check: Check, frame: pl.DataFrame, table: Table) -> Finding:
    """The rows of a table that break a check."""
    return Finding(check.detail, frame.height).fail(frame.filter(~check.holds.fill_null(True)), table.key)


def is_in_one_file(table: Table) -> bool:
    """Whether rows that share the key are in one file of the table, however it is cut."""
    return not {"paper_id", "cohort"}.isdisjoint(table.key)


def key_unique(table: Table, tables: Comparison) -> CheckResult:
    """Check that the key is unique: by hashes first, then by the keys whose hashes are equal."""
    is_here = is_in_one_file(table)
    keys = tables.now[table.name].lazy().select(table.key) if is_here else tables.whole(table.name, table.key)
    hashed = pl.struct(table.key).hash()
    hashes = keys.select(hash=hashed).collect(engine="streaming")["hash"]
    twice = hashes.filter(hashes.is_duplicated()).unique()
    keys = keys.filter(hashed.is_in(twice.implode())) if len(twice) else keys.clear()
    shared = keys.filter(pl.struct(table.key).is_duplicated()).collect()
    found = Finding(f"rows share the key ({', '.join(table.key)})", len(hashes)).fail(shared, table.key)
    return found.result(table.name, "key_unique", "across")


def held_in(table: Table, column: str, target: str, tables: Comparison) -> Finding:
    """Rows whose value of `column` the other table does not have in its `target`; null refers to nothing."""
    other, key = target.split(".")
    rows = tables.now[table.name]
    broken = rows.filter(pl.col(column).is_not_null()).join(
        tables.values(column, other, key), left_on=column, right_on=key, how="anti", maintain_order="left"
    )
    return Finding(f"{column} is not in {target}", rows.height).fail(broken, table.key)
