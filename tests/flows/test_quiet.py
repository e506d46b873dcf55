"""Nothing of Prefect's reaches stderr: not with a slow server, and not at a first run on a terminal."""

from __future__ import annotations

import os
import pty
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.processes import PAPERLAKE

# What a process does whose events the Prefect server takes so slowly that they wait in line when the run is over.
SLOW = """
import asyncio
from websockets.asyncio.connection import Connection
send = Connection.send
async def slowly(self, *message, **how):
    await asyncio.sleep(0.5)
    await send(self, *message, **how)
Connection.send = slowly
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Of a machine that has not seen Prefect yet, until its folder is copied there."""
    ours = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    return {**ours, "PREFECT_HOME": str(tmp_path / "prefect")}


@pytest.mark.slow
def test_late_events_cause_no_message_and_are_kept(
    lake: str, sample: Path, environment: dict[str, str], used_prefect_home: Path
) -> None:
    """The end of a task is one of the last events; the server does not stop before it has them all."""
    home = Path(shutil.copytree(used_prefect_home, environment["PREFECT_HOME"]))
    (Path(environment["PYTHONPATH"]) / "sitecustomize.py").write_text(SLOW)
    command = [PAPERLAKE, "run", sample / "saved.txt", "--lake", lake, "--quiet"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert (done.returncode, done.stdout[:9], done.stderr) == (0, "published", "")
    with closing(sqlite3.connect(home / "prefect.db")) as database:
        found = database.execute("SELECT name, state_name FROM task_run").fetchall()
    states = {name.rpartition("-")[0]: state for name, state in found}
    assert states == dict.fromkeys(("land", "make draft", "gate", "write release", "move latest"), "Completed")


@pytest.mark.slow
def test_a_first_run_on_a_terminal_shows_no_notice(lake: str, environment: dict[str, str]) -> None:
    terminal, shown = pty.openpty()
    command = [PAPERLAKE, "serve", "--cron", "now and then", "--lake", lake]
    done = subprocess.run(command, env=environment, stdout=shown, stderr=shown, timeout=60, check=False)
    os.close(shown)
    said = os.read(terminal, 4096).decode()
    os.close(terminal)
    assert (done.returncode, said[:13], said.count("\n")) == (2, "error: --cron", 1)
