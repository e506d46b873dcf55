"""Every column that may be corrected, by its declaration: right values, and wrong ones that an error names."""

import json
import random
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import find, settings
from hypothesis import strategies as st

from flows.steps.corrections_file import corrections_of
from tests.builders import A, everything, frame, sighting
from tests.docs import ROOT
from transforms.core.derive import of_papers
from transforms.corrections import Correction, corrected, declared, require_applied
from warehouse.errors import GateClosed, UsageError
from warehouse.people.ledger import Ledger, new_entry
from warehouse.schema.core.conflicts import CORRECTABLE, correctable
from warehouse.schema.table import Column, Table
from warehouse.store.opening import open_store

CELLS = [(table, table.column(name)) for table in CORRECTABLE.values() for name in correctable(table)]
NO_VALUE = {  # texts that are no value of a type
    pl.Date: ("soon", "2026-02-30", "20261", "10000-01-01", ""),
    pl.Datetime: ("soon", "2026-10-01T25:00:00", "0001-01-01T00:00:00+23:59", ""),
    pl.Int32: ("many", "1.5", "2147483648", "9" * 5000, ""),
    pl.Boolean: ("yes", "True", "1", ""),
}


@pytest.fixture(scope="module")
def tables() -> dict[str, pl.DataFrame]:
    """Tables with a row or more of each that can be corrected."""
    dice = random.Random(1)
    told = {"list_kind": "daily", "model_count": 2, "dataset_count": 1, "space_count": 0}
    return of_papers(frame(*({**everything(dice, number), **told} for number in range(1, 60))))


def as_text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return value.isoformat() if isinstance(value, date) else json.dumps(value)


def others(column: Column, now: Any) -> Iterator[Any]:
    """Values that a column may have, and has not."""
    if column.allowed:
        yield next(one for one in column.allowed if one != now)
    elif column.pattern:
        yield fitting(column.pattern, now)
    elif column.dtype == pl.String:
        yield from ("Ærlig \u2019null\u2019: {tides}", "x" * (column.max_length or 1))
    elif column.dtype == pl.Date:
        yield from ((now or date(2025, 2, 28)) + timedelta(1), date.max)
    elif column.dtype.is_temporal():
        yield from (
            (now or datetime(2025, 2, 28)) + timedelta(seconds=1, microseconds=5),
            datetime(9999, 12, 31, 23, 59, 59),
        )
    else:
        yield not now if column.dtype == pl.Boolean else (now or 0) + 1
    if column.is_nullable and now is not None:
        yield None


@cache
def fitting(pattern: str, now: str | None) -> str:
    """Another value of a pattern; to find one takes a while."""
    found = st.from_regex(pattern, fullmatch=True)
    return find(found, lambda value: value != now, settings=settings(derandomize=True))


def entry_of(table: Table, column: Column, row: dict[str, Any], **changes: Any) -> Correction:
    key = {name: as_text(row[name]) for name in table.key}
    said = {"table": table.name, "key": key, "column": column.name, "seen": as_text(row[column.name])}
    return Correction(**said | {"right": None, "reason": "seen", "source": "https://arxiv.example"} | changes)


@pytest.mark.parametrize(("table", "column"), CELLS, ids=lambda one: one.name)
def test_a_right_value_changes_its_cell_alone(tables: dict[str, pl.DataFrame], table: Table, column: Column) -> None:
    before = tables[table.name]
    row = before.sort(column.name, nulls_last=True).row(0, named=True)
    for right in others(column, row[column.name]):
        after = make(tables, entry_of(table, column, row, right=as_text(right)))
        mine = pl.all_horizontal(pl.col(name) == row[name] for name in table.key)
        wanted = pl.when(mine).then(pl.lit(right, column.dtype)).otherwise(column.name)
        assert after[table.name].equals(before.with_columns(wanted.alias(column.name)))
        assert all(after[name].equals(tables[name]) for name in tables.keys() - {table.name, "corrections"})
        assert after["corrections"].select("value_seen", "value_right").row(0) == (
            as_text(row[column.name]),
            as_text(right),
        )


@pytest.mark.parametrize(("table", "column"), CELLS, ids=lambda one: one.name)
def test_a_wrong_value_is_an_error_by_its_entry(tables: dict[str, pl.DataFrame], table: Table, column: Column) -> None:
    row = tables[table.name].sort(column.name, nulls_last=True).row(0, named=True)
    right = as_text(next(others(column, row[column.name])))
    wrong = [{"right": text} for text in (*NO_VALUE.get(column.dtype.base_type(), ()), *breaking(column))]
    wrong += [{"seen": text, "right": right} for text in NO_VALUE.get(column.dtype.base_type(), ())]
    wrong += [
        {"right": as_text(row[column.name])},
        {"seen": right, "right": as_text(list(others(column, row[column.name]))[-1])},
    ]
    key = entry_of(table, column, row).key
    no_keys = {name: NO_VALUE.get(table.schema[name].base_type(), ("2609.99999",)) for name in table.key}
    wrong += [{"right": right, "key": key | {name: text}} for name, texts in no_keys.items() for text in texts]
    for changes in wrong:
        with pytest.raises(GateClosed, match=rf"^corrections that .*\n  {table.name} .*{column.name}: ") as told:
            make(tables, entry_of(table, column, row, **changes))
        assert told.value.exit_code == 4


def make(tables: dict[str, pl.DataFrame], entry: Correction) -> dict[str, pl.DataFrame]:
    entries = declared([entry])
    after = corrected(tables, entries)
    require_applied(entries, after["corrections"])
    return after


def breaking(column: Column) -> Iterator[str | None]:
    """Values that a rule of the column refuses."""
    if not column.is_nullable:
        yield None
    if column.minimum is not None:
        yield str(column.minimum - 1)
    if column.maximum is not None:
        yield str(column.maximum + 1)
    if column.allowed or column.pattern:
        yield "no such"
    if column.max_length:
        yield from ("x" * (column.max_length + 1), "a\x1bb")


def test_the_example_of_the_documentation_is_made(tmp_path: Path) -> None:
    page = (ROOT / "docs/corrections.md").read_text("utf-8")
    path = tmp_path / "corrections.yaml"
    path.write_text("\n".join(re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)), "utf-8")
    entries = corrections_of(path, None, open_store(str(tmp_path)))
    [cell] = entries.rows(named=True)
    wrong = date.fromisoformat(cell["value_seen"])
    paper = sighting(A, paper_id=cell["paper_id"], published_on=wrong, published_basis="stated")
    assert corrected(of_papers(frame(paper)), entries)["papers"]["published_on"].to_list() == [date(2025, 4, 17)]


@pytest.mark.parametrize("text", ["seen: !!int x", 'seen: "\\uD800"', "key: {paper_id: null}", "right: [1]"])
def test_what_is_no_text_is_no_list_of_corrections(tmp_path: Path, text: str) -> None:
    given = {"table": "papers", "key": "{paper_id: a}", "column": "title", "seen": "a", "right": "b", "reason": "c"}
    lines = [f"{name}: {value}" for name, value in given.items() if not text.startswith(name)]
    path = tmp_path / "corrections.yaml"
    path.write_text("- " + "\n  ".join([*lines, "source: d", text]) + "\n", "utf-8")
    with pytest.raises(UsageError, match="is no list of corrections"):
        corrections_of(path, None, open_store(str(tmp_path)))


def test_a_file_that_names_who_was_erased_does_not_bring_them_back(tmp_path: Path) -> None:
    store, path = open_store(str(tmp_path / "lake")), tmp_path / "corrections.yaml"
    entry = {"table": "daily_listings", "key": {"paper_id": A, "listed_on": "2026-10-01"}, "source": "d"}
    login = entry | {"column": "submitter_login", "seen": "ann-7", "right": "bo", "reason": "@ann-7 said so"}
    name = entry | {"column": "submitter_name", "seen": "Bo", "right": "Ann Seven", "reason": "c"}
    path.write_text(json.dumps([login, name]), "utf-8")
    made = Ledger(store).begin(new_entry("2026-11-22T00:00:00Z", "art. 17"), ["ann-7"], ["Ann Seven"])
    rows = corrections_of(path, None, store).sort("column_name").select("value_seen", "value_right", "reason").rows()
    assert rows == [(made.mask, "bo", f"@{made.mask} said so"), ("Bo", made.mask, "c")]
