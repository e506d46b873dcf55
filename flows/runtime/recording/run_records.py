"""Rows of flow runs, task runs and artifacts in Prefect's own database, as its server writes them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4

from prefect.client.schemas.objects import FlowRun, State, TaskRun
from pydantic import TypeAdapter

Row = Mapping[str, Any]
WAIT_SECONDS: Final = 30.0  # for another run that writes to the same database
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)  # how they write a length of time
ANY: Final = TypeAdapter(Any)
TASK_RUN: Final = "prefect.task-run."
FLOW_RUN: Final = "prefect.flow-run."


class RunRecords:
    """The database, in transactions of one question each. Values that a table has no column for are left out."""

    def __init__(self, database: Path) -> None:
        self._rows = sqlite3.connect(database, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
        self._rows.execute("PRAGMA foreign_keys = ON")
        self._rows.execute("PRAGMA synchronous = NORMAL")
        self._columns: dict[str, frozenset[str]] = {}
        self._runs: dict[str, FlowRun] = {}

    def close(self) -> None:
        self._rows.close()

    def flow(self, asked: Row) -> Row:
        """The flow of this name, new or not."""
        self._put("flow", {"id": uuid4(), **asked}, on="name", is_kept=True)
        [found] = self._rows.execute("SELECT id FROM flow WHERE name = ?", [asked["name"]]).fetchone()
        return {**asked, "id": found}

    def flow_of(self, flow_id: str) -> Row | None:
        """The flow of this id."""
        found = self._rows.execute("SELECT name FROM flow WHERE id = ?", [flow_id]).fetchone()
        return {"id": flow_id, "name": found[0]} if found else None

    def start(self, asked: Row) -> Row:
        """A new run of a flow, in its first state."""
        given = {name: value for name, value in asked.items() if value is not None and name != "state"}
        labels = {**given.get("labels", {}), "prefect.flow.id": asked["flow_id"]}
        run = FlowRun.model_validate({**given, "id": uuid4(), "labels": labels})
        self._put("flow_run", run.model_dump(exclude={"state"}))
        return self._moved(run, asked["state"]).model_dump(mode="json")

    def run_of(self, run_id: str) -> Row | None:
        """A run that was started here."""
        return self._runs[run_id].model_dump(mode="json") if run_id in self._runs else None

    def move(self, run_id: str, asked: Row) -> Row | None:
        """Its next state, which is accepted."""
        if run_id not in self._runs:
            return None
        moved = self._moved(self._runs[run_id], asked).model_dump(mode="json", include={"state"})
        return {**moved, "status": "ACCEPT", "details": {"type": "accept_details"}}

    def _moved(self, run: FlowRun, asked: Row) -> FlowRun:
        """The run in its next state, with what Prefect's rules for every run make of it."""
        details = {**asked["state_details"], "flow_run_id": str(run.id)}
        state = State.model_validate({**asked, "id": uuid4(), "timestamp": _now(), "state_details": details})
        before = run.state
        has_begun = state.is_running() or state.is_final()
        changed = {
            "state": state,
            "state_id": state.id,
            "state_type": state.type,
            "state_name": state.name,
            "expected_start_time": run.expected_start_time or state.timestamp,
            "start_time": run.start_time or (state.timestamp if has_begun else None),
            "end_time": state.timestamp if state.is_final() else None,
            "run_count": run.run_count + state.is_running(),
            "total_run_time": run.total_run_time
            + (state.timestamp - before.timestamp if before and before.is_running() else timedelta()),
        }
        moved = run.model_copy(update=changed)
        row = {**moved.model_dump(exclude={"state", "created"}), "state_timestamp": state.timestamp}
        told = {**state.model_dump(exclude={"data"}), "flow_run_id": run.id}
        result = {"id": uuid4(), "flow_run_id": run.id, "data": json.dumps(asked["data"]), "metadata_": "null"}
        kept = [("artifact", result)] if asked["data"] is not None else []
        self._put_all(
            *kept, ("flow_run_state", told | {"result_artifact_id": result["id"] if kept else None}), ("flow_run", row)
        )
        self._runs[str(run.id)] = moved
        return moved

    def event(self, said: Row) -> None:
        """Of events those by which the client tells how a task goes; all others are let go."""
        resource = said["resource"]
        if not said["event"].startswith(TASK_RUN) or resource.get("prefect.orchestration") != "client":
            return
        task_run_id = resource["prefect.resource.id"].removeprefix(TASK_RUN)
        related = [one["prefect.resource.id"] for one in said["related"] if one["prefect.resource.role"] == "flow-run"]
        flow_run_id = related[0].removeprefix(FLOW_RUN) if related else None
        told = said["payload"]["validated_state"]
        details = {**told["state_details"], "task_run_id": task_run_id, "flow_run_id": flow_run_id}
        state = State.model_validate(
            {**told, "id": said["id"], "timestamp": said["occurred"], "state_details": details},
        )
        run = TaskRun.model_validate({**said["payload"]["task_run"], "id": task_run_id, "flow_run_id": flow_run_id})
        row = {
            **run.model_dump(include=run.model_fields_set),
            "state_id": state.id,
            "state_type": state.type,
            "state_name": state.name,
            "state_timestamp": state.timestamp,
        }
        self._put_all(("task_run", row), ("task_run_state", {**state.model_dump(), "task_run_id": task_run_id}))

    def artifact(self, asked: Row) -> Row:
        """An artifact, which is the latest of its key from now on."""
        told = {"metadata_": None, **asked}
        row = told | {name: json.dumps(told[name]) for name in ("data", "metadata_")} | {"id": uuid4()}
        self._put_all(
            ("artifact", row), *[("artifact_collection", {**row, "latest_id": row["id"]})] * (asked["key"] is not None)
        )
        return {**asked, "id": str(row["id"])}

    def log(self, lines: Sequence[Row]) -> Row:
        """Lines of a log, which Prefect's client sends where it is asked to talk."""
        for line in lines:
            self._put("log", {**line, "id": uuid4(), "timestamp": datetime.fromisoformat(line["timestamp"])})
        return {}

    def _put_all(self, *rows: tuple[str, Row]) -> None:
        self._rows.execute("BEGIN IMMEDIATE")
        with self._rows:
            for table, row in rows:
                on = "key" if table == "artifact_collection" else "id"
                self._put(table, row if on == "id" else {**row, "id": uuid4()}, on=on)

    def _put(self, table: str, row: Row, *, on: str = "id", is_kept: bool = False) -> None:
        """Write a row, with the defaults of its columns; one that is there is changed to what is given, or kept."""
        if table not in self._columns:
            found = self._rows.execute(f'PRAGMA table_info("{table}")').fetchall()
            self._columns[table] = frozenset(column[1] for column in found)
        at = _now()
        given = {**row, "created": row.get("created") or at, "updated": at}
        known = self._columns[table]
        given = {name: _stored(value) for name, value in given.items() if name in known and value is not None}
        names, places = ", ".join(f'"{name}"' for name in given), ", ".join("?" * len(given))
        news = ", ".join(f'"{name}" = excluded."{name}"' for name in given if name not in {"id", "created", on})
        then = "NOTHING" if is_kept else f"UPDATE SET {news}"
        insert = f'INSERT INTO "{table}" ({names}) VALUES ({places})'  # noqa: S608 - names of their tables
        self._rows.execute(f'{insert} ON CONFLICT ("{on}") DO {then}', list(given.values()))


def _now() -> datetime:
    return datetime.now(UTC)


def _stored(value: object) -> object:
    """A value as their database has it."""
    match value:
        case datetime():
            return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
        case timedelta():
            return _stored(EPOCH + value)
        case Enum():
            return value.value
        case UUID():
            return str(value)
        case dict() | list():
            return json.dumps(ANY.dump_python(value, mode="json"))
    return value
