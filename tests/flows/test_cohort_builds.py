"""A new day on a release of several cohorts: what a build reads and writes, and what the gate finds in a part."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from shutil import copytree

import polars as pl
import pytest

from expectations.comparison import Frames
from expectations.gate import check
from expectations.in_parts import check_in_parts
from flows.steps import check_draft as checking
from flows.steps import make_draft as making
from flows.steps.next_tables import next_tables
from tests.flows import steps
from warehouse.archive.archive import Archive
from warehouse.release import parquet
from warehouse.release.cohorts import places
from warehouse.release.cohorts.renewal import Renewed
from warehouse.release.faults import faults
from warehouse.release.latest import latest_manifest, release_key
from warehouse.release.manifest import File
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.tables import CORE_TABLES
from warehouse.store.local_files import local_files
from warehouse.store.store import open_store

DAYS = date(2024, 3, 14), date(2025, 6, 5), date(2026, 10, 1)
NEXT = date(2026, 10, 2)
NEIGHBOUR = "2609.01408"  # a paper of the list before, in the cohort of one of the next
GATHERED = places.gathered
Tables = dict[str, Renewed]


@pytest.fixture(scope="module")
def small() -> None:
    """Files of a few rows each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "gathered", lambda rows, most, *_: GATHERED(rows, most // 1_000))
        yield


@pytest.fixture(scope="module")
def years(small: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with one release, of a list a year."""
    lake = tmp_path_factory.mktemp("years") / "lake"
    with steps.bare_releases():
        assert steps.run_captures(str(lake), [steps.list_of(day) for day in DAYS])
    return lake


@pytest.fixture
def lake(years: Path, tmp_path: Path) -> str:
    return str(copytree(years, tmp_path / "lake"))


def files_of(lake: str, name: str) -> dict[str, File]:
    manifest = latest_manifest(open_store(lake))
    assert manifest is not None
    return {Path(file.key).stem: file for table in manifest.tables for file in table.files if table.name == name}


def test_a_day_reads_and_writes_its_own_cohort(lake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before, read = files_of(lake, "sightings"), set()
    assert set(before) == {"2024", "2025", "2026"}

    def noted(table, paths, papers=None):
        read.update(f"{table.name}/{path.stem}" for path in paths if table.cohort_rows)
        return kept(table, paths, papers)

    kept = parquet.read
    with monkeypatch.context() as patch:
        patch.setattr(parquet, "read", noted)
        Archive(open_store(lake)).write([steps.list_of(NEXT)], now=steps.NOW)
        draft = steps.make_draft(lake)
        assert draft is not None
        report = steps.check_draft(lake, draft)
    wide = {name for name in read if name.startswith(("sightings/", "papers/", "paper_texts/"))}
    assert {name.partition("/")[2][:4] for name in wide} == {"2026"}
    assert report.passed
    assert report.proven_by is not None
    with steps.bare_releases():
        steps.publish(lake)
    after = files_of(lake, "sightings")
    assert {place for place in before if before[place] == after.get(place)} == {"2024", "2025"}


def test_a_full_build_on_a_release_is_the_draft_of_a_day(lake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps the same files of the release before, and writes the same ones."""
    Archive(open_store(lake)).write([steps.list_of(NEXT)], now=steps.NOW)
    of_a_day = steps.make_draft(lake)
    monkeypatch.setattr(making, "MOST_NEW", 0)
    full = steps.make_draft(lake)
    assert full is not None
    assert full.kept
    assert full == of_a_day


@pytest.mark.slow
def test_a_damaged_file_of_another_cohort_does_not_pass(lake: str) -> None:
    """A table with a damaged file is made anew from the sightings."""
    manifest = latest_manifest(open_store(lake))
    assert manifest is not None
    damaged = files_of(lake, "papers")["2024"]
    path = open_store(lake).local_path(release_key(manifest.version, damaged.key))
    path.write_bytes(b"PAR1 no more")
    with steps.bare_releases():
        assert steps.run_captures(lake, [steps.list_of(NEXT)])
    assert files_of(lake, "papers")["2024"] == damaged
    manifest = latest_manifest(open_store(lake))
    assert manifest is not None
    assert faults(open_store(lake), manifest) == []


def without_texts(tables: Frames) -> Frames:
    return tables | {"paper_texts": tables["paper_texts"].filter(~pl.col("paper_id").str.starts_with("2506"))}


@pytest.mark.slow
@pytest.mark.parametrize("change", [lambda tables: tables, without_texts])
def test_a_draft_in_parts_is_checked_as_a_whole_one(
    lake: str, monkeypatch: pytest.MonkeyPatch, change: Callable[[Frames], Frames]
) -> None:
    monkeypatch.setattr(checking, "ROWS_OF_A_PART", 20)
    monkeypatch.setattr("expectations.in_parts.ROWS_AT_A_TIME", 14)
    monkeypatch.setattr("expectations.comparison.ROWS_AT_A_TIME", 6)
    manifest = latest_manifest(open_store(lake))
    assert manifest is not None
    with local_files(open_store(lake)) as files:
        written = Snapshot(manifest, files)
        parts = [change(part) if "paper_texts" in part else part for part in checking.in_parts(written)]
        others = {table.name: written.read(table) for table in checking.OTHERS}
        found = check_in_parts(others, parts, written.scan)
        assert len(parts) > 3 + len(checking.OF_COHORTS)
        assert found == check(change({table.name: written.read(table) for table in CORE_TABLES}), scan=written.scan)


def seen_twice(tables: Frames) -> Frames:
    """Nine places of pages belong to two papers each."""
    seen = tables["sightings"]
    return {**tables, "sightings": pl.concat([seen, seen.head(9).with_columns(paper_id=pl.lit("2506.99999"))])}


def with_one_title(tables: Frames) -> Frames:
    """All papers of a page have one title, and fewer upvotes than those below."""
    title, counts = pl.lit("Looms"), pl.col("position").cast(pl.Int32)
    return {**tables, "sightings": tables["sightings"].with_columns(title=title, upvote_count=counts)}


@pytest.mark.parametrize("change", [seen_twice, with_one_title])
def test_what_pages_show_is_found_in_parts(
    lake: str, monkeypatch: pytest.MonkeyPatch, change: Callable[[Frames], Frames]
) -> None:
    monkeypatch.setattr("expectations.comparison.ROWS_AT_A_TIME", 3)
    manifest = latest_manifest(open_store(lake))
    assert manifest is not None
    with local_files(open_store(lake)) as files:
        tables = change({table.name: Snapshot(manifest, files).read(table) for table in CORE_TABLES})
    cut = [table.name for table in CORE_TABLES if table.cohort_rows]
    others = {name: frame for name, frame in tables.items() if name not in cut}
    found = check_in_parts(
        others, [{name: tables[name] for name in cut}], lambda name, of: tables[name].lazy().select(of)
    )
    assert found.failed
    assert found == check(tables)


def without_a_neighbour(tables: Tables) -> Tables:
    """The file of the new papers lacks a paper without new sightings."""
    papers = tables["papers"]
    return tables | {"papers": papers._replace(frame=papers.frame.filter(pl.col("paper_id") != NEIGHBOUR))}


def with_a_place_twice(tables: Tables) -> Tables:
    """One place of a page belongs to two papers, in the files of two cohorts."""
    seen = tables["sightings"]
    older = seen.frame.filter(paper_id=NEIGHBOUR).select("capture_id", "position")
    again = seen.frame.filter(pl.col("paper_id").str.starts_with("2610")).drop("capture_id", "position")
    return tables | {
        "sightings": seen._replace(
            frame=SIGHTINGS.conform(pl.concat([seen.frame, again.join(older, how="cross").select(seen.frame.columns)]))
        )
    }


def with_other_texts(tables: Tables) -> Tables:
    """Papers without new sightings have other abstracts."""
    texts = tables["paper_texts"]
    abstract = pl.when(pl.col("paper_id").str.starts_with("2609")).then(pl.lit("Other words.")).otherwise("abstract")
    return tables | {"paper_texts": texts._replace(frame=texts.frame.with_columns(abstract=abstract))}


def without_a_file(tables: Tables) -> Tables:
    """A cohort is kept in one table and missing in another."""
    seen = tables["sightings"]
    return tables | {"sightings": seen._replace(passed=seen.passed[1:])}


@pytest.mark.parametrize(
    ("change", "rules"),
    [
        (without_a_neighbour, {"sightings.paper_id_in_papers", "paper_texts.paper_id_in_papers"}),
        (with_a_place_twice, {"sightings.key_unique", "captures.sighting_count_is_rows_of_sightings"}),
        (with_other_texts, {"paper_claims.spans_exact"}),
        (without_a_file, {"sightings.keys_kept", "papers.paper_id_in_sightings"}),
    ],
)
def test_the_gate_finds_what_a_build_does_wrong(
    lake: str, monkeypatch: pytest.MonkeyPatch, change: Callable[[Tables], Tables], rules: set[str]
) -> None:
    monkeypatch.setattr(making, "next_tables", lambda *args: change(next_tables(*args)))
    Archive(open_store(lake)).write([steps.list_of(NEXT)], now=steps.NOW)
    draft = steps.make_draft(lake)
    assert draft is not None
    assert rules <= {f"{one.table}.{one.rule}" for one in steps.check_draft(lake, draft).failed}
