"""The command line for a first user: help, mistakes, completion, Ctrl-C."""

import importlib
import os
import pty
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from paperlake.cli.main import main
from tests.processes import PAPERLAKE, finished
from tests.terminal import CONTROLS
from warehouse.errors import StoreFailed

GOES_ON = "stopped; the same command resumes\n"


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def in_a_lake(one_release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_LAKE", str(one_release))


def ran(monkeypatch: pytest.MonkeyPatch, *words: str, columns: int = 80) -> int:
    """The exit code of a command in this process."""
    monkeypatch.setattr(sys, "argv", ["paperlake", *words])
    monkeypatch.setenv("COLUMNS", str(columns))
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


@pytest.mark.usefixtures("in_a_lake")
def test_a_table_fits_its_terminal(monkeypatch, capsys) -> None:
    """Rows stay rows: what is too long is folded in its column."""
    columns = 60
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert ran(monkeypatch, "erase", "priya", "--why", "GDPR art. 17", columns=columns) == 0
    head, *rows = capsys.readouterr().out.split("the login also")[0].splitlines()
    assert head.split() == ["where", "what", "count"]
    assert all(row[-1].isdigit() for row in rows if len(row) == len(head))
    assert sum(len(row) == len(head) for row in rows) > 5
    for command in ("releases", "show paper 2609.01408", "search gardens --facets"):
        assert ran(monkeypatch, *command.split(), columns=columns) == 0
        rows = CONTROLS.sub("", capsys.readouterr().out).splitlines()
        assert max(map(len, rows)) <= columns, command


def test_the_version_names_schema_and_lake_format(monkeypatch, capsys) -> None:
    assert ran(monkeypatch, "--version") == 0
    assert re.fullmatch(r"paperlake \d+\.\d+\.\d+ \(schema \d+, lake format \d+\)\n", capsys.readouterr().out)


@pytest.mark.parametrize("command", [[], ["show"], ["show", "raw"], ["run"]], ids=" ".join)
def test_h_is_help_and_shows_an_example(monkeypatch, capsys, command: list[str]) -> None:
    """What every command's help has is in test_docs.py."""
    assert ran(monkeypatch, *command, "-h") == 0
    text = capsys.readouterr().out
    assert f"Example: paperlake {' '.join(command)}".rstrip() in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("command", [[], ["show"]], ids=" ".join)
def test_without_a_command_the_help_is_shown(monkeypatch, capsys, command: list[str]) -> None:
    assert ran(monkeypatch, *command) == 2
    assert "Commands:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["rnu"], "no such command 'rnu'. Did you mean 'run'? (see \"paperlake --help\")"),
        (
            ["--lake", "lake", "search", "maps"],
            "no such option '--lake'; the options of a command stand behind its name (see \"paperlake --help\")",
        ),
        (["run", "--nope"], "no such option '--nope'. Did you mean '--since'? (see \"paperlake run --help\")"),
        (["retain"], "say which releases stay: --keep-last 30, or for every day PAPERLAKE_KEEP=30d,26w,20q"),
        (["rollback"], "missing argument 'VERSION' (see \"paperlake rollback --help\")"),
        (["show", "raw"], "missing argument 'CAPTURE_ID' (see \"paperlake show raw --help\")"),
        (
            ["run", "--since", "May"],
            "'May' is no day; write 2026-10-01",
        ),
        (["land"], 'name what to land, for example "paperlake land ./captures"'),
        (["land", ""], "a path is empty; give files, folders or WARC files"),
        (["keep", "2026.10.02.1", "--why", ""], "give a reason, which is kept"),
        (["build", "--accept-loss", " "], "give a reason, which is kept"),
        (["captures", "confirm", "a", "--because", ""], "give a reason, which is kept"),
    ],
)
def test_mistakes_are_reported_in_one_style(monkeypatch, capsys, words: list[str], expected: str) -> None:
    assert ran(monkeypatch, *words) == 2
    assert capsys.readouterr() == ("", f"error: {expected}\n")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("re", ["releases", "retract", "retain"]), ("diff --all", ["--all-columns"]), ("status -f j", ["json"])],
)
def test_bash_completes(monkeypatch, capsys, typed: str, offered: list[str]) -> None:
    monkeypatch.setenv("_PAPERLAKE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"paperlake {typed}")
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
    assert ran(monkeypatch) == 0
    assert capsys.readouterr().out.split() == [f"plain,{one}" for one in offered]


# A line as Bash takes it apart, and what it would put in place of its last word, first the name as it must be quoted
IN_BASH = """
eval "$COMPLETION"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_paperlake_completion paperlake
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def completion() -> str:
    """What Bash is told of paperlake's completion."""
    command = [PAPERLAKE, "--show-completion", "bash"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        (["search", "priya"], ["priya\\ eklund", "priya\\ jansen"]),
        (["search", '"Priya E'], ["Priya Eklund"]),
        (["search", "amber"], ["amber\\ gardens\\ for\\ long\\ letters:\\ part\\ 1.3"]),
        (["search", "nobody has"], []),
        (["search", "--lake", "nowhere", "priya"], []),
        (["board", "aime"], ["aime", "aime\\ 2024"]),
    ],
    ids=" ".join,
)
def test_bash_completes_what_a_lake_has(published: str, completion: str, line: list[str], offered: list[str]) -> None:
    environment = {
        "COMPLETION": completion,
        "PATH": f"{PAPERLAKE.parent}:{os.environ['PATH']}",
        "HOME": os.environ.get("HOME", ""),
        "PAPERLAKE_LAKE": published,
    }
    command = ["bash", "--norc", "-c", IN_BASH, "bash", "paperlake", *line]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    found = list(filter(None, done.stdout.splitlines()))
    assert found[: len(offered)] == offered
    assert bool(found) == bool(offered)


@pytest.mark.parametrize(("command", "expected"), [(["retain", "--keep-last", "1"], GOES_ON), (["diff"], "stopped\n")])
@pytest.mark.parametrize("is_wrapped", [False, True])
@pytest.mark.usefixtures("in_a_lake")
def test_ctrl_c_is_reported_even_where_a_library_makes_an_error_of_it(
    monkeypatch, capsys, command: list[str], expected: str, is_wrapped: bool
) -> None:
    def stopped(*_: object, **__: object) -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            if is_wrapped:
                raise ValueError("Error calling function") from None
            raise

    retain, diff = "flows.steps.drop_releases.retain", "paperlake.cli.release_texts.two_releases"
    monkeypatch.setattr(retain if command[0] == "retain" else diff, stopped)
    assert ran(monkeypatch, *command) == 130
    assert capsys.readouterr() == ("", expected)


def test_an_error_that_is_kept_holds_nothing_of_its_command(monkeypatch, capsys) -> None:
    """Prefect keeps those of its tasks: DuckDB wrote 45 lines of what they held after the one of a full disk."""

    class Held:
        pass

    def failing(*_: object, **__: object) -> None:
        held = Held()
        held_there.append(weakref.ref(held))
        kept.append(StoreFailed("the disk is full"))
        raise kept[0]

    kept, held_there = list[StoreFailed](), list[weakref.ref[Held]]()
    monkeypatch.setattr("paperlake.cli.release_texts.two_releases", failing)
    assert ran(monkeypatch, "diff") == StoreFailed.exit_code
    assert capsys.readouterr().err == "error: the disk is full\n"
    assert held_there[0]() is None


def test_ctrl_c_in_a_callback_is_not_lost(monkeypatch, capsys) -> None:
    """Python discards what a callback raises, and the import of each module has one."""

    class Held:
        pass

    def stopped(*_: object, **__: object) -> None:
        held = Held()
        kept = weakref.ref(held, lambda _: signal.raise_signal(signal.SIGINT))
        del held
        assert kept() is None
        time.sleep(20)
        went_on.append(True)

    went_on = list[bool]()
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)  # not pytest's
    monkeypatch.setattr("paperlake.cli.release_texts.two_releases", stopped)
    assert (ran(monkeypatch, "diff"), went_on) == (130, [])
    assert capsys.readouterr() == ("", "stopped\n")


def test_ctrl_c_in_an_import_is_not_lost(monkeypatch, capsys, tmp_path: Path) -> None:
    """An extension module may drop any error of what it calls while it is imported, as those of Cython do."""
    (tmp_path / "hears_nothing.py").write_text(
        "import signal\ntry:\n    signal.raise_signal(signal.SIGINT)\nexcept BaseException:\n    pass\n"
    )

    def stopped(*_: object, **__: object) -> None:
        importlib.import_module("hears_nothing")
        time.sleep(20)
        went_on.append(True)

    went_on = list[bool]()

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("paperlake.cli.release_texts.two_releases", stopped)
    assert (ran(monkeypatch, "diff"), went_on) == (130, [])
    assert capsys.readouterr() == ("", "stopped\n")


def test_a_bug_of_ours_is_still_a_traceback(monkeypatch) -> None:
    monkeypatch.setattr("paperlake.cli.release_texts.two_releases", lambda *_, **__: 1 / 0)
    monkeypatch.setattr(sys, "argv", ["paperlake", "diff"])
    with pytest.raises(ZeroDivisionError):
        main()


def test_an_empty_lake_is_reported_before_anything_heavy_starts(tmp_path: Path) -> None:
    program = f"""
import sys
from paperlake.cli.main import main
for command in ("build", "publish", "show raw 2f1c9e0b7a4d5e6f8a9b"):
    sys.argv = ["paperlake", *command.split(), "--lake", "{tmp_path / "lake"}"]
    try:
        main()
    except SystemExit as ended:
        print(ended.code)
print(*({{"prefect", "great_expectations"}} & set(sys.modules)))
"""
    done = finished(sys.executable, "-c", program, timeout=60)
    assert (done.returncode, done.stdout) == (0, "5\n5\n5\n\n"), done.stderr
    [build, publish, show] = done.stderr.splitlines()
    assert build == show
    assert build.startswith("error: nothing has been landed in ")
    assert publish.startswith("error: no checked draft is waiting in ")


@pytest.mark.usefixtures("in_a_lake")
def test_publish_without_a_draft_does_not_say_that_all_is_released(monkeypatch, capsys) -> None:
    """Pages may be landed and not built."""
    assert ran(monkeypatch, "publish") == 0
    assert capsys.readouterr().out.startswith("no checked draft is waiting, the latest release stands")


def has_loaded(running: subprocess.Popen[str], library: str) -> str:
    """Wait until a process has imported a module, on a machine of any speed."""
    while library not in Path(f"/proc/{running.pid}/maps").read_text():
        assert running.poll() is None
        time.sleep(0.05)
    return ""


# What a process does whose events the Prefect server takes so slowly that they wait in line when the run is over
SLOW = """
import asyncio
from websockets.asyncio.connection import Connection
send = Connection.send
async def slowly(self, *message, **how):
    await asyncio.sleep(0.5)
    await send(self, *message, **how)
Connection.send = slowly
"""


@pytest.mark.slow
def test_a_run_that_is_stopped_goes_on_and_is_done_once(sample: Path, tmp_path: Path, used_prefect_home: Path) -> None:
    """Ctrl-C amid Prefect's imports, and in a flow; then a run that is not stopped, and one with nothing new.

    Late events cause no message and are kept: the server does not stop before it has them all, of which the end of a task
    is one of the last.
    """
    home = Path(shutil.copytree(used_prefect_home, tmp_path / "prefect"))
    # Tests that ran in this process had Prefect be quiet
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_LOGGING_")}
    environment |= {"PAPERLAKE_LAKE": str(tmp_path / "lake"), "PREFECT_HOME": str(home)}
    command, flow = [PAPERLAKE, "run", str(sample / "saved.txt")], "Beginning flow run"
    for moment in ("pydantic_core", "landed"):
        asked = environment | {"PREFECT_LOGGING_LEVEL": "INFO"}
        running = subprocess.Popen(command, env=asked, stderr=subprocess.PIPE, text=True, start_new_session=True)
        told = has_loaded(running, moment) if moment != "landed" else ""
        while moment == "landed" and "landed 1 capture" not in told:
            told += running.stderr.readline()
        running.send_signal(signal.SIGINT)
        told += running.communicate(timeout=120)[1]
        assert (running.returncode, told[-len(GOES_ON) :], "Traceback" in told) == (130, GOES_ON, False), told
    assert flow in told, "Prefect logs when it is asked to"

    def ran_to_its_end(*words: str, **settings: str) -> tuple[int, str, str]:
        given = {"env": environment | settings, "capture_output": True, "timeout": 240}
        done = subprocess.run([PAPERLAKE, *words], text=True, check=False, **given)
        assert "Traceback" not in done.stdout + done.stderr, done.stderr
        return done.returncode, done.stdout, done.stderr

    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "sitecustomize.py").write_text(SLOW)
    code, said, told = ran_to_its_end(*command[1:], PYTHONPATH=str(tmp_path / "slow"))
    assert (code, said[:12]) == (0, "published 20")
    assert re.search(r"^  sightings +\d+$", told, re.MULTILINE)
    assert not re.search("prefect|error|warning", told, re.IGNORECASE), told
    with closing(sqlite3.connect(home / "prefect.db")) as database:
        found = database.execute("SELECT name, state_name FROM task_run ORDER BY created").fetchall()
    states = {name.rpartition("-")[0]: state for name, state in found}
    assert states == dict.fromkeys(("land", "make draft", "gate", "write release", "move latest"), "Completed")
    page = Path(said.splitlines()[-1].removeprefix("its page: "))
    assert page.read_bytes().startswith(b"<!doctype html>")
    shown = ran_to_its_end("open", BROWSER="echo opens %s &")
    assert shown[:2] == (0, f"{page}\nopens {page.as_uri()}\n")
    bad = tmp_path / "more"
    bad.mkdir()
    (bad / "captures.csv").write_text("file,url,fetched_at,status,content_type\n../outside.json,,,,\n")
    code, said, told = ran_to_its_end("run", str(bad), *command[2:], "--quiet")
    assert (code, said[:11]) == (3, "nothing new")
    assert "outside.json" in told
    assert "landed" not in told.replace("not landed", "").replace("was landed", "")


@pytest.mark.slow
def test_a_first_run_on_a_terminal_shows_no_notice(lake: str, tmp_path: Path) -> None:
    """Of a machine that has not seen Prefect yet."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PREFECT_HOME": str(tmp_path / "prefect")}
    terminal, shown = pty.openpty()
    command = [PAPERLAKE, "serve", "--cron", "now and then", "--lake", lake]
    done = subprocess.run(command, env=environment, stdout=shown, stderr=shown, timeout=60, check=False)
    os.close(shown)
    said = os.read(terminal, 4096).decode()
    os.close(terminal)
    assert (done.returncode, said[:13], said.count("\n")) == (2, "error: --cron", 1)
