"""Asking the stand-in arXiv of the papers of a lake: each once, then what changed; within its budget, whatever happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from shutil import copytree
from typing import Any

import duckdb
import pytest

from flows.hub import Hub
from flows.people.erase import Machine, Wish, erase
from flows.plan import Scope
from flows.runtime.lake import open_database, open_lake
from flows.runtime.settings import Settings
from flows.sources import Arxiv
from flows.steps.capture_due import capture_due
from flows.watch.status import status_of
from tests.arxiv.records import GONE, Record, Version
from tests.arxiv.stand_in import ArxivStandIn
from tests.flows import steps
from tests.hub import faults
from tests.hub.clock import VirtualClock
from tests.hub.days import Days
from tests.hub.server import StandIn
from tests.scanner import places_of
from warehouse.archive.writer import Landed

OLD = Scope(since=date(2026, 6, 1), until=date(2026, 6, 1))
OFF = Scope(details_after=(), refetch_after=(timedelta(hours=1),))
ON = replace(OFF, arxiv=True)
DAY = timedelta(days=1).total_seconds()


@dataclass
class World:
    """A lake, the two sources, and the clock that all of them go by."""

    lake: str
    state: Path
    hub: StandIn
    arxiv: ArxivStandIn
    clock: VirtualClock

    def capture(self, scope: Scope = ON, path: str = "/oai") -> Landed:
        times = self.clock.clock()
        settings = Settings(hub_url=self.hub.url, arxiv_url=f"{self.arxiv.url}{path}", state=self.state)
        with Hub(settings, clock=times) as hub, Arxiv(settings, clock=times) as arxiv:
            return capture_due(open_lake(self.lake), hub, scope, clock=times, others=[arxiv])

    def until_done(self) -> int:
        """How many runs it takes until one asks arXiv for nothing."""
        runs = 0
        while True:
            before = len(self.arxiv.calls)
            self.capture()
            if len(self.arxiv.calls) == before:
                return runs
            runs += 1
            assert runs < 50

    def asked(self) -> list[str]:
        """The papers whose records were asked for, in order."""
        records = [call.target for call in self.arxiv.calls if "GetRecord" in call.target]
        return [target.partition("org%3A")[2].partition("&")[0] for target in records]

    def harvests(self) -> list[str]:
        return [call.target.rpartition("=")[2] for call in self.arxiv.calls if "List" in call.target]

    def status(self) -> dict[str, dict[str, Any]]:
        """The newest status of each paper, by a new release."""
        steps.publish_unchecked(self.lake)
        return self.status_there()

    def status_there(self) -> dict[str, dict[str, Any]]:
        """The newest status of each paper, by the release that is there."""
        with duckdb.connect(str(open_database(self.lake)), read_only=True) as connection:
            rows = connection.sql("FROM mart.paper_status WHERE is_newest").pl()
        return {row["paper_id"]: row for row in rows.iter_rows(named=True)}


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """A lake of papers that were listed once; and how long that took."""
    folder, clock = tmp_path_factory.mktemp("listed"), VirtualClock()
    with sources(clock) as (hub, arxiv):
        world = World(str(folder / "lake"), folder / "state", hub, arxiv, clock)
        world.capture(OLD)
        world.capture(OFF)
        assert arxiv.calls == []
    steps.publish_unchecked(world.lake)
    clock.sleep(1)
    return folder / "lake", clock.elapsed


@contextmanager
def sources(clock: VirtualClock) -> Iterator[tuple[StandIn, ArxivStandIn]]:
    with (
        StandIn(Days(), now=clock.now, clock=clock.seconds) as hub,
        ArxivStandIn(now=clock.now, clock=clock.seconds) as arxiv,
    ):
        yield hub, arxiv


@pytest.fixture
def world(lake: str, tmp_path: Path, listed: tuple[Path, float]) -> Iterator[World]:
    """A copy of that lake, each of whose papers arXiv has."""
    copytree(listed[0], lake)
    clock = VirtualClock()
    clock.elapsed = listed[1]
    with sources(clock) as (hub, arxiv):
        arxiv.arxiv.records = {one: Record(one) for one in papers(lake)}
        yield World(lake, tmp_path / "state", hub, arxiv, clock)


def papers(lake: str) -> list[str]:
    return sorted(steps.table(lake, "daily_listings")["paper_id"].unique())


def test_nothing_is_asked_until_it_is_set_and_the_status_says_how_much_would_be(world: World) -> None:
    world.capture(OFF)
    world.capture(replace(OLD, arxiv=True))
    assert world.arxiv.calls == []
    off, on = (status_of(open_lake(world.lake), scope, world.clock.now()).due.count for scope in (OFF, ON))
    assert on - off == len(papers(world.lake)) + 1


def test_each_paper_once_and_then_what_changed(world: World) -> None:
    known = papers(world.lake)
    assert world.until_done() == 1 + len(known) * 3 // 1800
    assert sorted(world.asked()) == known
    assert (world.harvests(), world.arxiv.over) == (["2026-10-07"], [])
    world.arxiv.calls.clear()
    changed, other = known[3], "2610.99999"
    world.clock.sleep(DAY)
    day = world.clock.now().date()
    world.arxiv.arxiv.records |= {
        changed: Record(changed, versions=[Version(), Version(30)], changed=day),
        other: Record(other, changed=day),
    }
    world.capture()
    assert (world.asked(), world.harvests()) == ([], ["2026-10-07"]), "it may change once more that day"
    world.arxiv.calls.clear()
    world.clock.sleep(DAY)
    world.capture()
    assert world.asked() == [changed], "of papers that the lake has not, nothing is asked"
    world.arxiv.calls.clear()
    world.clock.sleep(DAY)
    world.capture()
    assert (world.asked(), world.arxiv.over) == ([], [])


def test_new_papers_are_asked_for_first(world: World) -> None:
    world.until_done()
    world.arxiv.calls.clear()
    before = set(papers(world.lake))
    world.clock.sleep(DAY)
    changed = min(before)
    world.arxiv.arxiv.records[changed] = Record(changed, changed=world.clock.now().date())
    world.clock.sleep(DAY)
    world.capture(OFF)
    steps.publish_unchecked(world.lake)
    new = set(papers(world.lake)) - before
    assert new
    world.capture()
    assert set(world.asked()[:-1]) == new
    assert world.asked()[-1] == changed


def test_a_withdrawal_its_undoing_and_the_paper_in_its_place(world: World) -> None:
    first, second, third, unknown = papers(world.lake)[:4]
    del world.arxiv.arxiv.records[unknown]
    world.arxiv.arxiv.records |= {
        first: Record(
            first, versions=[Version(), GONE], comments=f"This paper is withdrawn. Now part of arXiv:{second}"
        ),
        second: Record(second, versions=[Version(), GONE], comments="12 pages"),
    }
    world.until_done()
    status = world.status()
    assert {one: status[one]["status"] for one in (first, second, third)} == {
        first: "withdrawn",
        second: "suspected",
        third: "present",
    }
    assert unknown not in status
    row = status[first]
    assert (row["superseded_by"], row["is_superseding_known"], row["withdrawn_on"]) == (
        second,
        True,
        date(2026, 10, 11),
    )
    assert (row["published_on"], row["is_undone"]) == (date(2026, 9, 1), False)
    assert row["hub_published_on"] is None or row["is_date_disputed"] == (row["hub_published_on"] != date(2026, 9, 1))
    world.clock.sleep(DAY)
    back = Record(first, versions=[Version(), GONE, Version(60)], changed=world.clock.now().date())
    world.arxiv.arxiv.records[first] = back
    world.clock.sleep(DAY)
    world.until_done()
    row = world.status()[first]
    assert (row["status"], row["is_undone"], row["withdrawn_on"], row["version_count"]) == ("present", True, None, 3)
    with duckdb.connect(str(open_database(world.lake)), read_only=True) as connection:
        then = connection.sql(f"SELECT status FROM mart.paper_status_as_of('2026-10-08') WHERE paper_id = '{first}'")
        assert then.fetchall() == [("withdrawn",)]
        days = connection.sql(f"SELECT version_at::DATE FROM mart.arxiv_history WHERE paper_id = '{first}'").fetchall()
        assert days == [(date(2026, 9, 1),), (date(2026, 10, 11),), (date(2026, 10, 31),)]


def test_a_run_that_was_cut_off_goes_on_where_it_was(world: World) -> None:
    known, sleep = papers(world.lake), world.clock.sleep

    def cut(seconds: float) -> None:
        if len(world.arxiv.calls) > 4:
            raise KeyboardInterrupt
        sleep(seconds)

    world.clock.sleep = cut  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        world.capture()
    assert 0 < len(world.asked()) < len(known)
    world.clock.sleep = sleep  # type: ignore[method-assign]
    world.until_done()
    assert sorted(world.asked()) == known, "none is asked twice"
    assert (len(world.harvests()), world.arxiv.over) == (1, [])


@pytest.mark.parametrize(
    "fault",
    [faults.status(503, "0"), faults.html(), faults.html("text/xml"), faults.status(503, "90000"), faults.hang_up()],
    ids=["503", "html", "html as xml", "a day's wait", "hung up"],
)
def test_days_of_failures_cost_few_calls_and_nothing_is_lost(world: World, fault: faults.Fault) -> None:
    known = papers(world.lake)
    world.arxiv.misbehave(fault)
    for _ in range(3):
        assert 0 < len(world.capture().refused) <= 3
        world.clock.sleep(DAY)
    assert (len(world.arxiv.calls) <= 12, world.arxiv.over) == (True, [])
    world.arxiv.behave()
    world.arxiv.calls.clear()
    world.until_done()
    assert (sorted(world.asked()), world.arxiv.over) == (known, [])


def test_a_harvest_that_broke_off_goes_on_by_its_token_and_begins_anew_on_another_day(world: World) -> None:
    world.until_done()
    world.clock.sleep(DAY)
    day = world.clock.now().date()
    for one in papers(world.lake)[:8]:
        world.arxiv.arxiv.records[one] = Record(one, changed=day)
    world.arxiv.calls.clear()
    world.arxiv.misbehave(faults.status(500), where="Token=2")
    world.capture()
    assert len(world.harvests()) == 4, "two pages, and two tries of the third"
    world.arxiv.calls.clear()
    world.arxiv.behave()
    world.capture()
    assert world.harvests()[0].startswith("2%7C"), "from where it broke off"
    world.arxiv.calls.clear()
    world.arxiv.misbehave(faults.status(500), where="Token")
    world.clock.sleep(DAY)
    world.capture()
    assert sorted(world.asked()) == papers(world.lake)[:8], "what either run of that day has heard of"
    world.clock.sleep(DAY)
    world.arxiv.behave()
    world.arxiv.calls.clear()
    world.capture()
    assert world.harvests()[0] == str(day), "a token holds for its day"
    steps.publish_unchecked(world.lake)
    rows = steps.table(world.lake, "coverage").filter(source="arxiv").sort("listed_on")
    found = dict(rows.select("listed_on", "state").iter_rows())
    assert found[day] == "complete"
    assert rows["is_expected"].sum() == 0
    assert rows.filter(listed_on=day).select("item_count", "paper_count").row(0) == (8, 8)


def test_the_address_before_2025_will_do(world: World) -> None:
    world.capture(path="/oai2")
    asked = Counter(world.asked())
    assert asked == dict.fromkeys(papers(world.lake), 2), "there, and where it leads"
    assert world.arxiv.over == []


@pytest.mark.slow
def test_who_submitted_leaves_no_trace_and_the_status_stays(world: World) -> None:
    """The name as one of the authors stays, as everywhere without `--authorship`."""
    submitted = "<submitter>Ada Weaver"
    world.until_done()
    before = world.status()
    assert places_of(world.lake, submitted)
    erase(open_lake(world.lake), Wish("Ada Weaver", "GDPR art. 17"), Machine())
    assert places_of(world.lake, submitted) == []
    assert world.status_there() == before
    world.clock.sleep(DAY)
    paper = papers(world.lake)[0]
    world.arxiv.arxiv.records[paper] = Record(paper, versions=[Version(), GONE], changed=world.clock.now().date())
    world.clock.sleep(DAY)
    world.until_done()
    assert world.status()[paper]["status"] == "suspected"
    assert places_of(world.lake, submitted) == []
    assert steps.make_draft(world.lake, from_raw=True) is None
