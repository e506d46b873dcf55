"""Files of marts: those without a changed row are kept, and how files are cut does not depend on history. And which
Parquet files have an index of their pages.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from shutil import copy

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest

from warehouse.release import cohort_files, parquet
from warehouse.release.database import assemble, in_database
from warehouse.release.draft import write_part
from warehouse.release.manifest import Manifest, TableFiles
from warehouse.release.parquet import Differing, Part, Renewed
from warehouse.release.snapshot import Snapshot
from warehouse.schema import places
from warehouse.schema.catalog import MART_TABLES
from warehouse.schema.core.attached import PAPER_KEYWORDS
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.ddl import qualified
from warehouse.schema.mart import Mart
from warehouse.schema.marts.by_period import KEYWORDS_BY_MONTH
from warehouse.schema.table import Table
from warehouse.store.local_files import LocalFiles
from warehouse.store.opening import open_store

VERSION = "2026.11.21.1"
JANUARY, FEBRUARY, MARCH = (date(2026, month, 1) for month in (1, 2, 3))
GATHERED = places.gathered
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
