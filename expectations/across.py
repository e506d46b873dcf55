"""Checks that Polars answers: the shape of a table, rules across columns, and what tables say of each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from expectations.promise import Promise
from expectations.report import EXAMPLES, CheckResult, show_key
from warehouse.schema.list_days import FIRST_DAY, LAST_DAY, day_open_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from expectations.report import Kind
    from warehouse.schema.table import Table

    Frames = Mapping[str, pl.DataFrame]


@dataclass(frozen=True, slots=True)
class Tally:
    """Each row of `table` tells in `column` how many rows of `of` share its `key`."""

    table: str
    column: str
    of: str
    key: str

    @property
    def promise(self) -> Promise:
        meaning = f"{self.column} is the number of the rows of {self.of} that have its {self.key}."
        return Promise(self.table, f"{self.column}_is_rows_of_{self.of}", meaning, "consistency")

    def check(self, table: Table, frames: Frames) -> CheckResult:
        counts = frames[self.of].group_by(self.key).agg(pl.len().alias("_rows"))
        counted = frames[self.table].join(counts, on=self.key, how="left", maintain_order="left")
        broken = counted.filter(pl.col(self.column).ne_missing(pl.col("_rows").fill_null(0)))
        meaning = f"{self.column} is not the number of its rows in {self.of}"
        passed = CheckResult(table.name, self.promise.rule, "across", meaning, True, counted.height)
        return _judge(passed, table, broken)


@dataclass(frozen=True, slots=True)
class Unbroken:
    """For each value of `of`, `table` has a row for every day from the first to the last."""

    table: str
    day: str
    of: str

    @property
    def promise(self) -> Promise:
        meaning = f"Each {self.of} has a row for every day from its first to its last {self.day}."
        return Promise(self.table, f"{self.day}_unbroken", meaning, "coverage")

    def check(self, table: Table, frames: Frames) -> CheckResult:
        frame = frames[self.table].sort(self.day)
        broken = frame.filter(pl.col(self.day).diff().over(self.of) != pl.duration(days=1))
        meaning = f"the day before {self.day} has no row of this {self.of}"
        passed = CheckResult(table.name, self.promise.rule, "across", meaning, True, frame.height)
        return _judge(passed, table, broken)


@dataclass(frozen=True, slots=True)
class Fresh:
    """For each value of `of`, `table` tells of every day until the one whose list was open at the newest fetch."""

    table: str
    day: str
    of: str

    @property
    def promise(self) -> Promise:
        meaning = (
            f"Each {self.of} has a row for the list day that was open when the newest page of the release was fetched: "
            "a day that lacks its list is told, never left out."
        )
        return Promise(self.table, f"{self.day}_fresh", meaning, "timeliness", self.day)

    def check(self, table: Table, frames: Frames) -> CheckResult:
        frame = frames[self.table]
        meaning = f"{self.table} ends before the day whose list was open at the newest fetch"
        passed = CheckResult(table.name, self.promise.rule, "across", meaning, True, frame.height)
        known = frames["captures"].filter(pl.col("fetched_at").is_between(FIRST_DAY, LAST_DAY))
        if known.is_empty():
            return passed
        open_on = day_open_at(known.select(pl.col("fetched_at").max()).item())
        broken = frame.group_by(self.of).agg(pl.col(self.day).max()).filter(pl.col(self.day) < open_on).sort(self.of)
        ends = [f"{kind} ends on {day}, the list of {open_on} was open" for kind, day in broken.iter_rows()]
        ends = ends or ["it has no days"] * frame.is_empty()
        return passed.fail(len(ends), tuple(ends)) if ends else passed


# That the sums agree follows: no row of `of` is left over, because its key refers to `table`.
TALLIES = (
    Tally("captures", "sighting_count", of="sightings", key="capture_id"),
    Tally("captures", "rejected_count", of="quarantine", key="capture_id"),
    Tally("papers", "sighting_count", of="sightings", key="paper_id"),
)
UNBROKEN = (Unbroken("coverage", "listed_on", of="source"),)
FRESH = (Fresh("coverage", "listed_on", of="source"),)
# Who must be referred to: table → its column → the column some row of which must hold the value.
SEEN_IN = {"papers": {"paper_id": "sightings.paper_id"}}


def shape(table: Table, frame: pl.DataFrame | None) -> CheckResult:
    """Whether the frame is there and has exactly the declared columns, types and order."""
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


def across(table: Table, frames: Frames) -> Iterator[CheckResult]:
    """The table's rules, references, tallies and days; those into a table that `frames` lacks are not asked."""
    yield _key(table, frames[table.name])
    yield from _rules(table, frames[table.name])
    yield from _references(table, table.references, "reference", frames)
    yield from _references(table, SEEN_IN.get(table.name, {}), "across", frames)
    for tally in TALLIES:
        if tally.table == table.name and tally.of in frames:
            yield tally.check(table, frames)
    for days in UNBROKEN:
        if days.table == table.name:
            yield days.check(table, frames)
    for newest in FRESH:
        if newest.table == table.name and "captures" in frames:
            yield newest.check(table, frames)


def promises() -> Iterator[Promise]:
    """What is asked here beyond the declarations of the tables."""
    yield from (one.promise for one in (*TALLIES, *UNBROKEN, *FRESH))
    for table, columns in SEEN_IN.items():
        for column, target in columns.items():
            rule = f"{column}_in_{target.partition('.')[0]}"
            yield Promise(table, rule, f"Each {column} is in {target}.", "consistency")


def _key(table: Table, frame: pl.DataFrame) -> CheckResult:
    shared = frame.filter(pl.struct(table.key).is_duplicated())
    meaning = f"rows share the key ({', '.join(table.key)})"
    return _judge(CheckResult(table.name, "key_unique", "across", meaning, True, frame.height), table, shared)


def _rules(table: Table, frame: pl.DataFrame) -> Iterator[CheckResult]:
    for rule in table.rules:
        broken = frame.filter(~rule.check().holds.fill_null(True))
        yield _judge(CheckResult(table.name, rule.name, "rule", rule.meaning, True, frame.height), table, broken)


def _references(table: Table, references: Mapping[str, str], kind: Kind, frames: Frames) -> Iterator[CheckResult]:
    """Rows whose value the other table does not hold; null refers to nothing."""
    frame = frames[table.name]
    for column, target in references.items():
        other, key = target.split(".")
        if other in frames:
            held = frames[other].select(pl.col(key).unique())
            given = frame.filter(pl.col(column).is_not_null())
            broken = given.join(held, left_on=column, right_on=key, how="anti", maintain_order="left")
            rule, meaning = f"{column}_in_{other}", f"{column} is not in {target}"
            yield _judge(CheckResult(table.name, rule, kind, meaning, True, frame.height), table, broken)


def _judge(passed: CheckResult, table: Table, broken: pl.DataFrame) -> CheckResult:
    """The check as it came out, given the rows that break it."""
    examples = tuple(show_key(row, table.key) for row in broken.head(EXAMPLES).iter_rows(named=True))
    return passed if broken.is_empty() else passed.fail(broken.height, examples)
