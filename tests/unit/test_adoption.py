"""Who builds on a paper: lists cut and whole, cursors that shift, what is not counted, and never a look ahead. And two
series of a repository's stars: what GitHub says, what is refused, and where the Hub's counts disagree.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.collected import capture_of, collected, page, rejects
from tests.derived import covered
from tests.github.stand_in import WEEK, history, stars_url, week
from tests.invented import HUB
from tests.little_lake import made, made_once
from warehouse.archive.captured import Capture
from warehouse.schema.marts.adoption import FORMULA, WEIGHTS

LOOMS, TIDES = "2512.01234", "2512.04321"
MONDAY = datetime(2026, 1, 26, 8)
SHOWN = "model_count, dataset_count, space_count, listed_count, is_whole, download_count, uncounted_count, like_count"


def model(number: int, **told: Any) -> dict[str, Any]:
    return {"id": f"loomworks/woven-{number}", "likes": number, "gated": False, "downloads": 10 * number} | told


def own(paper: str, at: datetime, models: list[dict[str, Any]], total: int, **more: Any) -> Capture:
    """A paper's own answer: with its lists, which may be cut."""
    said = {"id": paper, "title": f"Woven Looms of {paper}", "summary": "We weave looms, and keep what they forget."}
    lists = {"linkedModels": models, "numTotalModels": total, "linkedDatasets": [], "numTotalDatasets": 0}
    spaces = {"linkedSpaces": [], "numTotalSpaces": 0}
    return page(said | lists | spaces | more, f"{HUB}/api/papers/{paper}", at)


def part(paper: str, at: datetime, items: list[dict[str, Any]], limit: int, cursor: str = "") -> Capture:
    """A page of a whole list."""
    url = f"{HUB}/api/models?filter=arxiv%3A{paper}&sort=likes&limit={limit}{cursor and '&cursor=' + cursor}"
    return page(items, url, at)


PAGES = (
    own(LOOMS, MONDAY, [model(3), model(2)], 5, githubRepo="https://github.com/loom/woven", githubStars=63),
    part(LOOMS, MONDAY + timedelta(hours=1), [model(5), model(4), model(3)], 3),
    # the cursor shifted: one comes twice
    part(
        LOOMS,
        MONDAY + timedelta(hours=2),
        [model(3), model(2, downloads=0, siblings=[{"rfilename": "a.bin"}])],
        3,
        "xyz",
    ),
    own(LOOMS, MONDAY + timedelta(days=14), [model(9)], 8),
    own(TIDES, MONDAY + timedelta(days=1), [], 0),
)


database = made_once(lambda: collected(*PAGES))


def test_each_moment_has_what_was_known_then(database: duckdb.DuckDBPyConnection) -> None:
    rows = database.sql(f"SELECT {SHOWN} FROM mart.adoption WHERE paper_id = '{LOOMS}' ORDER BY observed_at").fetchall()
    assert rows == [
        (5, 0, 0, 2, False, 50, 0, 5),
        (5, 0, 0, 3, False, 120, 0, 12),  # one page of the list is not the list: the total stays what it was
        (4, 0, 0, 4, True, 120, 1, 14),
        (8, 0, 0, 4, True, 120, 1, 14),  # the page's total decides; the sums are of the last whole list
    ]


def test_the_score_is_the_open_formula(database: duckdb.DuckDBPyConnection) -> None:
    row = (
        database.sql(f"FROM mart.adoption WHERE paper_id = '{LOOMS}' ORDER BY observed_at LIMIT 1")
        .pl()
        .row(0, named=True)
    )
    assert row["github_star_count"] == 63
    assert row["score"] == pytest.approx(sum(weight * math.log2(1 + row[name]) for name, weight in WEIGHTS.items()))
    assert FORMULA in " ".join((Path(__file__).parents[2] / "docs" / "adoption.md").read_text().split())
    assert FORMULA in database.sql("SELECT comment FROM duckdb_tables() WHERE table_name = 'adoption'").fetchall()[0][0]


def test_nobody_builds_on_it_is_zero(database: duckdb.DuckDBPyConnection) -> None:
    found = database.sql(f"SELECT {SHOWN}, score FROM mart.adoption WHERE paper_id = '{TIDES}'").fetchall()
    assert found == [(0, 0, 0, 0, True, None, 0, None, 0.0)]


def test_the_most_built_upon_of_each_month(database: duckdb.DuckDBPyConnection) -> None:
    rows = database.sql(
        "SELECT strftime(month_on, '%Y-%m'), rank, paper_id, model_count, gained_count FROM mart.adoption_by_month"
    )
    assert rows.fetchall() == [
        ("2026-01", 1, LOOMS, 4, None),
        ("2026-01", 2, TIDES, 0, None),
        ("2026-02", 1, LOOMS, 8, 4),
        ("2026-02", 2, TIDES, 0, 0),
    ]


@pytest.mark.parametrize(
    ("told", "count", "basis"),
    [
        ({"downloads": 7}, 7, "counted"),
        ({"downloads": 0, "downloadsAllTime": 4}, 0, "counted"),
        ({"downloads": 0, "siblings": [{"rfilename": "config.json"}]}, 0, "counted"),
        ({"downloads": 0, "siblings": [{"rfilename": "weights.bin"}]}, None, "not counted"),
        ({"downloads": 0, "siblings": [], "library_name": "looms"}, 0, None),
        ({"downloads": 0}, 0, None),
        ({}, None, None),
    ],
)
def test_not_counted_is_not_zero(told: dict[str, Any], count: int | None, basis: str | None) -> None:
    (row,) = collected(part(LOOMS, MONDAY, [{"id": "loomworks/a"} | told], 3)).paper_repositories.iter_rows(named=True)
    assert (row["download_count"], row["download_basis"]) == (count, basis)


def test_a_repository_is_kept_as_stated() -> None:
    told = {
        "id": "loomworks/woven",
        "gated": "manual",
        "createdAt": "2026-01-02T03:04:05.000Z",
        "lastModified": "2026-01-03T03:04:05.000+01:00",
        "safetensors": {"parameters": {"BF16": 8}, "total": 8_030_261_248},
        "likes": 3_000_000_000,
    }
    (row,) = collected(part(LOOMS, MONDAY, [told], 3)).paper_repositories.iter_rows(named=True)
    assert (row["created_at"], row["last_modified_at"]) == (
        datetime(2026, 1, 2, 3, 4, 5),
        datetime(2026, 1, 3, 2, 4, 5),
    )
    assert (row["gated"], row["parameter_count"], row["like_count"]) == ("manual", 8_030_261_248, 3_000_000_000)


def test_what_does_not_fit_is_rejected_alone() -> None:
    bad = [
        {"id": "../../etc"},
        {"id": "a b"},
        {"id": "a/b", "gated": "often"},
        {"id": "a/c", "likes": -1},
        {"likes": 1},
    ]
    found = collected(own(LOOMS, MONDAY, [*bad, model(1), model(1)], 9))
    assert [pointer for _, _, pointer in rejects(found)] == [f"/linkedModels/{place}" for place in range(len(bad))]
    assert found.paper_repositories["repository"].to_list() == ["loomworks/woven-1"]
    assert found.sightings.height == 1


def test_lists_that_are_none_are_rejected_and_say_nothing() -> None:
    found = collected(own(LOOMS, MONDAY, [model(1)], 1, linkedDatasets={"id": "a/b"}))
    assert [pointer for _, _, pointer in rejects(found)] == ["/linkedDatasets"]
    assert found.adoption_looks["kind"].to_list() == ["model", "space"]


@pytest.mark.parametrize("content", [b"{}", b"<html>busy</html>", b"[", b""])
def test_a_list_that_is_none_is_rejected_whole(content: bytes) -> None:
    url = f"{HUB}/api/models?filter=arxiv:{LOOMS}&limit=3"
    found = collected(page(content, url, MONDAY))
    assert (found.captures["state"].item(), found.adoption_looks.height) == ("rejected", 0)


def test_a_mirror_says_nothing_of_repositories() -> None:
    mirrored = page(own(LOOMS, MONDAY, [model(1)], 1).payload, f"https://huggingface.mirror.example/api/papers/{LOOMS}")
    found = collected(mirrored)
    assert (found.sightings["source"].item(), found.paper_repositories.height, found.adoption_looks.height) == (
        "copy",
        0,
        0,
    )


SUNDAY = datetime(2026, 3, 1)
ASKED = SUNDAY + timedelta(days=3)
KILNS, REEDS, UNSHOWN = "2512.03333", "2512.04444", "2512.05555"


def shown(paper: str, days: float, stars: int, repository: str) -> Capture:
    """A paper with its code, so many days before GitHub is asked."""
    told = {"githubRepo": f"https://github.com/{repository}", "githubStars": stars}
    return own(paper, ASKED - timedelta(days=days), [], 0, **told)


def answer(repository: str, totals: list[int], at: datetime = ASKED) -> Capture:
    return page(history(SUNDAY, totals), stars_url(repository), at)


STAR_PAGES = (
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
    # of which nothing is asked but its models
    part(UNSHOWN, MONDAY, [], 3),
)


of_stars = made_once(lambda: collected(*STAR_PAGES))


def test_what_was_not_asked_is_nothing(of_stars: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT model_count, dataset_count, space_count, is_whole, score FROM mart.adoption"
    found = of_stars.sql(f"{asked} WHERE paper_id = '{UNSHOWN}'").fetchall()
    assert found == [(0, None, None, False, None)]


def test_the_two_series_agree_or_the_difference_is_said(of_stars: duckdb.DuckDBPyConnection) -> None:
    columns = "paper_id, from_count, until_count, shown_gain, least_gain, most_gain, difference, is_disputed"
    rows = of_stars.sql(f"SELECT {columns} FROM mart.star_checks ORDER BY paper_id, observed_at").fetchall()
    assert rows == [
        (LOOMS, 63, 72, 9, 8, 12, 0, False),
        (TIDES, 900, 705, -195, 6, 9, -201, True),
        (TIDES, 900, 705, -195, 6, 9, -201, True),
    ]


def test_nothing_looks_ahead(of_stars: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A later count, a later link and a later answer change no earlier row."""
    later = [
        shown(LOOMS, -9, 9_000, "loom/woven"),
        shown(TIDES, -9, 9_000, "tide/two"),
        answer("loom/woven", [900] * 9, ASKED + timedelta(days=9)),
    ]
    asked = f"FROM mart.star_checks WHERE observed_at <= '{ASKED + timedelta(hours=1)}' ORDER BY ALL"
    with made(tmp_path, collected(*STAR_PAGES, *later)) as whole:
        assert whole.sql(asked).fetchall() == of_stars.sql(asked).fetchall()
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
    rows = covered(collected(*STAR_PAGES, gone, busy, last)).filter(source="github").sort("listed_on")
    columns = ("state", "fetch_count", "failure_count", "item_count", "paper_count")
    assert rows.select(columns).rows() == [
        ("complete", 5, 0, 5, 5),
        ("empty", 1, 0, 1, 0),
        ("missing", 0, 1, None, None),
    ]
    assert not rows["is_expected"].any()
