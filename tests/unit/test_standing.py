"""Which pages are set aside: what only one look says gives way to the next look, what two say does not."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import polars as pl
import pytest

from expectations.comparison import Comparison
from expectations.gate import GUARDS
from expectations.report import Report
from flows.steps.standing import decided, judged
from tests import invented
from tests.flows.steps import NOW
from tests.unit.test_vandalised import HONEST, MONDAY, MORNING, answer
from tests.vandalism import Change, Items, Material, as_it_is, moved
from transforms.collect.collect import Collected, collect, read_page
from warehouse.archive.captured import Capture
from warehouse.release.manifest import Decisions

A, B, C = MORNING, MORNING + 20, MORNING + 44  # hours into its day at which a list is looked at
EXCHANGED = moved("title", "summary")
Parts = Sequence[Sequence[Capture]]
Captures = tuple[Capture, ...]


def look(hours: float, change: Change = as_it_is) -> Capture:
    return answer(MONDAY, change, hours=hours, grown=1 + hours / 40)


@cache
def collected(capture: Capture) -> Collected:
    return collect([read_page(capture)])


@cache
def tables(captures: Captures, decisions: Decisions) -> dict[str, pl.DataFrame]:
    """What guards over pages read; every paper here has an arXiv id."""
    aside = {one.capture_id for one in decisions if one.is_aside}
    state = pl.when(pl.col("capture_id").is_in(aside)).then(pl.lit("set_aside")).otherwise("state")
    found = Collected(*map(pl.concat, list(zip(*map(collected, captures), strict=True))[:3]), pl.DataFrame())
    sightings = found.sightings.with_columns(paper_id="arxiv_id").filter(~pl.col("capture_id").is_in(aside))
    names = dict.fromkeys(("sightings", "papers", "daily_listings", "paper_aliases"), sightings)
    return {"captures": found.captures.with_columns(state=state), "quarantine": found.quarantine} | names


@cache
def reported(landed: Captures, decisions: Decisions, before: tuple[Captures, Decisions] | None) -> Report:
    """What the guards say of a build of these captures after a release of those `before`."""
    compared = Comparison(tables(landed, decisions), tables(*before) if before else {}, confirmed=confirmed(decisions))
    guards = [one for one in GUARDS if one.rule != "keys_kept" and one.kind in {"pages", "history"}]
    return Report(tuple(guard.result(compared) for guard in guards if guard.applies(compared)))


def confirmed(decisions: Decisions) -> frozenset[str]:
    return frozenset(one.capture_id for one in decisions if not one.is_aside)


def settled(parts: Parts, decisions: Decisions = ()) -> Decisions:
    """The decisions after one build of each part."""
    landed: Captures = ()
    before = None
    for part in parts:
        landed += tuple(part)
        at = {one.capture_id: one.fetched_at for one in landed}
        for _ in range(8):
            report = reported(landed, decisions, before)
            decided = judged(report, decisions, at, NOW, None)
            if decided is None:
                break
            decisions = decided
        assert report.passed, [str(one) for one in report.failed]
        before = landed, decisions
    return decisions


def aside(parts: Parts, decisions: Decisions = ()) -> set[str]:
    return {one.capture_id for one in settled(parts, decisions)}


AUTHORS = moved("authors")


@pytest.mark.parametrize(
    ("false", "false_at", "gone"),
    [
        *((EXCHANGED, places, places) for places in ([A], [C])),
        (moved("submittedOnDailyBy"), [B], [B]),
        (moved("id"), [A, B], [A, B]),
        (AUTHORS, [A], [A]),
        (
            AUTHORS,
            [A, B],
            [C],
        ),  # told by no guard alone: two looks that agree are believed, until a person says otherwise
    ],
)
def test_three_looks_end_with_what_two_of_them_say(false: Change, false_at: list[float], gone: list[float]) -> None:
    looks = {hours: look(hours, false if hours in false_at else as_it_is) for hours in (A, B, C)}
    parts = [HONEST, *([one] for one in looks.values())]
    expected = {looks[hours].capture_id for hours in gone}
    assert aside(parts) == expected
    assert aside([[*HONEST, *looks.values()]]) == expected


def test_a_list_that_only_lacks_papers_waits_for_a_second_that_lacks_them() -> None:
    """Half a list is no reason to take the whole one away; that two looks lack what one alone showed is."""

    def with_others(given: Material) -> Items:
        others = [invented.paper(number, MONDAY) for number in range(31, 37)]
        return [*given.items, *invented.daily_answer([replace(one, upvotes=0) for one in others], NOW)]

    half = [look(A), look(B, lambda given: given.items[:10]), look(C)]
    assert aside([HONEST, *([one] for one in half)]) == {half[1].capture_id}
    false = [look(A, with_others), look(B), look(C)]
    assert aside([HONEST, false[:1], false[1:2]]) == {false[1].capture_id}
    assert aside([HONEST, *([one] for one in false)]) == {false[0].capture_id}


def test_a_page_that_a_person_confirms_is_judged_no_more_and_what_contradicts_it_goes() -> None:
    parts = [HONEST, [look(A)], [look(B)], [look(C, EXCHANGED)]]
    page = parts[-1][0].capture_id
    assert aside(parts) == {page}
    confirmed = decided(settled(parts), page, "confirmed", "seen on the Hub", NOW)
    assert settled(parts, confirmed) == confirmed
    later = look(C + 24)
    assert aside([*parts, [later]], confirmed) == {page}
