"""What `capture` asks of Crossref, where that is set: the works that papers are published as, new ones first."""

from __future__ import annotations

from flows.hub import Clock
from flows.plan.past_calls import PastCalls
from flows.plan.works_due import due_works, works_wanted
from flows.steps.capture_arxiv import Asking
from flows.works import Works
from flows.works.works_client import SECONDS
from warehouse.archive.captured import Refused
from warehouse.archive.journal import Journal
from warehouse.store.store import Store


def capture_works(store: Store, history: PastCalls, works: Works, *, journal: Journal, clock: Clock) -> list[Refused]:
    """Ask for what is due, each answer durable before the next call; what failed. As with arXiv, a run ends after half
    an hour, or where Crossref fails twice, one after the other, and nothing waits for it.
    """
    run = Asking(history, journal, clock)
    run.ask_each(due_works(works_wanted(store), history, clock.now()), works.work, "Crossref", SECONDS)
    return run.refused
