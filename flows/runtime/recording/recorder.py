"""What one run asks of Prefect's server, answered in its own process: it writes the rows that the server would.

Prefect's server takes 1.4 s of the processor to import and to start, for some 40 rows. A run of one command has nobody
else to ask for: no scheduler, no automations, no events kept, no limits, and no retries of flows, of which none of ours
has any. Where Prefect or its database is not the one that was tested, small_server.py serves.
"""

from __future__ import annotations

import json
import sqlite3
import ssl
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from uuid import uuid4

import httpx
from prefect.client.orchestration import SyncPrefectClient
from prefect.client.schemas.objects import FlowRun, State, TaskRun
from prefect.context import FlowRunContext, SyncClientContext
from prefect.events import Event
from prefect.events.clients import PrefectEventsClient
from prefect.events.worker import EventsWorker
from prefect.settings import (
    PREFECT_CLIENT_CSRF_SUPPORT_ENABLED,
    PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED,
    PREFECT_SERVER_ALLOW_EPHEMERAL_MODE,
)
from pydantic import TypeAdapter

from flows.runtime.now import utc_now
from flows.runtime.recording.run_rows import NULL_OF_JSON, Row, RunRows

API: Final = "http://recorder/api/"  # never looked up: requests do not leave the process
SERVERLESS: Final[dict[Any, object]] = {
    PREFECT_SERVER_ALLOW_EPHEMERAL_MODE: False,  # else whoever asked past the client of the run would start a server
    PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED: False,
    PREFECT_CLIENT_CSRF_SUPPORT_ENABLED: False,
}
ENCODERS: Final = "fastapi.encoders"  # of which Prefect takes one function for a flow's parameters: 0.1 s
TASK_RUN: Final = "prefect.task-run."


@contextmanager
def recorded(database: Path) -> Iterator[None]:
    """Record the flow runs within the block in a database; they need the settings SERVERLESS."""
    with closing(RunRows(database)) as rows, ExitStack() as stack:
        recorder = Recorder(rows)
        worker = SimpleNamespace(client_type=PrefectEventsClient, send=recorder.event)  # no thread, no socket
        stack.callback(setattr, EventsWorker, "instance", EventsWorker.__dict__["instance"])
        setattr(EventsWorker, "instance", lambda *_: worker)  # noqa: B010 - mypy takes it for a mistake
        if ENCODERS not in sys.modules:
            encoder = partial(TypeAdapter(Any).dump_python, mode="json")
            sys.modules[ENCODERS] = SimpleNamespace(jsonable_encoder=encoder)  # type: ignore[assignment]
            stack.callback(sys.modules.pop, ENCODERS)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # without one, Prefect would read all certificates
        settings = {"transport": httpx.MockTransport(recorder.answer), "verify": context}
        stack.enter_context(SyncClientContext.model_construct(client=SyncPrefectClient(API, httpx_settings=settings)))
        yield


class Recorder:
    """Answers the requests to Prefect's API that a run makes; 404 to any other."""

    def __init__(self, rows: RunRows) -> None:
        self._rows = rows
        self._runs: dict[str, FlowRun] = {}

    def answer(self, request: httpx.Request) -> httpx.Response:
        """503 where the client should ask again: another process keeps the database."""
        try:
            found = self._found(request.method, request.url.path.split("/")[2:], json.loads(request.content or b"null"))
        except sqlite3.Error as error:
            is_locked = getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
            return httpx.Response(503 if is_locked else 500, json={"exception_message": str(error)})
        return httpx.Response(404 if found is None else 200, json=found)

    def _found(self, method: str, path: list[str], asked: Any) -> Row | None:  # noqa: ANN401 - JSON
        match method, *filter(None, path):
            case "GET", "admin", "storage":
                found: Row | None = {"default_result_storage_block_id": None}
            case "POST", "flows":
                found = self._flow(asked)
            case "POST", "flow_runs":
                found = self._start(asked)
            case "GET", "flow_runs", run_id if run_id in self._runs:
                found = self._runs[run_id].model_dump(mode="json")
            case "POST", "flow_runs", run_id, "set_state" if run_id in self._runs:
                state = self._move(self._runs[run_id], asked["state"]).model_dump(mode="json", include={"state"})
                found = {**state, "status": "ACCEPT", "details": {"type": "accept_details"}}
            case "POST", "artifacts":
                found = self._artifact(asked)
            case _:
                found = None
        return found

    def _flow(self, asked: Row) -> Row:
        """The flow of this name, new or not."""
        if self._rows.flow_id(asked["name"]) is None:
            self._rows.put(("flow", {**asked, "id": str(uuid4())}))
        return {**asked, "id": self._rows.flow_id(asked["name"])}

    def _start(self, asked: Row) -> Row:
        """A new run of a flow, in its first state."""
        given = {name: value for name, value in asked.items() if value is not None and name != "state"}
        labels = {**given.get("labels", {}), "prefect.flow.id": asked["flow_id"]}
        run = FlowRun.model_validate({**given, "id": uuid4(), "labels": labels})
        self._rows.put(("flow_run", run.model_dump(mode="json")))
        return self._move(run, asked["state"]).model_dump(mode="json")

    def _move(self, run: FlowRun, asked: Row) -> FlowRun:
        """Accept and record the next state of a run; the data of the state is an artifact without a key."""
        state = _state({**asked, "id": uuid4(), "timestamp": utc_now()}, flow_run_id=run.id)
        run = self._runs[str(run.id)] = _moved(run, state)
        row = run.model_dump(mode="json")
        kept: Row = {**row["state"], "data": None, "flow_run_id": row["id"]}
        if asked["data"] is not None:
            result = {"id": str(uuid4()), "flow_run_id": row["id"], "data": asked["data"], NULL_OF_JSON: None}
            self._rows.put(("artifact", result))
            kept = {**kept, "result_artifact_id": result["id"]}
        self._rows.put(("flow_run_state", kept), ("flow_run", {**row, "state_timestamp": kept["timestamp"]}))
        return run

    def _artifact(self, asked: Row) -> Row:
        """Record an artifact, which is the latest of its key from now on."""
        row = {NULL_OF_JSON: None, **asked, "id": str(uuid4())}
        self._rows.put(("artifact", row))
        if row["key"] is not None:
            self._rows.put(("artifact_collection", {**row, "id": str(uuid4()), "latest_id": row["id"]}), on="key")
        return row

    def event(self, event: Event) -> None:
        """Record the state of a task run, which Prefect sends as an event; other events are dropped."""
        context = FlowRunContext.get()
        if not event.event.startswith(TASK_RUN) or context is None or context.flow_run is None:
            return
        ids = {"task_run_id": event.resource.id.removeprefix(TASK_RUN), "flow_run_id": context.flow_run.id}
        stated = {**event.payload["validated_state"], "id": event.id, "timestamp": event.occurred}
        state = _state(stated, **ids)
        ran = {
            **event.payload["task_run"],
            "id": ids["task_run_id"],
            "flow_run_id": ids["flow_run_id"],
            **_state_fields(state),
        }
        run = TaskRun.model_validate(ran)
        row = {
            **run.model_dump(mode="json", include=run.model_fields_set),
            "state_timestamp": event.occurred.isoformat(),
        }
        self._rows.put(
            ("task_run", row), ("task_run_state", {**state.model_dump(mode="json"), "task_run_id": row["id"]})
        )


def _state(stated: Row, **ids: Any) -> State:  # noqa: ANN401 - ids of runs
    """A state of the runs of these ids; not deferred unless it says so, as Prefect's server has it."""
    return State.model_validate({**stated, "state_details": {"deferred": False, **stated["state_details"], **ids}})


def _moved(run: FlowRun, state: State) -> FlowRun:
    """The run in its next state, with the times and counts that Prefect's rules derive for every run."""
    before = run.state
    has_begun = state.is_running() or state.is_final()
    ran = state.timestamp - before.timestamp if before and before.is_running() else timedelta()
    return run.model_copy(
        update={
            **_state_fields(state),
            "state": state,
            "expected_start_time": run.expected_start_time or state.timestamp,
            "start_time": run.start_time or (state.timestamp if has_begun else None),
            "end_time": state.timestamp if state.is_final() else None,
            "run_count": run.run_count + state.is_running(),
            "total_run_time": run.total_run_time + ran,
        }
    )


def _state_fields(state: State) -> Row:
    """The fields of a run that name its state."""
    return {"state_id": state.id, "state_type": state.type, "state_name": state.name}
