"""What a flow does differently when a deployment started it: nobody is there to read its exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import Flow
from prefect.client.schemas.objects import FlowRun, State
from prefect.context import FlowRunContext
from prefect.logging.handlers import APILogHandler

from flows.runtime.progress import configure, log
from warehouse.errors import UsageError


def begin(lake: str) -> bool:
    """Whether a deployment started this flow run. If so, its lines go to stderr and to the Prefect server.

    UsageError for a lake whose place depends on the folder the run happens to be in.
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
    """Whether the lake is the same one from any folder of this machine."""
    return "://" in lake or Path(lake).is_absolute()


def log_failure(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Log how a deployment's run failed, as one message without a traceback."""
    if flow_run.deployment_id is not None:
        log.error("%s ended as %s: %s", flow.name, state.name, state.message)
