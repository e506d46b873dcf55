"""Steps as Prefect tasks: retried after failures of the store that may pass, and timed for the metrics."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from prefect import Task, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.context import FlowRunContext

from flows.watch.run_statistics import record_step
from warehouse.errors import StoreFailed

P = ParamSpec("P")
R = TypeVar("R")

DELAYS_SECONDS: Final = (1.0, 5.0)


def step(name: str) -> Callable[[Callable[P, R]], Task[P, R]]:
    """A plain function as a Prefect task that retries only when the store failed."""
    as_task = task(
        name=name,
        retries=len(DELAYS_SECONDS),
        retry_delay_seconds=list(DELAYS_SECONDS),
        retry_condition_fn=_is_worth_another_try,
        cache_policy=NO_CACHE,  # its key would be a hash over an open store
    )
    return lambda function: as_task(_timed(name, function))


def _timed(name: str, function: Callable[P, R]) -> Callable[P, R]:
    """The function, whose duration is recorded after each call, for the metrics of the run's lake."""

    @wraps(function)
    def timed(*args: P.args, **kwargs: P.kwargs) -> R:
        start = time.monotonic()
        try:
            return function(*args, **kwargs)
        finally:
            context = FlowRunContext.get()
            if context is not None and (lake := (context.parameters or {}).get("lake")):
                record_step(str(lake), name, time.monotonic() - start)

    return timed


async def _is_worth_another_try(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    """Whether the failure may pass; a broken rule, a wrong setting or damaged bytes stay as they are."""
    result = await state.aresult(raise_on_failure=False)
    return isinstance(result, StoreFailed) and result.may_pass
