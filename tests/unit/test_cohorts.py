"""Which file holds a paper's rows, and how files change when papers come and go; files of marts; indexes of pages."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from shutil import copy

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest

from flows.tasks.base import Base
from flows.tasks.cohorts import Derived
from flows.tasks.scratch_place import new_scratch_place
from tests.builders import frame, sighting
from warehouse.release import cohort_files, parquet
from warehouse.release.cohort_files import Near, papers_that_differ
from warehouse.release.database import assemble, in_database
from warehouse.release.draft import write_part
from warehouse.release.manifest import Draft, File, Manifest, TableFiles
from warehouse.release.parquet import Differing, Part, Renewed, place_of
from warehouse.release.snapshot import Snapshot
from warehouse.schema import places
from warehouse.schema.catalog import CORE_TABLES, MART_TABLES
from warehouse.schema.core.attached import PAPER_KEYWORDS
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.ddl import qualified
from warehouse.schema.mart import Mart
from warehouse.schema.marts.by_period import KEYWORDS_BY_MONTH
from warehouse.schema.table import Cut, Table
from warehouse.store.local_files import LocalFiles, sha256
from warehouse.store.opening import open_store

VERSION = "2026.11.21.1"
GATHERED = places.gathered
PAIRS = replace(SIGHTINGS, cut=Cut(2))  # two rows a file at most
Places = dict[str, list[str]]


@pytest.fixture
def files(tmp_path: Path) -> LocalFiles:
    return LocalFiles(open_store(str(tmp_path / "lake")), tmp_path)


def seen(*paper_ids: str) -> pl.DataFrame:
    return SIGHTINGS.conform(pl.concat([SIGHTINGS.empty(), *(frame(sighting(paper_id=one)) for one in paper_ids)]))


def release(files: LocalFiles, rows: pl.DataFrame, cut: Table) -> Snapshot[Manifest]:
    table = _written(files, f"releases/{VERSION}", rows, cut)
    return Snapshot(Manifest(VERSION, 2, "0", None, 1, "", (table, *_empty()), ()), files)


def _written(files: LocalFiles, at: str, rows: pl.DataFrame, cut: Table) -> TableFiles:
    made = []
    for part in parquet.parts(cut, rows):
        part.write(path := Path(files.store.url).parent / "made.parquet")
        files.store.put(f"{at}/{part.key}", path.read_bytes())
        made.append(File(part.key, path.stat().st_size, sha256(path), part.frame.height))
    return TableFiles(SIGHTINGS.name, rows.height, tuple(made))


def _empty() -> list[TableFiles]:
    return [TableFiles(table.name, 0, ()) for table in CORE_TABLES if table != SIGHTINGS]


def built(release: Snapshot[Manifest], changed: Sequence[str], rows: Mapping[str, int], table: Table) -> Places:
    """The cohorts of each file that is to be written, and the files that are passed on, where the changed papers have
    these rows now.
    """
    with new_scratch_place() as place:
        base = Base(place, release)
        base.change(pl.Series(changed))
        files, passed = base.files_to_be(table, [Derived("derived/0", {table.name: dict(rows)})])
    written = {Path(one.key).stem: sorted(one.places) for one in files}
    return written | {"passed": sorted(map(place_of, passed))}


@pytest.mark.parametrize(
    ("paper_id", "place"),
    [("2504.12984", "2025-04-1"), ("hep-th/9901001", "1999-01"), ("title:9f0c2d4e5a6b7c8d", "titles-9")],
)
def test_the_smallest_place_of_a_paper_follows_from_the_id(paper_id: str, place: str) -> None:
    assert pl.DataFrame({"paper_id": [paper_id]}).select(places.PLACE).item() == place


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


def test_the_newest_month_is_cut_into_thirds_and_older_ones_are_whole(files: LocalFiles) -> None:
    table = replace(SIGHTINGS, cut=Cut(9, 3, 2))
    june = ["2606.00001", "2606.10001", "2606.20001"]
    before = release(files, seen("2605.00001", *june), table)
    thirds = ["2026-06-0", "2026-06-1", "2026-06-2"]
    assert sorted(place_of(file) for file in before.tables[SIGHTINGS.name].files) == ["2026-05", *thirds]
    assert [place_of(file) for file in Near(before, ["2606.10007"]).files(SIGHTINGS)] == ["2026-06-1"]
    # A day of the same month: the third that changed, of the files that may hold its cohort
    assert built(before, ["2606.20002"], {"2026-06-2": 1}, table) == {
        **{third: [third] for third in thirds},
        "passed": ["2026-05"],
    }
    # Two papers of the next month, and the month before is whole; with one it is still among the newest
    after = built(before, ["2607.00001", "2607.00002"], {"2026-07-0": 2}, table)
    assert after == {"2026-06": thirds, "2026-Q3": ["2026-07-0"], "passed": ["2026-05"]}
    assert built(before, ["2607.00001"], {"2026-07-0": 1}, table) == {
        "2026-Q3": ["2026-07-0"],
        "passed": ["2026-05", *thirds],
    }


def test_a_year_is_cut_finely_only_while_it_is_the_newest(files: LocalFiles) -> None:
    table = replace(SIGHTINGS, cut=Cut(4, 2))
    before = release(files, seen("2401.00001", "2501.00001", "2501.00002", "2505.00001", "2601.00001"), table)
    assert {place_of(file) for file in before.tables[SIGHTINGS.name].files} == {"2024", "2025-Q1", "2025-Q2", "2026"}
    assert built(before, ["2601.00002"], {"2026-01-0": 1}, table) == {
        "2025": ["2025-01-0", "2025-05-0"],
        "2026": ["2026-01-0"],
        "passed": ["2024"],
    }
    rows = seen("2501.00001", "2501.00002", "2505.00001", "2601.00001", "2601.00002")
    after = release(LocalFiles(files.store, Path(files.store.url)), rows, table)
    assert {place_of(file) for file in after.tables[SIGHTINGS.name].files} == {"2025", "2026"}
    assert built(after, ["2601.00002"], {}, table) == {
        "2025-Q1": ["2025-01-0"],
        "2025-Q2": ["2025-05-0"],
        "2026": ["2026-01-0"],
        "passed": [],
    }


def test_a_file_that_grows_is_cut_and_files_that_shrink_are_gathered(files: LocalFiles) -> None:
    before = release(files, seen("2401.00001", "2501.00001", "2505.00001"), PAIRS)
    assert built(before, ["2508.00001"], {"2025-08-0": 1}, PAIRS) == {
        "2025-Q1": ["2025-01-0"],
        "2025-Q2": ["2025-05-0"],
        "2025-Q3": ["2025-08-0"],
        "passed": ["2024"],
    }
    assert built(before, ["2501.00001"], {}, PAIRS) == {"all": ["2024-01-0", "2025-05-0"], "passed": []}


def test_papers_differ_by_any_value_in_files_that_are_not_shared(files: LocalFiles) -> None:
    before = release(files, seen("2401.00001", "2401.00002", "2505.00001", "2505.00002"), PAIRS)
    now = seen("2401.00001", "2401.00002", "2505.00001", "2505.00003")
    after = Draft("first-0", 2, "0", None, 1, "", (_written(files, "drafts/first-0", now, PAIRS), *_empty()))
    assert papers_that_differ(Snapshot(after, files), before).to_list() == ["2505.00002", "2505.00003"]


JANUARY, FEBRUARY, MARCH = (date(2026, month, 1) for month in (1, 2, 3))
NOTHING = {mart.name: Differing(mart.empty(), mart.empty()) for mart in MART_TABLES}


def stored_marts(
    path: Path, before: Snapshot[Manifest] | None = None, changed: dict[str, Differing] | None = None
) -> list[tuple[Mart, Renewed]]:
    return in_database(path, lambda used: list(cohort_files.stored_marts(used, before, changed)))


def count(path: Path, month: date, *keywords: str) -> None:
    with duckdb.connect(str(path)) as connection:
        for keyword in keywords:
            row = {"month_on": month, "keyword": keyword, "paper_count": 1, "keyword_paper_count": 2, "share": 0.5}
            row |= {"normal_keyword": keyword, "normal_paper_count": 1, "normal_share": 0.5}
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            connection.execute(
                f"INSERT INTO {qualified(KEYWORDS_BY_MONTH)} ({names}) VALUES ({marks})", list(row.values())
            )


@pytest.fixture(scope="module")
def three_months(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of three months; tests only read it."""
    assemble(path := tmp_path_factory.mktemp("months") / "made", {})
    for month in (JANUARY, FEBRUARY, MARCH):
        count(path, month, "gardens")
    return path


@pytest.fixture
def made(three_months: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, of which a file of the newest year has two rows at most."""
    monkeypatch.setattr(places, "gathered", lambda rows, most, newest, month: GATHERED(rows, most, newest and 2, month))
    return Path(copy(three_months, tmp_path / "made"))


@pytest.fixture
def before(made: Path, tmp_path: Path) -> Snapshot[Manifest]:
    """The release of it."""
    store, marts = open_store(str(tmp_path / "lake")), []
    for mart, rows in stored_marts(made):
        files = tuple(write_part(tmp_path, part) for part in parquet.parts(mart, *rows))
        for file in files:
            store.put_file_new(f"releases/{VERSION}/{file.key}", tmp_path / file.key)
        marts.append(TableFiles(mart.name, rows.frame.height, files, cohort_rows=mart.cohort_rows))
    manifest = Manifest(VERSION, 2, "0", None, 1, "", (), (), marts=tuple(marts))
    return Snapshot(manifest, LocalFiles(store, tmp_path))


def keywords(path: Path, before: Snapshot[Manifest] | None, *months: date) -> tuple[list[tuple[date, str]], list[str]]:
    """Rows that are written, and files that are kept."""
    came = Differing(
        pl.DataFrame(schema={"month_on": pl.Date}), pl.DataFrame({"month_on": months}, {"month_on": pl.Date})
    )
    found = {mart.name: rows for mart, rows in stored_marts(path, before, NOTHING | {KEYWORDS_BY_MONTH.name: came})}
    rows = found[KEYWORDS_BY_MONTH.name]
    return rows.frame["month_on", "keyword"].rows(), [file.key for file in rows.passed]


def at(*places: str) -> list[str]:
    return [f"marts/keywords_by_month/{place}.parquet" for place in places]


def test_files_of_other_months_are_passed_on(made: Path, before: Snapshot[Manifest]) -> None:
    every = [(month, "gardens") for month in (JANUARY, FEBRUARY, MARCH)]
    assert keywords(made, None) == (every, [])
    assert keywords(made, before) == ([], at("2026-01", "2026-02", "2026-03"))
    count(made, FEBRUARY, "kettles")
    more = [(FEBRUARY, "gardens"), (FEBRUARY, "kettles")]
    assert keywords(made, before, FEBRUARY) == (more, at("2026-01", "2026-03"))


def test_files_that_shrink_are_joined(made: Path, before: Snapshot[Manifest]) -> None:
    with duckdb.connect(str(made)) as connection:
        connection.execute(f"DELETE FROM {qualified(KEYWORDS_BY_MONTH)} WHERE month_on = ?", [MARCH])
    rows, passed = keywords(made, before, MARCH)
    assert (rows, passed) == ([(JANUARY, "gardens"), (FEBRUARY, "gardens")], [])
    anew = {mart.name: found for mart, found in stored_marts(made)}
    [part] = parquet.parts(KEYWORDS_BY_MONTH, *anew[KEYWORDS_BY_MONTH.name])
    assert [part.key] == at("all")


def test_a_damaged_file_is_written_anew(made: Path, before: Snapshot[Manifest], tmp_path: Path) -> None:
    (tmp_path / "lake/releases" / VERSION / at("2026-02")[0]).write_bytes(b"")
    assert keywords(made, before) == ([(FEBRUARY, "gardens")], at("2026-01", "2026-03"))


def test_of_marts_in_which_nothing_differs_no_file_is_written(made: Path, before: Snapshot[Manifest]) -> None:
    for mart, rows in stored_marts(made, before, NOTHING):
        assert list(rows.passed) == [file for one in before.of.marts if one.name == mart.name for file in one.files]
        assert not list(parquet.parts(mart, *rows)), mart.name


def test_a_mart_in_one_file_is_passed_on_whole_or_written_whole(made: Path, before: Snapshot[Manifest]) -> None:
    came = {"source_fields": Differing(pl.DataFrame(), pl.DataFrame({"field": ["title"]}))}
    for changed, key in (({}, ["marts/source_fields.parquet"]), (came, [])):
        found = {mart.name: (mart, rows) for mart, rows in stored_marts(made, before, NOTHING | changed)}
        mart, rows = found["source_fields"]
        assert [file.key for file in rows.passed] == key
        assert len(list(parquet.parts(mart, *rows))) == 1 - len(key)


ROWS = 5_000


def written(path: Path, table: Table, frame: pl.DataFrame) -> pq.ColumnChunkMetaData:
    """The first column of the file, which holds the same rows again."""
    part = Part(table, "data/x.parquet", table.conform(frame))
    part.write(path)
    assert pl.read_parquet(path).equals(part.frame)
    return pq.read_metadata(path).row_group(0).column(0)


def test_pages_of_a_declared_size_have_an_index(tmp_path: Path) -> None:
    ids = pl.Series("paper_id", [f"2510.{number:05}" for number in range(ROWS)])
    keywords = PAPER_KEYWORDS.empty().clear(ROWS).with_columns(ids, keyword=pl.lit("looms"))
    found = written(tmp_path / "keywords.parquet", PAPER_KEYWORDS, keywords)
    assert PAPER_KEYWORDS.page_rows == 4096
    assert (found.has_column_index, found.has_offset_index) == (True, True)
    listings = DAILY_LISTINGS.empty().clear(ROWS).with_columns(ids)
    found = written(tmp_path / "listings.parquet", DAILY_LISTINGS, listings)
    assert (found.has_column_index, found.has_offset_index) == (False, False)
