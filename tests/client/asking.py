"""Helpers of the client's tests: ask the stand-in Hub, and take apart what came."""

from collections.abc import Iterator
from datetime import date

from flows.hub.budget import Patience
from flows.hub.client import Hub
from flows.runtime.settings import Settings
from tests.hub.server import StandIn
from warehouse.archive.captured import Capture, Failed, Outcome, Unchanged

DAY = date(2026, 10, 1)
BUSY = date(2026, 10, 2)
SATURDAY = date(2026, 10, 3)
DAILY = f"/api/daily_papers?date={DAY}&limit=100"
TOKEN = "hf_Invented0Secret0Token"
STEADY = Patience(tries=3)
HASTY = Patience(read_seconds=0.3, total_seconds=0.8, tries=3)


def client_of(hub: StandIn, patience: Patience = STEADY, **settings: object) -> Hub:
    return Hub(Settings(hub_url=hub.url, **settings), patience=patience, clock=hub.clock.clock())


def only(found: Iterator[Outcome]) -> Outcome:
    [outcome] = found
    return outcome


def page(found: Iterator[Outcome] | Outcome) -> Capture:
    outcome = found if isinstance(found, Capture | Failed | Unchanged) else only(found)
    assert isinstance(outcome, Capture), outcome
    return outcome


def failure(found: Iterator[Outcome] | Outcome) -> Failed:
    outcome = found if isinstance(found, Capture | Failed | Unchanged) else only(found)
    assert isinstance(outcome, Failed), outcome
    return outcome
