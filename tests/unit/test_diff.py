"""What changed between two releases, against a comparison row by row; and the step between two states of tables: exact in
every bit, small, and whole where rows would not do.
"""

import io
import json
import math
import os
import tempfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import combinations_with_replacement, pairwise
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from paperlake.cli.release_texts import diff_text
from warehouse.changes.diff import ColumnDiff, Side, compared, diff
from warehouse.changes.row_steps import CHANGE, MadeStep, StepMaker, TableStep
from warehouse.changes.step_chain import composed
from warehouse.release.manifest import File, Manifest, TableFiles, digest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.identity import PAPER_ALIASES
from warehouse.schema.core.papers import PAPER_OBSERVATIONS, PAPERS
from warehouse.schema.core.search import SEARCH_LISTS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table
from warehouse.store.local_files import LocalFiles, local_files
from warehouse.store.opening import open_store
from warehouse.store.store import Store

EXAMPLES = int(os.environ.get("PAPERLAKE_EXAMPLES", "12"))  # each makes releases

NOON, EVENING = datetime(2026, 10, 2, 12), datetime(2026, 10, 2, 20)
COUNT = st.none() | st.integers(0, 2)
ROWS = st.dictionaries(
    st.tuples(st.sampled_from(["2610.00001", "2610.00002", "title:x"]), st.sampled_from([NOON, EVENING])),
    st.tuples(COUNT, COUNT),
)


def release(store: Store, version: str, **frames: pl.DataFrame) -> Manifest:
    """The parts of a release that are compared; a table of observations is cut into files by the hour."""
    tables = []
    for name, frame in frames.items():
        parts = frame.partition_by("observed_at") if name == PAPER_OBSERVATIONS.name else [frame]
        files = [_written(store, version, f"data/{name}/{number}.parquet", part) for number, part in enumerate(parts)]
        tables.append(TableFiles(name, frame.height, tuple(files)))
    return Manifest(version, 1, "0", None, 0, "", tuple(tables), ())


def _written(store: Store, version: str, key: str, frame: pl.DataFrame) -> File:
    frame.write_parquet(to := io.BytesIO())
    store.put_new(f"releases/{version}/{key}", to.getvalue())
    return File(key, len(to.getvalue()), digest(to.getvalue()), frame.height)


def observations(rows: dict[tuple[str, datetime], tuple[int | None, int | None]]) -> pl.DataFrame:
    """A frame of observations; only upvotes and comments differ."""
    schema = PAPER_OBSERVATIONS.schema
    blank = {name: [None] * len(rows) for name in schema}
    told = {
        "paper_id": [key[0] for key in rows],
        "observed_at": [key[1] for key in rows],
        "upvote_count": [value[0] for value in rows.values()],
        "comment_count": [value[1] for value in rows.values()],
        "capture_id": ["c"] * len(rows),
    }
    return pl.DataFrame(blank | told, schema=schema)


@settings(deadline=None, max_examples=EXAMPLES)
@given(ROWS, ROWS)
def test_the_changes_are_those_that_a_comparison_row_by_row_finds(before, after) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store, keys = open_store(f"{folder}/lake"), Path(folder) / "keys.parquet"
        old = release(store, "1", paper_observations=observations(before))
        new = release(store, "2", paper_observations=observations(after))
        found = diff(store, old, new, keys)
        with local_files(store) as files:
            sides = Snapshot(old, files), Snapshot(new, files)
            counted = compared(*sides, counts_only=True)
        written = {
            (row["change"], tuple(json.loads(row["key"]))): row["columns"]
            for row in pl.read_parquet(keys).iter_rows(named=True)
        }
    expected = {("added", key): [] for key in after.keys() - before.keys()}
    expected |= {("removed", key): [] for key in before.keys() - after.keys()}
    for key in before.keys() & after.keys():
        pairs = zip(("upvote_count", "comment_count"), before[key], after[key], strict=True)
        if changed := [name for name, old_value, new_value in pairs if old_value != new_value]:
            expected["changed", key] = changed
    assert written == {(change, (key[0], str(key[1]))): columns for (change, key), columns in expected.items()}
    assert counted == replace(found, tables=tuple(replace(table, columns=()) for table in found.tables))
    assert counted.tables == tuple(replace(table, columns=()) for table in found.tables)
    for table in found.tables:
        told = {"added": table.added_count, "removed": table.removed_count, "changed": table.changed_count}
        assert told == {change: sum(1 for kind, _ in expected if kind == change) for change in told}


def test_changed_columns_nulls_and_ranges_are_named(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "lake"))
    old = observations({("2610.00001", NOON): (3, None), ("2610.00002", NOON): (5, 1)}).drop("space_count")
    new = observations({("2610.00001", NOON): (4, 2), ("2610.00002", NOON): (5, 1)}).drop("model_count")
    papers = PAPERS.empty()
    found = diff(
        store,
        release(store, "1", paper_observations=old, papers=papers),
        release(store, "2", paper_observations=new, papers=papers),
    )
    assert found.unchanged == ("papers",)
    (table,) = found.tables
    assert (table.columns_added, table.columns_gone) == (("space_count",), ("model_count",))
    columns = {column.name: column for column in table.columns}
    assert columns["upvote_count"] == ColumnDiff("upvote_count", 1, Side(0, "3", "5"), Side(0, "4", "5"))
    assert columns["comment_count"] == ColumnDiff("comment_count", 1, Side(1, "1", "1"), Side(0, "1", "2"))


def test_a_table_that_only_one_release_has_is_added_or_removed(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "lake"))
    frame = observations({("2610.00001", NOON): (3, None)})
    bare, full = release(store, "1"), release(store, "2", paper_observations=frame)
    (added,) = diff(store, bare, full).tables
    (removed,) = diff(store, full, bare).tables
    assert (added.rows_before, added.rows_after, added.added_count) == (0, 1, 1)
    assert (removed.rows_before, removed.rows_after, removed.removed_count) == (1, 0, 1)


def test_bookkeeping_is_compared_when_it_is_asked_for(tmp_path: Path) -> None:
    """Another page showed the same numbers: the row names it, and nothing of the paper changed."""
    store = open_store(str(tmp_path / "lake"))
    frame = observations({("2610.00001", NOON): (3, None), ("2610.00002", NOON): (5, 1)})
    again = frame.with_columns(capture_id=pl.lit("d"))
    releases = release(store, "1", paper_observations=frame), release(store, "2", paper_observations=again)
    found = diff(store, *releases)
    assert [(table.name, table.changed_count) for table in found.tables] == [("paper_observations", 0)]
    assert not {"capture_id", "observed_at"} & {column.name for column in found.tables[0].columns}
    assert {"capture_id", "paper_observations.observed_at"} <= set(found.left_out)
    told = diff_text(found).splitlines()
    assert told[1:] == [
        "no table changed",
        "",
        "unchanged except in columns not compared: paper_observations",
        "",
        "not compared (--all-columns does): capture_id, paper_observations.observed_at",
    ]
    every = diff(store, *releases, all_columns=True)
    assert (every.tables[0].changed_count, every.left_out) == (2, ())


def test_a_column_is_news_or_bookkeeping_by_its_declaration() -> None:
    columns = {(table.name, column.name): column.is_bookkeeping for table in CORE_TABLES for column in table.columns}
    assert columns["papers", "last_seen_at"]
    assert not columns["papers", "last_listed_on"]
    assert not columns["organizations", "paper_count"]
    assert not columns["captures", "fetched_at"]


STEP_EXAMPLES = int(os.environ.get("PAPERLAKE_EXAMPLES", "6"))  # each makes releases

VALUES = st.sampled_from([None, 0.0, -0.0, 1 / 3, math.nan, math.inf, 5e-324])
STEP_ROWS = st.dictionaries(st.sampled_from("abcdefgh"), VALUES)
AUTHORS = [None, [], [None], [{"name": None, "login": None, "claim_status": None, "is_hidden": None}]]


@pytest.fixture
def files(tmp_path: Path) -> Iterator[LocalFiles]:
    with local_files(open_store(str(tmp_path / "lake"))) as files:
        yield files


def step_release(files: LocalFiles, version: str, **frames: pl.DataFrame) -> Snapshot[Manifest]:
    return Snapshot(release(files.store, version, **frames), files)


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


@settings(deadline=None, max_examples=STEP_EXAMPLES)
@given(STEP_ROWS, STEP_ROWS, STEP_ROWS)
def test_steps_lead_to_the_same_bits(first, second, third) -> None:
    many = {f"x{number}": 1.0 for number in range(20)}
    with tempfile.TemporaryDirectory() as folder, local_files(open_store(f"{folder}/lake")) as files:
        states = [aliases(many | rows) for rows in (first, second, third)]
        made = [step_release(files, f"1.{number}", paper_aliases=one) for number, one in enumerate(states)]
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
    before = step_release(files, "1.0", paper_aliases=aliases(many | {"gone": 2.0, "same": -0.0, "other": 0.0}))
    after = step_release(files, "1.1", paper_aliases=aliases(many | {"new": None, "same": -0.0, "other": -0.0}))
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
    made = step(*(step_release(files, f"1.{number}", sightings=state) for number, state in enumerate(states)))
    assert [found.updated for found in made.tables] == ([1] if one != other else [])


def test_a_table_is_taken_whole_where_rows_would_not_do(files: LocalFiles) -> None:
    few = aliases({"a": 1.0, "b": 2.0, "c": 3.0})
    before = step_release(files, "1.0", paper_aliases=few, search_lists=SEARCH_LISTS.empty())
    cases = {
        "columns": few.with_columns(pl.col("score").cast(pl.Float32)),
        "keys": pl.concat([few, few.tail(1).with_columns(score=pl.lit(4.0))]),
        "most_rows": few.with_columns(pl.col("score") + 1),
    }
    for number, (why, frame) in enumerate(cases.items(), 1):
        made = step(before, step_release(files, f"1.{number}", paper_aliases=frame, search_lists=SEARCH_LISTS.empty()))
        found = only(made)
        assert (found.holds, found.why_whole, found.files) == ("whole", why, ("data/paper_aliases/0.parquet",)), why
        assert made.files == {}
    ordered = step_release(
        files, "1.7", paper_aliases=few.select(reversed(few.columns)), search_lists=SEARCH_LISTS.empty()
    )
    assert only(step(before, ordered)).why_whole == "columns"
    assert [one.why_whole for one in step(None, before).tables] == ["first", "first"]
    without = step_release(files, "1.8", paper_aliases=few)
    assert step(before, without).tables == (TableStep("search_lists", "gone"),)
    assert only(step(without, before)).why_whole == "added"


def test_a_damaged_release_is_not_compared(files: LocalFiles) -> None:
    before = step_release(files, "1.0", paper_aliases=aliases({"a": 1.0, "b": 2.0, "c": 3.0}))
    after = step_release(files, "1.1", paper_aliases=aliases({"a": 1.0, "b": 2.0, "c": 4.0}))
    [table] = before.of.tables
    other = replace(table, files=tuple(replace(file, sha256="0" * 64) for file in table.files))
    damaged = Snapshot(replace(before.of, tables=(other,)), files)
    assert only(step(damaged, after)).why_whole == "not_compared"


def test_rows_in_other_files_are_no_change(files: LocalFiles) -> None:
    rows = aliases({"a": 1.0, "b": 2.0, "c": 3.0})
    before, after = (step_release(files, f"1.{at}", paper_aliases=one) for at, one in enumerate((rows, rows.reverse())))
    found = only(step(before, after))
    assert (found.holds, found.files, found.inserted, found.updated, found.deleted) == ("rows", (), 0, 0, 0)
