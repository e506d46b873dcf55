"""What is due at the sources beside the Hub: by the latest release, and by the addresses of past calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final

from flows.plan.arxiv_due import arxiv_due
from flows.plan.due import Due
from flows.plan.past_calls import PastCalls
from flows.plan.works_due import lists_wanted, stars_due, works_due
from flows.runtime.scope import Scope
from warehouse.archive.index import IndexEntry
from warehouse.schema.core.links import STARS
from warehouse.schema.core.works import CROSSREF, OPENALEX
from warehouse.store.store import Store

# Of the sources that are asked each for one thing, by their setting. arXiv is first asked what changed
DUE_OF: Final = MappingProxyType[str, Callable[[Store, PastCalls, datetime], list[Due]]](
    {
        CROSSREF: works_due,
        OPENALEX: lists_wanted,
        STARS: stars_due,
    }
)


def others_due(
    store: Store, scope: Scope, entries: Sequence[IndexEntry], history: PastCalls, now: datetime
) -> Iterator[Due]:
    """Everything that the next run would ask of those that are set, as far as can be told."""
    if scope.is_backfill:
        return
    if scope.arxiv:
        yield from arxiv_due(store, entries, history, now)
    for setting, due in DUE_OF.items():
        if getattr(scope, setting):
            yield from due(store, history, now)
