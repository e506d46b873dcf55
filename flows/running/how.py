"""How a step of a run is called: again where the store fails in a way that may pass, timed, and told of as lineage."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from flows.running.run_statistics import record_step
from flows.runtime.environment import variable
from flows.runtime.settings import load
from warehouse.errors import StoreFailed, UsageError
from warehouse.store.store import Store

if TYPE_CHECKING:
    from flows.running.lineage import Traced

P = ParamSpec("P")
R = TypeVar("R")

DELAYS_SECONDS: Final = (1.0, 5.0)  # before the second try of a step, and the third


class How:
    """How a run on a lake executes its steps, and keeps what they show: this one calls them, and keeps nothing."""

    def __init__(self, lake: str) -> None:
        self._lake = lake

    def step(self, name: str, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function, and return its result; call it again where the store failed in a way that may pass."""
        run = timed(self._lake, name, function)
        for seconds in DELAYS_SECONDS:
            try:
                return run(*args, **kwargs)
            except StoreFailed as error:
                if not error.may_pass:
                    raise
                time.sleep(seconds)
        return run(*args, **kwargs)

    def show(self, key: str, words: str, shown: str | Sequence[Mapping[str, object]]) -> None:
        """Keep a text of Markdown, or the rows of a table, under a key; nobody looks at a plain run."""


def timed(lake: str, name: str, function: Callable[P, R]) -> Callable[P, R]:
    """The function, whose duration is recorded after each call, for the metrics of a lake."""

    @wraps(function)
    def timed_function(*args: P.args, **kwargs: P.kwargs) -> R:
        start = time.monotonic()
        try:
            return function(*args, **kwargs)
        finally:
            record_step(lake, name, time.monotonic() - start)

    return timed_function


@contextmanager
def traced(store: Store, job: str) -> Iterator[Traced | None]:
    """A job that runs in the block, to be told of in OpenLineage events; None where nobody wants events."""
    settings = load()
    if settings.lineage is None:
        yield None
        return
    if find_spec("openlineage") is None:
        raise UsageError(f"{variable('lineage')} asks for OpenLineage events: pip install 'paperlake[lineage]'")
    from flows.running.lineage import emitting_events

    with emitting_events(store, job, settings) as run:
        yield run
