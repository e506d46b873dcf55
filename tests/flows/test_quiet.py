"""Nothing of Prefect's reaches stderr: not with a slow or silent server, and not at a first run on a terminal."""

from __future__ import annotations

import os
import pty
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ROOT

PAPERLAKE = Path(sys.executable).with_name("paperlake")
# What a process does that is in no hurry: the Prefect server does not take its events in time …
SILENT = """
from websockets.asyncio.client import connect
async def wait(self):
    raise TimeoutError("timed out during opening handshake")
connect.__aenter__ = wait
"""
# … or takes them so slowly that they wait in line when the run is over.
SLOW = """
import asyncio
from websockets.asyncio.connection import Connection
send = Connection.send
async def slowly(self, *message, **how):
    await asyncio.sleep(0.5)
    await send(self, *message, **how)
Connection.send = slowly
"""
NO_SERVER = """
import sys
sys.modules["flows.runtime.prefect_server"] = None
"""
BACKGROUND = """
import logging, threading, warnings
from flows.runtime.quiet import keep_prefect_quiet
keep_prefect_quiet()
import prefect.main
from prefect._internal.concurrency.threads import WorkerThread
for name in ("EventsWorker", "prefect._internal.concurrency", "asyncio", "docket"):
    logging.getLogger(name).error("theirs")
warnings.warn("theirs")
worker = WorkerThread(daemon=True)
worker.start()
worker._queue.put("theirs")  # a call that cannot be run ends the thread
worker.thread.join()
ours = threading.Thread(target=int, args=("ours",))
ours.start()
ours.join()
raise SystemExit("ours too")
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Of a machine that has not seen Prefect yet."""
    ours = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    return {**ours, "PREFECT_HOME": str(tmp_path / "prefect")}


def land(lake: str, page: Path, environment: dict[str, str], fault: str) -> subprocess.CompletedProcess[str]:
    (Path(environment["PYTHONPATH"]) / "sitecustomize.py").write_text(fault)
    command = [PAPERLAKE, "land", page, "--lake", lake, "--quiet"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)


@pytest.mark.slow
def test_a_server_that_takes_no_events_causes_no_message(lake: str, sample: Path, environment: dict[str, str]) -> None:
    done = land(lake, sample / "saved.txt", environment, SILENT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.slow
def test_late_events_cause_no_message_and_are_kept(
    lake: str, sample: Path, environment: dict[str, str], used_prefect_home: Path
) -> None:
    """The end of the task is one of the last events; the server does not stop before it has them all."""
    home = shutil.copytree(used_prefect_home, Path(environment["PREFECT_HOME"]))
    other = (home / "prefect.db").rename(home / "other.db")  # of a database of one's own, a run knows nothing
    address = {"PREFECT_SERVER_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{other}"}
    done = land(lake, sample / "saved.txt", {**environment, **address}, SLOW)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with sqlite3.connect(other) as history:
        assert history.execute("SELECT state_type FROM task_run").fetchall() == [("COMPLETED",)]


@pytest.mark.slow
def test_a_run_that_records_itself_asks_for_no_server(
    lake: str, sample: Path, environment: dict[str, str], used_prefect_home: Path
) -> None:
    shutil.copytree(used_prefect_home, environment["PREFECT_HOME"])
    done = land(lake, sample / "saved.txt", environment, NO_SERVER)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with sqlite3.connect(Path(environment["PREFECT_HOME"]) / "prefect.db") as history:
        assert history.execute("SELECT state_type FROM task_run").fetchall() == [("COMPLETED",)]


@pytest.mark.slow
def test_prefect_logs_when_it_is_asked_to(
    lake: str, sample: Path, environment: dict[str, str], used_prefect_home: Path
) -> None:
    shutil.copytree(used_prefect_home, environment["PREFECT_HOME"])
    done = land(lake, sample / "saved.txt", {**environment, "PREFECT_LOGGING_LEVEL": "WARNING"}, SILENT)
    assert done.returncode == 0
    assert "Service 'EventsWorker' failed" in done.stderr


def test_its_background_is_silent_and_our_errors_are_not(environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", BACKGROUND]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert "theirs" not in done.stderr
    assert "WorkerThread" not in done.stderr
    first, *_, raised, last = done.stderr.splitlines()
    assert first.startswith("Exception in thread")
    assert raised == "ValueError: invalid literal for int() with base 10: 'ours'"
    assert last == "ours too"


def test_a_first_run_on_a_terminal_shows_no_notice(lake: str, environment: dict[str, str]) -> None:
    terminal, shown = pty.openpty()
    command = [PAPERLAKE, "serve", "--cron", "now and then", "--lake", lake]
    done = subprocess.run(command, env=environment, stdout=shown, stderr=shown, timeout=60, check=False)
    os.close(shown)
    said = os.read(terminal, 4096).decode()
    os.close(terminal)
    assert (done.returncode, said[:13], said.count("\n")) == (2, "error: --cron", 1)
