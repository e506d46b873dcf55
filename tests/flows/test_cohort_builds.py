"""A new day on a release of several cohorts: what a build reads and writes, and what the gate finds in a part."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

import polars as pl
import pytest

from expectations import drafts
from expectations.comparison import ComparedFrames
from expectations.gate import check
from flows.tasks.spread import TaskSizes
from tests.drafts import write_draft
from tests.flows import steps
from warehouse.archive.archive import Archive
from warehouse.release.latest import latest_manifest, release_key
from warehouse.release.manifest import File
from warehouse.release.snapshot import Snapshot, latest_release
from warehouse.release.write import faults
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.store.local_files import local_files
from warehouse.store.opening import open_store

DAYS = date(2024, 3, 14), date(2025, 6, 5), date(2026, 10, 1)
NEXT = date(2026, 10, 2)
NEIGHBOUR = "2609.01408"  # a paper of the list before, in the cohort of one of the next
SMALL = TaskSizes(file_share=1_000)


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with one release, of a list a year; its files have a few rows each."""
    lake = tmp_path_factory.mktemp("years") / "lake"
    with steps.bare_releases(with_gate=True):
        assert steps.run_captures(str(lake), [steps.list_of(day) for day in DAYS], SMALL)
    return lake


class Right(NamedTuple):
    """What a draft of the next day should hold."""

    tables: ComparedFrames
    code_version: str


@pytest.fixture(scope="module")
def right(years: Path, tmp_path_factory: pytest.TempPathFactory) -> Right:
    lake = str(copytree(years, tmp_path_factory.mktemp("right") / "lake"))
    Archive(open_store(lake)).write([steps.list_of(NEXT)], now=steps.NOW)
    draft = steps.make_draft(lake, sizes=SMALL)
    with local_files(open_store(lake)) as files:
        return Right({table.name: Snapshot(draft, files).read(table) for table in CORE_TABLES}, draft.code_version)


@pytest.fixture
def lake(years: Path, tmp_path: Path) -> str:
    return str(copytree(years, tmp_path / "lake"))


def files_of(lake: str, name: str) -> dict[str, File]:
    manifest = latest_manifest(open_store(lake))
    return {Path(file.key).stem: file for table in manifest.tables for file in table.files if table.name == name}


def test_a_day_writes_its_own_cohort_and_is_the_draft_of_a_build_from_raw(lake: str) -> None:
    """Both keep the same files of the release before, and write the same ones."""
    assert set(files_of(lake, "sightings")) == {"2024", "2025", "2026-09"}
    Archive(open_store(lake)).write([steps.list_of(NEXT)], now=steps.NOW)
    draft = steps.make_draft(lake, sizes=SMALL)
    assert {f"data/{name}/{year}.parquet" for name in ("sightings", "papers") for year in (2024, 2025)} <= {*draft.kept}
    assert not any(key.endswith("/2026.parquet") for key in draft.kept)
    assert draft == steps.make_draft(lake, from_raw=True, sizes=SMALL)
    report = steps.check_draft(lake, draft)
    assert report.passed
    assert report.proven_by is not None


@pytest.mark.slow
def test_a_damaged_file_of_another_cohort_does_not_pass(lake: str) -> None:
    """A table with a damaged file is made anew from the sightings."""
    manifest = latest_manifest(open_store(lake))
    damaged = files_of(lake, "papers")["2024"]
    path = open_store(lake).local_path(release_key(manifest.version, damaged.key))
    path.write_bytes(b"PAR1 no more")
    assert steps.run_captures(lake, [steps.list_of(NEXT)], SMALL, is_bare=True)
    assert files_of(lake, "papers")["2024"] == damaged
    manifest = latest_manifest(open_store(lake))
    assert faults(open_store(lake), manifest) == []


def with_faults(tables: ComparedFrames) -> ComparedFrames:
    """Rows that are missing, and each sort of value that no declaration allows: a control character, nothing, an unknown
    word, too low a number.
    """
    texts = tables["paper_texts"].filter(~pl.col("paper_id").str.starts_with("2506"))
    texts = texts.with_columns(abstract=pl.lit("a\x00b"), capture_id=pl.lit(None, pl.String))
    authors = tables["paper_authors"].with_columns(position=pl.lit(0, pl.Int32))
    aliases = tables["paper_aliases"].with_columns(kind=pl.lit("robot"))
    return {**tables, "paper_texts": texts, "paper_authors": authors, "paper_aliases": aliases}


@pytest.mark.slow
def test_a_draft_in_parts_is_checked_as_a_whole_one(lake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "ROWS_OF_A_PART", 40)
    monkeypatch.setattr("expectations.gate.ROWS_AT_A_TIME", 300)
    monkeypatch.setattr("expectations.comparison.ROWS_AT_A_TIME", 6)
    manifest = latest_manifest(open_store(lake))
    with local_files(open_store(lake)) as files:
        written = Snapshot(manifest, files)
        parts = [with_faults(part) if "paper_texts" in part else part for part in drafts.in_parts(written)]
        others = {table.name: written.read(table) for table in drafts.OTHERS}
        found = check(others, scan=written.scan, parts=lambda: parts)
        assert len(parts) > 2
        assert found == check(
            with_faults({table.name: written.read(table) for table in CORE_TABLES}), scan=written.scan
        )


def seen_twice(tables: ComparedFrames) -> ComparedFrames:
    """Nine places of pages belong to two papers each."""
    seen = tables["sightings"]
    return {**tables, "sightings": pl.concat([seen, seen.head(9).with_columns(paper_id=pl.lit("2506.99999"))])}


def with_one_title(tables: ComparedFrames) -> ComparedFrames:
    """All papers of a page have one title, and fewer upvotes than those below."""
    title, counts = pl.lit("Looms"), pl.col("position").cast(pl.Int32)
    return {**tables, "sightings": tables["sightings"].with_columns(title=title, upvote_count=counts)}


@pytest.mark.parametrize("count", [0, 1])
def test_what_pages_show_is_found_in_parts(years: Path, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a person has confirmed so many of the pages before there is a release."""
    monkeypatch.setattr("expectations.comparison.ROWS_AT_A_TIME", 3)
    manifest = latest_manifest(store := open_store(str(years)))
    with local_files(store) as files:
        tables = {table.name: Snapshot(manifest, files).read(table) for table in CORE_TABLES}
    tables = with_one_title(seen_twice(tables))
    cut = [table.name for table in CORE_TABLES if table.cohort_rows]
    others = {name: frame for name, frame in tables.items() if name not in cut}
    confirmed = frozenset(tables["captures"]["capture_id"].head(count))
    found = check(
        others,
        confirmed=confirmed,
        scan=lambda name, of: tables[name].lazy().select(of),
        parts=lambda: [{name: tables[name] for name in cut}],
    )
    assert {"key_unique", "titles_differ"} <= {one.rule for one in found.failed}
    assert found == check(tables, confirmed=confirmed)


def without_a_neighbour(tables: ComparedFrames) -> ComparedFrames:
    """The file of the new papers lacks a paper without new sightings."""
    return tables | {"papers": tables["papers"].filter(pl.col("paper_id") != NEIGHBOUR)}


def with_a_place_twice(tables: ComparedFrames) -> ComparedFrames:
    """One place of a page belongs to two papers, in the files of two cohorts."""
    seen = tables["sightings"]
    older = seen.filter(paper_id=NEIGHBOUR).select("capture_id", "position")
    again = seen.filter(pl.col("paper_id").str.starts_with("2610")).drop("capture_id", "position")
    twice = again.join(older, how="cross").select(seen.columns)
    return tables | {"sightings": SIGHTINGS.conform(pl.concat([seen, twice]))}


def with_other_texts(tables: ComparedFrames) -> ComparedFrames:
    """Papers without new sightings have other abstracts."""
    abstract = pl.when(pl.col("paper_id").str.starts_with("2609")).then(pl.lit("Other words.")).otherwise("abstract")
    return tables | {"paper_texts": tables["paper_texts"].with_columns(abstract=abstract)}


def without_a_file(tables: ComparedFrames) -> ComparedFrames:
    """A cohort is kept in one table and missing in another."""
    return tables | {"sightings": tables["sightings"].filter(~pl.col("paper_id").str.starts_with("24"))}


@pytest.mark.parametrize(
    ("change", "rules"),
    [
        (
            lambda right: without_a_neighbour(with_a_place_twice(with_other_texts(right))),
            {"sightings.paper_id_in_papers", "paper_texts.paper_id_in_papers", "sightings.key_unique"}
            | {"captures.sighting_count_is_rows_of_sightings", "paper_claims.spans_exact"},
        ),
        (without_a_file, {"sightings.keys_kept", "papers.paper_id_in_sightings"}),
    ],
    ids=["rows", "file"],
)
def test_the_gate_finds_what_a_build_does_wrong(
    lake: str, right: Right, change: Callable[[ComparedFrames], ComparedFrames], rules: set[str]
) -> None:
    Archive(open_store(lake)).write([steps.list_of(NEXT)], now=steps.NOW)
    with local_files(store := open_store(lake)) as files:
        tables = change(right.tables)
        share, version = SMALL.file_share, right.code_version
        wrong = write_draft(store, tables, latest_release(files), code_version=version, file_share=share)
    assert wrong.kept
    assert rules <= {f"{one.table}.{one.rule}" for one in steps.check_draft(lake, wrong).failed}
