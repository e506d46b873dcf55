"""Asking the stand-in OpenAlex of many at once, within a day's credits; and Crossref of what OpenAlex found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.flows import steps
from tests.flows.asked_sources import DAY, FOUND, NAMED, ODD, OFF, PAPERS, WORKS, World, world
from tests.hub import faults
from tests.scanner import places_of
from tests.works.messages import Message
from tests.works.openalex import OpenWork

__all__ = ["world"]

ON = replace(OFF, openalex=True)
BOTH = replace(ON, crossref=True)
TODAY = "SELECT paper_id, doi, registry, status FROM mart.paper_publications WHERE known_until IS NULL ORDER BY ALL"


def today(world: World) -> list[tuple[str, ...]]:
    """What is known by a new release."""
    steps.publish_unchecked(world.lake)
    return [tuple(row.values()) for row in world.rows(TODAY)]


@pytest.mark.slow
def test_what_openalex_found_is_asked_of_crossref_and_of_openalex_again_by_its_doi(world: World) -> None:
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
    world.clock.sleep(31 * DAY)
    assert FOUND in world.captured("openalex", BOTH)


@pytest.mark.slow
def test_a_paper_that_openalex_splits_off_is_told_no_more(world: World) -> None:
    world.capture(ON)
    assert (PAPERS[2], FOUND, "openalex", "published") in today(world)
    world.openalex.works[1] = OpenWork(FOUND, [])
    world.clock.sleep(31 * DAY)
    world.capture(ON)
    assert not [row for row in today(world) if row[0] == PAPERS[2]]


def test_a_list_that_is_refused_holds_up_no_other(world: World) -> None:
    world.openalex.misbehave(faults.status(400), where=PAPERS[-1])
    first = world.captured("openalex", ON)
    assert PAPERS[-1] in first[:1]
    assert world.captured("openalex", ON) == first[:16], "it is asked for again, and alone"


def test_the_credits_of_a_day_end_a_run_and_the_next_day_goes_on(world: World) -> None:
    world.openalex.credits = 2
    asked = world.captured("openalex", ON)
    assert sorted(asked) == PAPERS
    assert world.captured("openalex", ON) == []
    world.clock.sleep(DAY)
    assert sorted(world.captured("openalex", ON)) == [NAMED, "10.5555/b", "10.5555/lost"]


def test_an_answer_with_authors_is_not_kept(world: World) -> None:
    """It is asked not to have any."""
    named = {"author": {"id": "https://openalex.org/A7", "display_name": "Ada Weaver"}, "raw_author_name": "Ada Weaver"}
    world.openalex.works[0] = replace(world.openalex.works[0], more={"authorships": [named]})
    refused = world.capture(ON).refused
    assert {one.reason for one in refused} == {"the answer has authors, which were not asked for"}
    assert places_of(world.lake, "openalex.org/A7") == []
