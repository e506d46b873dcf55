"""What `capture` asks of Crossref, OpenAlex and GitHub, where they are set: works of papers, stars of their code."""

from __future__ import annotations

from flows.github import GitHub
from flows.hub import Clock
from flows.plan.openalex_due import lists_wanted
from flows.plan.past_calls import PastCalls
from flows.plan.stars_due import repositories_wanted
from flows.plan.works_due import due_each, works_wanted
from flows.steps.capture_arxiv import Asking
from flows.works import OpenAlex, Works
from flows.works.works_client import SECONDS
from warehouse.archive.captured import Refused
from warehouse.archive.journal import Journal
from warehouse.schema.core.links import STARS
from warehouse.schema.core.works import CROSSREF
from warehouse.store.store import Store


def capture_works(store: Store, history: PastCalls, works: Works, *, journal: Journal, clock: Clock) -> list[Refused]:
    """Ask Crossref for what is due, each answer durable before the next call; what failed. As with arXiv, a run ends
    after half an hour, or where Crossref fails twice, one after the other, and nothing waits for it.
    """
    run = Asking(history, journal, clock)
    due = due_each(CROSSREF, works_wanted(store), history, clock.now())
    run.ask_each(due, works.work, "Crossref", SECONDS)
    return run.refused


def capture_lists(
    store: Store, history: PastCalls, openalex: OpenAlex, *, journal: Journal, clock: Clock
) -> list[Refused]:
    """Ask OpenAlex in the same way, list by list."""
    run = Asking(history, journal, clock)
    due = lists_wanted(store, history, clock.now())
    run.ask_each(due, openalex.works, "OpenAlex", SECONDS)
    return run.refused


def capture_stars(store: Store, history: PastCalls, github: GitHub, *, journal: Journal, clock: Clock) -> list[Refused]:
    """Ask GitHub in the same way, until the requests of an hour are used up."""
    run = Asking(history, journal, clock)
    due = due_each(STARS, repositories_wanted(store), history, clock.now())
    run.ask_each(due, github.stars, "GitHub", SECONDS)
    return run.refused
