"""What one run needs of Prefect's server, and no more: its routes, and its recorder of task runs.

Prefect's own application tries hundreds of routes one by one on each request, keeps every event, evaluates automations
and tidies up, for a third more processor time. `paperlake serve` has that one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI
from prefect.server.api import admin, artifacts, events, flow_runs, flows
from prefect.server.api.server import (
    API_ROUTERS,
    custom_internal_exception_handler,
    prefect_object_not_found_exception_handler,
)
from prefect.server.database import provide_database_interface
from prefect.server.exceptions import ObjectNotFoundError
from prefect.server.services.task_run_recorder import TaskRunRecorder

# What a flow asks for: it is found the sooner, the fewer routes come before it
USED: Final = (admin.router, flows.router, flow_runs.router, artifacts.router, events.router)


def create_app() -> FastAPI:
    """The application, with its routes under `/api`."""
    answers: dict[int | type[Exception], Any] = {
        ObjectNotFoundError: prefect_object_not_found_exception_handler,
        Exception: custom_internal_exception_handler,  # 503 where the database is locked
    }
    api = FastAPI(exception_handlers=answers)
    api.add_api_route("/health", lambda: True)
    for router in (*USED, *(router for router in API_ROUTERS if router not in USED)):
        api.include_router(router)
    app = FastAPI(lifespan=recording_task_runs)
    app.mount("/api", api)
    return app


@asynccontextmanager
async def recording_task_runs(_: FastAPI) -> AsyncIterator[None]:
    """The recorder at work, for as long as the application serves."""
    await provide_database_interface().create_db()  # a new one, or one of an older Prefect
    recorder = TaskRunRecorder()  # type: ignore[no-untyped-call]
    recording = asyncio.create_task(recorder.start())
    await recorder.started_event.wait()
    yield
    await recorder.stop()
    await recording
