"""A database renewed from the release before has the rows of one made anew, and is made anew once it has grown; one made by
its release's own statements, which may be those of anybody whose lake is read.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from shutil import copyfile

import duckdb
import polars as pl
import pytest

from tests.builders import DAY, FOUR, ONE
from tests.collected import page
from tests.derived import derive
from tests.invented import HUB, Paper, daily_answer, paper
from transforms.collect.collect import collect, read_page
from warehouse.archive.captured import Capture
from warehouse.errors import Damaged
from warehouse.release import about, database
from warehouse.release.about import Frames
from warehouse.release.database import assemble, parquet_bytes
from warehouse.release.made_again import make_again
from warehouse.release.parquet import Differing, differing, parts
from warehouse.schema.catalog import ABOUT_TABLES, ALL_TABLES, COLUMNS, CORE_TABLES, MACROS, MART_TABLES
from warehouse.schema.ddl import qualified

Files = dict[str, list[Path]]
ABOUT: Frames = {table.name: table.empty() for table in ABOUT_TABLES} | {
    "_columns": COLUMNS.conform(pl.DataFrame(about.described_columns(), schema=COLUMNS.schema))
}


AUGUST, SEPTEMBER, LATER = date(2025, 8, 29), date(2025, 9, 30), date(2025, 11, 3)


def listed(at: datetime, *numbers: int, on: date = DAY) -> Capture:
    answer = daily_answer([paper(number, on) for number in numbers], at)
    return page(answer, f"{HUB}/api/daily_papers?date={on}&at={at.day}", at)


def trending(at: datetime, *shown: Paper) -> Capture:
    answer = daily_answer(list(shown), at, more_upvotes=7)
    return page(answer, f"{HUB}/api/daily_papers?sort=trending&limit=100", at)


OLD = listed(datetime(2025, 8, 29, 20), 1, 2, on=AUGUST), listed(ONE, 1, on=SEPTEMBER), listed(ONE, 1, 2, 3)


def written(folder: Path, *pages: Capture) -> Files:
    """The Parquet of a release of these pages."""
    tables, files = derive(collect(map(read_page, pages))), {}
    for table in CORE_TABLES:
        made = list(parts(table, tables[table.name]))
        for part in made:
            (folder / part.key).parent.mkdir(parents=True, exist_ok=True)
            part.write(folder / part.key)
        files[table.name] = [folder / part.key for part in made]
    return files


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Files, Files]:
    """One, and the next: of a paper seen again, one that is gone from no table, two new ones, an old one that trends
    under another title, and a list of another month.
    """
    before, after = (tmp_path_factory.mktemp(name) for name in ("before", "after"))
    new = trending(FOUR, replace(paper(2, AUGUST), title="Renamed")), listed(datetime(2025, 11, 3, 20), 1, on=LATER)
    return written(before, *OLD), written(after, *OLD, listed(FOUR, 2, 3, 4, 5), *new)


@pytest.fixture(scope="module")
def databases(releases: tuple[Files, Files], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Both made anew; tests copy them."""
    before, anew = (tmp_path_factory.mktemp("databases") / name for name in ("before", "anew"))
    for path, files in zip((before, anew), releases, strict=True):
        assemble(path, files, ABOUT)
    return before, anew


def rows_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        tables = [table for table in (*ALL_TABLES, *ABOUT_TABLES) if table.name != "_file"]
        return {
            table.name: sorted(connection.execute(f"FROM {qualified(table)}").fetchall(), key=repr) for table in tables
        }


def renew(path: Path, core: dict[str, Differing], size: int) -> dict[str, Differing] | None:
    return database.renew(path, core, ABOUT, size, lambda _, found: found)


def changed(before: Files, after: Files) -> dict[str, Differing]:
    return {table.name: differing(table.key, before[table.name], after[table.name]) for table in CORE_TABLES}


def test_rows_are_replaced_as_if_it_were_made_anew(
    releases: tuple[Files, Files], databases: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warehouse.release.database.GROWN", 10)
    (before, after), size = releases, parquet_bytes(releases[0])
    rows_before, rows_anew = map(rows_of, databases)
    copyfile(databases[0], path := tmp_path / "copy")
    for held, files, expected in ((before, after, rows_anew), (after, before, rows_before)):  # forth, and back
        renew(path, changed(held, files), size)
        assert rows_of(path) == expected
    assert rows_before != rows_anew


def tables_in(parsed: object) -> Iterator[str]:
    """The tables, with their schema, that a query names, as DuckDB parsed it; the names of its own parts have none."""
    if isinstance(parsed, dict):
        if parsed.get("type") == "BASE_TABLE" and parsed["schema_name"]:
            yield parsed["table_name"]
        parsed = list(parsed.values())
    if isinstance(parsed, list):
        for part in parsed:
            yield from tables_in(part)


def test_what_a_mart_reads_is_what_its_query_names() -> None:
    """Marts that read nothing that differs are not computed."""
    with duckdb.connect() as connection:
        for mart in MART_TABLES:
            [(parsed,)] = connection.execute("SELECT json_serialize_sql(?)", [mart.sql]).fetchall()
            assert mart.reads == set(tables_in(json.loads(parsed))), mart.name


def test_marts_of_what_did_not_change_stay(
    releases: tuple[Files, Files], databases: tuple[Path, Path], tmp_path: Path
) -> None:
    copyfile(databases[0], path := tmp_path / "copy")
    with duckdb.connect(str(path)) as connection:
        connection.execute("DELETE FROM mart.keywords_by_month; DELETE FROM mart.upvote_curves")
    with duckdb.connect(str(path), read_only=True) as connection:
        seen = connection.sql("FROM core.paper_observations LIMIT 1").pl()
    found = renew(path, {"paper_observations": Differing(seen, seen)}, parquet_bytes(releases[0]))
    assert found["keywords_by_month"].is_empty
    assert not found["upvote_curves"].is_empty


def test_a_month_is_over_when_a_later_list_is_there(
    releases: tuple[Files, Files], databases: tuple[Path, Path], tmp_path: Path
) -> None:
    """Nothing of the month or its papers is new; only the last day of all differs, and what trended before it is not
    looked at.
    """
    after = written(tmp_path / "files", *OLD, listed(datetime(2025, 11, 3, 20), 1, on=LATER))
    assemble(tmp_path / "anew", after, ABOUT)
    copyfile(databases[0], path := tmp_path / "renewed")
    with duckdb.connect(str(path)) as connection:
        connection.execute("DELETE FROM mart.trending_papers")
    found = renew(path, changed(releases[0], after), parquet_bytes(releases[0]))
    assert found["trending_papers"].new["trending_on"].unique().to_list() == [LATER]
    others = [rows_of(one) | {"trending_papers": [], "_columns": []} for one in (path, tmp_path / "anew")]
    assert others[0] == others[1]


def test_papers_of_a_list_that_differs_are_looked_at_though_none_of_them_does(
    releases: tuple[Files, Files], databases: tuple[Path, Path], tmp_path: Path
) -> None:
    copyfile(databases[0], path := tmp_path / "copy")
    with duckdb.connect(str(path), read_only=True) as connection:
        held = connection.sql("FROM core.coverage WHERE listed_on = ? AND source = 'api'", params=[DAY]).pl()
    coverage = Differing(held, held.with_columns(state=pl.lit("missing")))
    found = renew(path, {"coverage": coverage}, parquet_bytes(releases[0]))
    assert sorted(found["daily_papers"].new["paper_id"]) == [paper(number, DAY).arxiv_id for number in (1, 2, 3)]
    assert found["daily_papers"].new["list_state"].unique().to_list() == ["missing"]


def test_groups_of_rows_stay_as_they_are(
    releases: tuple[Files, Files], databases: tuple[Path, Path], tmp_path: Path
) -> None:
    """What did not change is not written again, and a client passes over groups that are as small as in a new file."""
    copyfile(databases[0], path := tmp_path / "copy")
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{path}' AS lake (ROW_GROUP_SIZE {database.GROUP_ROWS})")
        connection.execute("CREATE OR REPLACE TABLE lake.large AS FROM range(100_000)")
    groups = groups_of(path, "large")
    assert renew(path, changed(*releases), parquet_bytes(releases[0])) is not None
    assert groups_of(path, "large") == groups
    assert len(groups) == 4


def groups_of(path: Path, table: str) -> list[tuple[int, int]]:
    """The first block and the rows of each group of a table."""
    with duckdb.connect(str(path), read_only=True) as connection:
        held = (
            "SELECT block_id, count FROM pragma_storage_info(?) WHERE segment_type <> 'VALIDITY' ORDER BY row_group_id"
        )
        return connection.execute(held, [table]).fetchall()


def renewed(before: Path, size: int) -> bool:
    """Whether a copy of a database is renewed where there are so many bytes of Parquet, and nothing changed."""
    copyfile(before, path := before.with_name("copy"))
    return renew(path, {}, size) is not None


def test_one_of_other_declarations_or_that_has_grown_is_made_anew(
    releases: tuple[Files, Files], databases: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is one of a paperlake that did not say of what it is."""
    path, size = databases[0], parquet_bytes(releases[0])
    assert renewed(path, size * 4 // 5 + 1)
    assert not renewed(path, size * 4 // 5 - 1)
    assert renewed(path, size * 5 // 4 - 1)
    assert not renewed(path, size * 5 // 4 + 2)
    assert renewed(path, size)
    copy = path.with_name("copy")
    assert rows_of(copy) == rows_of(path)
    with duckdb.connect(str(copy)) as connection:
        told = connection.execute("SELECT whole_bytes, parquet_bytes FROM _file").fetchall()
        assert told == [(path.stat().st_size, size)]
        connection.execute("DROP TABLE about._file")
    assert renew(copy, {}, size) is None
    monkeypatch.setattr("warehouse.release.database.MACROS", MACROS[1:])
    assert not renewed(path, size)


MADE = "CREATE SCHEMA core; CREATE TABLE core.papers (paper_id VARCHAR NOT NULL, votes BIGINT[]);"


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "papers.parquet"
    duckdb.sql(
        "SELECT * FROM (VALUES ('2512.01234', [1, 2]), ('2512.04321', NULL)) AS papers (paper_id, votes)"
    ).write_parquet(str(path))
    return path


def test_the_rows_are_put_into_the_tables_of_the_statements(tmp_path: Path, rows: Path) -> None:
    make_again(tmp_path / "made", MADE, {"core.papers": [rows, rows]})
    with duckdb.connect(tmp_path / "made", read_only=True) as connection:
        found = connection.sql("FROM core.papers").fetchall()
        layout = connection.sql("SELECT block_size FROM pragma_database_size()").fetchall()
    assert found == 2 * [("2512.01234", [1, 2]), ("2512.04321", None)]
    assert layout == [(65536,)]


@pytest.mark.parametrize(
    "statement",
    [
        "COPY (SELECT 1) TO '{0}/stolen.csv'",
        "CREATE TABLE core.secret AS FROM read_text('{0}/secret')",
        "CREATE TABLE core.secret AS FROM '{0}/papers.parquet'",
        "ATTACH '{0}/other.duckdb' AS other; CREATE TABLE other.t AS SELECT 1",
        "SET enable_external_access = true; COPY (SELECT 1) TO '{0}/stolen.csv'",
        "SET lock_configuration = false; SET temp_directory = '{0}/spill'",
        "INSTALL httpfs FROM '{0}'",
        "LOAD '{0}/extension'",
        "EXPORT DATABASE '{0}/export'",
        "no SQL",
    ],
)
def test_statements_of_others_reach_nothing(tmp_path: Path, rows: Path, statement: str) -> None:
    (tmp_path / "secret").write_text("a key")
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(Damaged, match="cannot be made by the release's own statements"):
        make_again(tmp_path / "made", f"{MADE} {statement.format(tmp_path)};", {"core.papers": [rows]})
    (tmp_path / "made").unlink(missing_ok=True)
    (tmp_path / "made.wal").unlink(missing_ok=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_rows_that_do_not_fit_are_named(tmp_path: Path, rows: Path) -> None:
    with pytest.raises(Damaged, match="votes"):
        make_again(tmp_path / "made", MADE.replace("votes", "stars"), {"core.papers": [rows]})
    with pytest.raises(Damaged, match="nothing"):
        make_again(tmp_path / "other", MADE, {"core.nothing": [rows]})
