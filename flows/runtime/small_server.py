"""What one run needs of Prefect's server, and no more: the routes that a flow asks for, and its recorder of task runs.

Prefect's own application imports and tries hundreds of routes, keeps every event, evaluates automations and tidies up,
for twice the processor time. `paperlake serve` has that one.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from sqlite3 import SQLITE_BUSY, SQLITE_LOCKED
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError

from warehouse.stand_ins import stand_ins

# What tidies up behind Prefect's own server, by a queue of its own in Redis or in memory: 600 modules
with stand_ins(re.compile(r"docket(\.\w+)*")):
    from prefect.server.api import admin, artifacts, events, flow_runs, flows, logs, task_runs
    from prefect.server.database import provide_database_interface
    from prefect.server.exceptions import ObjectNotFoundError
    from prefect.server.services.task_run_recorder import TaskRunRecorder

# A rule of Prefect's imports this module for one function, `is_client_retryable_exception`, which this module has too:
# its import costs as much as that of all routes
APPLICATION: Final = "prefect.server.api.server"
# Routes are tried in this order
USED: Final = (admin, flows, flow_runs, artifacts, events, task_runs, logs)


def create_app() -> FastAPI:
    """The application, with its routes under `/api`."""
    sys.modules.setdefault(APPLICATION, sys.modules[__name__])
    answers: dict[int | type[Exception], Any] = {ObjectNotFoundError: not_found, Exception: failed}
    api = FastAPI(exception_handlers=answers)
    api.add_api_route("/health", lambda: True)
    for module in USED:
        api.include_router(module.router)
    app = FastAPI(lifespan=recording_task_runs)
    app.mount("/api", api)
    return app


@asynccontextmanager
async def recording_task_runs(_: FastAPI) -> AsyncIterator[None]:
    """Run the recorder of task runs for as long as the application serves."""
    await provide_database_interface().create_db()  # a new one, or one of an older Prefect
    recorder = TaskRunRecorder()  # type: ignore[no-untyped-call]
    recording = asyncio.create_task(recorder.start())
    await recorder.started_event.wait()
    yield
    await recorder.stop()
    await recording


def is_client_retryable_exception(error: Exception) -> bool:
    """Whether the client should ask again: the database is locked."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", 0)
    return isinstance(error, DBAPIError) and code & 0xFF in {SQLITE_BUSY, SQLITE_LOCKED}


async def not_found(_: Request, error: Exception) -> JSONResponse:
    """404, which Prefect's client understands."""
    return JSONResponse({"exception_message": str(error)}, 404)


async def failed(_: Request, error: Exception) -> JSONResponse:
    """503 where the client should ask again, else 500."""
    return JSONResponse({"exception_message": str(error)}, 503 if is_client_retryable_exception(error) else 500)
