"""Asking the stand-in Crossref of the works that a lake's papers name: each once a month, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
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
from flows.sources import Crossref
from flows.steps.capture_due import capture_due
from flows.watch.status import status_of
from tests.arxiv.records import Record, of_paper, paper_url
from tests.collected import page
from tests.flows import steps
from tests.hub import faults
from tests.hub.clock import VirtualClock
from tests.hub.server import StandIn
from tests.scanner import found_in, places_of
from tests.unit.test_adoption import own
from tests.works.messages import Message, Update
from tests.works.registry import CrossrefStandIn
from warehouse.archive.archive import Archive
from warehouse.archive.writer import Landed

OFF = Scope(details_after=(), refetch_after=(timedelta(hours=1),))
ON = replace(OFF, crossref=True)
DAY = timedelta(days=1).total_seconds()
PAPERS = {
    f"2609.0000{number}": doi
    for number, doi in enumerate(
        ("10.5555/a, 10.48550/arXiv.2609.00000", "10.5555/B 10.5555/lost", None, "no DOI", "10.5555/a"), 1
    )
}
WORKS = ["10.5555/a", "10.5555/b", "10.5555/lost"]


@dataclass
class World:
    """A lake, the two sources, and the clock that all of them go by."""

    lake: str
    state: Path
    hub: StandIn
    crossref: CrossrefStandIn
    clock: VirtualClock

    def capture(self, scope: Scope = ON) -> Landed:
        times = self.clock.clock()
        settings = Settings(hub_url=self.hub.url, crossref_url=self.crossref.url, state=self.state)
        with Hub(settings, clock=times) as hub, Crossref(settings, clock=times) as works:
            return capture_due(open_lake(self.lake), hub, scope, clock=times, others=[works])

    def captured(self, scope: Scope = ON) -> list[str]:
        """The DOIs that one run asks for."""
        self.crossref.calls.clear()
        self.capture(scope)
        assert self.crossref.over == []
        return self.crossref.asked

    def due(self, scope: Scope) -> int:
        return status_of(open_lake(self.lake), scope, self.clock.now()).due.count

    def today(self) -> dict[str, dict[str, Any]]:
        """What is known by the release that is there, by DOI."""
        with duckdb.connect(str(open_database(self.lake)), read_only=True) as connection:
            rows = connection.sql("FROM mart.paper_publications WHERE known_until IS NULL").pl()
        return {row["doi"]: row for row in rows.iter_rows(named=True)}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of papers with what arXiv says of them; tests only read it."""
    lake, at = tmp_path_factory.mktemp("told") / "lake", VirtualClock().now() - timedelta(days=2)
    shown = [own(one, at, [], 0) for one in PAPERS]
    records = [page(of_paper(Record(one, doi=doi), at), paper_url(one), at) for one, doi in PAPERS.items()]
    Archive(open_lake(str(lake))).write([*shown, *records], now=at)
    steps.publish_unchecked(str(lake))
    return lake


@pytest.fixture
def world(lake: str, tmp_path: Path, told: Path) -> Iterator[World]:
    """A copy of that lake, of two of whose works Crossref knows."""
    copytree(told, lake)
    clock = VirtualClock()
    with (
        StandIn(now=clock.now, clock=clock.seconds) as hub,
        CrossrefStandIn(now=clock.now, clock=clock.seconds) as crossref,
    ):
        crossref.works = {one: Message(one) for one in WORKS[:2]}
        yield World(lake, tmp_path / "state", hub, crossref, clock)


def test_nothing_is_asked_until_it_is_set_and_the_status_says_how_much_would_be(world: World) -> None:
    assert world.captured(OFF) == []
    assert world.captured(replace(ON, since=date(2026, 6, 1), until=date(2026, 6, 1))) == []
    assert world.due(ON) - world.due(OFF) == len(WORKS)


def test_each_work_once_a_month_also_one_that_is_not_known(world: World) -> None:
    assert sorted(world.captured()) == WORKS
    world.clock.sleep(29 * DAY)
    assert (world.captured(), world.due(ON) - world.due(OFF)) == ([], 0)
    world.clock.sleep(2 * DAY)
    assert sorted(world.captured()) == WORKS


def test_what_comes_of_a_work_is_asked_for_too(world: World) -> None:
    """A preprint elsewhere, the book that it became, the notice that retracts the book: a run each."""
    book, notice = "10.5555/book", "10.5555/notice"
    world.crossref.works["10.5555/a"] = Message("10.5555/a", "posted-content", preprint_of=[("doi", book)])
    world.crossref.works[book] = Message(book, "book-chapter", updated_by=[Update(notice, source="retraction-watch")])
    world.crossref.works[notice] = Message(notice, update_to=[Update(book)])
    asked = []
    for _ in range(4):
        asked.append(world.captured())
        steps.publish_unchecked(world.lake) if asked[-1] else None
    assert asked[1:] == [[book], [notice], []]
    found = world.today()
    assert {doi: row["status"] for doi, row in found.items()} == {
        "10.5555/a": "preprint",
        "10.5555/b": "published",
        "10.5555/lost": "unknown",
        book: "retracted",
    }
    assert (found[book]["told_by"], found[book]["is_told_by_notice"]) == (["publisher", "retraction-watch"], True)
    rows = steps.table(world.lake, "coverage").filter(source="crossref")
    assert rows.select("state", "item_count", "paper_count", "is_expected").rows() == [("complete", 5, 4, False)]


@pytest.mark.parametrize(
    "fault",
    [faults.status(503, "0"), faults.html(), faults.html("application/json"), faults.status(429, "90000")],
    ids=["503", "html", "html as json", "a day's wait"],
)
def test_days_of_failures_cost_few_calls_and_nothing_is_lost(world: World, fault: faults.Fault) -> None:
    world.crossref.misbehave(fault)
    for _ in range(3):
        assert len(world.captured()) <= 4
        world.clock.sleep(DAY)
    world.crossref.behave()
    assert sorted(world.captured()) == WORKS


def test_a_run_that_was_cut_off_goes_on_where_it_was(world: World) -> None:
    sleep = world.clock.sleep

    def cut(seconds: float) -> None:
        if len(world.crossref.calls) > 1:
            raise KeyboardInterrupt
        sleep(seconds)

    world.clock.sleep = cut  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        world.capture()
    first = world.crossref.asked
    world.clock.sleep = sleep  # type: ignore[method-assign]
    assert sorted([*first, *world.captured()]) == WORKS


@pytest.mark.slow
def test_an_author_stays_unless_authorship_is_erased_and_then_leaves_no_trace(world: World) -> None:
    """Also where a record names them whole, and in records that come later; the work stays."""
    whole = {"author": [{"name": "Ada Weaver", "sequence": "first"}, {"family": "Weaver", "given": "Bo"}]}
    world.crossref.works["10.5555/b"] = Message("10.5555/b", more=whole)
    world.capture()
    steps.publish_unchecked(world.lake)
    before = world.today()
    gone = ('"given": "Ada"', '"name": "Ada Weaver"', "orcid.org/0000-0001")
    assert found_in(world.lake, *gone) == set(gone)
    erase(open_lake(world.lake), Wish("Ada Weaver", "GDPR art. 17", authorship=True), Machine())
    other = '"family": "Weaver", "given": "Bo"'
    assert found_in(world.lake, *gone, other) == {other}, "another of that name stays"
    assert world.today() == before
    world.clock.sleep(31 * DAY)
    assert sorted(world.captured()) == WORKS
    assert places_of(world.lake, *gone) == []
