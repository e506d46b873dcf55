"""What is due, and what will be: one rule for the daily run, a missed one, a restart and a backfill."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import Final

from flows.plan.past_calls import NEVER, History
from flows.plan.targets import Kind, Target, detail_targets, list_targets, page_targets
from flows.runtime.scope import Scope

NO_PAPERS: Final[Mapping[str, date]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Due:
    """Something to ask the Hub for, and since (or from) when; `kind` and `subject` as in a Target."""

    kind: Kind
    subject: str
    at: datetime


def due(targets: Iterable[Target], history: History, now: datetime) -> list[Due]:
    """The targets whose latest moment has come and that were not fetched since. `now` is UTC without zone."""
    found = []
    for target in targets:
        at = max((moment for moment in target.moments if moment <= now), default=None)
        if at is not None and (history.fetched_at(target.kind, target.subject) or NEVER) < at:
            found.append(Due(target.kind, target.subject, at))
    return found


def due_lists(scope: Scope, history: History, now: datetime) -> list[Due]:
    """Lists of the API that are due."""
    return due(list_targets(scope, now), history, now)


def due_pages(scope: Scope, history: History, now: datetime) -> list[Due]:
    """HTML pages that are due: of days whose list was empty."""
    return due(page_targets(scope, history, now), history, now)


def due_details(scope: Scope, history: History, now: datetime, listed: Mapping[str, date]) -> list[Due]:
    """Papers whose details are due. `listed`: the last list day of each paper (`flows.plan.listed`)."""
    return due(detail_targets(scope, listed), history, now)


def due_now(scope: Scope, history: History, now: datetime, listed: Mapping[str, date] = NO_PAPERS) -> list[Due]:
    """All that the next run would ask for."""
    asked = due_lists(scope, history, now) + due_pages(scope, history, now)
    return asked + due_details(scope, history, now, listed)


def next_due(scope: Scope, now: datetime, listed: Mapping[str, date] = NO_PAPERS) -> Due | None:
    """What comes due first after now; None where nothing of the scope ever does."""
    targets = (*list_targets(scope, now), *detail_targets(scope, listed))
    to_come = [
        Due(target.kind, target.subject, moment) for target in targets for moment in target.moments if moment > now
    ]
    return min(to_come, key=lambda due: due.at, default=None)
