"""What changed between two releases, against a comparison row by row."""

from __future__ import annotations

import json
import os
import tempfile
from datetime import datetime
from pathlib import Path

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from paperlake.cli.release_texts import diff_text
from warehouse.changes.diff import ColumnDiff, Side, TableDiff, compared, diff
from warehouse.release.manifest import File, Manifest, TableFiles
from warehouse.release.snapshot import Snapshot
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.papers import PAPER_OBSERVATIONS, PAPERS
from warehouse.store.local_files import local_files
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
        parts = frame.partition_by("observed_at") if "observed_at" in frame.columns else [frame]
        files = [_written(store, version, f"data/{name}/{number}.parquet", part) for number, part in enumerate(parts)]
        tables.append(TableFiles(name, frame.height, tuple(files)))
    return Manifest(version, 1, "0", None, 0, "", tuple(tables), ())


def _written(store: Store, version: str, key: str, frame: pl.DataFrame) -> File:
    path = store.local_path(f"releases/{version}/{key}")
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.write_parquet(path)
    return File(key, 0, str(hash(path.read_bytes())))


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
    assert isinstance(added, TableDiff)
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
