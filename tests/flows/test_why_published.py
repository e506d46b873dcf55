"""The causes in a published release: table `_changes`, notes, page, and the files of changes."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pytest

from flows.documents.changes import SINCE, Since, since_files
from flows.documents.notes import Notes
from flows.runtime.lake import open_database, open_lake
from paperlake.texts.releases import diff_text, two_releases
from warehouse.changes.explain import BY, diff_with_causes
from warehouse.release.manifest import File, Manifest, decode, digest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.catalog.about_tables import CHANGES, KEYS_SHOWN
from warehouse.store.local_files import local_files

VERSIONS = tuple(f"2026.11.21.{number}" for number in (1, 2, 3))


def release(lake: Path, version: str = VERSIONS[-1]) -> Path:
    return lake / "releases" / version


def test_the_table_is_what_diff_shows(three_releases: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(open_database(str(three_releases))), read_only=True) as connection:
        held = CHANGES.conform(connection.sql("FROM _changes").pl())
    store = open_lake(str(three_releases))
    found = diff_with_causes(store, *two_releases(store, None, None), tmp_path / "keys.parquet")
    told = [(one.table, one.change, one.column, one.cause, one.count) for one in found.why]
    assert told == held.select(*BY, "cell_count").rows()
    assert {cause for _, _, _, cause, _ in told} == {"world"}
    keys = pl.read_parquet(tmp_path / "keys.parquet")
    assert keys.height == held["cell_count"].sum()
    assert held["keys"].list.len().to_list() == held["cell_count"].to_list()
    assert diff_text(found).splitlines()[2:4] == [
        "cause  cells",
        f"world  {keys.height:>5}  a page fetched later shows it",
    ]


def test_notes_and_page_say_it_first(three_releases: Path) -> None:
    at = release(three_releases)
    notes = decode((at / "notes.json").read_bytes(), Notes, "notes.json")
    assert notes.why is not None
    [world] = notes.why
    assert (world.cause, world.removed_count) == ("world", 0)
    headings = [line for line in (at / "NOTES.md").read_text().splitlines() if line.startswith("## ")]
    assert headings[0] == "## Why"
    page = (at / "index.html").read_text()
    assert 0 < page.index('id="why"') < page.index('id="list"')
    first = release(three_releases, VERSIONS[0])
    assert "## Why" not in (first / "NOTES.md").read_text()
    assert 'id="why"' not in (first / "index.html").read_text()


def test_what_is_new_since_an_older_release(three_releases: Path) -> None:
    folder = release(three_releases) / "changes" / "since"
    assert sorted(path.name for path in folder.iterdir()) == [f"{version}.json" for version in VERSIONS[:-1]]
    first, second = (decode((folder / f"{version}.json").read_bytes(), Since, version) for version in VERSIONS[:-1])
    added = {one.since: set(one.keys[0].keys) for one in (first, second)}
    assert (len(added[VERSIONS[0]]), len(added[VERSIONS[1]])) == (2, 1)  # captures
    store = open_lake(str(three_releases))
    exact = diff_with_causes(store, *two_releases(store, VERSIONS[0], VERSIONS[2]))
    counted = {(one.table, one.change): one.count for one in exact.why if one.column == "*"}
    assert {(one.table, one.change): len(one.keys) for one in first.keys if one.change == "added"} == counted


ROWS = {
    1: [("papers", "added", "*", "world", 2, ["a", "b"]), ("papers", "removed", "*", "reader", 1, ["c"])],
    2: [
        ("papers", "added", "*", "late_capture", 1, ["c"]),
        ("papers", "changed", "title", "restated", 2, ["a", "d"]),
        ("papers", "changed", "upvote_count", "world", 1, ["d"]),
        ("papers", "removed", "*", "reader", 1, ["b"]),
        ("captures", "added", "*", "world", KEYS_SHOWN + 1, ["x"]),
    ],
}


@pytest.fixture
def followed(tmp_path: Path) -> dict[str, Since]:
    """The files of the last of ten releases, the first two of which had changes."""
    found: dict[str, bytes] = {}
    with local_files(open_lake(str(tmp_path / "lake"))) as files:
        for number in range(1, 11):
            parent = Manifest(f"1.{number - 1}", 1, "0", None, 0, "", (), _put(files.store, number - 1, found))
            rows = pl.DataFrame(ROWS.get(number, []), CHANGES.schema, orient="row")
            found = since_files(f"1.{number}", Snapshot(parent, files), rows)
            if number == 2:
                two = {name: decode(data, Since, name) for name, data in found.items()}
    return two | {name: decode(data, Since, name) for name, data in found.items() if name not in two}


def _put(store, number: int, found: dict[str, bytes]) -> tuple[File, ...]:
    for name, data in found.items():
        store.put_new(f"releases/1.{number}/changes/since/{name}", data)
    return tuple(File(f"changes/since/{name}", len(data), digest(data)) for name, data in found.items())


def test_a_change_that_happened_twice_is_listed_once(followed: dict[str, Since]) -> None:
    both = followed["1.0.json"]
    assert both.whole == ("captures",)
    assert [(one.change, one.cause, one.keys) for one in both.keys] == [
        ("added", "world", ("a",)),  # it was changed since; b came and went
        ("changed", "late_capture", ("c",)),  # it went and came
        ("changed", "restated", ("d",)),  # the strongest of its causes
    ]
    assert len([name for name in followed if name not in ("1.0.json", "1.1.json")]) == SINCE
