"""What is due now and next: one rule for the daily run, a missed one, a restart and a backfill."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import Final

from flows.plan.past_calls import NEVER, PastCalls
from flows.plan.targets import Kind, Target, detail_targets, list_targets, page_targets
from flows.runtime.scope import Scope

NO_PAPERS: Final[Mapping[str, date]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Due:
    """A call to make, and the moment it is due; `kind` and `subject` as in a Target."""

    kind: Kind
    subject: str
    at: datetime


def due(targets: Iterable[Target], past: PastCalls, now: datetime) -> list[Due]:
    """The targets not fetched since their latest moment up to `now`, UTC without zone."""
    found = []
    for target in targets:
        at = max((moment for moment in target.moments if moment <= now), default=None)
        if at is not None and (past.fetched_at(target.kind, target.subject) or NEVER) < at:
            found.append(Due(target.kind, target.subject, at))
    return found


def due_lists(scope: Scope, past: PastCalls, now: datetime) -> list[Due]:
    """Lists of the API that are due."""
    return due(list_targets(scope, now), past, now)


def due_pages(scope: Scope, past: PastCalls, now: datetime) -> list[Due]:
    """HTML pages that are due: those of days whose list is empty."""
    return due(page_targets(scope, past, now), past, now)


def due_details(scope: Scope, past: PastCalls, now: datetime, listed: Mapping[str, date]) -> list[Due]:
    """Papers whose details are due; `listed` has the last list day of each, as `listed_papers` gives it."""
    return due(detail_targets(scope, listed), past, now)


def due_now(scope: Scope, past: PastCalls, now: datetime, listed: Mapping[str, date] = NO_PAPERS) -> list[Due]:
    """Everything the next run would ask for."""
    asked = due_lists(scope, past, now) + due_pages(scope, past, now)
    return asked + due_details(scope, past, now, listed)


def next_due(scope: Scope, now: datetime, listed: Mapping[str, date] = NO_PAPERS) -> Due | None:
    """The first call due after `now`; None where the scope has none."""
    targets = (*list_targets(scope, now), *detail_targets(scope, listed))
    to_come = [
        Due(target.kind, target.subject, moment) for target in targets for moment in target.moments if moment > now
    ]
    return min(to_come, key=lambda due: due.at, default=None)
