"""Asking the stand-in GitHub of the code of a lake's papers: each repository once a month, within an hour's requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from flows.hub import Hub
from flows.people.erase import Machine, Wish, erase
from flows.plan import Scope
from flows.runtime.lake import open_lake
from flows.runtime.settings import Settings
from flows.sources import GitHub
from flows.steps.capture_due import capture_due
from flows.watch.status import status_of
from tests.flows import steps
from tests.github.stand_in import GitHubStandIn, history
from tests.hub import faults
from tests.hub.clock import VirtualClock
from tests.hub.server import StandIn
from tests.scanner import places_of
from tests.unit.test_adoption import own
from warehouse.archive.archive import Archive

OFF = Scope(details_after=(), refetch_after=(timedelta(hours=1),))
ON = replace(OFF, github=True)
DAY = timedelta(days=1).total_seconds()
CODE = [f"loom/woven-{number}" for number in range(4)]


@dataclass
class World:
    """A lake, the two sources, and the clock that both go by."""

    lake: str
    state: Path
    hub: StandIn
    github: GitHubStandIn
    clock: VirtualClock

    def captured(self, scope: Scope = ON) -> list[str]:
        """The repositories that one run asks for."""
        self.github.calls.clear()
        settings = Settings(hub_url=self.hub.url, github_url=self.github.url, state=self.state)
        times = self.clock.clock()
        with Hub(settings, clock=times) as hub, GitHub(settings, clock=times) as github:
            capture_due(open_lake(self.lake), hub, scope, clock=times, others=[github])
        assert self.github.over == []
        return self.github.asked

    def due(self, scope: Scope) -> int:
        return status_of(open_lake(self.lake), scope, self.clock.now()).due.count


@pytest.fixture
def world(lake: str, tmp_path: Path) -> Iterator[World]:
    clock = VirtualClock()
    at = clock.now() - timedelta(days=2)
    papers = {f"2609.0000{number}": f"https://github.com/{one}" for number, one in enumerate([*CODE, CODE[0]], 1)}
    shown = [own(paper, at, [], 0, githubRepo=address, githubStars=7) for paper, address in papers.items()]
    Archive(open_lake(lake)).write([*shown, own("2609.00009", at, [], 0)], now=at)
    steps.publish_unchecked(lake)
    with ExitStack() as stack:
        hub, github = (stack.enter_context(one(now=clock.now, clock=clock.seconds)) for one in (StandIn, GitHubStandIn))
        github.repositories = {one: history(at, [3, 2]) for one in CODE[:3]}
        yield World(lake, tmp_path / "state", hub, github, clock)


def test_nothing_is_asked_until_it_is_set_and_the_status_says_how_much_would_be(world: World) -> None:
    assert world.captured(OFF) == []
    assert world.captured(replace(ON, since=date(2026, 6, 1), until=date(2026, 6, 1))) == []
    assert world.due(ON) - world.due(OFF) == 4


def test_each_repository_once_a_month_also_one_that_is_gone(world: World) -> None:
    assert sorted(world.captured()) == CODE
    assert world.captured() == []
    world.clock.sleep(29 * DAY)
    assert (world.captured(), world.due(ON) - world.due(OFF)) == ([], 0)
    world.clock.sleep(2 * DAY)
    assert sorted(world.captured()) == CODE
    steps.publish_unchecked(world.lake)
    assert steps.table(world.lake, "star_weeks")["repository"].unique().sort().to_list() == CODE[:3]


@pytest.mark.parametrize(
    "fault",
    [faults.status(503, "0"), faults.html(), faults.html("application/json"), faults.status(403, "3600")],
    ids=["503", "html", "html as json", "403"],
)
def test_days_of_failures_cost_few_calls_and_nothing_is_lost(world: World, fault: faults.Fault) -> None:
    world.github.misbehave(fault)
    for _ in range(3):
        assert len(world.captured()) <= 4
        world.clock.sleep(DAY)
    world.github.behave()
    assert sorted(world.captured()) == CODE


def test_the_requests_of_an_hour_end_a_run_and_the_next_hour_goes_on(world: World) -> None:
    world.github.quota = 12
    first = world.captured()
    assert len(first) == 3
    assert world.captured() == []
    world.clock.sleep(3600)
    assert sorted([*first, *world.captured()]) == CODE


def test_an_owner_who_is_erased_is_in_no_address(world: World) -> None:
    world.captured()
    steps.publish_unchecked(world.lake)
    assert places_of(world.lake, "loom/woven-1")
    erase(open_lake(world.lake), Wish("loom", "GDPR art. 17"), Machine())
    assert places_of(world.lake, "loom/woven-1") == []
    assert steps.table(world.lake, "star_weeks").height == 6
    assert steps.make_draft(world.lake, from_raw=True) is None
