"""What holds of every source that is asked of a lake's papers: nothing until it is set, each call once, within its
limits whatever happens, and nobody who is erased. What is of one alone stands below, and of arXiv in
test_capture_arxiv.py.
"""

from dataclasses import dataclass, replace
from datetime import date

import pytest

from flows.people.erase import Machine, Wish, erase
from flows.runtime.lake import open_lake
from flows.runtime.scope import Scope
from tests import invented
from tests.arxiv.records import GONE, Record, Version
from tests.collected import page
from tests.flows import steps
from tests.flows.asked_sources import CODE, DAY, FOUND, NAMED, NOT_TOLD, ODD, OFF, PAPERS, WORKS, World, world
from tests.hub import faults
from tests.scanner import found_in, places_of
from tests.works.messages import Message, Update
from tests.works.openalex import OpenWork
from warehouse.archive.archive import Archive

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
    at = world.clock.now()
    shown = invented.daily_answer([replace(invented.paper(1, at.date()), submitter="loom")], at)
    listed = invented.as_json(shown).replace(b'"Loom"', b'"Ada Weaver"')
    Archive(open_lake(world.lake)).write([page(listed, f"{invented.HUB}/api/daily_papers", at)], now=at)
    steps.publish_unchecked(world.lake)
    known = "SELECT * FROM mart.paper_publications ORDER BY ALL", "SELECT * FROM mart.paper_status ORDER BY ALL"
    before = [world.rows(query) for query in known]
    assert "Weaver Letters" in {row["venue"] for row in before[0]}
    submitted, code = "<submitter>Ada Weaver", CODE[1]
    author = ('"given": "Ada"', '"name": "Ada Weaver"', "orcid.org/0000-0001")
    other = '"family": "Weaver", "given": "Bo"'
    assert found_in(world.lake, submitted, code, *author, other) == {submitted, code, *author, other}
    with steps.bare_releases():
        erase(open_lake(world.lake), Wish("loom", "GDPR art. 17", authorship=True), Machine())
    assert [world.rows(query) for query in known] == before
    assert found_in(world.lake, submitted, code, *author, other) == {other}, "another of that name stays"
    assert steps.table(world.lake, "star_weeks").height == 6
    world.arxiv.records[PAPERS[0]] = Record(PAPERS[0], versions=[Version(), GONE], changed=world.clock.now().date())
    world.clock.sleep(31 * DAY)
    asked = world.captured("crossref", scope)
    assert (NAMED in asked, PAPERS[0] in world.asked("arxiv")) == (True, True)
    assert [one for one in world.asked("github") if "erased" in one] == []
    steps.publish_unchecked(world.lake)
    assert (
        world.rows(f"FROM mart.paper_status WHERE paper_id = '{PAPERS[0]}' AND is_newest")[0]["status"] == "suspected"
    )
    assert places_of(world.lake, submitted, code, *author) == []
    assert steps.make_draft(world.lake, from_raw=True) is None


@pytest.mark.slow
def test_what_comes_of_a_work_is_asked_for_too(world: World) -> None:
    """A preprint elsewhere, the book that it became, the notice that retracts the book: a run each."""
    book, notice = "10.5555/book", "10.5555/notice"
    world.crossref.works[NAMED] = Message(NAMED, "posted-content", preprint_of=[("doi", book)])
    world.crossref.works[book] = Message(book, "book-chapter", updated_by=[Update(notice, source="retraction-watch")])
    world.crossref.works[notice] = Message(notice, update_to=[Update(book)])
    asked = []
    for _ in range(4):
        asked.append(world.captured("crossref", SOURCES["crossref"].scope))
        if asked[-1]:
            steps.publish_unchecked(world.lake)
    assert asked[1:] == [[book], [notice], []]
    rows = world.rows("FROM mart.paper_publications WHERE known_until IS NULL")
    found = {row["doi"]: row for row in rows}
    assert {doi: row["status"] for doi, row in found.items()} == {
        NAMED: "preprint",
        "10.5555/b": "published",
        "10.5555/lost": "unknown",
        ODD: "unknown",
        book: "retracted",
    }
    assert (found[book]["told_by"], found[book]["is_told_by_notice"]) == (["publisher", "retraction-watch"], True)
    rows = steps.table(world.lake, "coverage").filter(source="crossref")
    assert rows.select("state", "item_count", "paper_count", "is_expected").rows() == [("complete", 6, 4, False)]


def test_the_requests_of_an_hour_end_a_run_and_the_next_hour_goes_on(world: World) -> None:
    world.github.quota = 12
    first = world.captured("github", SOURCES["github"].scope)
    assert len(first) == 3
    assert world.captured("github", SOURCES["github"].scope) == []
    world.clock.sleep(3600)
    assert sorted([*first, *world.captured("github", SOURCES["github"].scope)]) == CODE
    assert steps.drafted(world.lake, "star_weeks")["repository"].unique().sort().to_list() == CODE[:3]


OPENALEX = replace(OFF, openalex=True)
BOTH = replace(OPENALEX, crossref=True)
TODAY = "SELECT paper_id, doi, registry, status FROM mart.paper_publications WHERE known_until IS NULL ORDER BY ALL"


def today(world: World) -> list[tuple[str, ...]]:
    """What is known by a new release."""
    steps.publish_unchecked(world.lake)
    return [tuple(row.values()) for row in world.rows(TODAY)]


@pytest.mark.slow
def test_what_openalex_found_is_asked_of_crossref_and_of_openalex_again_by_its_doi(world: World) -> None:
    """A paper that it splits off from the work is told no more."""
    world.crossref.works = {one: Message(one) for one in (NAMED, FOUND)}
    world.capture(BOTH)
    assert sorted(world.crossref.asked) == WORKS
    assert [row[:3] for row in today(world) if row[0] != PAPERS[1]] == [
        (PAPERS[0], NAMED, "crossref"),
        (PAPERS[0], NAMED, "openalex"),
        (PAPERS[2], FOUND, "openalex"),
        (PAPERS[4], ODD, "crossref"),
    ]
    world.crossref.calls.clear()
    assert not {NAMED, FOUND} & {*world.captured("openalex", BOTH)}, "it has told of both"
    assert world.crossref.asked == [FOUND]
    world.openalex.works[1] = OpenWork(FOUND, [])  # which splits it off
    world.clock.sleep(31 * DAY)
    assert FOUND in world.captured("openalex", BOTH)
    assert not [row for row in today(world) if row[0] == PAPERS[2]]


def test_a_list_that_is_refused_holds_up_no_other(world: World) -> None:
    world.openalex.misbehave(faults.status(400), where=PAPERS[-1])
    first = world.captured("openalex", OPENALEX)
    assert PAPERS[-1] in first[:1]
    assert world.captured("openalex", OPENALEX) == first[:16], "it is asked for again, and alone"


def test_the_credits_of_a_day_end_a_run_and_the_next_day_goes_on(world: World) -> None:
    world.openalex.credits = 2
    asked = world.captured("openalex", OPENALEX)
    assert sorted(asked) == PAPERS
    assert world.captured("openalex", OPENALEX) == []
    world.clock.sleep(DAY)
    assert sorted(world.captured("openalex", OPENALEX)) == [NAMED, "10.5555/b", "10.5555/lost"]


def test_an_answer_with_authors_is_not_kept(world: World) -> None:
    """It is asked not to have any."""
    named = {"author": {"id": "https://openalex.org/A7", "display_name": "Ada Weaver"}, "raw_author_name": "Ada Weaver"}
    world.openalex.works[0] = replace(world.openalex.works[0], more={"authorships": [named]})
    refused = world.capture(OPENALEX).refused
    assert {one.reason for one in refused} == {"the answer has authors, which were not asked for"}
    assert places_of(world.lake, "openalex.org/A7") == []
