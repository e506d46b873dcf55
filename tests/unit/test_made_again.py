"""The database of a release by its own statements, which may be those of anybody whose lake is read."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from warehouse.errors import Damaged
from warehouse.release.database import whole_script
from warehouse.release.made_again import make_again

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


def test_the_statements_of_this_paperlake_can_be_run(tmp_path: Path) -> None:
    make_again(tmp_path / "made", whole_script(), {})
    with duckdb.connect(tmp_path / "made", read_only=True) as connection:
        assert connection.sql("FROM search_papers('nothing')").fetchall() == []
