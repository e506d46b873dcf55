"""The gate: everything that must be true of the tables before they are a release.

`check` gives values, `require` raises. Great Expectations is imported only while `check` runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import polars as pl

from expectations.across import across, shape
from expectations.history import NEEDED, history
from expectations.report import Report
from warehouse.errors import GateClosed
from warehouse.schema.tables import CORE_TABLES

if TYPE_CHECKING:
    from expectations.report import CheckResult
    from warehouse.schema.table import Table


class Proven(NamedTuple):
    """Tables that a release holds, which passed this gate under `rules_sha256`."""

    version: str
    rules_sha256: str
    tables: Mapping[str, pl.DataFrame]


def check(
    tables: Mapping[str, pl.DataFrame],
    declared: Sequence[Table] = CORE_TABLES,
    proven: Proven | None = None,
    accepted_loss: str | None = None,
) -> Report:
    """Every check of every declared table, whatever the others say; nothing is raised for what the data holds.

    Of a table that is missing or has other columns than declared only that is told: the checks that would read it
    are not asked, and the gate is closed all the same. Frames that are not declared are left alone.

    Where the same rules have `proven` a row before, Great Expectations is not asked of its values again; what
    concerns more than one row is asked of all rows every time. The tables that are `proven` are also what nothing may
    be lost of (expectations/history.py), whatever the rules were then, unless somebody says why: `accepted_loss`.
    """
    rules_sha256, before = rules_digest(declared), proven.tables if proven is not None else {}
    if proven is not None and proven.rules_sha256 != rules_sha256:
        proven = None
    shapes = [shape(table, tables.get(table.name)) for table in declared]
    sound = [table for table, result in zip(declared, shapes, strict=True) if result.passed]
    frames = {table.name: tables[table.name] for table in sound}
    unproven = {table.name: _unproven(table, frames[table.name], proven) for table in sound}
    results = [*shapes, *_values(sound, unproven), *chain.from_iterable(across(table, frames) for table in sound)]
    if before.keys() >= NEEDED <= frames.keys():
        results += history(frames, before, sound)
    order = [table.name for table in declared]
    in_order = tuple(sorted(results, key=lambda result: order.index(result.table)))
    return Report(in_order, rules_sha256, proven.version if proven is not None else None, accepted_loss)


def rules_digest(declared: Sequence[Table] = CORE_TABLES) -> str:
    """SHA-256 of all that the declarations demand: rows that passed under the same digest need not be asked again."""
    demands = [
        (table.name, table.key, sorted(table.references.items()), [rule.sql for rule in table.rules], column.demands)
        for table in declared
        for column in table.columns
    ]
    return hashlib.sha256(msgspec.json.encode(demands)).hexdigest()


def _unproven(table: Table, frame: pl.DataFrame, proven: Proven | None) -> pl.DataFrame:
    """The rows that no earlier release holds just so."""
    before = proven.tables.get(table.name) if proven is not None else None
    if before is None or before.schema != frame.schema:
        return frame
    # Of lists and structs nothing is asked but whether they are there
    seen = [
        pl.col(column.name).is_not_null() if column.dtype.is_nested() else pl.col(column.name)
        for column in table.columns
    ]
    fresh = frame.select(*seen, pl.row_index("_row")).join(
        before.select(seen), on=list(table.column_names), how="anti", nulls_equal=True
    )
    return frame[fresh["_row"].sort()]


def require(report: Report) -> None:
    """Nothing, where every check passed.

    Raises GateClosed, which names each failed rule, its table, how many rows broke it and the keys of a few.
    """
    if report.passed:
        return
    head = f"{len(report.refused)} of {len(report.results)} checks failed, nothing was published:"
    lines = [head, *(f"  {result}" for result in report.refused)]
    if all(result.kind == "history" for result in report.refused):
        lines.append('if the loss is real and known, "paperlake build --accept-loss WHY" lets it pass, and keeps why')
    raise GateClosed("\n".join(lines))


def _values(tables: Sequence[Table], frames: Mapping[str, pl.DataFrame]) -> list[CheckResult]:
    if not tables:
        return []
    from expectations.runner import run_suites

    return list(run_suites(tables, frames))
