"""A lake whose latest release was made by a paperlake with other tables, other columns or other marts."""

from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from shutil import copytree

import duckdb
import polars as pl
import pytest
from msgspec.structs import replace

from expectations.gate import require
from expectations.history import NAMED_BY_CONTENT
from flows.runtime.lake import open_database, open_lake
from tests.flows import steps
from warehouse.archive.archive import Archive
from warehouse.archive.index import IndexEntry
from warehouse.errors import GateClosed
from warehouse.release.latest import LATEST, MANIFEST, latest_manifest, release_key
from warehouse.release.manifest import File, Latest, Manifest, digest, encode
from warehouse.schema.catalog import CORE_TABLES, SCHEMA_VERSION

pytestmark = pytest.mark.slow

THURSDAY, FRIDAY = date(2026, 10, 1), date(2026, 10, 2)
ALL = {table.name for table in CORE_TABLES}
GUARDED = ALL - NAMED_BY_CONTENT
Change = Callable[[pl.DataFrame], pl.DataFrame]


@pytest.fixture(scope="module")
def first_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with one release, of one list."""
    lake = tmp_path_factory.mktemp("first") / "lake"
    with steps.bare_releases(with_gate=True):
        assert steps.run_captures(str(lake), [steps.list_of(THURSDAY, papers=12)])
    return lake


@pytest.fixture
def released(first_release: Path, tmp_path: Path) -> str:
    """Its copy, to be changed."""
    return str(copytree(first_release, tmp_path / "lake"))


@pytest.fixture
def read_pages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that collects the captures read from raw from here on."""
    found: list[str] = []
    captures = Archive.captures

    def noted(self: Archive, entries: Iterable[IndexEntry]):
        entries = list(entries)
        found.extend(entry.capture_id for entry in entries)
        return captures(self, entries)

    monkeypatch.setattr(Archive, "captures", noted)
    return found


def latest(lake: str) -> Manifest:
    return latest_manifest(open_lake(lake))


def declared_otherwise(lake: str, name: str, change: Change) -> None:
    """Let a table of the latest release be one that was declared with other columns."""
    store, manifest = open_lake(lake), latest(lake)

    def changed(file: File) -> File:
        path = store.local_path(release_key(manifest.version, file.key))
        change(pl.read_parquet(path)).write_parquet(path)
        data = path.read_bytes()
        return File(file.key, len(data), digest(data))

    tables = tuple(
        replace(table, files=tuple(map(changed, table.files)), schema_sha256="0" * 64) if table.name == name else table
        for table in manifest.tables
    )
    data = encode(replace(manifest, tables=tables))
    store.put(release_key(manifest.version, MANIFEST), data)
    store.put(LATEST, encode(Latest(manifest.version, digest(data))))


def without_comments(papers: pl.DataFrame) -> pl.DataFrame:
    return papers.drop("comment_count").with_columns(mood=pl.lit("fine"))


def guarded(lake: str) -> set[str]:
    """The tables of which the gate asked whether rows of the previous release are gone."""
    with duckdb.connect(str(open_database(lake)), read_only=True) as connection:
        rows = connection.sql("SELECT table_name FROM _checks WHERE rule = 'keys_kept'").fetchall()
    return {name for (name,) in rows}


def files_of(manifest: Manifest) -> dict[str, set[File]]:
    return {table.name: set(table.files) for table in manifest.tables}


def published(lake: str) -> Manifest | None:
    """A release of what was landed already, where there is anything to publish."""
    with steps.bare_releases(with_gate=True):
        return steps.publish_new(lake)


def test_core_tables_that_changed_are_made_anew_and_no_other(released: str, read_pages: list[str]) -> None:
    """One whose key changed is not asked for rows."""
    declared_otherwise(released, "papers", without_comments)
    declared_otherwise(released, "paper_keywords", lambda rows: rows.rename({"keyword": "word"}))
    before = latest(released)
    manifest = published(released)  # no new capture, and yet a new release
    assert read_pages == []
    held, made = files_of(before), files_of(manifest)
    assert {name for name in ALL if held[name] != made[name]} == {"papers", "paper_keywords"}
    assert guarded(released) == GUARDED
    assert steps.table(released, "papers")["comment_count"].null_count() == 0
    assert manifest.schema_version == SCHEMA_VERSION + 1
    assert published(released) is None


def test_a_core_table_that_changed_is_guarded_on_what_both_have(released: str) -> None:
    def with_a_paper_more(papers: pl.DataFrame) -> pl.DataFrame:
        gone = papers.head(1).with_columns(paper_id=pl.lit("2609.99999"), arxiv_id=pl.lit("2609.99999"))
        return without_comments(pl.concat([papers, gone]))

    declared_otherwise(released, "papers", with_a_paper_more)
    draft = steps.make_draft(released)
    with pytest.raises(GateClosed, match=r"papers\.keys_kept.*1 of 13"):
        require(steps.check_draft(released, draft))


def test_everything_is_read_from_raw_where_what_was_read_changed(released: str, read_pages: list[str]) -> None:
    declared_otherwise(released, "sightings", lambda rows: rows.drop("project_url"))
    with steps.bare_releases(with_gate=True):
        assert steps.run_captures(released, [steps.list_of(FRIDAY, papers=12)])
    assert len(read_pages) == 2
    assert guarded(released) == GUARDED
