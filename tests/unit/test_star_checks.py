"""Two series of a repository's stars: what GitHub says, what is refused, and where the Hub's counts disagree."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.collected import capture_of, collected, page
from tests.derived import covered
from tests.github.stand_in import WEEK, history, stars_url, week
from tests.little_lake import made, made_once
from tests.unit.test_adoption import LOOMS, TIDES, own
from warehouse.archive.captured import Capture

SUNDAY = datetime(2026, 3, 1)
ASKED = SUNDAY + timedelta(days=3)
KILNS, REEDS = "2512.03333", "2512.04444"


def shown(paper: str, days: float, stars: int, repository: str) -> Capture:
    """A paper with its code, so many days before GitHub is asked."""
    told = {"githubRepo": f"https://github.com/{repository}", "githubStars": stars}
    return own(paper, ASKED - timedelta(days=days), [], 0, **told)


def answer(repository: str, totals: list[int], at: datetime = ASKED) -> Capture:
    return page(history(SUNDAY, totals), stars_url(repository), at)


PAGES = (
    # of 31 days four weeks lie whole between the two; they gained 8 to 12, and the Hub's count 9
    shown(LOOMS, 32, 63, "Loom/Woven"),
    shown(LOOMS, 1, 72, "loom/woven"),
    answer("loom/woven", [1, 2, 2, 2, 2, 3, 50]),
    # 200 stars were taken back
    shown(TIDES, 32, 900, "tide/one"),
    shown(TIDES, 1, 705, "tide/one"),
    answer("tide/one", [0, 2, 2, 2, 0, 3, 9]),
    answer("tide/one", [0, 2, 2, 2, 0, 3, 9], ASKED + timedelta(hours=1)),
    # of which of two repositories the count is is not said
    shown(KILNS, 32, 10, "kiln/one"),
    shown(KILNS, 1, 90, "kiln/two"),
    answer("kiln/two", [0, 0, 0, 0, 0, 0]),
    # seen once
    shown(REEDS, 1, 90, "reed/one"),
    answer("reed/one", [5]),
)


database = made_once(lambda: collected(*PAGES))


def test_the_two_series_agree_or_the_difference_is_said(database: duckdb.DuckDBPyConnection) -> None:
    columns = "paper_id, from_count, until_count, shown_gain, least_gain, most_gain, difference, is_disputed"
    rows = database.sql(f"SELECT {columns} FROM mart.star_checks ORDER BY paper_id, observed_at").fetchall()
    assert rows == [
        (LOOMS, 63, 72, 9, 8, 12, 0, False),
        (TIDES, 900, 705, -195, 6, 9, -201, True),
        (TIDES, 900, 705, -195, 6, 9, -201, True),
    ]


def test_nothing_looks_ahead(database: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A later count, a later link and a later answer change no earlier row."""
    later = [
        shown(LOOMS, -9, 9_000, "loom/woven"),
        shown(TIDES, -9, 9_000, "tide/two"),
        answer("loom/woven", [900] * 9, ASKED + timedelta(days=9)),
    ]
    asked = f"FROM mart.star_checks WHERE observed_at <= '{ASKED + timedelta(hours=1)}' ORDER BY ALL"
    with made(tmp_path, collected(*PAGES, *later)) as whole:
        assert whole.sql(asked).fetchall() == database.sql(asked).fetchall()
        assert whole.sql("SELECT count(*) FROM mart.star_checks").fetchall() == [(4,)]


def test_what_an_answer_says() -> None:
    found = collected(answer("Loom/Woven", [1, 2]))
    assert found.star_weeks.select("repository", "starts_at", "gained_count").rows() == [
        ("loom/woven", SUNDAY - WEEK, 2),
        ("loom/woven", SUNDAY, 1),
    ]
    state = capture_of(found)
    assert (state["state"], state["list_kind"], state["reader"]) == ("read", "github", "github_stars")
    assert found.sightings.is_empty()


@pytest.mark.parametrize(
    ("one", "rule"),
    [
        (week(SUNDAY, 3), "github_twice"),
        (week(SUNDAY - WEEK, 3) | {"total": 4}, "github_week"),
        (week(SUNDAY - WEEK, 3) | {"days": [3]}, "github_week"),
        (week(SUNDAY - WEEK, 3) | {"days": [3, 0, 0, 0, 0, 1, -1]}, "item_type"),
        (week(SUNDAY - WEEK, 3) | {"week": 0}, "github_week"),
        ({"total": 3}, "item_type"),
        ([], "item_type"),
    ],
)
def test_a_week_of_another_shape_is_refused_by_name(one: Any, rule: str) -> None:
    found = collected(page([week(SUNDAY, 3), one], stars_url("loom/woven"), ASKED))
    assert found.quarantine.select("rule", "pointer").rows() == [(rule, "1")]
    assert (found.star_weeks.height, capture_of(found)["state"]) == (1, "partial")


def test_on_which_days_stars_were_asked_for() -> None:
    gone = page({"message": "Not Found"}, stars_url("loom/gone"), ASKED + timedelta(days=1), http_status=404)
    busy = page(b"<html>busy</html>", stars_url("loom/woven"), ASKED + timedelta(days=2))
    last = own(LOOMS, ASKED + timedelta(days=9), [], 0)
    rows = covered(collected(*PAGES, gone, busy, last)).filter(source="github").sort("listed_on")
    columns = ("state", "fetch_count", "failure_count", "item_count", "paper_count")
    assert rows.select(columns).rows() == [
        ("complete", 5, 0, 5, 5),
        ("empty", 1, 0, 1, 0),
        ("missing", 0, 1, None, None),
    ]
    assert not rows["is_expected"].any()
