"""The process of `serve` that runs are forked from: a run is as if it were started, but for its imports."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from pkgutil import resolve_name

import pytest

from flows.running.warm import WANTED, warm_process
from flows.runtime.environment import warm_environment
from flows.runtime.forked import FOLDER
from flows.schedules import PREPARE
from tests.flows.test_schedules import is_alive
from tests.processes import ROOT, finished

SAYS = """
import os, sys
print(os.environ["SAID"], os.getcwd(), sys.stdin.read(), "GONE" in os.environ, "prefect" in sys.modules)
print("and", file=sys.stderr)
sys.exit({code})
"""
WAITS = """
import sys, time, pathlib
pathlib.Path(sys.stdin.readline().strip()).write_text(str(__import__("os").getpid()))
time.sleep(600)
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of modules that can be run."""
    folder = tmp_path_factory.mktemp("programs")
    codes = {"nothing": "None", "three": "3", "words": "'these words'"}
    for name, code in codes.items():
        (folder / f"says_{name}.py").write_text(SAYS.format(code=code))
    (folder / "breaks.py").write_text("raise RuntimeError('broken')")
    (folder / "waits.py").write_text(WAITS)
    (folder / "upgraded.py").write_text("VERSION = 1")
    (folder / "says_version.py").write_text("import upgraded; print(upgraded.VERSION); raise SystemExit(4)")
    return folder


@pytest.fixture(scope="module")
def warm(programs: Path) -> Iterator[dict[str, str]]:
    """Its folder of temporary files has a path longer than that of a socket may be, 107 bytes.

    It has imported what `run` needs, and not all that runs need: three seconds.
    """
    path = os.pathsep.join([str(ROOT), str(programs)])
    (folder := programs / ("long" * 40)).mkdir()
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tempfile, "tempdir", str(folder))
            given = {**warm_environment(), "PYTHONPATH": path, "GONE": "1"}
            found = stack.enter_context(warm_process(["prefect.context", "upgraded"], given))
        assert len(found[FOLDER]) > 107
        yield found


@pytest.fixture(params=["forked", "not"])
def environment(request: pytest.FixtureRequest, programs: Path) -> dict[str, str]:
    """Of who asks for a run; with no warm process the program turns into the run itself."""
    path = os.pathsep.join([str(ROOT), str(programs)])
    given = {"PATH": os.environ["PATH"], "PYTHONPATH": path, "SAID": "said"}
    return given | (request.getfixturevalue("warm") if request.param == "forked" else {})


def command(module: str) -> list[str]:
    return [sys.executable, "-m", "flows.runtime.forked", module]


@pytest.mark.parametrize(("module", "code"), [("says_nothing", 0), ("says_three", 3), ("says_words", 1)])
def test_a_run_has_the_streams_the_folder_and_the_environment_of_who_asks(
    environment: dict[str, str], tmp_path: Path, module: str, code: int
) -> None:
    done = finished(*command(module), env=environment, cwd=tmp_path, input="told")
    is_forked = FOLDER in environment
    assert (done.returncode, done.stdout) == (code, f"said {tmp_path} told False {is_forked}\n")
    assert done.stderr.splitlines()[0] == "and"
    assert "Traceback" not in done.stderr


def test_an_error_that_nobody_caught_is_told_and_ends_with_1(environment: dict[str, str]) -> None:
    done = finished(*command("breaks"), env=environment)
    assert (done.returncode, done.stderr.strip().splitlines()[-1]) == (1, "RuntimeError: broken")


@pytest.mark.parametrize("version", [1, 10])
def test_a_run_is_of_the_code_of_when_it_begins(environment: dict[str, str], programs: Path, version: int) -> None:
    """Else what was upgraded since would be written by the code before, under the version of the new one."""
    (programs / "upgraded.py").write_text(f"VERSION = {version}")
    done = finished(*command("says_version"), env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (4, f"{version}\n", "")


@pytest.mark.parametrize("is_run", [False, True])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_what_ends_one_of_who_asks_and_the_run_ends_both(
    environment: dict[str, str], tmp_path: Path, number: int, is_run: bool
) -> None:
    told = tmp_path / "pid"
    with subprocess.Popen(command("waits"), env=environment, stdin=subprocess.PIPE, text=True) as asking:
        asking.stdin.write(f"{told}\n")
        asking.stdin.flush()
        until(lambda: told.exists() and told.read_text() != "")
        os.kill(int(told.read_text()) if is_run else asking.pid, number)
        assert asking.wait(30) == -number
    until(lambda: not is_alive(int(told.read_text())))


def test_what_runs_need_is_there() -> None:
    """A name that is none would leave it to each run, without a word, to import everything."""
    assert all(map(resolve_name, (*WANTED, PREPARE)))


def test_its_own_environment_has_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PAPERLAKE_HUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "PREFECT_API_AUTH_STRING", "PREFECT_API_KEY"):
        monkeypatch.setenv(name, "invented")
    assert "invented" not in warm_environment().values()


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)
