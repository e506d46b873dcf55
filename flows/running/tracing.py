"""Whether a run tells of itself in OpenLineage events: only then is what makes them imported."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from flows.runtime.settings import load
from warehouse.store.store import Store

if TYPE_CHECKING:
    from flows.running.lineage import Traced


@contextmanager
def traced(store: Store, job: str) -> Iterator[Traced | None]:
    """A job that runs in the block, to be told of; None where nobody wants events."""
    if load().lineage is None:
        yield None
        return
    from flows.running import lineage

    with lineage.traced(store, job) as run:
        yield run
