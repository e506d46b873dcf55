"""A run writes the same rows to Prefect's database as Prefect's own server: every row is compared."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import date
from multiprocessing import get_context
from pathlib import Path

import httpx
import prefect
import pytest
from prefect import flow
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
    PREFECT_HOME,
    PREFECT_LOGGING_LEVEL,
    PREFECT_LOGGING_TO_API_ENABLED,
    temporary_settings,
)
from prefect.states import Failed, State

from flows.runtime import prefect_home
from flows.runtime.prefect_home import TESTED_MIGRATION, TESTED_PREFECT, known_database
from flows.runtime.prefect_server import prefect_server
from flows.runtime.recording import run_rows
from flows.runtime.recording.recorder import API, ENCODERS, SERVERLESS, Recorder, recorded
from flows.runtime.recording.run_rows import RunRows
from flows.runtime.retries import step
from warehouse.errors import NoList, StoreFailed

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # Prefect's own warnings

TABLES = ("flow", "flow_run", "flow_run_state", "task_run", "task_run_state", "artifact", "artifact_collection")
DIFFERS = re.compile(
    r"[0-9a-f]{8}-[0-9a-f-]{27}"  # ids
    r"|\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\.\d{6}"  # instants
    r"|(?<=-)[0-9a-f]{3}$"  # the part of an id in the name of a task's run
    r"|(?<=/)[0-9a-f]{32}"  # where a result would be kept
)
MIGRATIONS = Path(prefect.__file__).parent / "server" / "database" / "_migrations" / "versions" / "sqlite"


def make(what: str) -> str:
    return what


def take(what: str) -> None:
    match what:
        case "broken":
            raise ValueError(what)
        case "full":
            raise StoreFailed(what)
        case "stopped":
            raise KeyboardInterrupt


@flow(name="compared")
def compared(lake: str, what: str, since: date) -> State | None:
    made = step("make")(make)(what)
    create_markdown_artifact(f"made {made}\n", key="compared", description="What was made")
    create_table_artifact([{"what": made, "rows": 1, "lake": lake}], description=f"since {since}")
    step("take")(take)(made)
    return Failed(name="NoList", message=what, data=NoList(what)) if what == "no list" else None


def run_all() -> None:
    """Runs that end in each way that ours can: a failed step, a store that fails thrice, Ctrl-C, a state of our own."""
    with (
        pytest.MonkeyPatch.context() as patch,
        temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None, PREFECT_LOGGING_TO_API_ENABLED: False}),
    ):
        patch.setattr("flows.runtime.retries.DELAYS_SECONDS", (0.0, 0.0))
        for what in ("whole", "broken", "full", "stopped", "no list"):
            with suppress(ValueError, StoreFailed, KeyboardInterrupt, NoList):
                compared("a lake", what, date(2026, 10, 1))


def run_on_a_server(home: Path) -> None:
    """Run them in a new process: in this one Prefect may still send events to an earlier test's server."""
    process = get_context("spawn").Process(target=_on_a_server, args=(home,))
    process.start()
    process.join()
    assert process.exitcode == 0


def _on_a_server(home: Path) -> None:
    os.environ |= {"PREFECT_HOME": str(home), "PREFECT_LOGGING_LEVEL": "CRITICAL"}
    with prefect_server() as url, temporary_settings({PREFECT_API_URL: f"{url}/api"}):
        run_all()


def rows_of(database: Path, table: str) -> Counter[tuple[tuple[str, object], ...]]:
    with closing(sqlite3.connect(database)) as kept:
        found = kept.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in found.description]
        named = [dict(zip(names, row, strict=True)) for row in found]
    for row in named:
        if table == "flow_run":
            assert re.fullmatch(r"[a-z]+-[a-z]+", row.pop("name"))
    plain = [
        {name: DIFFERS.sub("…", text) if isinstance(text, str) else text for name, text in row.items()} for row in named
    ]
    return Counter(tuple(row.items()) for row in plain)


@pytest.fixture
def home(used_prefect_home: Path, tmp_path: Path) -> Path:
    return shutil.copytree(used_prefect_home, tmp_path / "home")


def test_a_run_leaves_the_rows_that_prefects_own_server_writes(
    used_prefect_home: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = shutil.copytree(used_prefect_home, tmp_path / "theirs")
    run_on_a_server(theirs)
    monkeypatch.delitem(sys.modules, ENCODERS, raising=False)  # in a run nobody has imported it
    with temporary_settings({PREFECT_HOME: theirs} | SERVERLESS), recorded(home / "prefect.db"):
        run_all()
    for table in TABLES:
        written, expected = (rows_of(place / "prefect.db", table) for place in (home, theirs))
        assert written == expected, table
    assert sum(rows_of(home / "prefect.db", "task_run_state").values()) == 34


@contextmanager
def prefect_of(home: Path, level: str = "CRITICAL") -> Iterator[None]:
    with temporary_settings({PREFECT_HOME: home, PREFECT_LOGGING_LEVEL: level}):
        yield


def test_another_prefect_or_database_is_left_to_its_server(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefect_home, "FREE_SECONDS", 0.0)
    database = home / "prefect.db"
    with prefect_of(home):
        assert known_database() == database
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert known_database() is None
            other.execute("UPDATE alembic_version SET version_num = 'another'")
            other.execute("COMMIT")
            assert known_database() is None
            other.execute(f"UPDATE alembic_version SET version_num = '{TESTED_MIGRATION}'")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(prefect, "__version__", "3.99.0")
            assert known_database() is None
    with prefect_of(home, level="INFO"):
        assert known_database() is None
    with prefect_of(home.with_name("new")):
        assert known_database() is None
    assert not home.with_name("new").exists()


def test_the_prefect_that_is_installed_is_the_one_that_was_tested() -> None:
    """With another version each run starts a server: check that the rows are the same, and change both names."""
    newest = max(path.name for path in MIGRATIONS.glob("*.py")).split("_")[4]
    assert (prefect.__version__, newest) == (TESTED_PREFECT, TESTED_MIGRATION)


def test_unknown_rows_are_404_and_a_locked_database_is_503(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_rows, "WAIT_SECONDS", 0.0)
    asked = httpx.Request("POST", f"{API}flows/", json={"name": "compared"})
    with closing(RunRows(home / "prefect.db")) as rows, closing(sqlite3.connect(home / "prefect.db")) as other:
        recorder = Recorder(rows)
        assert recorder.answer(httpx.Request("GET", f"{API}deployments/")).status_code == 404
        assert recorder.answer(httpx.Request("GET", f"{API}flow_runs/{'0' * 36}")).status_code == 404
        other.execute("BEGIN IMMEDIATE")
        locked = recorder.answer(asked)
        assert (locked.status_code, locked.json()) == (503, {"exception_message": "database is locked"})
        other.rollback()
        assert recorder.answer(asked).status_code == 200
