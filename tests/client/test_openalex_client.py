"""The client of OpenAlex, against the stand-in: never over a second's turn nor a day's credits, whatever comes back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from flows.hub.other_sources import OpenAlex
from flows.plan.others_due import doi_filter
from flows.runtime.settings import Settings
from tests.client.asking import failure
from tests.hub.clock import VirtualClock
from tests.works.openalex import OpenAlexStandIn, OpenWork
from warehouse.archive.captured import Capture, Failed

DOIS = [f"10.5555/loom.{number}" for number in range(5)]
NAMED = doi_filter(DOIS)
DAY = timedelta(days=1).total_seconds()


@pytest.fixture
def openalex(clock: VirtualClock) -> Iterator[OpenAlexStandIn]:
    with OpenAlexStandIn(now=clock.now, clock=clock.seconds) as openalex:
        openalex.works = [OpenWork(one) for one in DOIS]
        yield openalex


def client_of(openalex: OpenAlexStandIn, clock: VirtualClock, state: Path) -> OpenAlex:
    settings = Settings(openalex_url=openalex.url, state=state, contact="ops@looms.example")
    return OpenAlex(settings, clock=clock.clock())


@pytest.fixture
def client(openalex: OpenAlexStandIn, clock: VirtualClock, tmp_path: Path) -> Iterator[OpenAlex]:
    with client_of(openalex, clock, tmp_path) as client:
        yield client


def test_authors_are_not_asked_for_nor_is_anybody_told(openalex: OpenAlexStandIn, client: OpenAlex) -> None:
    client.ask(NAMED)
    (call,) = openalex.calls
    assert "authorships" not in call.target
    assert "select=id%2Cdoi" in call.target
    assert "looms.example" not in call.target
    assert "(+mailto:ops@looms.example)" in call.headers["User-Agent"]


def test_the_credits_of_a_day_are_never_overdrawn(
    openalex: OpenAlexStandIn, clock: VirtualClock, tmp_path: Path
) -> None:
    """The last answer says that none is left; whoever asks then is told without a request, until midnight."""
    openalex.credits = 3
    with client_of(openalex, clock, tmp_path) as one, client_of(openalex, clock, tmp_path) as other:
        kept = [isinstance(client.ask(NAMED), Capture) for client in (one, other) * 3]
        assert kept == [True] * 3 + [False] * 3
        clock.sleep(11 * 3600)
        (tmp_path / "openalex-turn").unlink()  # as of a machine that was started anew
        assert "OpenAlex allows no request for" in failure(other.ask(NAMED)).reason
        assert (len(openalex.calls), openalex.over) == (3, [])
        clock.sleep(3600)
        assert isinstance(one.ask(NAMED), Capture)
    assert openalex.over == []


def test_credits_that_others_have_used_cost_one_request(openalex: OpenAlexStandIn, client: OpenAlex) -> None:
    openalex.credits = 0
    for _ in range(3):
        assert isinstance(client.ask(NAMED), Failed)
    assert len(openalex.calls) == 1


@pytest.mark.parametrize("written", ["", "x", "2026-10-07T12:00:00+00:00", "2999-01-01T00:00:00"])
def test_a_rest_that_is_none_of_ours_holds_nobody(
    openalex: OpenAlexStandIn, client: OpenAlex, tmp_path: Path, written: str
) -> None:
    (tmp_path / "openalex-turn-rest").write_text(written)
    assert isinstance(client.ask(NAMED), Capture)
    assert openalex.over == []
