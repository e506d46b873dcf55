"""Drops old releases by a rule, on record; what an earlier run recorded and did not finish is finished first."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from flows.documents.release_index import ReleaseSummary, lead_to_latest, pages_instead, summaries, tombstone
from warehouse.inventory.keep_rule import KeepRule
from warehouse.inventory.owners import inventory
from warehouse.inventory.pool_files import cited_releases, pool_all
from warehouse.inventory.retention import collect, droppable, finish_drops, require_landed
from warehouse.release import moves
from warehouse.release.latest import read_latest, require_latest
from warehouse.store.store import Store


class Retained(NamedTuple):
    """The effect of a rule, or without `is_applied` its plan: releases that were `present`, those that it `dropped`.

    `long_term` has, by version, until when one is kept whatever the rule; of the `finished` ones an earlier run had
    recorded the drop, and left files.
    """

    is_applied: bool
    present: Sequence[ReleaseSummary]
    dropped: Sequence[str]
    long_term: Mapping[str, str]
    finished: Sequence[str]


def retain(store: Store, rule: KeepRule, *, apply: bool, at: datetime, sign: moves.Sign | None = None) -> Retained:
    """Drop releases by a rule, or without `apply` only find them.

    Never the latest, none that a query cites, none that is kept long-term; Damaged, and nothing is dropped, where the
    archive could not build one again. Superseded, and nothing is dropped, where another command moved `latest.json`.
    """
    finished = _finish_drops(store, at) if apply else []
    expected = read_latest(store)
    present = [one for one in summaries(store) if one.dropped_at is None]
    long_term = {one.version: one.kept_until for one in present if one.kept_until >= at.date().isoformat()}
    kept = cited_releases(store) | set(long_term)
    retracted = {one.version for one in present if one.erratum}
    dropped = droppable([one.version for one in present], require_latest(store).version, rule, kept, retracted)
    if apply and dropped and expected:
        for version in dropped:
            require_landed(store, moves.published(store, version))
        moves.drop(store, dropped, expected, at=at, why=f"kept {rule}", sign=sign)
        _finish_drops(store, at)
    return Retained(apply, present, dropped, long_term, finished)


def _finish_drops(store: Store, at: datetime) -> list[str]:
    """Remove the files of releases that are recorded as dropped, and what runs that were stopped left.

    A release's files go once no page leads to them any more; returns the releases that had files.
    """
    lead_to_latest(store)
    finished = finish_drops(store, tombstone)
    pool_all(store, pages_instead, at=at)
    collect(store, inventory(store))
    return finished
