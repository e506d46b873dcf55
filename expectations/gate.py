"""The gate: all checks that tables must pass before they become a release.

`check` gives values, `require` raises. Great Expectations is imported only while `check` runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import polars as pl

from expectations import across, history, new_lists, seen_again
from expectations.comparison import Comparison, Scan
from expectations.declared import declared_checks, flat, shape
from expectations.report import Report
from warehouse.errors import GateClosed
from warehouse.schema.core.captures import QUARANTINE
from warehouse.schema.tables import CORE_TABLES

if TYPE_CHECKING:
    from expectations.guard import Guard
    from expectations.report import CheckResult
    from warehouse.schema.table import Table

# Every check that no declaration of a table makes: the gate runs it, the data contract quotes its promise
GUARDS: Final[tuple[Guard, ...]] = (*across.GUARDS, *history.GUARDS, *seen_again.GUARDS, *new_lists.GUARDS)


class Proven(NamedTuple):
    """Tables of a release, which passed this gate under `rules_sha256`.

    Rows that are the same in the tables to check may be left out; `heights` and `usual` are those of Comparison.
    """

    version: str
    rules_sha256: str
    tables: Mapping[str, pl.DataFrame]
    heights: Mapping[str, int] = MappingProxyType({})
    usual: pl.DataFrame | None = None


def check(
    tables: Mapping[str, pl.DataFrame],
    declared: Sequence[Table] = CORE_TABLES,
    proven: Proven | None = None,
    accepted_loss: str | None = None,
    scan: Scan | None = None,
) -> Report:
    """Run every check of every declared table; failed checks are in the report, and raise nothing.

    A table that is missing, or has other columns than declared, has that one failure: further checks of it are left
    out, and the gate is closed all the same. Frames that are not declared are ignored.

    Rows that were `proven` under the same rules are not given to Great Expectations again, nor are values of new rows
    that the column had before; checks of more than one row look at all rows every time. The guards compare with the
    `proven` tables (docs/guards.md), whatever the rules were then; `accepted_loss` is the reason why a guard that fails
    may pass. Where rows of papers are left out of both, `scan` gives columns of all rows.
    """
    rules_sha256 = rules_digest(declared)
    before = (proven.tables, scan, proven.heights, proven.usual) if proven is not None else ({}, scan)
    if proven is not None and proven.rules_sha256 != rules_sha256:
        proven = None
    shapes = [shape(table, tables.get(table.name)) for table in declared]
    sound = [table for table, result in zip(declared, shapes, strict=True) if result.passed]
    frames = {table.name: tables[table.name] for table in sound}
    unproven = {table.name: _unproven(table, frames[table.name], proven) for table in sound}
    values: Iterable[CheckResult] = ()
    if sound:
        from expectations.runner import run_suites  # imports Great Expectations, which takes seconds

        values = run_suites(sound, unproven, proven.tables if proven is not None else {})
    compared = Comparison(frames, *before)
    demanded = chain.from_iterable(declared_checks(table, compared) for table in sound)
    guarded = (guard.result(compared) for guard in GUARDS if guard.applies(compared))
    results = [*shapes, *values, *demanded, *guarded]
    order = [table.name for table in declared]
    in_order = tuple(sorted(results, key=lambda result: order.index(result.table)))
    proven_by, quarantine = proven.version if proven is not None else None, frames.get(QUARANTINE.name)
    return Report(
        in_order, rules_sha256, proven_by, accepted_loss, quarantine.height if quarantine is not None else None
    )


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
