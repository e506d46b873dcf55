"""Asking the stand-in OpenAlex of the papers and the DOIs of a lake: many at once, each once a month, within a day's
credits whatever happens; and Crossref of what OpenAlex found.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import duckdb
import pytest

from flows.hub import Hub
from flows.people.erase import Machine, Wish, erase
from flows.plan import Scope
from flows.runtime.lake import open_database, open_lake
from flows.runtime.settings import Settings
from flows.sources import Crossref, OpenAlex
from flows.steps.capture_due import capture_due
from flows.watch.status import status_of
from tests.arxiv.records import Record, of_paper, paper_url
from tests.collected import page
from tests.flows import steps
from tests.hub import faults
from tests.hub.clock import VirtualClock
from tests.hub.server import StandIn
from tests.scanner import places_of
from tests.unit.test_adoption import own
from tests.works.messages import Message
from tests.works.openalex import OpenAlexStandIn, OpenWork
from tests.works.registry import CrossrefStandIn
from warehouse.archive.archive import Archive
from warehouse.archive.writer import Landed

OFF = Scope(details_after=(), refetch_after=(timedelta(hours=1),))
ON = replace(OFF, openalex=True)
BOTH = replace(ON, crossref=True)
DAY = timedelta(days=1).total_seconds()
PAPERS = [f"2609.{number:05}" for number in range(1, 19)]
NAMED, FOUND = "10.5555/named", "10.5555/found"
AUTHORS = {PAPERS[0]: f"{NAMED}, 10.5555/a,b", PAPERS[1]: None}


@dataclass
class World:
    """A lake, the three sources, and the clock that all of them go by."""

    lake: str
    state: Path
    hub: StandIn
    crossref: CrossrefStandIn
    openalex: OpenAlexStandIn
    clock: VirtualClock

    def capture(self, scope: Scope = ON) -> Landed:
        times = self.clock.clock()
        settings = Settings(
            hub_url=self.hub.url, crossref_url=self.crossref.url, openalex_url=self.openalex.url, state=self.state
        )
        with (
            Hub(settings, clock=times) as hub,
            Crossref(settings, clock=times) as works,
            OpenAlex(settings, clock=times) as openalex,
        ):
            return capture_due(open_lake(self.lake), hub, scope, clock=times, others=[works, openalex])

    def captured(self, scope: Scope = ON) -> list[str]:
        """The papers and DOIs that one run asks OpenAlex for."""
        self.openalex.calls.clear()
        self.capture(scope)
        assert self.openalex.over == []
        return self.openalex.asked

    def due(self, scope: Scope) -> int:
        return status_of(open_lake(self.lake), scope, self.clock.now()).due.count

    def today(self, columns: str = "paper_id, doi, registry, status") -> list[tuple[str, ...]]:
        """What is known by a new release."""
        steps.publish_unchecked(self.lake)
        return self.there(columns)

    def there(self, columns: str) -> list[tuple[str, ...]]:
        """What is known by the release that is there."""
        with duckdb.connect(str(open_database(self.lake)), read_only=True) as connection:
            asked = f"SELECT {columns} FROM mart.paper_publications WHERE known_until IS NULL ORDER BY ALL"
            return connection.sql(asked).fetchall()


@pytest.fixture
def world(lake: str, tmp_path: Path) -> Iterator[World]:
    clock = VirtualClock()
    at = clock.now() - timedelta(days=2)
    shown = [own(one, at, [], 0) for one in PAPERS]
    told = [page(of_paper(Record(one, doi=doi), at), paper_url(one), at) for one, doi in AUTHORS.items()]
    Archive(open_lake(lake)).write([*shown, *told], now=at)
    steps.publish_unchecked(lake)
    with ExitStack() as stack:
        hub, crossref, openalex = (
            stack.enter_context(one(now=clock.now, clock=clock.seconds))
            for one in (StandIn, CrossrefStandIn, OpenAlexStandIn)
        )
        openalex.works = [OpenWork(NAMED, [PAPERS[0]]), OpenWork(FOUND, [PAPERS[1]])]
        yield World(lake, tmp_path / "state", hub, crossref, openalex, clock)


def test_nothing_is_asked_until_it_is_set_and_the_status_says_how_much_would_be(world: World) -> None:
    assert world.captured(OFF) == []
    assert world.captured(replace(ON, since=date(2026, 6, 1), until=date(2026, 6, 1))) == []
    assert world.due(ON) - world.due(OFF) == 3, "two lists of papers, one of DOIs"


def test_many_at_once_and_each_once_a_month(world: World) -> None:
    """A DOI that a filter cannot hold is not asked for."""
    assert sorted(world.captured()) == sorted([*PAPERS, NAMED])
    assert len(world.openalex.calls) == 3
    assert world.captured() == []
    world.clock.sleep(29 * DAY)
    assert (world.captured(), world.due(ON) - world.due(OFF)) == ([], 0)
    world.clock.sleep(2 * DAY)
    assert sorted(world.captured()) == sorted([*PAPERS, NAMED])


def test_what_openalex_found_is_asked_of_crossref_and_of_openalex_again_by_its_doi(world: World) -> None:
    world.crossref.works = {one: Message(one) for one in (NAMED, FOUND)}
    world.capture(BOTH)
    assert world.crossref.asked == [NAMED, "10.5555/a,b"]
    assert [row[:3] for row in world.today()] == [
        (PAPERS[0], "10.5555/a,b", "crossref"),
        (PAPERS[0], NAMED, "crossref"),
        (PAPERS[0], NAMED, "openalex"),
        (PAPERS[1], FOUND, "openalex"),
    ]
    world.crossref.calls.clear()
    assert not {NAMED, FOUND} & {*world.captured(BOTH)}, "it has told of both"
    assert world.crossref.asked == [FOUND]
    world.clock.sleep(31 * DAY)
    assert FOUND in world.captured(BOTH)


def test_a_paper_that_openalex_splits_off_is_told_no_more(world: World) -> None:
    world.capture()
    assert (PAPERS[1], FOUND, "openalex", "published") in world.today()
    world.openalex.works[1] = OpenWork(FOUND, [])
    world.clock.sleep(31 * DAY)
    world.capture()
    assert not [row for row in world.today() if row[0] == PAPERS[1]]


@pytest.mark.parametrize(
    "fault",
    [faults.status(503, "0"), faults.html(), faults.html("application/json"), faults.status(429, "90000")],
    ids=["503", "html", "html as json", "a day's wait"],
)
def test_days_of_failures_cost_few_calls_and_nothing_is_lost(world: World, fault: faults.Fault) -> None:
    world.openalex.misbehave(fault)
    for _ in range(3):
        assert len(world.captured()) <= 4 * len(PAPERS)
        assert len(world.openalex.calls) <= 4
        world.clock.sleep(DAY)
    world.openalex.behave()
    assert sorted(world.captured()) == sorted([*PAPERS, NAMED])


def test_a_list_that_is_refused_holds_up_no_other(world: World) -> None:
    world.openalex.misbehave(faults.status(400), where=PAPERS[-1])
    first = world.captured()
    assert PAPERS[-1] in first[:1]
    assert world.captured() == first[:16], "it is asked for again, and alone"


def test_the_credits_of_a_day_end_a_run_and_the_next_day_goes_on(world: World) -> None:
    world.openalex.credits = 2
    asked = world.captured()
    assert sorted(asked) == PAPERS
    assert world.captured() == []
    world.clock.sleep(DAY)
    assert sorted(world.captured()) == [NAMED]


def test_an_answer_with_authors_is_not_kept(world: World) -> None:
    """It is asked not to have any."""
    named = {"author": {"id": "https://openalex.org/A7", "display_name": "Ada Weaver"}, "raw_author_name": "Ada Weaver"}
    world.openalex.works[0] = replace(world.openalex.works[0], more={"authorships": [named]})
    refused = world.capture().refused
    assert {one.reason for one in refused} == {"the answer has authors, which were not asked for"}
    assert places_of(world.lake, "openalex.org/A7") == []


def test_an_erasure_leaves_venues_and_the_status(world: World) -> None:
    """Of an author no list has any trace; what bears the name stays."""
    world.openalex.works[1] = replace(world.openalex.works[1], venue="Weaver Letters")
    world.capture()
    before = world.today("paper_id, doi, registry, status, venue")
    erase(open_lake(world.lake), Wish("Ada Weaver", "GDPR art. 17", authorship=True), Machine())
    assert before[-1] == (PAPERS[1], FOUND, "openalex", "published", "Weaver Letters")
    assert world.there("paper_id, doi, registry, status, venue") == before
    assert steps.make_draft(world.lake, from_raw=True) is None
