"""The client of arXiv, against the stand-in: never more than one request in three seconds, whatever comes back."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from flows.hub.other_sources import Arxiv
from flows.runtime.settings import Settings
from tests.arxiv.records import Record
from tests.arxiv.stand_in import ArxivStandIn
from tests.client.asking import failure
from tests.hub import faults
from tests.hub.clock import VirtualClock
from warehouse.archive.captured import Capture

IDS = [f"2609.{number:05}" for number in range(1, 9)]
SINCE = date(2026, 9, 1)


@pytest.fixture
def arxiv(clock: VirtualClock) -> Iterator[ArxivStandIn]:
    with ArxivStandIn(now=clock.now, clock=clock.seconds) as arxiv:
        arxiv.arxiv.records = {one: Record(one) for one in IDS}
        yield arxiv


@pytest.fixture
def client(arxiv: ArxivStandIn, clock: VirtualClock, tmp_path: Path) -> Iterator[Arxiv]:
    with client_of(arxiv, clock, tmp_path) as client:
        yield client


def client_of(arxiv: ArxivStandIn, clock: VirtualClock, state: Path, path: str = "/oai") -> Arxiv:
    return Arxiv(Settings(arxiv_url=f"{arxiv.url}{path}", state=state), clock=clock.clock())


TAKE_TURNS = """
import sys, time
from pathlib import Path
from flows.hub.paced import Turns
from flows.hub.budget import Clock
clock = Clock(seconds=lambda: time.monotonic() * 30, sleep=lambda seconds: time.sleep(seconds / 30))
turns = Turns(Path(sys.argv[1]), 3.0, clock)
for _ in range(3):
    with turns.turn(900) as wait:
        print(wait, Path(sys.argv[1]).read_text(), flush=True)
"""


def test_processes_share_the_turns_of_a_machine(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TAKE_TURNS, str(tmp_path / "turn")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    lines = [line for one in running for line in one.communicate(timeout=60)[0].splitlines()]
    at = sorted(float(line.split()[1]) for line in lines)
    assert len(at) == 9
    assert min(later - sooner for sooner, later in pairwise(at)) >= 2.99


@pytest.mark.parametrize("written", ["", "nan", "inf", "-5", "99999999999", "no number"])
def test_a_turn_that_another_clock_wrote_delays_little(
    arxiv: ArxivStandIn, client: Arxiv, clock: VirtualClock, tmp_path: Path, written: str
) -> None:
    (tmp_path / "arxiv-turn").write_text(written)
    assert isinstance(client.ask(IDS[0]), Capture)
    assert clock.elapsed <= 3


def test_changes_along_the_tokens(arxiv: ArxivStandIn, client: Arxiv) -> None:
    found = list(client.changes(SINCE))
    assert (len(found), arxiv.over) == (3, [])
    assert [call.target.partition("Token=")[2] for call in arxiv.calls] == ["", "1%7C2609.00004", "2%7C2609.00007"]


def test_a_lost_token_begins_the_list_anew_once(arxiv: ArxivStandIn, client: Arxiv) -> None:
    found = list(client.changes(SINCE, "0|lost"))
    assert ["Token=" in call.target for call in arxiv.calls] == [True, False, True, True]
    assert all(isinstance(one, Capture) for one in found)
    arxiv.calls.clear()
    arxiv.arxiv.tokens.clear()
    lost = faults.grow(arxiv.arxiv.tokens.clear)
    arxiv.misbehave(lost, where="from=")
    assert len(list(client.changes(SINCE))) == 4, "the second time is the last"


def test_a_token_that_comes_again_ends_the_list(arxiv: ArxivStandIn, client: Arxiv) -> None:
    arxiv.arxiv.is_stuck = True
    found = list(client.changes(SINCE))
    assert len(found) == 3
    assert failure(found[-1]).reason == "not fetched: its token came before"


def test_an_address_that_leads_on_twice_is_not_followed(arxiv: ArxivStandIn, client: Arxiv) -> None:
    arxiv.misbehave(faults.redirect("/oai?verb=Identify", 301))
    assert "more redirects than 1" in failure(client.ask(IDS[0])).reason
    assert (len(arxiv.calls), arxiv.over) == (2, [])


def test_what_passes_is_asked_again(arxiv: ArxivStandIn, client: Arxiv, clock: VirtualClock) -> None:
    arxiv.misbehave(faults.status(503, "20"), nth=[1])
    assert isinstance(client.ask(IDS[0]), Capture)
    assert (arxiv.over, clock.elapsed >= 60) == ([], True)


def test_a_wait_asked_for_holds_for_other_clients(arxiv: ArxivStandIn, clock: VirtualClock, tmp_path: Path) -> None:
    arxiv.misbehave(faults.status(503, "3000"), nth=[1])
    with client_of(arxiv, clock, tmp_path) as one, client_of(arxiv, clock, tmp_path) as other:
        failure(one.ask(IDS[0]))
        assert "arXiv allows no request for 3,000 seconds" in failure(other.ask(IDS[0])).reason
        clock.sleep(3000)
        assert isinstance(other.ask(IDS[0]), Capture)
    assert len(arxiv.calls) == 2


def test_the_address_before_2025_leads_to_the_one_of_today(
    arxiv: ArxivStandIn, clock: VirtualClock, tmp_path: Path
) -> None:
    with client_of(arxiv, clock, tmp_path, "/oai2") as client:
        found = client.ask(IDS[0])
    assert isinstance(found, Capture)
    assert (found.http_status, arxiv.over) == (200, [])
