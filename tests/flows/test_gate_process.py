"""The gate as a process of its own: what it answers, and what comes of a build where it ends."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
from msgspec.structs import replace

from expectations.report import Report
from flows.running.gate_process import COMMAND, ROOT, GateProcess, gate_process
from flows.steps.build_draft import check_draft
from flows.steps.make_draft import make_draft
from tests.flows import steps
from warehouse.archive.archive import Archive
from warehouse.errors import Damaged, GateFailed
from warehouse.release.manifest import Draft
from warehouse.store.local_files import local_files
from warehouse.store.opening import open_store

# Told to Python before anything else in the gate's process: what it asks the network for is an error that ends it.
NO_NETWORK = """
import os, sys
def refuse(event, _):
    if event in {"socket.getaddrinfo", "socket.gethostbyname", "socket.connect"}:
        os.write(2, f"{event}\\n".encode())
        os._exit(9)
sys.addaudithook(refuse)
"""


@pytest.fixture(scope="module")
def drafted(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Draft]:
    """A lake with a draft that waits for the gate."""
    lake = str(tmp_path_factory.mktemp("gate") / "lake")
    Archive(open_store(lake)).write([steps.list_of(date(2026, 10, 1))], now=steps.NOW)
    return lake, steps.make_draft(lake)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, in which the gate's process refuses the network."""
    (tmp_path / "site").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(NO_NETWORK)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    return tmp_path / "home"


@pytest.fixture
def gate() -> Iterator[GateProcess]:
    with gate_process() as gate:
        yield gate


def checked(lake: str, draft: Draft, gate: GateProcess) -> Report:
    with local_files(open_store(lake)) as files:
        return check_draft(files, draft, gate)


@pytest.mark.slow
def test_it_answers_what_the_gate_finds_and_leaves_nothing(
    drafted: tuple[str, Draft], home: Path, gate: GateProcess
) -> None:
    """It asks nobody on the network, and answers again; an error of the lake is told as one."""
    lake, draft = drafted
    report = checked(lake, draft, gate)
    assert report.passed
    assert report == checked(lake, draft, gate) == steps.check_draft(lake, draft)
    assert list(home.iterdir()) == []
    with pytest.raises(Damaged):
        checked(lake, draft_with_a_wrong_hash(draft), gate)


def draft_with_a_wrong_hash(draft: Draft) -> Draft:
    [first, *rest] = draft.tables
    files = tuple(replace(file, sha256="0" * 64) for file in first.files)
    return replace(draft, tables=(replace(first, files=files), *rest))


def test_a_gate_that_is_killed_is_an_error_and_publishes_nothing(drafted: tuple[str, Draft], gate: GateProcess) -> None:
    lake, draft = drafted
    before = children()  # what other tests have started
    gate.start()
    [child] = children() - before
    os.kill(child, signal.SIGKILL)
    with pytest.raises(GateFailed, match=r"^the gate's process was killed by signal 9 .*; nothing was published$"):
        checked(lake, draft, gate)


def test_a_gate_that_breaks_says_why_in_a_line(
    drafted: tuple[str, Draft], gate: GateProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("raise SystemExit('no memory left')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(
        GateFailed, match=r"^the gate's process ended with 1 \(SystemExit: no memory left\) before"
    ) as error:
        checked(*drafted, gate)
    assert "\n" not in str(error.value)


def test_a_gate_ends_with_whoever_started_it() -> None:
    """Its standard input ends with that process, however it was killed."""
    waiting = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    time.sleep(0.1)
    waiting.stdin.close()
    assert waiting.wait(60) == 0
    waiting.stdout.close()


def test_a_build_without_anything_new_starts_no_gate(one_release: Path) -> None:
    class Never(GateProcess):
        def start(self) -> None:
            raise AssertionError

    with local_files(open_store(str(one_release))) as files:
        assert make_draft(files, from_raw=False, gate=Never(BytesIO())) is None


def children() -> set[int]:
    """The processes that this one has started."""
    found = Path(f"/proc/self/task/{os.getpid()}/children").read_text("utf-8")
    return {int(pid) for pid in found.split()}
