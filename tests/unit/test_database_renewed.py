"""A database made of that of the release before: the same rows as one made anew, and made anew once it has grown."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from shutil import copyfile

import duckdb
import polars as pl
import pytest

from tests.builders import DAY, FOUR, ONE
from tests.collected import page
from tests.invented import HUB, daily_answer, paper
from transforms.collect.collect import collect, read_page
from transforms.core.derive import derive
from warehouse.archive.captured import Capture
from warehouse.release import about
from warehouse.release.about import Frames
from warehouse.release.database import Changed, assemble, may_be_renewed, parquet_bytes, renew
from warehouse.release.parquet import parts
from warehouse.schema.about_tables import ABOUT_TABLES, COLUMNS
from warehouse.schema.ddl import qualified
from warehouse.schema.tables import ALL_TABLES, CORE_TABLES, MACROS

Files = dict[str, list[Path]]
ABOUT: Frames = {table.name: table.empty() for table in ABOUT_TABLES} | {
    "_columns": COLUMNS.conform(pl.DataFrame(about.told_columns(), schema=COLUMNS.schema))
}


def listed(at: datetime, *numbers: int) -> Capture:
    answer = daily_answer([paper(number, DAY) for number in numbers], at)
    return page(answer, f"{HUB}/api/daily_papers?date={DAY}&at={at.day}", at)


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
    """One, and the next: of a paper seen again, one that is gone from no table, and two new ones."""
    before, after = (tmp_path_factory.mktemp(name) for name in ("before", "after"))
    first = listed(ONE, 1, 2, 3)
    return written(before, first), written(after, first, listed(FOUR, 2, 3, 4, 5))


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
