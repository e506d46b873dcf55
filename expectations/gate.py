"""The gate: everything that must be true of the tables before they are a release.

`check` gives values, `require` raises. Great Expectations is imported only while `check` runs.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from expectations.across import across, shape
from expectations.report import Report
from warehouse.errors import GateClosed
from warehouse.tables import CORE_TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from expectations.report import CheckResult
    from warehouse.table import Table


def check(tables: Mapping[str, pl.DataFrame], declared: Sequence[Table] = CORE_TABLES) -> Report:
    """Every check of every declared table, whatever the others say; nothing is raised for what the data holds.

    Of a table that is missing or has other columns than declared only that is told: the checks that would read it
    are not asked, and the gate is closed all the same. Frames that are not declared are left alone.
    """
    shapes = [shape(table, tables.get(table.name)) for table in declared]
    sound = [table for table, result in zip(declared, shapes, strict=True) if result.passed]
    frames = {table.name: tables[table.name] for table in sound}
    results = [*shapes, *_values(sound, frames), *chain.from_iterable(across(table, frames) for table in sound)]
    order = [table.name for table in declared]
    return Report(tuple(sorted(results, key=lambda result: order.index(result.table))))


def require(report: Report) -> None:
    """Nothing, where every check passed.

    Raises GateClosed, which names each failed rule, its table, how many rows broke it and the keys of a few.
    """
    if report.passed:
        return
    head = f"{len(report.failed)} of {len(report.results)} checks failed, nothing was published:"
    raise GateClosed("\n".join([head, *(f"  {result}" for result in report.failed)]))


def _values(tables: Sequence[Table], frames: Mapping[str, pl.DataFrame]) -> list[CheckResult]:
    if not tables:
        return []
    from expectations.runner import run_suites

    return list(run_suites(tables, frames))
