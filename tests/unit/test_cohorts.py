"""Which file holds a paper's rows, and how files change when papers come and go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from tests.builders import frame, sighting
from warehouse.release import parquet
from warehouse.release.cohorts import places
from warehouse.release.cohorts.near import Near, papers_that_differ
from warehouse.release.cohorts.renewal import Renewed, compared, renewed
from warehouse.release.manifest import Draft, File, Manifest, TableFiles
from warehouse.release.parquet import place_of
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.tables import CORE_TABLES
from warehouse.store.local_files import LocalFiles, sha256
from warehouse.store.store import open_store

VERSION = "2026.11.21.1"
GATHERED = places.gathered
BY = ("paper_id", "upvote_count")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalFiles:
    """A lake in which a file has two rows at most."""
    monkeypatch.setattr(places, "gathered", lambda rows, *_: GATHERED(rows, 2))
    return LocalFiles(open_store(str(tmp_path / "lake")), tmp_path)


def seen(*paper_ids: str) -> pl.DataFrame:
    return SIGHTINGS.conform(pl.concat([SIGHTINGS.empty(), *(frame(sighting(paper_id=one)) for one in paper_ids)]))


def release(files: LocalFiles, rows: pl.DataFrame) -> Snapshot[Manifest]:
    table = _written(files, f"releases/{VERSION}", rows)
    return Snapshot(Manifest(VERSION, 2, "0", None, 1, "", (table, *_empty()), ()), files)


def _written(files: LocalFiles, at: str, rows: pl.DataFrame) -> TableFiles:
    made = []
    for part in parquet.parts(SIGHTINGS, rows):
        part.write(path := Path(files.store.url).parent / "made.parquet")
        files.store.put(f"{at}/{part.key}", path.read_bytes())
        made.append(File(part.key, path.stat().st_size, sha256(path), part.frame.height))
    return TableFiles(SIGHTINGS.name, rows.height, tuple(made))


def _empty() -> list[TableFiles]:
    return [TableFiles(table.name, 0, ()) for table in CORE_TABLES if table != SIGHTINGS]


def named(table: Renewed) -> dict[str, Sequence[str]]:
    """The papers of each file that is written, and the files that are kept."""
    written = {place_of(File(part.key, 0, "")): part.frame["paper_id"] for part in parquet.parts(SIGHTINGS, *table)}
    return {place: sorted(papers) for place, papers in written.items()} | {
        "passed": sorted(place_of(file) for file in table.passed)
    }


@pytest.mark.parametrize(
    ("paper_id", "cohort"),
    [
        ("2504.12984", "2025-04"),
        ("0704.0001", "2007-04"),
        ("hep-th/9901001", "1999-01"),
        ("math.GT/0309136", "2003-09"),
        ("title:9f0c2d4e5a6b7c8d", "titles-9"),
        ("title:9f0c2d4e5a6b7c8d-00112233", "titles-9"),
        ("2513.00001", "titles-other"),
    ],
)
def test_a_cohort_follows_from_the_id(paper_id: str, cohort: str) -> None:
    assert pl.DataFrame({"paper_id": [paper_id]}).select(places.COHORT).item() == cohort


def test_months_are_gathered_while_they_are_small() -> None:
    rows = {"2025-01": 2, "2025-03": 2, "2025-04": 5, "2026-07": 4, "1999-01": 1, "2007-04": 1, "titles-9": 1}
    assert set(GATHERED(rows, 99).values()) == {"all"}
    gathered = {"2025-01": "2025-Q1", "2025-03": "2025-Q1", "2025-04": "2025-04", "2026-07": "2026"}
    older = {"1999-01": "older", "2007-04": "older", "titles-9": "titles"}
    assert GATHERED(rows, 4) == gathered | older


def test_files_of_the_newest_year_are_smaller() -> None:
    rows = {"2024-01": 5, "2025-02": 3, "2025-03": 3, "2025-05": 1, "2026-01": 2, "2026-02": 2, "titles-9": 1}
    older = {"2024-01": "2024", "titles-9": "titles"}
    cut = {"2025-02": "2025", "2025-03": "2025", "2025-05": "2025", "2026-01": "2026-01", "2026-02": "2026-02"}
    assert GATHERED(rows, 8, 3) == older | cut
    # fewer rows came since the year before than a file may have: it is new too
    few = {"2025-02": "2025-02", "2025-03": "2025-03", "2025-05": "2025-Q2", "2026-01": "2026"}
    assert GATHERED({cohort: count for cohort, count in rows.items() if cohort != "2026-02"}, 8, 3) == older | few
    assert GATHERED({"2024-01": 2, "titles-9": 1}, 8, 3) == {"2024-01": "all", "titles-9": "all"}


def test_a_year_is_cut_finely_only_while_it_is_the_newest(files: LocalFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "gathered", lambda rows, *_: GATHERED(rows, 4, 2))
    before = release(files, seen("2401.00001", "2501.00001", "2501.00002", "2505.00001", "2601.00001"))
    assert {place_of(file) for file in before.tables[SIGHTINGS.name].files} == {"2024", "2025-Q1", "2025-Q2", "2026"}
    more = renewed(SIGHTINGS, Near(before, ["2601.00002"]), seen("2601.00002"))
    assert named(more) == {
        "2025": ["2501.00001", "2501.00002", "2505.00001"],
        "2026": ["2601.00001", "2601.00002"],
        "passed": ["2024"],
    }
    after = release(
        LocalFiles(files.store, Path(files.store.url)),
        seen("2501.00001", "2501.00002", "2505.00001", "2601.00001", "2601.00002"),
    )
    assert {place_of(file) for file in after.tables[SIGHTINGS.name].files} == {"2025", "2026"}
    fewer = renewed(SIGHTINGS, Near(after, ["2601.00002"]), seen())
    assert named(fewer) == {
        "2025-Q1": ["2501.00001", "2501.00002"],
        "2025-Q2": ["2505.00001"],
        "2026": ["2601.00001"],
        "passed": [],
    }


def test_files_of_other_cohorts_are_passed_on(files: LocalFiles) -> None:
    before = release(files, seen("2401.00001", "2401.00002", "2505.00001", "2601.00001"))
    near = Near(before, ["2505.00002"])
    assert [place_of(file) for file in near.files(SIGHTINGS)] == ["2025"]
    table = renewed(SIGHTINGS, near, seen("2505.00002"))
    assert named(table) == {"2025": ["2505.00001", "2505.00002"], "passed": ["2024", "2026"]}


def test_a_file_that_grows_is_cut_and_files_that_shrink_are_gathered(files: LocalFiles) -> None:
    before = release(files, seen("2401.00001", "2501.00001", "2505.00001"))
    grown = renewed(SIGHTINGS, Near(before, ["2508.00001"]), seen("2508.00001"))
    assert named(grown) == {
        "2025-Q1": ["2501.00001"],
        "2025-Q2": ["2505.00001"],
        "2025-Q3": ["2508.00001"],
        "passed": ["2024"],
    }
    fewer = renewed(SIGHTINGS, Near(before, ["2501.00001"]), seen())
    assert named(fewer) == {"all": ["2401.00001", "2505.00001"], "passed": []}


def test_files_in_which_no_row_differs_are_passed_on(files: LocalFiles) -> None:
    before = release(files, held := seen("2401.00001", "2401.00002", "2505.00001", "2601.00001"))
    same = compared(SIGHTINGS, before, held, held, by=BY)
    assert named(same) == {"passed": ["2024", "2025", "2026"]}
    gone_and_new = held.filter(pl.col("paper_id") != "2401.00002").vstack(seen("2605.00001"))
    assert named(compared(SIGHTINGS, before, held, gone_and_new, by=BY)) == {
        "2024": ["2401.00001"],
        "2026": ["2601.00001", "2605.00001"],
        "passed": ["2025"],
    }
    other = held.with_columns(
        upvote_count=pl.when(pl.col("paper_id") == "2505.00001").then(7).otherwise("upvote_count")
    )
    assert named(compared(SIGHTINGS, before, held, SIGHTINGS.conform(other), by=BY)) == {
        "2025": ["2505.00001"],
        "passed": ["2024", "2026"],
    }


def test_papers_differ_by_any_value_in_files_that_are_not_shared(files: LocalFiles) -> None:
    before = release(files, seen("2401.00001", "2401.00002", "2505.00001", "2505.00002"))
    now = seen("2401.00001", "2401.00002", "2505.00001", "2505.00003")
    after = Draft("first-0", 2, "0", None, 1, "", (_written(files, "drafts/first-0", now), *_empty()))
    assert papers_that_differ(Snapshot(after, files), before).to_list() == ["2505.00002", "2505.00003"]
