"""Asking the stand-in Hub who builds on papers: in turns, within its budget, whole lists where a paper's own are cut."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from shutil import copytree
from typing import Any

import duckdb
import pytest

from flows.runtime.lake import open_database, open_lake
from flows.runtime.scope import Scope
from flows.watch.status import status_of
from tests.flows import steps
from tests.flows.test_capture import capture
from tests.hub import faults
from tests.hub.clock import VirtualClock
from tests.hub.days import Days
from tests.hub.server import StandIn

WEEK = timedelta(days=7)
OLD = Scope(since=date(2026, 6, 1), until=date(2026, 6, 3))  # listed long before: no details of them are due any more
ORDINARY = Scope(details_after=(), refetch_after=(timedelta(hours=1),))
ADOPTION = Scope(details_after=(), refetch_after=(timedelta(hours=1),), adoption_every=WEEK)


@pytest.fixture
def hub(clock: VirtualClock) -> Iterator[StandIn]:
    with StandIn(Days(), clock=clock) as hub:
        yield hub


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """A lake with three old lists, and those of the last month; and how long that took."""
    lake, clock = tmp_path_factory.mktemp("listed") / "lake", VirtualClock()
    with StandIn(Days(), clock=clock) as hub:
        capture(str(lake), hub, OLD)
        capture(str(lake), hub, ORDINARY)
    steps.publish_unchecked(str(lake))
    clock.sleep(1)  # the budget is recalled from the last answer: of those of one moment nobody can say which it is
    return lake, clock.elapsed


@pytest.fixture
def listed(lake: str, clock: VirtualClock, made: tuple[Path, float]) -> list[str]:
    """The papers of a copy of it."""
    clock.elapsed = made[1]
    copytree(made[0], lake)
    return sorted(steps.table(lake, "daily_listings")["paper_id"].unique())


def asked_of_papers(hub: StandIn) -> list[str]:
    return sorted(target.rpartition("/")[2] for target in hub.targets if target.startswith("/api/papers/"))


def asked_of_lists(hub: StandIn) -> list[str]:
    return [target for target in hub.targets if "filter=" in target]


def last_row(lake: str, paper_id: str) -> dict[str, Any]:
    """The last row that `adoption` has of a paper."""
    with duckdb.connect(str(open_database(lake)), read_only=True) as connection:
        return (
            connection.sql(f"FROM mart.adoption WHERE paper_id = '{paper_id}' ORDER BY observed_at")
            .pl()
            .row(-1, named=True)
        )


def test_nothing_is_asked_until_it_is_set_as_the_status_says(lake: str, hub: StandIn, listed: list[str]) -> None:
    capture(lake, hub, ORDINARY)
    assert (asked_of_papers(hub), asked_of_lists(hub)) == ([], [])
    off, on = (status_of(open_lake(lake), scope, hub.clock.now()).due.count for scope in (ORDINARY, ADOPTION))
    assert on - off == len(listed)


def test_each_paper_once_a_turn_within_the_budget(lake: str, hub: StandIn, listed: list[str]) -> None:
    hub.windows.quotas["api"] = 6
    rounds = 0
    while capture(lake, hub, ADOPTION).landed_count:
        rounds += 1
    assert rounds > 1, "a run ends after some windows, and the next goes on"
    assert (asked_of_papers(hub), hub.over) == (listed, [])
    assert hub.windows.most_used("api") <= 6
    hub.calls.clear()
    for _ in range(7):
        hub.clock.sleep(timedelta(days=1).total_seconds())
        while capture(lake, hub, ADOPTION).landed_count:
            pass
    assert (asked_of_papers(hub), hub.over) == (listed, []), "in a week each is asked again, once"


def test_a_run_that_was_cut_off_goes_on_where_it_was(lake: str, hub: StandIn, listed: list[str]) -> None:
    hub.windows.quotas["api"] = 6

    def cut(seconds: float) -> None:
        raise KeyboardInterrupt

    hub.clock.sleep, sleep = cut, hub.clock.sleep  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        capture(lake, hub, ADOPTION)
    hub.clock.sleep = sleep  # type: ignore[method-assign]
    assert 0 < len(asked_of_papers(hub)) < len(listed)
    while capture(lake, hub, ADOPTION).landed_count:
        pass
    assert asked_of_papers(hub) == listed, "none is asked twice"
    assert hub.over == []


@pytest.mark.slow
def test_whole_lists_where_the_own_answer_is_cut(lake: str, hub: StandIn, listed: list[str]) -> None:
    """A list with a lost page is due again."""
    first, second = listed[:2]
    hub.site.cited = {(first, "models"): 250, (second, "datasets"): 11}
    while capture(lake, hub, ADOPTION).landed_count:
        pass
    assert asked_of_lists(hub) == []
    steps.publish_unchecked(lake)
    hub.misbehave(faults.status(500), where="cursor=100", nth=range(1, 6))
    assert len(capture(lake, hub, ADOPTION).refused) == 1
    assert "/api/datasets" in {target.partition("?")[0] for target in asked_of_lists(hub)}
    steps.publish_unchecked(lake)
    row = last_row(lake, first)
    assert (row["model_count"], row["is_whole"]) == (250, False)
    hub.site.shift = 3
    hub.calls.clear()
    hub.clock.sleep(60)
    while capture(lake, hub, ADOPTION).landed_count:
        pass
    asked = asked_of_lists(hub)
    assert [target.partition("?")[0] for target in asked] == ["/api/models"] * 3
    steps.publish_unchecked(lake)
    found = last_row(lake, first)
    assert (found["model_count"], found["listed_count"], found["is_whole"]) == (
        250,
        250 + found["dataset_count"] + found["space_count"],
        True,
    )
    capture(lake, hub, ADOPTION)
    assert asked_of_lists(hub) == asked, "once a turn"


def test_days_of_failures_cost_no_call_too_many_and_nothing_is_lost(lake: str, hub: StandIn, listed: list[str]) -> None:
    hub.misbehave(faults.status(503, "0"), where="/api/papers/")
    for _ in range(2):
        assert len(capture(lake, hub, ADOPTION).refused) > 0
        hub.clock.sleep(timedelta(days=1).total_seconds())
    assert hub.over == []
    hub.behave()
    hub.calls.clear()
    while capture(lake, hub, ADOPTION).landed_count:
        pass
    assert (asked_of_papers(hub), hub.over) == (listed, [])


def test_a_link_off_the_hub_is_not_followed(lake: str, hub: StandIn, listed: list[str]) -> None:
    hub.site.cited = {(listed[0], "models"): 250}
    while capture(lake, hub, ADOPTION).landed_count:
        pass
    steps.publish_tables(lake)
    hub.site.url = "http://elsewhere.example"
    [refused] = capture(lake, hub, ADOPTION).refused
    assert "leads away" in refused.reason
