"""A lake of papers, the stand-ins of all that is asked of them, and the clock that all of them go by."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from shutil import copytree
from typing import Any

import duckdb
import pytest

from flows.hub.client import Hub
from flows.hub.other_sources import SOURCES
from flows.runtime.lake import open_database, open_lake
from flows.runtime.scope import Scope
from flows.runtime.settings import Settings
from flows.steps.capture_due import capture_due
from flows.watch.status import status_of
from tests.arxiv.records import Record, of_paper, paper_url
from tests.arxiv.stand_in import ArxivStandIn
from tests.built_once import built_once
from tests.collected import page
from tests.flows import steps
from tests.github.stand_in import GitHubStandIn, history
from tests.hub.clock import NOW, VirtualClock
from tests.hub.days import Days
from tests.hub.paced import PacedStandIn
from tests.hub.server import StandIn
from tests.unit.test_adoption import own
from tests.works.messages import CrossrefStandIn, Message
from tests.works.openalex import OpenAlexStandIn, OpenWork
from warehouse.archive.archive import Archive
from warehouse.archive.writer import Landed

OFF = Scope(details_after=(), refetch_after=(timedelta(hours=1),))
DAY = timedelta(days=1).total_seconds()
PAPERS = [f"2609.{number:05}" for number in range(1, 19)]
# The papers of which arXiv has told, with the DOIs that their authors gave it
NAMED, ODD, FOUND = "10.5555/a", "10.5555/a,b", "10.5555/found"
TOLD = dict(
    zip(PAPERS, ("10.5555/a, 10.48550/arXiv.2609.00001", "10.5555/B 10.5555/lost", None, "no DOI", ODD), strict=False)
)
WORKS = [NAMED, ODD, "10.5555/b", "10.5555/lost"]
NOT_TOLD = PAPERS[len(TOLD) :]
CODE = [f"loom/woven-{number}" for number in range(4)]


@dataclass
class World:
    lake: str
    state: Path
    hub: StandIn
    arxiv: ArxivStandIn
    crossref: CrossrefStandIn
    openalex: OpenAlexStandIn
    github: GitHubStandIn
    clock: VirtualClock

    def capture(self, scope: Scope, arxiv_path: str = "/oai") -> Landed:
        """One run, which keeps every limit."""
        times = self.clock.clock()
        settings = Settings(
            hub_url=self.hub.url,
            arxiv_url=f"{self.arxiv.url}{arxiv_path}",
            crossref_url=self.crossref.url,
            openalex_url=self.openalex.url,
            github_url=self.github.url,
            state=self.state,
        )
        with ExitStack() as stack:
            clients = (Hub, *(one for one in SOURCES if getattr(scope, one.manners.setting)))
            hub, *others = (stack.enter_context(client(settings, clock=times)) for client in clients)
            landed = capture_due(open_lake(self.lake), hub, scope, clock=times, others=others)
        assert [one.over for one in (self.arxiv, self.crossref, self.openalex, self.github)] == [[]] * 4
        return landed

    def source(self, name: str) -> PacedStandIn:
        return getattr(self, name)

    def captured(self, name: str, scope: Scope) -> list[str]:
        """What one run asks a source for, in order."""
        self.source(name).calls.clear()
        self.capture(scope)
        return self.asked(name)

    def asked(self, name: str) -> list[str]:
        if name != "arxiv":
            return getattr(self, name).asked
        records = [call.target for call in self.arxiv.calls if "GetRecord" in call.target]
        return [target.partition("org%3A")[2].partition("&")[0] for target in records]

    def due(self, scope: Scope) -> int:
        """How many calls are due of a source, by the status of the lake."""
        on, off = (status_of(open_lake(self.lake), one, self.clock.now()).due.count for one in (scope, OFF))
        return on - off

    def rows(self, query: str) -> list[dict[str, Any]]:
        """What the release that is there answers."""
        with duckdb.connect(str(open_database(self.lake)), read_only=True) as connection:
            return connection.sql(query).pl().to_dicts()


@pytest.fixture
def world(lake: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A copy of a lake of papers, most of which each source knows."""
    copytree(built_once(tmp_path_factory, "asked_of", _built), lake)
    with sources(Path(lake), tmp_path / "state", VirtualClock(NOW + timedelta(hours=1))) as world:
        yield world


@contextmanager
def sources(lake: Path, state: Path, clock: VirtualClock) -> Iterator[World]:
    stand_ins = (ArxivStandIn, CrossrefStandIn, OpenAlexStandIn, GitHubStandIn)
    with ExitStack() as stack:
        hub = stack.enter_context(StandIn(Days(), clock=clock))
        arxiv, crossref, openalex, github = (stack.enter_context(one(clock=clock)) for one in stand_ins)
        arxiv.records = {one: Record(one) for one in PAPERS}
        crossref.works = {one: Message(one) for one in (NAMED, "10.5555/b")}
        openalex.works = [OpenWork(NAMED, [PAPERS[0]]), OpenWork(FOUND, [PAPERS[2]])]
        github.repositories = {one: history(NOW - timedelta(days=2), [3, 2]) for one in CODE[:3]}
        yield World(str(lake), state, hub, arxiv, crossref, openalex, github, clock)


def _built(lake: Path) -> None:
    """What the Hub lists is captured, so that a test's first run asks for it no more; a release has only the papers."""
    at = NOW - timedelta(days=2)
    code = dict(zip(PAPERS, [*CODE, CODE[0]], strict=False))
    more = {one: {"githubRepo": f"https://github.com/{named}", "githubStars": 7} for one, named in code.items()}
    shown = [own(one, at, [], 0, **more.get(one, {})) for one in PAPERS]
    told = [page(of_paper(Record(one, doi=doi), at), paper_url(one), at) for one, doi in TOLD.items()]
    Archive(open_lake(str(lake))).write([*shown, *told], now=at)
    steps.publish_unchecked(str(lake))
    with sources(lake, lake.with_suffix(".state"), VirtualClock()) as world:
        world.capture(OFF)
        assert world.clock.now() < NOW + timedelta(hours=1)
