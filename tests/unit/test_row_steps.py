"""The step between two states of tables: exact in every bit, small, and whole where rows would not do."""

from __future__ import annotations

import io
import math
import os
import tempfile
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, pairwise
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from warehouse.changes.diff import compared
from warehouse.changes.row_steps import CHANGE, MadeStep, StepMaker, TableStep
from warehouse.changes.step_chain import composed
from warehouse.release.manifest import File, Manifest, TableFiles, digest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.identity import PAPER_ALIASES
from warehouse.schema.core.search import SEARCH_LISTS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table
from warehouse.store.local_files import LocalFiles, local_files
from warehouse.store.opening import open_store

EXAMPLES = int(os.environ.get("PAPERLAKE_EXAMPLES", "6"))  # each makes releases

VALUES = st.sampled_from([None, 0.0, -0.0, 1 / 3, math.nan, math.inf, 5e-324])
ROWS = st.dictionaries(st.sampled_from("abcdefgh"), VALUES)
AUTHORS = [None, [], [None], [{"name": None, "login": None, "claim_status": None, "is_hidden": None}]]


@pytest.fixture
def files(tmp_path: Path) -> Iterator[LocalFiles]:
    with local_files(open_store(str(tmp_path / "lake"))) as files:
        yield files


def release(files: LocalFiles, version: str, **frames: pl.DataFrame) -> Snapshot[Manifest]:
    tables = []
    for name, frame in frames.items():
        frame.write_parquet(to := io.BytesIO())
        key = f"data/{name}.parquet"
        files.store.put_new(f"releases/{version}/{key}", to.getvalue())
        file = File(key, len(to.getvalue()), digest(to.getvalue()), frame.height)
        tables.append(TableFiles(name, frame.height, (file,)))
    return Snapshot(Manifest(version, 1, "0", None, 0, "", tuple(tables), ()), files)


def step(before: Snapshot[Manifest] | None, after: Snapshot[Manifest]) -> MadeStep:
    maker = StepMaker(before, after)
    if before:
        compared(before, after, rows_to=maker.add, counts_only=True)
    return maker.made()


def frame_of(table: Table, rows: Mapping[str, object], key: str, value: str) -> pl.DataFrame:
    """Rows that differ in one column of their key and in one value."""
    blank = {name: [None] * len(rows) for name in table.schema}
    return pl.DataFrame(blank | {key: [*rows], value: [*rows.values()]}, schema=table.schema)


def aliases(rows: Mapping[str, float | None]) -> pl.DataFrame:
    return frame_of(PAPER_ALIASES, rows, "alias", "score")


def only(made: MadeStep) -> TableStep:
    [found] = made.tables
    return found


def bits(frame: pl.DataFrame) -> list[tuple[str, str]]:
    return [(alias, repr(score)) for alias, score in frame.select("alias", "score").sort("alias").iter_rows()]


@settings(deadline=None, max_examples=EXAMPLES)
@given(ROWS, ROWS, ROWS)
def test_steps_lead_to_the_same_bits(first, second, third) -> None:
    many = {f"x{number}": 1.0 for number in range(20)}
    with tempfile.TemporaryDirectory() as folder, local_files(open_store(f"{folder}/lake")) as files:
        states = [aliases(many | rows) for rows in (first, second, third)]
        made = [release(files, f"1.{number}", paper_aliases=one) for number, one in enumerate(states)]
        paths = []
        for number, (one, other) in enumerate(pairwise(made)):
            found = step(one, other)
            assert step(one, other) == found, "the same bytes"
            for data in found.files.values():
                paths.append(Path(folder) / f"{number}.parquet")
                paths[-1].write_bytes(data)
        if not paths:
            assert bits(states[0]) == bits(states[2])
            return
        change = composed(paths, PAPER_ALIASES.key)
        kept = states[0].join(change.delete, on=PAPER_ALIASES.key, how="anti", nulls_equal=True)
        assert bits(kept.vstack(change.insert)) == bits(states[2])
        assert kept.height == states[0].height - change.delete.height


def test_only_what_differs_is_there_and_of_a_deleted_row_only_its_key(files: LocalFiles) -> None:
    many = {f"x{number}": 1.0 for number in range(20)}
    before = release(files, "1.0", paper_aliases=aliases(many | {"gone": 2.0, "same": -0.0, "other": 0.0}))
    after = release(files, "1.1", paper_aliases=aliases(many | {"new": None, "same": -0.0, "other": -0.0}))
    made = step(before, after)
    found = only(made)
    assert (found.holds, found.inserted, found.updated, found.deleted) == ("rows", 1, 1, 1)
    rows = pl.read_parquet(made.files[found.files[0]])
    assert rows.select("alias", CHANGE, "score").rows() == [
        ("gone", "delete", None),
        ("new", "insert", None),
        ("other", "update", -0.0),
    ]
    assert rows.columns == [CHANGE, *PAPER_ALIASES.column_names]


@pytest.mark.parametrize(("one", "other"), list(combinations_with_replacement(range(len(AUTHORS)), 2)))
def test_nested_values_are_told_apart(files: LocalFiles, one: int, other: int) -> None:
    rest = {f"c{number}": None for number in range(4)}
    states = [frame_of(SIGHTINGS, rest | {"x": AUTHORS[number]}, "capture_id", "authors") for number in (one, other)]
    made = step(*(release(files, f"1.{number}", sightings=state) for number, state in enumerate(states)))
    assert [found.updated for found in made.tables] == ([1] if one != other else [])


def test_a_table_is_taken_whole_where_rows_would_not_do(files: LocalFiles) -> None:
    few = aliases({"a": 1.0, "b": 2.0, "c": 3.0})
    before = release(files, "1.0", paper_aliases=few, search_lists=SEARCH_LISTS.empty())
    cases = {
        "columns": few.with_columns(pl.col("score").cast(pl.Float32)),
        "keys": pl.concat([few, few.tail(1).with_columns(score=pl.lit(4.0))]),
        "most_rows": few.with_columns(pl.col("score") + 1),
    }
    for number, (why, frame) in enumerate(cases.items(), 1):
        made = step(before, release(files, f"1.{number}", paper_aliases=frame, search_lists=SEARCH_LISTS.empty()))
        found = only(made)
        assert (found.holds, found.why_whole, found.files) == ("whole", why, ("data/paper_aliases.parquet",)), why
        assert made.files == {}
    ordered = release(files, "1.7", paper_aliases=few.select(reversed(few.columns)), search_lists=SEARCH_LISTS.empty())
    assert only(step(before, ordered)).why_whole == "columns"
    assert [one.why_whole for one in step(None, before).tables] == ["first", "first"]
    without = release(files, "1.8", paper_aliases=few)
    assert step(before, without).tables == (TableStep("search_lists", "gone"),)
    assert only(step(without, before)).why_whole == "added"


def test_a_damaged_release_is_not_compared(files: LocalFiles) -> None:
    before = release(files, "1.0", paper_aliases=aliases({"a": 1.0, "b": 2.0, "c": 3.0}))
    after = release(files, "1.1", paper_aliases=aliases({"a": 1.0, "b": 2.0, "c": 4.0}))
    [table] = before.of.tables
    other = replace(table, files=tuple(replace(file, sha256="0" * 64) for file in table.files))
    damaged = Snapshot(replace(before.of, tables=(other,)), files)
    assert only(step(damaged, after)).why_whole == "not_compared"


def test_rows_in_other_files_are_no_change(files: LocalFiles) -> None:
    rows = aliases({"a": 1.0, "b": 2.0, "c": 3.0})
    before, after = (release(files, f"1.{at}", paper_aliases=one) for at, one in enumerate((rows, rows.reverse())))
    found = only(step(before, after))
    assert (found.holds, found.files, found.inserted, found.updated, found.deleted) == ("rows", (), 0, 0, 0)
