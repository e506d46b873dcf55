"""`paperlake sql` and `tables` in use: in pipes and files, on a terminal, against their limits."""

import gc
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from paperlake.sql.answers import answer, columns, find, listed, names
from paperlake.sql.questions import Question
from paperlake.sql.shell import Completer, Shell
from paperlake.sql.worker import Worker
from tests.flows import steps
from tests.flows.test_cli import paperlake
from tests.processes import PAPERLAKE, ROOT, finished
from tests.terminal import Terminal
from warehouse.errors import Damaged, QueryFailed, UsageError
from warehouse.limits import QueryLimits
from warehouse.release.query import Database

LONG = "SELECT levenshtein(repeat('ab', 50000), repeat('ba', 50000))"  # one function: some seconds
ENDLESS = "SELECT count(*) FROM range(1000000000) AS a, range(1000000) AS b"
# KiB, of a command and those it waited for; the peak of a process itself begins with that of whoever started it
PEAK_OF_CHILDREN = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""


def test_sql_gives_one_array_of_objects_and_nothing_else(published: str) -> None:
    asked = "SELECT listed_on, rank, title, authors FROM daily_papers WHERE listed_on = DATE '2026-10-02' ORDER BY rank"
    done = paperlake("sql", asked, "--format", "json", lake=published)
    rows = json.loads(done.stdout)
    assert (done.returncode, done.stderr, len(rows)) == (0, "", 7)
    assert rows[0]["listed_on"] == "2026-10-02"
    assert isinstance(rows[0]["authors"], list)


def test_an_output_file_is_whole_or_not_there_and_its_suffix_says_how(published: str, tmp_path: Path) -> None:
    made = tmp_path / "papers.parquet"
    asked = "SELECT paper_id, published_on, upvote_count FROM papers ORDER BY paper_id"
    done = paperlake("sql", asked, "-o", str(made), lake=published)
    assert (done.returncode, done.stdout) == (0, "")
    assert pl.read_parquet(made).equals(steps.table(published, "papers")["paper_id", "published_on", "upvote_count"])
    broken = "SELECT error('late') FROM papers"
    assert paperlake("sql", broken, "-o", str(tmp_path / "x.csv"), lake=published).returncode == 9
    assert [path.name for path in tmp_path.iterdir()] == ["papers.parquet"]
    for wrong in ("none/x", "x.xlsx"):
        done = paperlake("sql", asked, "-o", str(tmp_path / wrong), lake=published)
        assert done.returncode == 2
        assert wrong in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["papers.parquet"]


def test_a_device_is_written_in_place(published: str) -> None:
    """A device is not replaced by a file, which root could do."""
    done = paperlake("sql", "SELECT 7 AS x", "-f", "csv", "-o", "/dev/stdout", lake=published)
    assert (done.returncode, done.stdout) == (0, "x\n7\n")


def test_a_file_of_a_table_has_every_row(published: str, tmp_path: Path) -> None:
    made = tmp_path / "x.txt"
    assert paperlake("sql", "FROM range(1234)", "-o", str(made), lake=published).returncode == 0
    piped = paperlake("sql", "FROM range(1234)", lake=published).stdout
    assert made.read_text().splitlines()[-3:] == ["│  1233 │", "└───────┘", "1,234 rows"] == piped.splitlines()[-3:]


@pytest.mark.parametrize(
    ("query", "limit", "told"),
    [
        (LONG, ("--seconds", "0.5"), "stopped after 0.5 seconds; ask for less, or allow more with --seconds"),
        ("SELECT list_sort(range(200000000))[1]", ("--memory", "200MB"), "more memory than 200MB; "),
        (
            "SELECT list(repeat('x', 1000) || range) FROM range(1000000)",
            ("--memory", "50MB"),
            "allow more with --memory",
        ),
    ],
)
def test_queries_have_limits(published: str, tmp_path: Path, query: str, limit: tuple[str, str], told: str) -> None:
    """A single long function too; its spilled and half-written files are gone."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [PAPERLAKE, "sql", query, *limit, "-o", tmp_path / "x.json", "--lake", published]
    done = finished(sys.executable, "-c", PEAK_OF_CHILDREN, *command, env=environment)
    assert done.returncode == 9
    assert done.stderr.startswith("error: ")
    assert told in done.stderr
    assert int(done.stdout) < 700 * 1024
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_query_whose_asker_is_ended_ends_too(published: str, tmp_path: Path, number: signal.Signals) -> None:
    """SIGHUP, which is heard as SIGTERM is: test_cli.py."""
    command = [PAPERLAKE, "sql", ENDLESS, "--lake", published]
    with subprocess.Popen(command, env={**os.environ, "TMPDIR": str(tmp_path)}, stderr=subprocess.DEVNULL) as asking:
        children = Path(f"/proc/{asking.pid}/task/{asking.pid}/children")
        while not (child := children.read_text().strip()) or "VmData" not in _status(child):
            time.sleep(0.05)
        time.sleep(0.5)  # till it runs
        asking.send_signal(number)
    assert number is signal.SIGKILL or not list(tmp_path.iterdir())
    end = time.monotonic() + 60
    while (status := _status(child)) and "zombie" not in status:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_what_the_caller_froze_stays_frozen(tmp_path: Path) -> None:
    frozen = [tmp_path]
    gc.freeze()
    free = [tmp_path]
    with Worker(tmp_path / "no database", QueryLimits()) as worker, pytest.raises(Damaged):
        worker.ask(Question("names", ""))
    assert [any(one is two for two in gc.get_objects()) for one in (frozen, free)] == [False, True]


def _status(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def test_statements_come_as_an_argument_from_standard_input_or_from_a_file(published: str, tmp_path: Path) -> None:
    script = "SET VARIABLE x = 41; CREATE TEMP TABLE t AS SELECT getvariable('x') + 1 AS a; FROM t;\n-- the end"
    file = tmp_path / "x.sql"
    file.write_text(script)
    for call in ([script], ["--file", str(file)]):
        done = paperlake("sql", *call, "-f", "csv", lake=published)
        assert (done.returncode, done.stdout, done.stderr) == (0, "a\n42\n", "")
    for piped in (["-"], []):
        done = finished(PAPERLAKE, "sql", *piped, "-f", "csv", "--lake", published, input=script)
        assert (done.returncode, done.stdout, done.stderr) == (0, "a\n42\n", "")
    both = paperlake("sql", "SELECT 1", "--file", str(file), lake=published)
    missing = paperlake("sql", "--file", str(tmp_path / "none.sql"), lake=published)
    lots = paperlake("sql", "SELECT 1", "--memory", "lots", lake=published)
    none = paperlake("sql", "SELECT 1", "--memory", "-1", lake=published)
    ever = paperlake("sql", "SELECT 1", "--seconds", "inf", lake=published)
    assert (both.returncode, missing.returncode, lots.returncode, none.returncode) == (2, 2, 2, 2)
    assert (ever.returncode, ever.stderr) == (0, "")
    assert "none.sql cannot be read" in missing.stderr
    assert "'lots' is not a size of memory" in lots.stderr


def test_several_statements_are_all_answered_or_refused(database: Database, capfd) -> None:
    answer(database, Question("sql", "SELECT 1 AS a; SELECT 2 AS b", "markdown"))
    assert capfd.readouterr().out == "| a |\n| --- |\n| 1 |\n\n| b |\n| --- |\n| 2 |\n"
    with pytest.raises(UsageError, match=r"^2 statements give rows"):
        answer(database, Question("sql", "SELECT 1; SELECT 2", "csv"))
    with pytest.raises(QueryFailed, match="gives no rows"):
        answer(database, Question("sql", "SET VARIABLE x = 1"))
    assert answer(database, Question("sql", "SET VARIABLE x = 1", in_session=True)) == ""
    assert capfd.readouterr().out == ""


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
def test_a_broken_or_forbidden_query_is_an_error(database: Database, query: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(QueryFailed):
        answer(database, Question("sql", query, "json", in_session=True))
    assert not list(tmp_path.iterdir())


def test_instants_are_in_utc_on_a_machine_of_any_time_zone(published: str) -> None:
    asked = "SELECT TIMESTAMP '2026-10-01 20:00'::TIMESTAMPTZ::VARCHAR, current_setting('TimeZone')"
    command = [PAPERLAKE, "sql", asked, "-f", "csv", "--lake", published]
    done = subprocess.run(command, env={**os.environ, "TZ": "Asia/Tokyo"}, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == "2026-10-01 20:00:00+00,UTC"


def test_show_tables_names_each_once(database: Database) -> None:
    shown = [name for (name,) in database.rows("SHOW TABLES").rows]
    assert len(shown) == len(set(shown))
    assert {"papers", "daily_papers", "_releases"} <= set(shown)


def test_a_reader_that_stops_reading_is_no_error(published: str) -> None:
    query = "SELECT repeat('x', 1000) FROM range(200000)"
    command = f'"{PAPERLAKE}" sql "{query}" --format csv --lake "{published}" | head -n 1; exit ${{PIPESTATUS[0]}}'
    done = finished("bash", "-c", command)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize(("words", "code"), [("tables nope", 2), ("land tests/sample", 0)])
def test_where_nobody_reads_what_is_said_the_exit_code_stays(published: str, words: str, code: int) -> None:
    command = f'"{PAPERLAKE}" {words} --lake "{published}" 2>&1 | true; exit ${{PIPESTATUS[0]}}'
    done = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, cwd=ROOT, check=False)
    assert done.returncode == code


def test_a_full_disk_is_named(published: str) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [PAPERLAKE, "sql", "FROM range(99)", "--lake", published]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 7
    assert done.stderr == "error: no space left: standard output cannot be written: No space left on device\n"


@pytest.mark.parametrize(("words", "unbuffered"), [("feed", ""), ("show paper 2408.02652 --format json", "1")])
def test_output_that_is_not_all_taken_is_an_error(published: str, tmp_path: Path, words: str, unbuffered: str) -> None:
    """With PYTHONUNBUFFERED, as in many containers, Python's own output is cut without a word."""
    command = f'ulimit -f 1; exec "{PAPERLAKE}" {words} --lake "{published}" > "{tmp_path}/said"'
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = finished("bash", "-c", command, env=environment)
    assert (tmp_path / "said").stat().st_size == 1024
    assert (done.returncode, done.stderr.count("\n"), done.stderr[:20]) == (7, 1, "error: no space left")


def test_a_place_where_no_file_can_be_is_named(published: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "circle").symlink_to("circle")
    for place in (tmp_path / "file/a.csv", tmp_path / f"{'a' * 250}.csv", tmp_path / "circle/a.csv", tmp_path):
        done = paperlake("sql", "SELECT 1", "-o", str(place), lake=published)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert f"error: {place} cannot be written: " in done.stderr


def test_tables_prints_a_line_a_table_marts_first(published: str, database: Database) -> None:
    lines = paperlake("tables", lake=published).stdout.splitlines()
    assert len(lines) == len(listed(database))
    assert max(map(len, lines)) == 100
    layers = [line.split()[0] for line in lines]
    assert list(dict.fromkeys(layers)) == ["mart", "core", "about"]
    assert [line for line in lines if line.startswith("mart   daily_papers ")]
    assert any("rank_papers(terms, is_sentence,…" in line and "for a query that was read" in line for line in lines)
    told = json.loads(paperlake("tables", "--format", "json", lake=published).stdout)
    [papers] = [one for one in told if one["name"] == "papers"]
    assert {**papers, "meaning": papers["meaning"][:10]} == {
        "layer": "core",
        "name": "papers",
        "call": "papers",
        "row_count": next(database.rows("SELECT count(*) FROM papers").rows)[0],
        "meaning": "One paper.",
    }


def test_tables_shows_the_columns_of_one_table(published: str, database: Database) -> None:
    shown = paperlake("tables", "listing_as_of", lake=published).stdout
    assert shown.startswith("mart.listing_as_of(day, ts)\nWhat the list of a day said at a moment")
    assert "\nupvote_count     INTEGER    Upvotes when the page was fetched.\n" in shown

    def of(name: str) -> list[str]:
        return [column.name for column in columns(database, find(database, name), widened="." not in name)]

    assert of("papers") == [*of("core.papers"), "abstract"]
    assert of("PAPERS(x)") == of("papers")
    assert of("mart.source_rank") == ["source_rank"]
    assert all(column.meaning for column in columns(database, find(database, "papers"), widened=True))
    missing = paperlake("tables", "daily_paper", lake=published)
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "did you mean daily_papers" in missing.stderr
    with pytest.raises(UsageError, match='"paperlake tables" lists them'):
        find(database, "nothing-like-it")


def test_a_terminal_of_eighty_columns_shows_what_people_read(published: str) -> None:
    environment = {"PAPERLAKE_LAKE": published}
    asked = "FROM daily_papers WHERE rank = 1"
    with Terminal([PAPERLAKE, "sql", asked], **environment) as terminal:
        shown, code = terminal.rest()
    lines = shown.splitlines()
    assert code == 0
    assert [one.strip() for one in lines[1].strip("│").split("│")][:4] == ["listed_on", "rank", "title", "upvote_count"]
    assert max(map(len, lines)) <= 80
    assert lines[-1].startswith("20 columns, ")


def test_the_shell_completes_runs_and_is_interrupted(published: str, tmp_path: Path) -> None:
    state, made = tmp_path / "state", tmp_path / "x here.csv"
    environment = {"PAPERLAKE_LAKE": published, "PAPERLAKE_STATE": str(state), "TMPDIR": str(tmp_path)}
    command = [PAPERLAKE, "sql", "--seconds", "1"]
    prompt = "paperlake> "
    with Terminal(command, **environment) as terminal:
        assert ".help" in terminal.see(prompt)
        assert "daily_papers" in terminal.type(".ta\t\r", prompt)
        assert "did you mean daily_papers" in terminal.type(".tables dayly_papers\r", prompt)
        assert "│ total │" in terminal.type("select count(*)\r", "...> ") + terminal.type(
            "as total fr\t daily_p\t;\r", prompt
        )
        assert "\\x" in terminal.type(".help\r", prompt)
        terminal.type("\\x\r", prompt)
        assert "row 1\n  a  7" in terminal.type("select 7 as a;\r", prompt)
        terminal.type("\\x\r", prompt)
        assert "no command" in terminal.type(".format parquet\r", prompt)
        assert "create" in terminal.type("create temp table t as select 42 as a;\r", prompt)
        assert "Parser Error" in terminal.type("selekt;\r", prompt)
        terminal.type(f".once {made}\r", prompt)
        terminal.type("from t;\r", prompt)
        assert made.read_text() == "a\n42\n"
        assert "what the session made" in terminal.type(f"{LONG};\r", prompt)
        assert "does not exist" in terminal.type("from t;\r", prompt)
        terminal.wait_for(is_asking=True)
        terminal.type(f"{ENDLESS};", "AS b;")
        terminal.type("\r", "\n")
        terminal.wait_for(is_asking=False)
        assert "stopped" in terminal.interrupt(prompt)
        terminal.type("half a line", "half a line")
        terminal.interrupt(prompt)
        os.write(terminal._ours, b"\x04")
        assert terminal.rest()[1] == 0
    assert "select 7 as a;" in (state / "sql_history").read_text()
    assert (state / "sql_history").stat().st_mode & 0o777 == 0o600
    with Terminal(command, **environment) as terminal:
        terminal.see(prompt)
        assert "half a line" not in terminal.type("\x1b[A", "AS b;")
        terminal.interrupt(prompt)
        os.write(terminal._ours, b"\x04")
        assert terminal.rest()[1] == 0
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("paperlake-")] == []


@pytest.mark.parametrize("interrupted", [{2}, {2, 3}])
def test_ctrl_c_never_ends_the_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], interrupted: set[int]
) -> None:
    """Neither while a query runs, nor while the query process that it ended is replaced."""

    class Worker:
        is_running, asked = True, 0

        def ask(self, _: Question) -> str:
            self.asked += 1
            self.is_running = self.asked not in interrupted
            if not self.is_running:
                raise KeyboardInterrupt
            return ""

    worker, typed = Worker(), iter(["select 1;", "select 2;", "select 3;", ".quit"])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    Shell(worker, "table", tmp_path / "history").run()  # type: ignore[arg-type]
    assert next(typed, None) is None
    assert capsys.readouterr().err.count("stopped") == len(interrupted)
    assert worker.asked == 1 + 3 + len(interrupted)


def test_completion_knows_the_names_and_the_commands(database: Database) -> None:
    found = Completer(names(database))
    assert found.words("daily_pa", "from daily_pa") == ["daily_papers"]
    assert found.words("core.daily_l", "from core.daily_l") == ["core.daily_listings"]
    assert found.words("listing_as", "from listing_as") == ["listing_as_of("]
    assert {"upvote_count", "upvote_curves", "upvote_growth", "upvotes_at("} == set(
        found.words("upvote", "select upvote")
    )
    assert (found.words("SEL", "SEL"), found.words("sel", "sel")) == (["SELECT"], ["select"])
    assert found.words(".t", ".t") == [".tables"]
    assert found.words("daily_l", ".tables daily_l") == ["daily_listings"]
