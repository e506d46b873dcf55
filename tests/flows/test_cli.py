"""The command line as a stranger uses it: a process, its two streams, its exit code."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from flows.runtime.lake import open_lake
from tests.flows import steps
from warehouse.release.latest import latest_manifest

PAPERLAKE = Path(sys.executable).with_name("paperlake")


def paperlake(*arguments: str, lake: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PAPERLAKE_LAKE": lake, "COLUMNS": "100"}
    command = [PAPERLAKE, *arguments]
    done = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=240, check=False
    )
    assert "Traceback" not in done.stderr + done.stdout, done.stderr
    return done


@pytest.mark.slow
def test_run_then_run_again(sample: Path, lake: str, tmp_path: Path) -> None:
    first = paperlake("run", str(sample), lake=lake)
    assert (first.returncode, first.stdout[:12]) == (0, "published 20")
    assert "landed 26 captures" in first.stderr
    bad = tmp_path / "more"
    bad.mkdir()
    (bad / "captures.csv").write_text("file,url,fetched_at,status,content_type\n../outside.json,,,,\n")
    again = paperlake("run", str(bad), str(sample), "--quiet", lake=lake)
    assert again.returncode == 3
    assert again.stdout.startswith("nothing new")
    assert "outside.json" in again.stderr
    assert "landed" not in again.stderr.replace("not landed", "").replace("was landed", "")


def test_sql_gives_one_array_of_objects_and_nothing_else(published: str) -> None:
    asked = "SELECT listed_on, rank, title, authors FROM daily_papers WHERE listed_on = DATE '2026-10-02' ORDER BY rank"
    done = paperlake("sql", asked, "--format", "json", lake=published)
    rows = json.loads(done.stdout)
    assert (done.returncode, done.stderr, len(rows)) == (0, "", 7)
    assert rows[0]["listed_on"] == "2026-10-02"
    assert isinstance(rows[0]["authors"], list)


def test_sql_of_no_rows_is_an_empty_array(published: str) -> None:
    done = paperlake("sql", "FROM papers WHERE false", "--format", "json", lake=published)
    assert json.loads(done.stdout) == []


def test_csv_holds_the_values_as_they_are(published: str) -> None:
    done = paperlake("sql", "SELECT 'a,\"b\"' AS x, NULL AS y, DATE '2024-02-29' AS z", "-f", "csv", lake=published)
    assert list(csv.reader(done.stdout.splitlines())) == [["x", "y", "z"], ['a,"b"', "", "2024-02-29"]]


def test_csv_cells_that_a_spreadsheet_would_run_are_defused(published: str) -> None:
    asked = """SELECT '=1+1' AS a, '@cmd' AS b, -5 AS c, '+x' AS d, 'a=b' AS e, ['=1'] AS f, '-' AS "=g" """
    done = paperlake("sql", asked, "-f", "csv", lake=published)
    rows = list(csv.reader(done.stdout.splitlines()))
    assert rows == [["a", "b", "c", "d", "e", "f", "'=g"], ["'=1+1", "'@cmd", "-5", "'+x", "a=b", "['=1']", "'-"]]


def test_markdown_holds_text_and_no_markup(published: str) -> None:
    asked = "SELECT '<b>a|b</b>\n`c`' AS x, NULL AS y, 7 AS z"
    done = paperlake("sql", asked, "-f", "markdown", lake=published)
    line = "| &lt;b&gt;a\\|b&lt;/b&gt; \\`c\\` |  | 7 |"
    assert done.stdout.splitlines() == ["| x | y | z |", "| --- | --- | --- |", line]


def test_an_output_file_is_whole_or_not_there(published: str, tmp_path: Path) -> None:
    made = tmp_path / "papers.parquet"
    asked = "SELECT paper_id, published_on, upvote_count FROM papers ORDER BY paper_id"
    done = paperlake("sql", asked, "-f", "parquet", "-o", str(made), lake=published)
    assert (done.returncode, done.stdout) == (0, "")
    assert pl.read_parquet(made).equals(steps.table(published, "papers")["paper_id", "published_on", "upvote_count"])
    broken = "SELECT error('late') FROM papers"
    assert paperlake("sql", broken, "-f", "csv", "-o", str(tmp_path / "x.csv"), lake=published).returncode == 9
    assert [path.name for path in tmp_path.iterdir()] == ["papers.parquet"]
    nowhere = paperlake("sql", asked, "-o", str(tmp_path / "none" / "x"), lake=published)
    assert nowhere.returncode == 2
    assert "--output" in nowhere.stderr


def test_a_query_is_held_to_its_limits(published: str, tmp_path: Path) -> None:
    endless = "SELECT count(*) FROM range(1000000000) AS a, range(1000000) AS b"
    done = paperlake("sql", endless, "--seconds", "0.5", lake=published, folder=tmp_path)
    assert done.returncode == 9
    assert "stopped after 0.5 seconds" in done.stderr
    greedy = "SELECT list(repeat('x', 1000) || range) FROM range(1000000)"
    done = paperlake("sql", greedy, "--memory", "50MB", "-f", "json", lake=published, folder=tmp_path)
    assert done.returncode == 9
    assert "memory" in done.stderr.lower()
    assert paperlake("sql", "SELECT 1", "--memory", "lots", lake=published).returncode == 2


def test_tables_lists_every_table_and_the_columns_of_one(published: str) -> None:
    listed = paperlake("tables", lake=published).stdout
    assert all(name in listed for name in ("sightings", "quarantine", "papers_by_month", "listing_as_of(day, ts)"))
    columns = paperlake("tables", "papers", lake=published).stdout
    assert "published_basis" in columns
    missing = paperlake("tables", "nothing", lake=published)
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "paperlake tables" in missing.stderr


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FORM papers",
        "CREATE TABLE x (a INT)",
        "DELETE FROM core.papers",
        "FROM read_csv('/etc/hostname')",
        "COPY papers TO 'papers.csv'",
        "ATTACH 'other.duckdb'",
        "SET enable_external_access = true",
        "SELECT error('at the first row') FROM papers",
        "",
    ],
)
def test_a_broken_or_forbidden_query_shows_what_duckdb_says(published: str, query: str, tmp_path: Path) -> None:
    done = paperlake("sql", query, "--format", "json", lake=published, folder=tmp_path)
    assert done.returncode == 9
    assert done.stderr.startswith("error: ")
    assert not list(tmp_path.glob("*.csv")) + list(tmp_path.glob("*.duckdb"))


@pytest.mark.dated
def test_status_tells_a_person_and_a_script(published: str) -> None:
    told = paperlake("status", lake=published)
    assert (told.returncode, told.stderr) == (0, "")
    assert "73 papers from 26 captured pages" in told.stdout
    assert "newest list 2026-10-02 Fri: 7 papers, fetched " in told.stdout
    gaps = [line.split(maxsplit=3) for line in told.stdout.splitlines()]  # the last gap is wider each year
    assert ["2023-05-04", "\N{EN DASH}", "2024-03-13", "225 days  missing  never fetched"] in gaps
    assert max(map(len, told.stdout.splitlines())) <= 80
    status = json.loads(paperlake("status", "--format", "json", lake=published).stdout)
    assert (status["release"]["capture_count"], status["unreleased_capture_count"]) == (26, 0)
    assert status["days"]["complete"] == 9
    assert status["last_list"]["listed_on"] == "2026-10-02"
    assert status["last_list"]["state"] == "partial"  # Friday's list was fetched on Saturday only


def test_show_raw_prints_the_page_byte_for_byte(published: str, sample: Path) -> None:
    [row] = json.loads(
        paperlake("sql", "SELECT capture_id FROM captures WHERE http_status = 404", "-f", "json", lake=published).stdout
    )
    shown = paperlake("show", "raw", row["capture_id"], lake=published)
    assert shown.stdout.encode() == (sample / "missing.json").read_bytes()
    assert paperlake("show", "raw", "0" * 20, lake=published).returncode == 5


def test_verify_finds_one_flipped_byte_and_names_the_file(published_copy: str) -> None:
    lake = published_copy
    manifest = latest_manifest(open_lake(lake))
    assert manifest is not None
    sound = paperlake("verify", lake=lake)
    assert (sound.returncode, "is sound" in sound.stdout) == (0, True)
    assert paperlake("verify", "--raw", lake=lake).returncode == 0
    papers = Path(lake) / "releases" / manifest.version / "data" / "papers.parquet"
    _flip(papers)
    damaged = paperlake("verify", lake=lake)
    assert damaged.returncode == 6
    assert "data/papers.parquet" in damaged.stderr
    [warc] = (Path(lake) / "raw" / "warc").glob("*/*")
    _flip(warc)
    damaged = paperlake("verify", "--raw", lake=lake)
    assert damaged.returncode == 6
    assert warc.name in damaged.stderr


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("command", [("sql", "SELECT 1"), ("tables",), ("verify",), ("status",)])
def test_an_empty_lake_says_what_to_do_first(command: tuple[str, ...], lake: str) -> None:
    done = paperlake(*command, lake=lake)
    assert (done.returncode, done.stdout) == (5, "")
    assert "paperlake run" in done.stderr
    assert not Path(lake).exists()


def test_wrong_arguments_exit_with_two(published: str, tmp_path: Path) -> None:
    assert paperlake("sql", lake=published).returncode == 2
    assert paperlake("nonsense", lake=published).returncode == 2
    for wrong in (
        ("--details",),
        ("--since", "2026-10-02", "--until", "2026-10-01"),
        ("--details", "--since", "2026-10-01", str(tmp_path)),
    ):
        done = paperlake("run", *wrong, lake=published)
        assert (done.returncode, done.stdout) == (2, "")
        assert wrong[0] in done.stderr
    elsewhere = paperlake("sql", "SELECT 1", lake="ftp://user:secret@host.invalid/lake")
    assert elsewhere.returncode == 2
    assert "PAPERLAKE_LAKE" in elsewhere.stderr
    assert "secret" not in elsewhere.stderr


def test_a_reader_that_stops_reading_is_no_error(published: str) -> None:
    command = f'"{PAPERLAKE}" sql "FROM range(200000)" --format csv --lake "{published}" | head -n 1'
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "range\n")
    assert "Traceback" not in done.stderr
