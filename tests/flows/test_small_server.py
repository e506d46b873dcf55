"""The small server writes what Prefect's own would: the same flows run with each, and the rows are compared."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections import Counter
from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from prefect import flow
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.runtime.prefect_home import MIGRATIONS, is_ready
from flows.runtime.prefect_server import prefect_server
from flows.runtime.recording.small_server import small_server
from flows.runtime.retries import step

TABLES = ("flow", "flow_run", "flow_run_state", "task_run", "task_run_state", "artifact", "artifact_collection")
TIMES = re.compile(r"(_time|_at|_id|timestamp|created|updated|^id|dynamic_key)$")
RANDOM = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|-[0-9a-f]{3}$")


@step("make")
def make(what: str) -> str:
    return what


@step("take")
def take(what: str) -> None:
    if what == "broken":
        raise ValueError(what)


@flow(name="compared")
def compared(lake: str, what: str) -> None:
    made = make(what)
    create_markdown_artifact(f"made {made}\n", key="compared", description="What was made")
    create_table_artifact([{"what": made, "rows": 1}])
    take(made)


def run_with(server: AbstractContextManager[str], lake: str) -> None:
    with server as url, temporary_settings({PREFECT_API_URL: f"{url}/api"}):
        compared(lake, "whole")
        with suppress(ValueError):
            compared(lake, "broken")


def plain(name: str, value: Any) -> object:
    """Of what differs each time whether it is there: times, lengths of time, ids."""
    if value is None or not isinstance(value, str):
        return value
    if TIMES.search(name):
        return "there"
    if value[:1] in {"{", "["}:
        return (
            json.dumps({key: bool(part) for key, part in sorted(json.loads(value).items())})
            if value[0] == "{"
            else value
        )
    return RANDOM.sub("…", value)


def rows_of(database: Path) -> dict[str, Counter[tuple[tuple[str, object], ...]]]:
    with closing(sqlite3.connect(database)) as kept:
        kept.row_factory = sqlite3.Row
        found = {table: kept.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
    skip = {("flow_run", "name")}
    return {
        table: Counter(
            tuple((name, plain(name, row[name])) for name in row.keys() if (table, name) not in skip)  # noqa: SIM118
            for row in rows
        )
        for table, rows in found.items()
    }


@pytest.mark.slow
def test_a_run_leaves_the_rows_that_prefects_own_server_writes(
    used_prefect_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that succeeds, and one of which a task fails."""
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    for home in (theirs, ours):
        shutil.copytree(used_prefect_home, home)
    monkeypatch.setenv("PREFECT_HOME", str(theirs))
    run_with(prefect_server(), str(tmp_path / "lake"))
    run_with(small_server(ours / "prefect.db"), str(tmp_path / "lake"))
    written, expected = rows_of(ours / "prefect.db"), rows_of(theirs / "prefect.db")
    for table in TABLES:
        assert written[table] == expected[table], table
    assert sum(expected["task_run_state"].values()) == 12


@pytest.mark.slow
def test_the_newest_migration_is_known_by_its_name(used_prefect_home: Path, tmp_path: Path) -> None:
    """Else each run would ask Prefect to migrate its database, which takes seconds."""
    texts = [path.read_text("utf-8") for path in MIGRATIONS.glob("*.py")]
    after = {match[1] for text in texts if (match := re.search(r'^down_revision.*"(\w+)"', text, re.MULTILINE))}
    revisions = {match[1] for text in texts if (match := re.search(r'^revision.*"(\w+)"', text, re.MULTILINE))}
    assert revisions - after == {max(path.name for path in MIGRATIONS.glob("*.py")).split("_")[4]}
    assert is_ready(used_prefect_home / "prefect.db")
    assert not is_ready(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


@pytest.mark.slow
def test_what_it_does_not_know_and_a_locked_database_are_answers(used_prefect_home: Path, tmp_path: Path) -> None:
    home = shutil.copytree(used_prefect_home, tmp_path / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flows.runtime.recording.run_records.WAIT_SECONDS", 0.0)
        with small_server(home / "prefect.db") as url, closing(sqlite3.connect(home / "prefect.db")) as other:
            assert httpx.get(f"{url}/api/health").json() is True
            assert httpx.get(f"{url}/api/deployments/").status_code == 404
            assert httpx.get(f"{url}/api/flow_runs/{'0' * 36}").status_code == 404
            other.execute("BEGIN IMMEDIATE")
            locked = httpx.post(f"{url}/api/flows/", json={"name": "compared"})
    assert (locked.status_code, locked.json()) == (503, {"exception_message": "database is locked"})
