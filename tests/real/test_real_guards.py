"""Real captures trip no guard, built one by one or in parts; false ones are refused in test_real_vandalism.py.

PAPERLAKE_DRILL_EACH says of how many captures one is a build; with 1 it is all.
"""

import os

import polars as pl
import pytest

from expectations.comparison import ComparedFrames, Comparison
from expectations.gate import GUARDS
from expectations.report import ACCEPTABLE
from tests.derived import derive
from tests.real.folder import captures
from transforms.collect.collect import Collected

PARTS = (4, 1)  # the share of the captures by time that each has, the last all
CUTS = 3
EACH = int(os.environ.get("PAPERLAKE_DRILL_EACH", "74"))


def alarms(now: ComparedFrames, before: ComparedFrames, kinds: frozenset[str] = frozenset({"pages"})) -> list[str]:
    compared = Comparison(now, before)
    results = [guard.result(compared) for guard in GUARDS if guard.kind in kinds and guard.applies(compared)]
    return [str(result) for result in results if not result.passed]


@pytest.fixture(scope="module")
def pages(tables: ComparedFrames) -> ComparedFrames:
    """The captures in order of time, and the tables of what pages show; other tables are left out."""
    return {
        "captures": tables["captures"].sort("fetched_at", "capture_id", nulls_last=False),
        "sightings": tables["sightings"],
        "papers": tables["papers"],
        "daily_listings": tables["daily_listings"],
    }


def until(pages: ComparedFrames, count: int) -> ComparedFrames:
    """The first captures, and what they say."""
    first = pages["captures"].head(count)
    return {**pages, "captures": first, "sightings": pages["sightings"].join(first, on="capture_id", how="semi")}


def test_a_build_a_capture_is_without_a_false_alarm(pages: ComparedFrames) -> None:
    counts = range(1, pages["captures"].height + 1)[::EACH]
    found = {count: alarms(until(pages, count), until(pages, count - 1) if count > 1 else {}) for count in counts}
    assert {count: told for count, told in found.items() if told} == {}
    assert pages["captures"].height == len(captures()) > 400


def test_a_build_of_parts_gives_no_alarm(collected: Collected, pages: ComparedFrames, tables: ComparedFrames) -> None:
    """Built in parts by time, with all guards; then all at once."""
    ids, before = pages["captures"]["capture_id"], {}
    for part in PARTS:
        first = ids.head(len(ids) // part).implode()
        some = Collected(*(frame.filter(pl.col("capture_id").is_in(first)) for frame in collected))
        now = derive(some) if part > 1 else tables
        assert alarms(now, before, ACCEPTABLE) == []
        before = now
    assert alarms(before, {}, ACCEPTABLE) == []


def test_captures_that_come_in_any_order_are_no_alarm(pages: ComparedFrames) -> None:
    shuffled = pages["captures"].sample(fraction=1, shuffle=True, seed=0)
    before: ComparedFrames = {}
    for part in range(1, CUTS + 1):
        now = until({**pages, "captures": shuffled}, len(shuffled) * part // CUTS)
        assert alarms(now, before) == []
        before = now
