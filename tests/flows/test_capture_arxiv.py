"""Asking the stand-in arXiv of the papers of a lake: each once, then what changed, and what comes of it."""

from collections import Counter
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest

from tests.arxiv.records import GONE, Record, Version
from tests.flows import steps
from tests.flows.asked_sources import DAY, NOT_TOLD, OFF, PAPERS, World, world
from tests.hub import faults

__all__ = ["world"]

ON = replace(OFF, arxiv=True)


def until_done(world: World) -> int:
    """How many runs it takes until one asks arXiv for nothing."""
    runs = 0
    while True:
        before = len(world.arxiv.calls)
        world.capture(ON)
        if len(world.arxiv.calls) == before:
            return runs
        runs += 1
        assert runs < 50


def harvests(world: World) -> list[str]:
    return [call.target.rpartition("=")[2] for call in world.arxiv.calls if "List" in call.target]


def status(world: World) -> dict[str, dict[str, Any]]:
    """The newest status of each paper, by a new release."""
    steps.publish_unchecked(world.lake)
    return {row["paper_id"]: row for row in world.rows("FROM mart.paper_status WHERE is_newest")}


def papers(lake: str) -> list[str]:
    return sorted(steps.table(lake, "papers")["paper_id"])


def test_each_paper_once_and_then_what_changed(world: World) -> None:
    known = NOT_TOLD
    assert until_done(world) == 1 + len(known) * 3 // 1800
    assert sorted(world.asked("arxiv")) == known
    assert harvests(world) == ["2026-10-05"], "what has changed since arXiv was asked of any"
    world.arxiv.calls.clear()
    changed, other = known[3], "2610.99999"
    world.clock.sleep(DAY)
    day = world.clock.now().date()
    world.arxiv.records |= {
        changed: Record(changed, versions=[Version(), Version(30)], changed=day),
        other: Record(other, changed=day),
    }
    world.capture(ON)
    assert (world.asked("arxiv"), harvests(world)) == ([], ["2026-10-07"]), "it may change once more that day"
    world.arxiv.calls.clear()
    world.clock.sleep(DAY)
    world.capture(ON)
    assert world.asked("arxiv") == [changed], "of papers that the lake has not, nothing is asked"
    world.arxiv.calls.clear()
    world.clock.sleep(DAY)
    world.capture(ON)
    assert world.asked("arxiv") == []


def test_what_changed_is_asked_for_once_a_day_when_arxiv_rests(world: World) -> None:
    until_done(world)
    world.arxiv.calls.clear()
    at = world.clock.now()
    five = datetime.combine(at.date() + timedelta(1), time(5), at.tzinfo)
    world.clock.sleep((five - at).total_seconds() - 60)
    world.capture(ON)
    assert harvests(world) == []
    world.clock.sleep(60)
    until_done(world)
    assert len(harvests(world)) == 1


def test_a_harvest_of_days_to_come_keeps_none_from_being_asked_for(world: World) -> None:
    """It was made under a clock that was ahead, or is landed with a mistyped time."""
    world.clock.sleep(20 * DAY)
    until_done(world)
    world.arxiv.calls.clear()
    world.clock.elapsed -= 10 * DAY
    until_done(world)
    assert len(harvests(world)) == 1


def test_new_papers_are_asked_for_first(world: World) -> None:
    until_done(world)
    world.arxiv.calls.clear()
    before = set(papers(world.lake))
    world.clock.sleep(DAY)
    changed = min(before)
    world.arxiv.records[changed] = Record(changed, changed=world.clock.now().date())
    world.clock.sleep(DAY)
    world.capture(OFF)
    steps.publish_tables(world.lake)
    new = set(papers(world.lake)) - before
    assert new
    world.capture(ON)
    assert set(world.asked("arxiv")[:-1]) == new
    assert world.asked("arxiv")[-1] == changed


@pytest.mark.slow
def test_a_withdrawal_its_undoing_and_the_paper_in_its_place(world: World) -> None:
    first, second, third, unknown = NOT_TOLD[:4]
    del world.arxiv.records[unknown]
    world.arxiv.records |= {
        first: Record(
            first, versions=[Version(), GONE], comments=f"This paper is withdrawn. Now part of arXiv:{second}"
        ),
        second: Record(second, versions=[Version(), GONE], comments="12 pages"),
    }
    until_done(world)
    found = status(world)
    assert {one: found[one]["status"] for one in (first, second, third)} == {
        first: "withdrawn",
        second: "suspected",
        third: "present",
    }
    assert unknown not in found
    row = found[first]
    assert (row["superseded_by"], row["is_superseding_known"], row["withdrawn_on"]) == (
        second,
        True,
        date(2026, 10, 11),
    )
    assert (row["published_on"], row["is_undone"]) == (date(2026, 9, 1), False)
    assert row["hub_published_on"] is None or row["is_date_disputed"] == (row["hub_published_on"] != date(2026, 9, 1))
    world.clock.sleep(DAY)
    back = Record(first, versions=[Version(), GONE, Version(60)], changed=world.clock.now().date())
    world.arxiv.records[first] = back
    world.clock.sleep(DAY)
    until_done(world)
    row = status(world)[first]
    assert (row["status"], row["is_undone"], row["withdrawn_on"], row["version_count"]) == ("present", True, None, 3)
    then = world.rows(f"SELECT status FROM mart.paper_status_as_of('2026-10-08') WHERE paper_id = '{first}'")
    assert then == [{"status": "withdrawn"}]
    days = world.rows(f"SELECT version_at::DATE AS day FROM mart.arxiv_history WHERE paper_id = '{first}'")
    assert [one["day"] for one in days] == [date(2026, 9, 1), date(2026, 10, 11), date(2026, 10, 31)]


def test_a_harvest_that_broke_off_goes_on_by_its_token_and_begins_anew_on_another_day(world: World) -> None:
    until_done(world)
    world.clock.sleep(DAY)
    day = world.clock.now().date()
    for one in PAPERS[:8]:
        world.arxiv.records[one] = Record(one, changed=day)
    world.arxiv.calls.clear()
    world.arxiv.misbehave(faults.status(500), where="Token=2")
    world.capture(ON)
    assert len(harvests(world)) == 4, "two pages, and two tries of the third"
    world.arxiv.calls.clear()
    world.arxiv.behave()
    world.capture(ON)
    assert harvests(world)[0].startswith("2%7C"), "from where it broke off"
    world.arxiv.calls.clear()
    world.arxiv.misbehave(faults.status(500), where="Token")
    world.clock.sleep(DAY)
    world.capture(ON)
    assert sorted(world.asked("arxiv")) == PAPERS[:8], "what either run of that day has heard of"
    world.clock.sleep(DAY)
    world.arxiv.behave()
    world.arxiv.calls.clear()
    world.capture(ON)
    assert harvests(world)[0] == str(day), "a token holds for its day"
    steps.publish_tables(world.lake)
    rows = steps.table(world.lake, "coverage").filter(source="arxiv").sort("listed_on")
    found = dict(rows.select("listed_on", "state").iter_rows())
    assert found[day] == "complete"
    assert rows["is_expected"].sum() == 0
    assert rows.filter(listed_on=day).select("item_count", "paper_count").row(0) == (8, 8)


def test_the_address_before_2025_will_do(world: World) -> None:
    world.capture(ON, "/oai2")
    asked = Counter(world.asked("arxiv"))
    assert asked == dict.fromkeys(NOT_TOLD, 2), "there, and where it leads"
