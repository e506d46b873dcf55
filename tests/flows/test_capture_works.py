"""What comes of the works that Crossref tells of, each of which may name more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.flows import steps
from tests.flows.asked_sources import NAMED, ODD, OFF, World, world
from tests.works.messages import Message, Update

__all__ = ["world"]

ON = replace(OFF, crossref=True)


@pytest.mark.slow
def test_what_comes_of_a_work_is_asked_for_too(world: World) -> None:
    """A preprint elsewhere, the book that it became, the notice that retracts the book: a run each."""
    book, notice = "10.5555/book", "10.5555/notice"
    world.crossref.works[NAMED] = Message(NAMED, "posted-content", preprint_of=[("doi", book)])
    world.crossref.works[book] = Message(book, "book-chapter", updated_by=[Update(notice, source="retraction-watch")])
    world.crossref.works[notice] = Message(notice, update_to=[Update(book)])
    asked = []
    for _ in range(4):
        asked.append(world.captured("crossref", ON))
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
