"""What holds of every source that is asked of a lake's papers: nothing until it is set, each call once, within its
limits whatever happens, and nobody who is erased. What is of one alone: test_capture_arxiv.py, test_capture_works.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

import pytest

from flows.people.erase import Machine, Wish, erase
from flows.runtime.lake import open_lake
from flows.runtime.scope import Scope
from tests.arxiv.records import GONE, Record, Version
from tests.flows import steps
from tests.flows.asked_sources import CODE, DAY, NAMED, NOT_TOLD, OFF, PAPERS, WORKS, World, world
from tests.hub import faults
from tests.scanner import found_in, places_of
from tests.works.messages import Message

__all__ = ["world"]


@dataclass(frozen=True)
class Source:
    """What is asked of it, each once; how many calls that takes; how it says that it is to be left alone."""

    scope: Scope
    asked: list[str]
    calls: int
    rest: faults.Fault


SOURCES = {
    "arxiv": Source(replace(OFF, arxiv=True), NOT_TOLD, len(NOT_TOLD) + 1, faults.status(503, "90000")),
    "crossref": Source(replace(OFF, crossref=True), WORKS, len(WORKS), faults.status(429, "90000")),
    "openalex": Source(
        replace(OFF, openalex=True),
        sorted([*PAPERS, *(one for one in WORKS if "," not in one)]),  # a filter cannot hold a comma
        3,
        faults.status(429, "90000"),
    ),
    "github": Source(replace(OFF, github=True), CODE, len(CODE), faults.status(403, "3600")),
}
every_source = pytest.mark.parametrize("name", SOURCES)


@every_source
def test_nothing_is_asked_until_it_is_set_and_then_each_once_as_the_status_says(world: World, name: str) -> None:
    source = SOURCES[name]
    assert world.captured(name, OFF) == []
    old = date(2026, 6, 1)
    assert world.captured(name, replace(source.scope, since=old, until=old)) == []
    assert world.due(source.scope) == source.calls
    assert sorted(world.captured(name, source.scope)) == source.asked
    assert len(world.source(name).calls) == source.calls
    world.clock.sleep(DAY)
    assert world.captured(name, source.scope) == []


@pytest.mark.parametrize("name", ["crossref", "openalex", "github"])
def test_each_is_asked_for_once_a_month_also_what_is_not_known(world: World, name: str) -> None:
    source = SOURCES[name]
    assert sorted(world.captured(name, source.scope)) == source.asked
    world.clock.sleep(29 * DAY)
    assert (world.captured(name, source.scope), world.due(source.scope)) == ([], 0)
    world.clock.sleep(2 * DAY)
    assert sorted(world.captured(name, source.scope)) == source.asked


@every_source
def test_a_run_that_was_cut_off_goes_on_where_it_was(world: World, name: str) -> None:
    source, sleep = SOURCES[name], world.clock.sleep

    def cut(seconds: float) -> None:
        if len(world.source(name).calls) > 1:
            raise KeyboardInterrupt
        sleep(seconds)

    world.clock.sleep = cut  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        world.capture(source.scope)
    first = world.asked(name)
    assert 0 < len(first) < len(source.asked)
    world.clock.sleep = sleep  # type: ignore[method-assign]
    assert sorted([*first, *world.captured(name, source.scope)]) == source.asked, "none is asked twice"


@pytest.mark.parametrize(("name", "rests"), [*((name, True) for name in SOURCES), ("crossref", False)])
def test_days_of_failures_cost_few_calls_and_nothing_is_lost(world: World, *, name: str, rests: bool) -> None:
    """What else is no answer: tests/client/test_paced_clients.py."""
    source = SOURCES[name]
    world.source(name).misbehave(source.rest if rests else faults.status(503, "0"))
    for _ in range(3):
        world.source(name).calls.clear()
        assert 0 < len(world.capture(source.scope).refused) <= 4
        assert len(world.source(name).calls) <= 4
        world.clock.sleep(DAY)
    world.source(name).behave()
    assert sorted(world.captured(name, source.scope)) == source.asked


@pytest.mark.slow
@pytest.mark.usefixtures("forks_apart")
def test_who_is_erased_leaves_no_trace_in_any_source(world: World) -> None:
    """A submitter who is an author, too, and an owner of code; the works, and others of that name, stay."""
    scope = replace(OFF, arxiv=True, crossref=True, openalex=True, github=True)
    whole = {"author": [{"name": "Ada Weaver", "sequence": "first"}, {"family": "Weaver", "given": "Bo"}]}
    world.crossref.works["10.5555/b"] = Message("10.5555/b", more=whole)
    world.openalex.works[1] = replace(world.openalex.works[1], venue="Weaver Letters")
    world.capture(scope)
    steps.publish_unchecked(world.lake)
    known = "SELECT * FROM mart.paper_publications ORDER BY ALL", "SELECT * FROM mart.paper_status ORDER BY ALL"
    before = [world.rows(query) for query in known]
    assert "Weaver Letters" in {row["venue"] for row in before[0]}
    submitted, code = "<submitter>Ada Weaver", CODE[1]
    author = ('"given": "Ada"', '"name": "Ada Weaver"', "orcid.org/0000-0001")
    other = '"family": "Weaver", "given": "Bo"'
    assert found_in(world.lake, submitted, code, *author, other) == {submitted, code, *author, other}
    with steps.bare_releases():
        erase(open_lake(world.lake), Wish("Ada Weaver", "GDPR art. 17", authorship=True), Machine())
        assert [world.rows(query) for query in known] == before
        erase(open_lake(world.lake), Wish("loom", "GDPR art. 17"), Machine())
    assert found_in(world.lake, submitted, code, *author, other) == {other}, "another of that name stays"
    assert steps.table(world.lake, "star_weeks").height == 6
    world.arxiv.arxiv.records[PAPERS[0]] = Record(
        PAPERS[0], versions=[Version(), GONE], changed=world.clock.now().date()
    )
    world.clock.sleep(31 * DAY)
    asked = world.captured("crossref", scope)
    assert (NAMED in asked, PAPERS[0] in world.asked("arxiv")) == (True, True)
    steps.publish_unchecked(world.lake)
    assert (
        world.rows(f"FROM mart.paper_status WHERE paper_id = '{PAPERS[0]}' AND is_newest")[0]["status"] == "suspected"
    )
    assert places_of(world.lake, submitted, code, *author) == []
    assert steps.make_draft(world.lake, from_raw=True) is None
