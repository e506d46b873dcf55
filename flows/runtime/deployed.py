"""How a flow begins and ends: in a deployment it logs to the Prefect server; how it ended is kept, and told."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from prefect import Flow
from prefect.client.schemas.objects import FlowRun, State
from prefect.context import FlowRunContext
from prefect.logging.handlers import APILogHandler

from flows.runtime.progress import configure, log
from flows.runtime.settings import load
from flows.watch.alerts import Alert, is_alerting, send_alert
from flows.watch.kept import SUCCEEDED, is_new_alert, keep_end, lake_name
from warehouse.errors import PaperlakeError, UsageError


def begin(lake: str) -> bool:
    """Whether a deployment started this flow run; if so, log to stderr and to the Prefect server.

    UsageError for a lake with a relative path: a worker runs in a folder of its own.
    """
    context = FlowRunContext.get()
    if context is None or context.flow_run is None or context.flow_run.deployment_id is None:
        return False
    configure(quiet=False)
    log.addHandler(APILogHandler())
    if not is_anywhere(lake):
        raise UsageError(
            f"the deployment's lake is {lake!r}, and a worker runs in a folder of its own; deploy again with "
            "PAPERLAKE_LAKE set to s3://bucket/lake or to a path from the root"
        )
    return True


def is_anywhere(lake: str) -> bool:
    """Whether the lake is the same from any working folder: a URL or an absolute path."""
    return "://" in lake or Path(lake).is_absolute()


def note_success(flow: Flow[..., Any], flow_run: FlowRun, _: State[Any]) -> None:
    """Keep that a run did what it should."""
    keep_end(str(flow_run.parameters["lake"]), flow.name, SUCCEEDED)


def note_failure(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Log how a deployment's run failed, as one message without a traceback; keep that any did, and tell of it.

    A state that no error stands behind is its own kind: Crashed.
    """
    if flow_run.deployment_id is not None:
        log.error("%s ended as %s: %s", flow.name, state.name, state.message)
    lake, error = str(flow_run.parameters["lake"]), state.data
    error = getattr(error, "result", error)  # of a state that Prefect made of an exception
    kind = type(error).__name__ if isinstance(error, Exception) else state.name or state.type.value
    keep_end(lake, flow.name, kind)
    settings = load()
    if is_alerting(settings) and is_new_alert(lake, flow.name, kind):
        message = str(error) if isinstance(error, PaperlakeError) else f"{flow.name} ended as {state.name}"
        send_alert(Alert(lake_name(lake), flow.name, kind, message), settings)


ENDS: Final[dict[str, Any]] = {
    "on_completion": [note_success],
    "on_failure": [note_failure],
    "on_crashed": [note_failure],
}
