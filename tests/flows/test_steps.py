"""The whole way from captures to a release, without Prefect around it."""

import hashlib
import shutil
from datetime import date, datetime
from pathlib import Path

import duckdb
import polars as pl
import pytest

from expectations.gate import require
from flows.runtime.lake import open_database
from tests.flows import steps
from transforms.core.derive import DERIVED
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits
from warehouse.archive.folder_import import captures_from
from warehouse.errors import Damaged, GateClosed, NothingThere
from warehouse.release.draft import current_draft
from warehouse.release.latest import latest, latest_manifest
from warehouse.release.write import faults
from warehouse.schema.catalog import ALL_TABLES, CORE_TABLES
from warehouse.store.opening import open_store


def captures_of(path: Path) -> list[Capture]:
    return [found for found in captures_from([path], Limits()) if isinstance(found, Capture)]


def test_every_capture_is_landed_and_accounted_for(published: str, sample: Path) -> None:
    captures = steps.table(published, "captures")
    assert captures.height == 26
    assert captures.select("item_count").sum().item() == 146
    states = dict(captures.group_by("state").len().iter_rows())
    assert states == {"read": 23, "partial": 1, "error": 1, "empty": 1}
    [error] = captures.filter(state="error").rows(named=True)
    assert (error["http_status"], error["reason"], error["sighting_count"]) == (404, "HTTP status 404", 0)


def test_a_release_is_whole_and_says_what_it_is(published: str) -> None:
    store = open_store(published)
    manifest = latest_manifest(store)
    folder = Path(published) / "releases" / manifest.version
    on_disk = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert on_disk == {file.key for file in manifest.files} | {"manifest.json"}
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, _, key = line.partition("  ")
        assert hashlib.sha256((folder / key).read_bytes()).hexdigest() == digest
    assert manifest.version == f"{steps.TODAY:%Y.%m.%d}.1"
    assert faults(store, manifest) == []
    [listings] = [table for table in manifest.tables if table.name == "daily_listings"]
    assert (listings.first_on, listings.last_on) == ("2024-03-14", "2026-10-02")


def test_the_database_holds_what_the_parquet_holds(published: str) -> None:
    manifest = latest_manifest(open_store(published))
    folder = Path(published) / "releases" / manifest.version
    with duckdb.connect(str(folder / "paperlake.duckdb"), read_only=True) as connection:
        for table in CORE_TABLES:
            files = folder / "data" / (f"{table.name}/*.parquet" if table.cohort_rows else f"{table.name}.parquet")
            stored = table.conform(pl.read_parquet(files))
            assert stored.equals(table.conform(connection.sql(f"FROM core.{table.name}").pl()))


def test_the_database_tells_a_stranger_what_is_in_it(published: str) -> None:
    manifest = latest_manifest(open_store(published))
    path = Path(published) / "releases" / manifest.version / "paperlake.duckdb"
    with duckdb.connect(str(path), read_only=True) as connection:
        for table in ALL_TABLES:
            plain = connection.sql(f"FROM {table.name}")  # no schema: a view in main
            assert tuple(plain.columns[: len(table.columns)]) == table.column_names
        told = connection.sql("SELECT count(*), count(abstract), count(DISTINCT paper_id) FROM papers").fetchall()
        texts = connection.sql("SELECT count(*) FROM core.paper_texts").fetchall()
        assert told == [(paper_count := told[0][0], texts[0][0], paper_count)]
        commented = connection.sql(
            "SELECT count(*) FILTER (comment IS NULL) FROM duckdb_columns() WHERE schema_name IN ('core', 'mart')"
        ).fetchall()
    assert commented == [(0,)]


def test_every_row_leads_back_to_its_page(published: str) -> None:
    archive = Archive(open_store(published))
    landed = {entry.capture_id for entry in archive.index()}
    with duckdb.connect(str(open_database(published)), read_only=True) as connection:

        def values(column: str, table: str) -> set[str]:
            found = connection.execute(f"SELECT DISTINCT {column} FROM core.{table} WHERE {column} IS NOT NULL")
            return {value for (value,) in found.fetchall()}

        for table in CORE_TABLES:
            if "capture_id" in table.column_names:  # an index of all texts, and a citation, are of no page
                assert values("capture_id", table.name) <= landed
        assert values("paper_id", "search_vectors") == (papers := values("paper_id", "papers"))
        assert values("other_paper_id", "similar_papers") <= papers


def test_a_closed_gate_publishes_nothing_and_names_the_rows(one_release: Path, lake: str, monkeypatch) -> None:
    shutil.copytree(one_release, lake)
    before = latest(open_store(lake))
    good = DERIVED["papers"]
    monkeypatch.setitem(
        DERIVED, "papers", lambda sightings: good(sightings).with_columns(upvote_count=pl.lit(-1, pl.Int32))
    )
    Archive(open_store(lake)).write([steps.list_of(date(2026, 10, 2))], now=steps.NOW)
    draft = steps.make_draft(lake)
    report = steps.check_draft(lake, draft)
    with pytest.raises(GateClosed, match=r"papers\.upvote_count_minimum.*paper_id="):
        require(report)
    with pytest.raises(NothingThere, match="paperlake build"):
        current_draft(open_store(lake))
    assert latest(open_store(lake)) == before
    assert (Path(lake) / "drafts" / draft.draft_id / "quality" / "index.html").is_file()


def test_landing_by_hand_makes_the_index_of_any_month_again(lake: str, sample: Path) -> None:
    store = open_store(lake)
    Archive(store).write(captures_of(sample), now=datetime(2025, 1, 31))
    before = store.read("raw/index/2025-01.cdxj")
    store.delete("raw/index/2025-01.cdxj")
    landing = steps.land(lake, [sample])
    assert (landing.landed_count, landing.skipped_count) == (0, 26)
    assert store.read("raw/index/2025-01.cdxj") == before


@pytest.fixture(scope="module")
def with_draft(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake in which a draft waits; tests copy it."""
    lake = tmp_path_factory.mktemp("drafted") / "lake"
    steps.build_unchecked(str(lake), captures_of(sample)[:1])
    return lake


@pytest.mark.parametrize("key", ["data/papers/all.parquet", "paperlake.duckdb"])
def test_a_release_that_does_not_read_back_is_not_made_the_latest(with_draft: Path, lake: str, key: str) -> None:
    """Other bytes stand where the release is to be."""
    shutil.copytree(with_draft, lake)
    store = open_store(lake)
    store.put(f"releases/2026.11.21.1/{key}", b"other bytes")
    with steps.bare_releases(), pytest.raises(Damaged):
        steps.write(lake)
    assert latest(store) is None
    assert not store.exists("releases/2026.11.21.1/manifest.json")


@pytest.mark.slow
def test_a_damaged_release_is_replaced_from_raw(lake: str, sample: Path) -> None:
    manifest = steps.run(lake, sorted(sample.glob("2024-*.json")), is_bare=True)
    hashes, folder = steps.hashes(lake), Path(lake) / "releases" / manifest.version / "data"
    (folder / "papers/all.parquet").write_bytes(b"PAR1 no more")
    (folder / "captures.parquet").unlink()
    with pytest.raises(Damaged, match="paperlake verify"):
        steps.run(lake, [sample])
    assert steps.publish_new(lake, from_raw=True, is_bare=True) is not None
    manifest = latest_manifest(open_store(lake))
    assert faults(open_store(lake), manifest) == []
    assert len(steps.table(lake, "captures")) == 32
    assert steps.hashes(lake) != hashes
