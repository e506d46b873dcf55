"""How tasks retry: only what may go better a second time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

from prefect import Task, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun

from warehouse.errors import StoreFailed

P = ParamSpec("P")
R = TypeVar("R")

DELAYS_SECONDS: Final = (1.0, 5.0)


def step(name: str) -> Callable[[Callable[P, R]], Task[P, R]]:
    """A plain function as a Prefect task that retries when the store failed, and never for another reason."""
    return task(
        name=name,
        retries=len(DELAYS_SECONDS),
        retry_delay_seconds=list(DELAYS_SECONDS),
        retry_condition_fn=_is_worth_another_try,
        cache_policy=NO_CACHE,  # its key would be a hash over an open store
    )


async def _is_worth_another_try(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    """A store may come back; a broken rule, a wrong setting or damaged bytes will not."""
    result = await state.aresult(raise_on_failure=False)
    return isinstance(result, StoreFailed) and result.may_pass
