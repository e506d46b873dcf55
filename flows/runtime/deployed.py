"""How a flow run begins and ends: the log of a deployment, the record of how each run ended, and alerts."""

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
from flows.watch.run_statistics import SUCCEEDED, lake_name, record_alert, record_end
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
    """Record that a run succeeded."""
    record_end(str(flow_run.parameters["lake"]), flow.name, SUCCEEDED)


def note_failure(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Log how a deployment's run failed, as one message without a traceback; record any run's failure, and send alerts.

    A state without an error is recorded by its own name, such as Crashed.
    """
    if flow_run.deployment_id is not None:
        log.error("%s ended as %s: %s", flow.name, state.name, state.message)
    lake, error = str(flow_run.parameters["lake"]), state.data
    error = getattr(error, "result", error)  # of a state that Prefect made of an exception
    kind = type(error).__name__ if isinstance(error, Exception) else state.name or state.type.value
    record_end(lake, flow.name, kind)
    settings = load()
    if is_alerting(settings) and record_alert(lake, flow.name, kind):
        message = str(error) if isinstance(error, PaperlakeError) else f"{flow.name} ended as {state.name}"
        send_alert(Alert(lake_name(lake), flow.name, kind, message), settings)


ENDS: Final[dict[str, Any]] = {
    "on_completion": [note_success],
    "on_failure": [note_failure],
    "on_crashed": [note_failure],
}
