"""The causes in a published release: table `_changes`, notes, page, and the files of changes."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl

from flows.documents.notes import Notes
from flows.runtime.lake import open_database, open_lake
from paperlake.cli.release_texts import diff_text, two_releases
from warehouse.changes.explain import BY, diff_with_causes
from warehouse.release.manifest import decode
from warehouse.schema.catalog import CHANGES, KEYS_SHOWN

VERSIONS = "2026.11.21.1", "2026.11.21.2"


def release(lake: str, version: str = VERSIONS[-1]) -> Path:
    return Path(lake) / "releases" / version


def test_the_table_is_what_diff_shows(published_twice: str, tmp_path: Path) -> None:
    with duckdb.connect(str(open_database(published_twice)), read_only=True) as connection:
        held = CHANGES.conform(connection.sql("FROM _changes").pl())
    store = open_lake(published_twice)
    found = diff_with_causes(store, *two_releases(store, None, None), tmp_path / "keys.parquet")
    told = [(one.table, one.change, one.column, one.cause, one.count) for one in found.why]
    assert told == held.select(*BY, "cell_count").rows()
    assert {cause for _, _, _, cause, _ in told} == {"world"}
    keys = pl.read_parquet(tmp_path / "keys.parquet")
    assert keys.height == held["cell_count"].sum()
    assert held["keys"].list.len().to_list() == held["cell_count"].clip(upper_bound=KEYS_SHOWN).to_list()
    assert diff_text(found).splitlines()[2:4] == [
        "cause  cells",
        f"world  {keys.height:>5,}  a page fetched later shows it",
    ]


def test_notes_and_page_say_it_first(published_twice: str) -> None:
    at = release(published_twice)
    notes = decode((at / "notes.json").read_bytes(), Notes, "notes.json")
    [world] = notes.why
    assert world.cause == "world"
    headings = [line for line in (at / "NOTES.md").read_text().splitlines() if line.startswith("## ")]
    assert headings[0] == "## Why"
    page = (at / "index.html").read_text()
    assert 0 < page.index('id="why"') < page.index('id="list"')
    first = release(published_twice, VERSIONS[0])
    assert "## Why" not in (first / "NOTES.md").read_text()
    assert 'id="why"' not in (first / "index.html").read_text()
