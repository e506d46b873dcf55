"""What trends: each term exact. That nothing captured after the moment counts: tests/laws/test_moments.py."""

import math
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any

import pytest

from bench import trending as bench
from tests.builders import TIDES, WOVEN, mart_of
from tests.collected import page
from tests.invented import HUB
from tests.little_lake import little_lake, tables_of
from tests.unit.test_macros import LOOMS, REEDS, item
from warehouse.archive.captured import Capture
from warehouse.release.query import Database
from warehouse.schema.marts.upvotes_over_time import TRENDING_PAPERS

MONDAY = datetime(2025, 10, 6)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
PAPERS = (WOVEN, TIDES, REEDS, LOOMS)
Row = dict[str, Any]


def listing(on: datetime, at: datetime | None, **upvotes: int) -> Capture:
    """The list of a day as captured at a moment; papers by their place in PAPERS: p0=3."""
    items = [item(PAPERS[int(name[1:])], count) for name, count in upvotes.items()]
    return page(items, f"{HUB}/api/daily_papers?date={on:%Y-%m-%d}", at)


def lake(*pages: Capture) -> AbstractContextManager[Database]:
    return little_lake(tables_of(*pages), "source_rank", "trending_as_of")


def trending(opened: Database, moment: datetime, days: int = 7) -> list[Row]:
    answer = opened.rows("FROM trending_as_of(?, ?)", [moment, days])
    return list(answer.dicts())


def test_every_term_of_a_score_with_one_look() -> None:
    """The past is two papers of the week before, seen at 8 h: 4 and 8 upvotes, of no use until a day later."""
    week = MONDAY - 7 * DAY
    pages = listing(week, week + 8 * HOUR, p2=4, p3=8), listing(MONDAY, MONDAY + 8 * HOUR, p0=30, p1=0)
    with lake(*pages) as opened:
        first, second = trending(opened, MONDAY + 12 * HOUR)
        assert trending(opened, week + 31 * HOUR)[0]["past_count"] == 0
        [high, low] = trending(opened, week + 32 * HOUR)
    # each is compared with the other one alone
    assert [(row["past_count"], row["upvote_count"], row["mean_count"]) for row in (high, low)] == [
        (1, 8, 6),
        (1, 4, 6),
    ]
    assert [row["expected_count"] for row in (high, low)] == [round((4 + 120) / 21, 3), round((8 + 120) / 21, 3)]
    expected = (12 + 20 * 6) / (2 + 20)
    surprise = (30 + 6) / (expected + 6)
    assert first == {
        "rank": 1,
        "paper_id": WOVEN,
        "title": f"Woven Ledgers {WOVEN}",
        "listed_on": MONDAY.date(),
        "upvote_count": 30,
        "observed_at": MONDAY + 8 * HOUR,
        "observed_hours": 8,
        "expected_count": round(expected, 3),
        "past_count": 2,
        "mean_count": 6,
        "surprise": round(surprise, 4),
        "previous_upvote_count": None,
        "previous_observed_at": None,
        "velocity": None,
        "mean_velocity": None,
        "age_hours": 12,
        "score": round(math.log(surprise) - 12 / 48, 4),
        "basis": "one look",
        "formula": 2,
    }
    assert (second["paper_id"], second["upvote_count"], second["rank"]) == (TIDES, 0, 2)


def test_hours_between_two_decimals_go_up_in_each_duckdb() -> None:
    """The double of 7.895 is a little less: 2.0.1 makes 7.89 of it, 2.0.0 made 7.9."""
    with lake(listing(MONDAY, MONDAY + timedelta(seconds=28_422), p0=3)) as opened:
        [row] = trending(opened, MONDAY + 12 * HOUR)
    assert row["observed_hours"] == 7.9


def test_two_looks_three_hours_apart_are_a_velocity() -> None:
    """In the past a paper gained 6 in 4 hours; now one gains 10 in 5. Looks within two hours are none."""
    week = MONDAY - 7 * DAY
    pages = (
        listing(week, week + 8 * HOUR, p2=4),
        listing(week, week + 12 * HOUR, p2=10),
        listing(MONDAY, MONDAY + 8 * HOUR, p0=10, p1=1),
        listing(MONDAY, MONDAY + 13 * HOUR, p0=20),
        listing(MONDAY, MONDAY + 10 * HOUR, p1=2),
    )
    with lake(*pages) as opened:
        first, second = trending(opened, MONDAY + 14 * HOUR)
    assert (first["velocity"], first["mean_velocity"], first["basis"]) == (round(16 / 9, 4), 1.5, "two looks")
    assert (first["previous_upvote_count"], first["previous_observed_at"]) == (10, MONDAY + 8 * HOUR)
    assert (second["velocity"], second["previous_upvote_count"], second["basis"]) == (None, None, "one look")


def test_upvotes_that_were_taken_back_are_no_error() -> None:
    pages = (
        listing(MONDAY, MONDAY + 8 * HOUR, p0=10),
        listing(MONDAY, MONDAY + 12 * HOUR, p0=4),
        listing(MONDAY + DAY, MONDAY + DAY + 8 * HOUR, p1=9),
        listing(MONDAY + DAY, MONDAY + DAY + 12 * HOUR, p1=2),
    )
    with lake(*pages) as opened:
        rows = trending(opened, MONDAY + 3 * DAY)
    assert [(row["upvote_count"], row["basis"]) for row in rows] == [(2, "one look"), (4, "one look")]


@pytest.mark.parametrize("weekday", [0, 3])
def test_one_upvote_in_the_first_hour_does_not_top_the_list(weekday: int) -> None:
    """Not over a paper of the list before with more than others, be that list of a Friday: a weekend ages nothing."""
    today = MONDAY + weekday * DAY
    before = today - (3 if weekday == 0 else 1) * DAY
    old = before - 14 * DAY
    pages = (
        listing(old, old + 8 * HOUR, p2=10, p3=12),
        listing(before, before + 8 * HOUR, p0=40),
        listing(today, today + HOUR, p1=1),
    )
    with lake(*pages) as opened:
        found = trending(opened, today + 2 * HOUR)
    assert [(row["paper_id"], row["age_hours"]) for row in found] == [(WOVEN, 26), (TIDES, 2)]


def test_pages_of_unknown_fetch_time_never_count() -> None:
    known = listing(MONDAY, MONDAY + 8 * HOUR, p0=3), listing(MONDAY + DAY, MONDAY + 32 * HOUR, p1=5)
    with lake(*known) as opened:
        without = trending(opened, MONDAY + 3 * DAY)
    with lake(*known, listing(MONDAY, None, p0=900, p2=900)) as opened:
        assert trending(opened, MONDAY + 3 * DAY) == without


def test_a_window_holds_its_days_and_a_paper_once() -> None:
    pages = listing(MONDAY, MONDAY + 8 * HOUR, p0=3, p1=2), listing(MONDAY + 4 * DAY, MONDAY + 100 * HOUR, p0=9)
    with lake(*pages) as opened:
        asked = {days: trending(opened, MONDAY + 100 * HOUR, days) for days in (4, 5)}
    assert [(row["paper_id"], row["listed_on"].day) for row in asked[4]] == [(WOVEN, 10)]
    assert {(row["paper_id"], row["listed_on"].day) for row in asked[5]} == {(WOVEN, 10), (TIDES, 6)}


def test_the_mart_is_the_macro_at_the_end_of_each_list_day() -> None:
    pages = [
        listing(MONDAY + day * DAY, MONDAY + day * DAY + hours * HOUR, **{f"p{day % 4}": 3 * day + hours, "p3": day})
        for day in range(5)
        for hours in (8, 12, 30)
    ]
    tables = tables_of(*pages)
    made = mart_of(TRENDING_PAPERS, lambda table: tables[table.name])
    with lake(*pages) as opened:
        for day in range(5):
            on = MONDAY + day * DAY
            of_day = made.filter(trending_on=on.date()).drop("trending_on")
            assert of_day.to_dicts() == trending(opened, on + DAY)


def test_the_bench_answers_when_there_are_enough_days() -> None:
    """A perfect score against uninformative upvotes, on twenty days; on nineteen there is no answer."""
    days = [(day, f"p{place:02}", float(place), 30 - place, place) for day in range(20) for place in range(20)]
    told = bench.answer(days).splitlines()[-1].split(" | ")
    assert told[:3] == ["| 20", "1.000", "0.000"]
    assert told[3].startswith("+1.000 to +1.000")
    assert bench.answer(days[20:]).startswith("not enough days: 19 of 20 have 20 papers")
    order = [bench.Paper(f"p{place}", 0, 0, 20 - place) for place in range(20)]
    assert bench.ndcg(order) == 1
    assert round(bench.ndcg([order[10], *order[:10]]), 3) == round(
        1 - (1 / sum(1 / math.log2(n + 2) for n in range(10))), 3
    )
