"""The clients of arXiv, Crossref, OpenAlex and GitHub, each against its stand-in: they take turns, tell nobody whose
token they have, and what is no answer fails within the budget. What is of one alone: the modules beside this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from flows.hub.other_sources import Arxiv, Crossref, GitHub, OpenAlex
from flows.runtime.settings import Settings
from tests.arxiv.stand_in import ArxivStandIn
from tests.client.asking import failure
from tests.github.stand_in import GitHubStandIn, history
from tests.hub import faults
from tests.hub.clock import VirtualClock
from tests.hub.paced import PacedStandIn
from tests.hub.server import NOW
from tests.works.messages import Message
from tests.works.openalex import OpenAlexStandIn
from tests.works.registry import CrossrefStandIn
from warehouse.archive.captured import Outcome


@dataclass(frozen=True)
class Source:
    """A source: its client, what it is asked, the setting of its address, its media types, and what it says of others."""

    stand_in: type[PacedStandIn]
    client: Callable[..., AbstractContextManager[Any]]
    subject: str
    address: str
    no_answer: str
    media: str = "application/json"

    def ask(self, client: Any) -> Outcome:
        found: Outcome = client.ask(self.subject)
        return found


LOOM, WOVEN = "10.5555/loom", "loom/woven"
SOURCES = {
    "arXiv": Source(ArxivStandIn, Arxiv, "2609.1", "arxiv_url", "no OAI-PMH", "text/xml or application/xml"),
    "Crossref": Source(CrossrefStandIn, Crossref, LOOM, "crossref_url", "no JSON"),
    "OpenAlex": Source(OpenAlexStandIn, OpenAlex, f"doi:{LOOM}", "openalex_url", "no list of works"),
    "GitHub": Source(GitHubStandIn, GitHub, WOVEN, "github_url", "no list of weeks"),
}


@pytest.fixture(params=SOURCES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def stand_in(name: str, clock: VirtualClock) -> Iterator[PacedStandIn]:
    with SOURCES[name].stand_in(now=clock.now, clock=clock.seconds) as stand_in:
        if isinstance(stand_in, CrossrefStandIn):
            stand_in.works = {LOOM: Message(LOOM)}
        if isinstance(stand_in, GitHubStandIn):
            stand_in.repositories = {WOVEN: history(NOW, [3, 2])}
        yield stand_in


def client_of(name: str, url: str, clock: VirtualClock, state: Path) -> AbstractContextManager[Any]:
    source = SOURCES[name]
    url += "/oai" if name == "arXiv" else ""
    settings: dict[str, Any] = {source.address: url, "state": state, "hub_token": "hf_Invented0Token"}
    return source.client(Settings(**settings), clock=clock.clock())


def test_all_clients_of_a_machine_take_turns(
    name: str, stand_in: PacedStandIn, clock: VirtualClock, tmp_path: Path
) -> None:
    with client_of(name, stand_in.url, clock, tmp_path) as one, client_of(name, stand_in.url, clock, tmp_path) as other:
        for client in (one, other) * 5:
            SOURCES[name].ask(client)
    assert (stand_in.over, clock.elapsed) == ([], 9 * stand_in.seconds)
    assert "authorization" not in {header.lower() for call in stand_in.calls for header in call.headers}
    assert stand_in.calls[0].headers["User-Agent"].startswith("paperlake/")


@pytest.mark.parametrize(
    ("fault", "reason", "calls"),
    [
        (lambda _: faults.status(503, "0"), "HTTP status 503; given up after 2 tries", 2),
        (lambda _: faults.status(429, "100"), "HTTP status 429; given up after 2 tries", 2),
        (lambda _: faults.status(503, "86400"), "HTTP status 503, and a wait of 86,400 seconds asked for", 1),
        (lambda _: faults.html(), "its content type is text/html; charset=utf-8, in place of {media}", 1),
        (lambda source: faults.html(source.media.partition(" ")[0]), "the answer is {no_answer}", 1),
        (lambda _: faults.redirect("https://elsewhere.example/x"), "a redirect off {name}'s host, to", 1),
        (lambda _: faults.hang_up(), "its answer was cut short", 2),
        (lambda _: faults.truncated(), "its answer was cut short", 2),
    ],
)
def test_what_is_no_answer_fails_within_the_budget(  # noqa: PLR0917 - what is tried, and fixtures
    fault: Callable[[Source], faults.Fault],
    reason: str,
    calls: int,
    name: str,
    stand_in: PacedStandIn,
    clock: VirtualClock,
    tmp_path: Path,
) -> None:
    source = SOURCES[name]
    stand_in.misbehave(fault(source))
    with client_of(name, stand_in.url, clock, tmp_path) as client:
        said = failure(source.ask(client)).reason
    assert reason.format(name=name, media=source.media, no_answer=source.no_answer) in said
    assert (len(stand_in.calls), stand_in.over) == (calls, [])


def test_where_it_cannot_be_reached_the_call_fails(name: str, clock: VirtualClock, tmp_path: Path) -> None:
    with client_of(name, "http://127.0.0.1:1", clock, tmp_path) as client:
        assert "the connection failed" in failure(SOURCES[name].ask(client)).reason
