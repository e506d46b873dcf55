"""The gate: all checks that tables must pass before they become a release.

`check` gives values, `require` raises. Great Expectations is imported only while `check` runs: in the product that is a
process of its own (expectations/__main__.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import polars as pl

from expectations import across, doubted, history, new_lists, seen_again, usual_lists
from expectations.checks import Guard, broken_by, declared_checks, flat, is_in_one_file, key_unique, shape
from expectations.comparison import ComparedFrames, Comparison, Scan
from expectations.report import EXAMPLES, CheckKind, CheckResult, Report
from warehouse.errors import GateClosed
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.captures import QUARANTINE
from warehouse.schema.table import Table

if TYPE_CHECKING:
    from expectations.runner import Suites

NO_ROW: Final = "Great Expectations refuses a value or cannot look at it, and no row is found to break the rule"
ROWS_AT_A_TIME: Final = 100_000  # of a table whose values are checked; bounds the memory, does not change the result
# Every check that no declaration of a table makes: the gate runs it, the data contract quotes its promise
GUARDS: Final[tuple[Guard, ...]] = (
    *across.GUARDS,
    *history.GUARDS,
    *seen_again.GUARDS,
    *new_lists.GUARDS,
    *usual_lists.GUARDS,
    *doubted.GUARDS,
)


class Proven(NamedTuple):
    """Tables of a release, which passed this gate under `rules_sha256`.

    Rows that are the same in the tables to check may be left out; `heights` and `usual` are those of Comparison.
    """

    version: str
    rules_sha256: str
    tables: Mapping[str, pl.DataFrame]
    heights: Mapping[str, int] = MappingProxyType({})
    usual: pl.DataFrame | None = None


def check(  # noqa: PLR0913 - what a draft is made of
    tables: ComparedFrames,
    declared: Sequence[Table] = CORE_TABLES,
    proven: Proven | None = None,
    *,
    accepted_loss: str | None = None,
    scan: Scan | None = None,
    parts: Callable[[], Iterable[ComparedFrames]] | None = None,
    confirmed: frozenset[str] = frozenset(),
) -> Report:
    """Run every check of every declared table; failed checks are in the report, and raise nothing.

    A table that is missing, or has other columns than declared, has that one failure: further checks of it are left
    out, and the gate is closed all the same. Frames that are not declared are ignored.

    With `parts`, tables that are not in `tables` come in them, one part in memory at a time: one has all rows of some
    papers, or of a table whose rows are not of one paper each. The result is the same as of all rows at once. They are
    asked for again where some value breaks a rule, to find its rows.

    Rows that were `proven` under the same rules are not given to Great Expectations again, nor are values of new rows
    that the column had before; checks of more than one row look at all rows every time. The guards compare with the
    `proven` tables (docs/guards.md), whatever the rules were then; `accepted_loss` is the reason why a guard that fails
    may pass, and `confirmed` are pages that no guard judges. Where rows of papers are left out of both, `scan` gives
    columns of all rows.
    """
    rules_sha256 = rules_digest(declared)
    held = proven if proven is not None and proven.rules_sha256 == rules_sha256 else None
    cut = [table for table in declared if parts is not None and table.name not in tables]
    empty = {table.name: table.empty() for table in cut}
    here = {table.name: tables[table.name] for table in declared if table.name in tables}
    whole = Comparison(here | empty, scan=scan, in_parts=frozenset(empty), confirmed=confirmed)
    if proven is not None:
        whole = replace(whole, before=proven.tables, heights=proven.heights, usual=proven.usual)
    from expectations.runner import Suites  # imports Great Expectations, which takes seconds

    suites = Suites(held.tables if held is not None else {})
    results = list(_of_tables([table for table in declared if table not in cut], whole, held, suites))
    results += _of_all_parts(cut, whole)
    for part in parts() if parts else ():
        results += _of_part([table for table in cut if table.name in part], part, whole, suites)
    if broken := suites.broken():
        for frames in chain([here], parts() if parts else ()):
            results += _at_fault([table for table in declared if table.name in broken], frames, held, broken)
        results += _without_rows(broken, results)
    results += suites.passed()
    quarantine = whole.now.get(QUARANTINE.name)
    return Report(
        tuple(merged(results, [table.name for table in declared])),
        rules_sha256,
        held.version if held is not None else None,
        accepted_loss,
        quarantine.height if quarantine is not None else None,
    )


def _of_tables(
    declared: Sequence[Table], given: Comparison, held: Proven | None, suites: Suites
) -> Iterator[CheckResult]:
    """The checks of tables that are given whole, and the guards that are not of parts alone."""
    shapes = [shape(table, given.now.get(table.name)) for table in declared]
    wrong = {table.name for table, result in zip(declared, shapes, strict=True) if not result.passed}
    sound = replace(given, now={name: frame for name, frame in given.now.items() if name not in wrong})
    yield from shapes
    yield from _of_rows([table for table in declared if table.name not in wrong], sound, held, suites)
    for guard in GUARDS:
        if guard.applies(sound) and not _is_by_part(guard, given.in_parts):
            yield guard.result(sound)


def _of_all_parts(cut: Sequence[Table], whole: Comparison) -> Iterator[CheckResult]:
    """The checks of each table that hold over all its parts, or where no part has rows of it."""
    for table in cut:
        yield shape(table, whole.now[table.name])
        if not is_in_one_file(table):
            yield key_unique(table, whole)


def _of_part(tables: Sequence[Table], part: ComparedFrames, whole: Comparison, suites: Suites) -> Iterator[CheckResult]:
    given = replace(whole, now={**whole.now, **part})
    shapes = [shape(table, part[table.name]) for table in tables]
    yield from shapes
    yield from _of_rows([table for table, one in zip(tables, shapes, strict=True) if one.passed], given, None, suites)
    yield from (one.result(given) for one in GUARDS if one.table in part and _is_by_part(one, whole.in_parts))


def _is_by_part(guard: Guard, in_parts: Collection[str]) -> bool:
    """Whether a guard can be checked part by part: not one of pages, which needs whole pages."""
    return guard.kind == "across" and guard.table in in_parts


def _of_rows(tables: Sequence[Table], given: Comparison, held: Proven | None, suites: Suites) -> Iterator[CheckResult]:
    """Check the rows against the declarations of their tables; values are gathered for the suites."""
    for table in tables:
        rows = _unproven(table, given.now[table.name], held)
        for some in rows.iter_slices(ROWS_AT_A_TIME) if rows.height else [rows]:
            suites.see(table, some)
        yield from declared_checks(table, given)


def _at_fault(
    tables: Sequence[Table], frames: ComparedFrames, held: Proven | None, broken: Mapping[str, Collection[str]]
) -> Iterator[CheckResult]:
    """The rows of these frames that break rules which some value broke."""
    for table in tables:
        if table.name in frames and shape(table, frames[table.name]).passed:
            rows = _unproven(table, frames[table.name], held)
            for check in chain.from_iterable(column.checks() for column in table.columns):
                if check.name in broken[table.name]:
                    yield broken_by(check, rows, table).result(table.name, check.name, "values")


def _without_rows(broken: Mapping[str, Collection[str]], results: Iterable[CheckResult]) -> Iterator[CheckResult]:
    """Failures of rules that Great Expectations finds broken, or could not ask, and that no row breaks by Polars."""
    failed = {(one.table, one.rule) for one in results if not one.passed}
    for table, rule in ((table, rule) for table, rules in broken.items() for rule in sorted(rules)):
        if (table, rule) not in failed:
            yield CheckResult(table, rule, "values", "", False, 0, examples=(NO_ROW,))


def merged(results: Iterable[CheckResult], tables: Sequence[str]) -> list[CheckResult]:
    """One result per check: row counts summed over all parts, and the first examples.

    They are in the order of the tables, then shape, values, key, rules, references, guards.
    """
    found: dict[tuple[str, str], CheckResult] = {}
    for one in results:
        before = found.get((one.table, one.rule), replace(one, passed=True, row_count=0, failed_count=0, examples=()))
        found[one.table, one.rule] = replace(
            before,
            passed=before.passed and one.passed,
            row_count=before.row_count + one.row_count,
            failed_count=before.failed_count + one.failed_count,
            examples=(*before.examples, *one.examples)[:EXAMPLES],
        )
    guards = {(guard.table, guard.rule): place for place, guard in enumerate(GUARDS)}
    kinds: tuple[CheckKind, ...] = ("shape", "values", "across", "rule", "reference")

    def place(result: CheckResult) -> tuple[int, int, int]:
        guard = guards.get((result.table, result.rule), -1)
        return tables.index(result.table), kinds.index(result.kind) if guard < 0 else len(kinds), guard

    return sorted(found.values(), key=place)


def rules_digest(declared: Sequence[Table] = CORE_TABLES) -> str:
    """SHA-256 over all demands of the declarations: rows that passed under the same digest need no second check."""
    demands = [
        (table.name, table.key, sorted(table.references.items()), [rule.sql for rule in table.rules], column.demands)
        for table in declared
        for column in table.columns
    ]
    return hashlib.sha256(msgspec.json.encode(demands)).hexdigest()


def _unproven(table: Table, frame: pl.DataFrame, proven: Proven | None) -> pl.DataFrame:
    """The rows of a table that the proven release does not have."""
    before = proven.tables.get(table.name) if proven is not None else None
    if before is None or before.schema != frame.schema:
        return frame
    if before is frame:  # read of the same files
        return frame.clear()
    rows = flat(frame).with_row_index("_row")
    fresh = rows.join(flat(before), on=list(table.column_names), how="anti", nulls_equal=True)
    return frame[fresh["_row"].sort()]


def require(report: Report) -> None:
    """Raise GateClosed unless the gate is open: it names each failed rule, its table, and how many and which rows."""
    if report.passed:
        return
    head = f"{len(report.refused)} of {len(report.results)} checks failed, nothing was published:"
    lines = [head, *(f"  {result}" for result in report.refused)]
    if all(result.is_acceptable for result in report.refused):
        lines.append('if it is real and known, "paperlake build --accept-loss WHY" lets it pass, and keeps why')
    raise GateClosed("\n".join(lines))
