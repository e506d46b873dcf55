"""The gate for a first draft, part by part: checks of single rows look at some papers at a time, those of all rows at
few columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from expectations.comparison import Comparison, Frames, Scan
from expectations.declared import declared_checks, is_in_one_file, key_unique, shape
from expectations.gate import GUARDS, rules_digest
from expectations.report import EXAMPLES, CheckResult, Kind, Report
from warehouse.schema.core.captures import QUARANTINE
from warehouse.schema.tables import CORE_TABLES

if TYPE_CHECKING:
    from warehouse.schema.table import Table

TABLES: Final = [table.name for table in CORE_TABLES]
ROWS_AT_A_TIME: Final = 100_000  # of a table whose values are checked; bounds the memory, does not change the result


def check_in_parts(others: Frames, parts: Iterable[Frames], scan: Scan) -> Report:
    """Run every check of every declared table: `others` are given whole, all other tables in `parts`.

    A part has all rows of some papers, or of a table whose rows are not of one paper each. The result is that of
    `gate.check` on all rows.
    """
    cut = [table for table in CORE_TABLES if table.name not in others]
    empty = {table.name: table.empty() for table in cut}
    whole = Comparison({**others, **empty}, scan=scan, in_parts=frozenset(empty))
    results = list(_checked([table for table in CORE_TABLES if table.name in others], whole))
    results += [shape(table, empty[table.name]) for table in cut]
    results += [key_unique(table, whole) for table in cut if not is_in_one_file(table)]
    results += [
        one.result(whole) for one in GUARDS if one.applies(whole) and not _is_by_part(one.table, one.kind, empty)
    ]

    def of_part(part: Frames) -> list[CheckResult]:
        here = Comparison({**others, **empty, **part}, scan=scan, in_parts=frozenset(empty))
        by_part = [one for one in GUARDS if one.table in part and _is_by_part(one.table, one.kind, empty)]
        return [*_checked([table for table in cut if table.name in part], here), *(one.result(here) for one in by_part)]

    results += chain.from_iterable(map(of_part, parts))  # one part is in memory at a time
    quarantine = others[QUARANTINE.name]
    return Report(tuple(merged(results)), rules_digest(), quarantined_count=quarantine.height)


def _is_by_part(table: str, kind: str, cut: Mapping[str, object]) -> bool:
    """Whether a guard can be checked part by part: not one of pages, which needs whole pages."""
    return kind == "across" and table in cut


def _checked(tables: Sequence[Table], given: Comparison) -> Iterator[CheckResult]:
    from expectations.runner import run_suites  # imports Great Expectations, which takes seconds

    shapes = [shape(table, given.now[table.name]) for table in tables]
    sound = [table for table, result in zip(tables, shapes, strict=True) if result.passed]
    yield from shapes
    for first in range(0, max((given.now[table.name].height for table in sound), default=0) or 1, ROWS_AT_A_TIME):
        rows = {table.name: given.now[table.name].slice(first, ROWS_AT_A_TIME) for table in sound}
        yield from run_suites([table for table in sound if first == 0 or rows[table.name].height], rows)
    for table in sound:
        yield from declared_checks(table, given)


def merged(results: Iterable[CheckResult]) -> list[CheckResult]:
    """One result per check: row counts summed over all parts, and the first examples."""
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
    return sorted(found.values(), key=in_order)


def in_order(result: CheckResult) -> tuple[int, int, int]:
    """The sort key of results: by table, then shape, values, key, rules, references, guards."""
    guard = next(
        (place for place, one in enumerate(GUARDS) if (one.table, one.rule) == (result.table, result.rule)), -1
    )
    kinds: tuple[Kind, ...] = ("shape", "values", "across", "rule", "reference")
    return TABLES.index(result.table), kinds.index(result.kind) if guard < 0 else len(kinds), guard
