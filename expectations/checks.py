"""Checks of what a table's own declaration demands, in Polars: its shape, its key, its rules and its references.

Values of single columns are checked by Great Expectations (suites.py).
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from expectations.comparison import Comparison
from expectations.guard import Finding
from expectations.report import CheckResult
from warehouse.schema.table import Table


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
        broken = frame.filter(~rule.check().holds.fill_null(True))
        yield Finding(rule.meaning, frame.height).fail(broken, table.key).result(table.name, rule.name, "rule")
    for column, target in table.references.items():
        other, _ = target.split(".")
        if other in tables.now:
            yield held_in(table, column, target, tables).result(table.name, f"{column}_in_{other}", "reference")


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
