"""Of which repositories GitHub is to be asked: those that the papers of the latest release link, listed last first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from flows.plan.due import Due
from flows.plan.past_calls import PastCalls
from flows.plan.works_due import due_each
from flows.runtime.scope import Scope
from warehouse.archive.index import IndexEntry
from warehouse.release.snapshot import open_latest
from warehouse.schema.core.links import PAPER_LINKS, STARS
from warehouse.schema.core.papers import PAPERS
from warehouse.store.store import Store


def repositories_wanted(store: Store) -> list[str]:
    """The repositories, each once."""
    with open_latest(store) as release:
        if release is None:
            return []
        links = release.select(PAPER_LINKS, ["paper_id", "repository"]).drop_nulls("repository")
        listed = release.select(PAPERS, ["paper_id", "last_listed_on"])
    order = ("last_listed_on", "paper_id", "repository")
    ordered = links.join(listed, on="paper_id").sort(order, descending=True, nulls_last=True)
    return ordered["repository"].unique(maintain_order=True).to_list()


def stars_due(store: Store, scope: Scope, entries: Sequence[IndexEntry], now: datetime) -> list[Due]:
    """Everything that the next run would ask of GitHub; nothing unless that is set."""
    if not scope.github or scope.is_backfill:
        return []
    return due_each(STARS, repositories_wanted(store), PastCalls(entries, now), now)
