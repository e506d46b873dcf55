"""How tasks retry: only what may go better a second time."""

from __future__ import annotations

from typing import Any, Final

from prefect import Task
from prefect.client.schemas.objects import State, TaskRun

from warehouse.errors import StoreFailed

RETRIES: Final = 2
DELAYS_SECONDS: Final = [1, 5]


async def is_worth_another_try(task: Task[..., Any], run: TaskRun, state: State[Any]) -> bool:  # noqa: ARG001
    """A store may come back; a broken rule, a wrong setting or damaged bytes will not."""
    result = await state.aresult(raise_on_failure=False)
    return isinstance(result, StoreFailed)
