"""A database renewed from the release before has the rows of one made anew; it is made anew once it has grown."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from shutil import copyfile

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.builders import DAY, FOUR, ONE
from tests.collected import page
from tests.invented import HUB, Paper, daily_answer, paper
from transforms.collect.collect import collect, read_page
from transforms.core.derive import derive
from warehouse.archive.captured import Capture
from warehouse.release import about
from warehouse.release.about import Frames, examples_after
from warehouse.release.changes.cells import Unlike
from warehouse.release.cohorts.replaced import Changed
from warehouse.release.cohorts.touched import Touched
from warehouse.release.database import assemble, may_be_renewed, parquet_bytes, renew
from warehouse.release.parquet import parts
from warehouse.schema.about_tables import ABOUT_TABLES, COLUMNS
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.core.search import SEARCH_LISTS
from warehouse.schema.ddl import create_table, qualified
from warehouse.schema.mart import OF_PAPER, Cut, Mart, Since
from warehouse.schema.marts.papers_by_month import PAPERS_BY_MONTH
from warehouse.schema.marts.upvotes.trending_papers import TRENDING_PAPERS
from warehouse.schema.marts.upvotes.upvote_curves import UPVOTE_CURVES
from warehouse.schema.table import Table
from warehouse.schema.tables import ALL_TABLES, CORE_TABLES, MACROS, MART_TABLES

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
    old = listed(datetime(2025, 8, 29, 20), 1, 2, on=AUGUST), listed(ONE, 1, on=SEPTEMBER), listed(ONE, 1, 2, 3)
    new = trending(FOUR, replace(paper(2, AUGUST), title="Renamed")), listed(datetime(2025, 11, 3, 20), 1, on=LATER)
    return written(before, *old), written(after, *old, listed(FOUR, 2, 3, 4, 5), *new)


def rows_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        tables = [table for table in (*ALL_TABLES, *ABOUT_TABLES) if table.name != "_file"]
        return {
            table.name: sorted(connection.execute(f"FROM {qualified(table)}").fetchall(), key=repr) for table in tables
        }


def changed(before: Files, after: Files) -> dict[str, Changed]:
    return {name: Changed(before[name], after[name]) for name in after}


def test_rows_are_replaced_as_if_it_were_made_anew(releases: tuple[Files, Files], tmp_path: Path) -> None:
    before, after = releases
    for files, name in ((before, "before"), (after, "anew")):
        assemble(tmp_path / name, files, ABOUT)
    for turn, (files, held) in enumerate(((after, before), (before, after))):  # forth, and with rows that go, back
        copyfile(tmp_path / ("renewed" if turn else "before"), tmp_path / "copy")
        renew(tmp_path / "copy", changed(held, files), ABOUT)
        assert rows_of(tmp_path / "copy") == rows_of(tmp_path / ("before" if turn else "anew"))
        copyfile(tmp_path / "copy", tmp_path / "renewed")
    assert rows_of(tmp_path / "before") != rows_of(tmp_path / "anew")


def test_a_month_is_over_when_a_later_list_is_there(tmp_path: Path) -> None:
    """Nothing of the month or its papers is new; only the last day of all differs."""
    old, new = listed(datetime(2025, 9, 30, 20), 1, on=SEPTEMBER), listed(datetime(2025, 11, 3, 20), 1, on=LATER)
    before, after = written(tmp_path / "1", old), written(tmp_path / "2", old, new)
    for files, name in ((before, "renewed"), (after, "anew")):
        assemble(tmp_path / name, files, ABOUT)
    renew(tmp_path / "renewed", changed(before, after), ABOUT)
    assert rows_of(tmp_path / "renewed") == rows_of(tmp_path / "anew")


def test_marts_are_asked_for_papers_and_list_days_that_were_touched(
    releases: tuple[Files, Files], tmp_path: Path
) -> None:
    assemble(tmp_path / "made", releases[1], ABOUT)
    with duckdb.connect(str(tmp_path / "made")) as connection:
        rows, touched = connection.execute, Touched(connection)
        for table in (PAPERS, DAILY_LISTINGS, COVERAGE):
            seen = f"paper_id = '{paper(2, AUGUST).arxiv_id}'" if table == PAPERS else "false"
            for name in ("_gone", "_new"):
                rows(f"CREATE OR REPLACE TEMP TABLE {name} AS FROM {qualified(table)} WHERE {seen}")
            touched.note(table)
        touched.noted_all()
        for mart in (mart for mart in MART_TABLES if mart.cut):
            held, made = touched.rows(mart)
            assert_frame_equal(held, made, check_row_order=False)
        asked, _ = touched.rows(TRENDING_PAPERS)
        assert asked.is_empty()  # no look or listing went or came
        asked, _ = touched.rows(PAPERS_BY_MONTH)
        assert sorted(asked["month_on"]) == [date(2025, 8, 1), date(2025, 11, 1)]  # of the paper, and of the last day
        asked, _ = touched.rows(UPVOTE_CURVES)
        assert sorted(asked["paper_id"]) == sorted(str(one.arxiv_id) for one in (paper(2, AUGUST), paper(1, LATER)))


def test_a_mart_that_says_nothing_of_what_it_is_made_of_is_made_whole(
    releases: tuple[Files, Files], tmp_path: Path
) -> None:
    assemble(tmp_path / "made", releases[1], ABOUT)
    undeclared = replace(PAPERS_BY_MONTH, cut=None)
    with duckdb.connect(str(tmp_path / "made")) as connection:
        touched = Touched(connection)
        touched.noted_all()  # of nothing
        whole = connection.sql(f"FROM {qualified(PAPERS_BY_MONTH)}").pl()
        for rows in touched.rows(undeclared):
            assert_frame_equal(rows, whole, check_row_order=False)
        assert whole.height > max(rows.height for rows in touched.rows(PAPERS_BY_MONTH))


@pytest.mark.parametrize("mart", [mart for mart in MART_TABLES if mart.cut], ids=lambda mart: mart.name)
def test_a_mart_that_is_cut_is_made_of_papers_and_list_days_alone(mart: Mart) -> None:
    """Its query reads only tables with papers or list days, or other cut marts, and it declares them."""
    tables, marts = {table.name: table for table in CORE_TABLES}, {one.name: one for one in MART_TABLES}
    with duckdb.connect() as connection:
        [(parsed,)] = connection.execute("SELECT json_serialize_sql(?)", [mart.sql]).fetchall()
    read = set(re.findall(r'"schema_name":"(?:core|mart)","table_name":"(\w+)"', parsed))
    for name in read:
        if name in tables:
            assert name == COVERAGE.name or "paper_id" in tables[name].column_names
        else:
            assert marts[name].cut or "core." not in marts[name].sql
    if isinstance(mart.cut, Since):
        assert mart.cut.looks.keys() == read
        for table, (columns, _) in mart.cut.looks.items():
            assert set(columns.split(", ")) <= set(tables[table].column_names)
    elif isinstance(mart.cut, Cut):
        assert set(mart.cut.reads) == read
        assert mart.cut.by != OF_PAPER or "paper_id" in mart.column_names


def test_the_lowest_value_is_found_without_the_rows_that_stay() -> None:
    cases = [
        (7, 7, [9, 10], 11, 9),
        (7, 7, [9], 7, 7),
        (7, 9, [7, 10], 3, 3),
        (7, 9, [7, 10], 11, 7),
        (7, 7, [9], 3, 3),
        (9, 9, [], 10, 10),
    ]
    named = {"number": COVERAGE.column("fetch_count"), "numbers": SEARCH_LISTS.column("places")}
    columns = tuple(column.but(name=name, null="none") for name, column in named.items())
    table = Table(name="counts", grain="", answers="", key=(), columns=columns)
    for before, gone, stay, new, after in cases:
        with duckdb.connect() as connection:
            connection.execute("CREATE SCHEMA core")
            connection.execute(create_table(table))
            held = [(None, None), *((one, [one]) for one in (*stay, new))]
            connection.executemany("INSERT INTO core.counts VALUES (?, ?)", held)
            sides = [f"SELECT {one} AS number, [{one}] AS numbers" for one in (gone, new)]
            for name, side in zip(("_gone", "_new"), sides, strict=True):
                connection.execute(f"CREATE TEMP TABLE {name} AS {side}")
            rows = Unlike(*(connection.sql(side).pl() for side in sides))
            found = examples_after(connection, table, rows, {"number": f"{before}", "numbers": f"[{before}]"})
            assert found == {"number": f"{after}", "numbers": f"[{after}]"}


def test_what_did_not_change_stays_as_it_is(releases: tuple[Files, Files], tmp_path: Path) -> None:
    assemble(tmp_path / "made", releases[0], ABOUT)
    rows = rows_of(tmp_path / "made")
    renew(tmp_path / "made", {}, ABOUT)
    assert rows_of(tmp_path / "made") == rows


def test_one_of_other_declarations_or_that_has_grown_is_made_anew(
    releases: tuple[Files, Files], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, _ = releases
    path, size = tmp_path / "made", parquet_bytes(before)
    assemble(path, before, ABOUT)
    assert may_be_renewed(path, size)
    assert may_be_renewed(path, size * 4 // 5 + 1)
    assert not may_be_renewed(path, size * 4 // 5 - 1)
    assert may_be_renewed(path, size * 5 // 4 - 1)
    assert not may_be_renewed(path, size * 5 // 4 + 2)
    whole = path.stat().st_size
    renew(path, {}, ABOUT)
    with duckdb.connect(str(path), read_only=True) as connection:
        told = connection.execute("SELECT whole_bytes, parquet_bytes FROM _file").fetchall()
    assert told == [(whole, size)]
    monkeypatch.setattr("warehouse.release.database.MACROS", MACROS[1:])
    assert not may_be_renewed(path, size)


def test_one_of_an_older_paperlake_is_made_anew(releases: tuple[Files, Files], tmp_path: Path) -> None:
    assemble(tmp_path / "made", releases[0])
    assert not may_be_renewed(tmp_path / "made", 1)
