"""The client of Crossref, against the stand-in: never more than one request a second, whatever comes back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.hub.other_sources import Crossref
from flows.runtime.settings import Settings
from tests.hub.clock import VirtualClock
from tests.works.messages import Message
from tests.works.registry import CrossrefStandIn
from warehouse.archive.captured import Capture

DOIS = [f"10.5555/loom.{number}" for number in range(5)]
ODD = "10.1002/(sici)1097#a<1:x/../y>3.0.co;2-#?q=%2f"


@pytest.fixture
def crossref(clock: VirtualClock) -> Iterator[CrossrefStandIn]:
    with CrossrefStandIn(now=clock.now, clock=clock.seconds) as crossref:
        crossref.works = {one: Message(one) for one in (*DOIS, ODD)}
        yield crossref


def client_of(crossref: CrossrefStandIn, clock: VirtualClock, state: Path, contact: str | None = None) -> Crossref:
    return Crossref(Settings(crossref_url=crossref.url, state=state, contact=contact), clock=clock.clock())


@pytest.fixture
def client(crossref: CrossrefStandIn, clock: VirtualClock, tmp_path: Path) -> Iterator[Crossref]:
    with client_of(crossref, clock, tmp_path) as client:
        yield client


def test_less_is_asked_where_its_answers_say_so(
    crossref: CrossrefStandIn, client: Crossref, clock: VirtualClock
) -> None:
    crossref.seconds = 7
    for doi in DOIS:
        client.ask(doi)
    assert (crossref.over, clock.elapsed) == ([], 28.0)


def test_any_doi_is_asked_for_as_it_is(crossref: CrossrefStandIn, client: Crossref) -> None:
    found = client.ask(ODD)
    assert isinstance(found, Capture)
    assert (crossref.asked, found.http_status) == ([ODD], 200)


@pytest.mark.parametrize(
    ("contact", "sent"),
    [(None, ""), ("ops@looms.example", "(+mailto:ops@looms.example)"), ("https://looms.example/a@b", "(+https://loo")],
)
def test_a_mailbox_is_sent_as_crossref_asks_and_never_in_an_address(
    crossref: CrossrefStandIn, clock: VirtualClock, tmp_path: Path, contact: str | None, sent: str
) -> None:
    with client_of(crossref, clock, tmp_path, contact) as client:
        client.ask(DOIS[0])
    (call,) = crossref.calls
    assert sent in call.headers["User-Agent"]
    assert "looms.example" not in call.target


def test_that_there_is_none_is_an_answer(crossref: CrossrefStandIn, client: Crossref) -> None:
    found = client.ask("10.48550/arxiv.2512.01234")
    assert isinstance(found, Capture)
    assert (found.http_status, len(crossref.calls)) == (404, 1)
