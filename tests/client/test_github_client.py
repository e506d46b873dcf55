"""The client of GitHub, against the stand-in: never over a second's turn nor an hour's requests, whatever comes back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.hub.other_sources import GitHub
from flows.runtime.settings import Settings
from tests.client.asking import failure
from tests.github.stand_in import GitHubStandIn, history
from tests.hub.clock import VirtualClock
from tests.hub.server import NOW
from warehouse.archive.captured import Capture

LOOMS = "loom/woven"


@pytest.fixture
def github(clock: VirtualClock) -> Iterator[GitHubStandIn]:
    with GitHubStandIn(now=clock.now, clock=clock.seconds) as github:
        github.repositories[LOOMS] = history(NOW, [3, 2])
        yield github


def client_of(github: GitHubStandIn, clock: VirtualClock, state: Path) -> GitHub:
    return GitHub(Settings(github_url=github.url, state=state), clock=clock.clock())


@pytest.fixture
def client(github: GitHubStandIn, clock: VirtualClock, tmp_path: Path) -> Iterator[GitHub]:
    with client_of(github, clock, tmp_path) as client:
        yield client


def test_an_hour_s_requests_are_never_used_up_over_all_clients_of_a_machine(
    github: GitHubStandIn, clock: VirtualClock, tmp_path: Path
) -> None:
    """Ten are left for whoever else asks from the same address; then nobody asks before the next hour."""
    with client_of(github, clock, tmp_path) as one, client_of(github, clock, tmp_path) as other:
        kept = [isinstance(client.ask(LOOMS), Capture) for client in (one, other) * 40]
        assert kept == [True] * 51 + [False] * 29
        assert "GitHub allows no request for" in failure(one.ask(LOOMS)).reason
        clock.sleep(3600)
        assert isinstance(one.ask(LOOMS), Capture)
    assert (len(github.calls), github.over) == (52, [])


def test_an_hour_that_others_have_used_up_costs_one_request(github: GitHubStandIn, client: GitHub) -> None:
    github.quota = 0
    assert failure(client.ask(LOOMS)).reason == "HTTP status 403"
    assert "GitHub allows no request for" in failure(client.ask(LOOMS)).reason
    assert len(github.calls) == 1


def test_a_repository_that_is_gone_is_an_answer_and_one_that_is_renamed_is_followed(
    github: GitHubStandIn, client: GitHub
) -> None:
    gone = client.ask("loom/gone")
    assert isinstance(gone, Capture)
    assert gone.http_status == 404
    github.renamed["loom/old"] = LOOMS
    found = client.ask("loom/old")
    assert isinstance(found, Capture)
    assert (found.url, found.http_status) == (f"{github.url}/repos/loom/old/stargazers/history?per_page=30", 200)
    assert github.over == []


def test_the_version_of_the_interface_is_sent(github: GitHubStandIn, client: GitHub) -> None:
    client.ask(LOOMS)
    assert github.calls[0].headers["X-GitHub-Api-Version"] == "2026-03-10"
