"""Features known at a cutoff, and labels of what followed, exactly. That nothing leaks: tests/laws/test_moments.py."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any

import polars as pl
import pytest

from tests.builders import TIDES, WOVEN
from tests.collected import page
from tests.invented import HUB
from tests.little_lake import little_lake, tables_of
from tests.unit.test_macros import REEDS, item
from warehouse.archive.captured import Capture
from warehouse.release.query import Database
from warehouse.schema.core.papers import PAPER_OBSERVATIONS

MONDAY = datetime(2025, 10, 6)
HOUR = timedelta(hours=1)
DAILY, TRENDING = f"{HUB}/api/daily_papers?date=2025-10-06", f"{HUB}/api/daily_papers?sort=trending"
Row = dict[str, Any]


def lake(*pages: Capture) -> AbstractContextManager[Database]:
    return little_lake(tables_of(*pages), "source_rank", "paper_as_of", "panel")


def rows(opened: Database, cutoff: datetime, horizon: str = "1 day") -> dict[str, Row]:
    answer = opened.rows("FROM panel(?, ?)", [cutoff, horizon])
    return {row[0]: dict(zip(answer.columns, row, strict=True)) for row in answer.rows}


def with_code(one: dict[str, Any]) -> dict[str, Any]:
    one["paper"] |= {"githubRepo": "https://github.com/ada/looms", "githubStars": 7, "ai_keywords": ["looms"]}
    return one


@pytest.fixture
def pages() -> list[Capture]:
    """Two captures before noon of Monday, one the same evening, one two days later."""
    return [
        page([item(WOVEN, 3), item(TIDES, 5)], DAILY, MONDAY + 8 * HOUR),
        page([with_code(item(TIDES, 9, comments=1)), item(WOVEN, 4)], DAILY, MONDAY + 10 * HOUR),
        page([item(REEDS, 1), item(TIDES, 30, "Renamed", comments=2)], TRENDING, MONDAY + 20 * HOUR),
        page([item(WOVEN, 99)], DAILY, MONDAY + 60 * HOUR),
        page([item(WOVEN, 500)], DAILY, None),
    ]


def test_features_are_of_the_cutoff_and_labels_of_the_horizon(pages: list[Capture]) -> None:
    with lake(*pages) as opened:
        found = rows(opened, MONDAY + 12 * HOUR)
    assert list(found) == [WOVEN, TIDES]
    tides, woven = found[TIDES], found[WOVEN]
    expected = {
        "title": f"Woven Ledgers {TIDES}",
        "upvote_count": 9,
        "comment_count": 1,
        "github_star_count": 7,
        "github_url": "https://github.com/ada/looms",
        "is_github_url_known": True,
        "keywords": ["looms"],
        "ai_summary": None,
        "is_ai_summary_known": True,
        "look_count": 2,
        "upvotes_observed_at": MONDAY + 10 * HOUR,
        "daily_place": 1,
        "best_daily_place": 1,
        "best_trending_place": None,
        "model_count": None,
        "label_upvote_count": 30,
        "label_comment_count": 2,
        "label_gained_upvote_count": 21,
        "label_observed_at": MONDAY + 20 * HOUR,
        "label_trending_place": 2,
    }
    assert {name: tides[name] for name in expected} == expected
    assert (woven["daily_place"], woven["best_daily_place"], woven["upvote_count"]) == (2, 1, 4)
    labels = [name for name in woven if name.startswith("label_")]
    assert len(labels) == 6
    assert {woven[name] for name in labels} == {None}


def test_the_cutoff_and_the_end_of_the_horizon_are_included(pages: list[Capture]) -> None:
    """A page fetched at the cutoff gives a feature; one at the end of the horizon, a label."""
    with lake(*pages) as opened:
        assert rows(opened, MONDAY + 10 * HOUR)[WOVEN]["upvote_count"] == 4
        assert rows(opened, MONDAY + 10 * HOUR, "49 hours")[WOVEN]["label_upvote_count"] is None
        assert rows(opened, MONDAY + 10 * HOUR, "50 hours")[WOVEN]["label_upvote_count"] == 99
        assert rows(opened, MONDAY) == {}


def test_a_corrected_count_is_right_in_features_and_labels_alike(pages: list[Capture]) -> None:
    tables = tables_of(*pages)
    is_wrong = pl.col("observed_at") == MONDAY + 10 * HOUR
    counts = tables["paper_observations"].with_columns(upvote_count=pl.when(is_wrong).then(2).otherwise("upvote_count"))
    tables["paper_observations"] = PAPER_OBSERVATIONS.conform(counts)
    with little_lake(tables, "source_rank", "paper_as_of", "panel") as opened:
        found = rows(opened, MONDAY + 10 * HOUR)[TIDES]
        assert rows(opened, MONDAY + 9 * HOUR)[TIDES]["label_upvote_count"] == 30
    assert (found["upvote_count"], found["label_gained_upvote_count"]) == (2, 28)


def test_a_page_before_the_source_had_a_field_says_nothing_of_it() -> None:
    early = datetime(2024, 6, 3, 12)
    with lake(page([item(WOVEN, 3)], f"{HUB}/api/daily_papers?date=2024-06-03", early)) as opened:
        found = rows(opened, early)[WOVEN]
    assert [name for name, value in found.items() if name.endswith("_known") and value] == []


def test_places_go_on_over_the_second_page_of_a_list() -> None:
    first, second = f"{DAILY}&limit=2", f"{DAILY}&limit=2&p=1"
    with lake(page([item(WOVEN), item(TIDES)], first, MONDAY), page([item(REEDS)], second, MONDAY)) as opened:
        assert {name: row["daily_place"] for name, row in rows(opened, MONDAY).items()} == {
            WOVEN: 1,
            TIDES: 2,
            REEDS: 3,
        }
