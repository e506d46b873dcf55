"""Analysts' macros, on lakes of a few invented pages: what was known at a moment, to the number, and what followed it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from tests.builders import ONE, THREE, TIDES, TWO, WOVEN, everything, frame
from tests.collected import page
from tests.invented import HUB
from tests.little_lake import little_lake, tables_of, write_whole
from transforms.core.papers import paper_observations, paper_texts, papers
from warehouse.archive.captured import Capture
from warehouse.release.query import Database, opened
from warehouse.schema.catalog import MACROS
from warehouse.schema.core.papers import PAPER_OBSERVATIONS
from warehouse.schema.ddl import type_of

ASKED = "source_rank", "upvotes_at", "listing_as_of", "paper_as_of"
REEDS, LOOMS = "2503.05555", "2503.06666"
DAY = "2025-10-07"
EIGHT = datetime(2025, 10, 7, 8)
NOON, EVENING, NEXT = (EIGHT + timedelta(hours=hours) for hours in (4, 10, 24))
PLAIN, PAGED = f"{HUB}/api/daily_papers?date={DAY}", f"{HUB}/api/daily_papers?date={DAY}&limit=2"
SECOND, THREES, A_MOMENT = f"{PAGED}&p=1", f"{PLAIN}&limit=3", timedelta(seconds=2)


def item(arxiv_id: str, upvotes: int | None = 0, title: str = "Woven Ledgers", comments: int = 0) -> dict[str, Any]:
    paper = {"id": arxiv_id, "title": f"{title} {arxiv_id}", "summary": "We weave.", "upvotes": upvotes}
    return {
        "paper": {key: value for key, value in paper.items() if value is not None},
        "numComments": comments,
        "submittedBy": {"name": "ada"},
    }


@contextmanager
def database(folder: Path, tables: dict[str, pl.DataFrame]) -> Iterator[Database]:
    write_whole(folder / "lake.duckdb", tables)
    with opened(folder / "lake.duckdb") as opened_database:
        yield opened_database


@pytest.fixture
def lake():
    """A function from pages to a function from SQL to rows."""
    with ExitStack() as stack:

        def of(*pages: Capture):
            made = stack.enter_context(little_lake(tables_of(*pages), *ASKED))
            return lambda sql: list(made.rows(sql).rows)

        yield of


def ids(ask, moment: datetime | str) -> list[str]:
    return [row[0] for row in ask(f"SELECT paper_id FROM listing_as_of('{DAY}', '{moment}') ORDER BY rank")]


class TestUpvotes:
    @pytest.fixture
    def ask(self, lake):
        pages = [
            page([item(WOVEN, 3)], PLAIN, EIGHT),
            page([item(WOVEN, None)], PLAIN, NOON),
            page([item(WOVEN, 0), item(TIDES, 5)], PLAIN, EVENING),
            page([item(WOVEN, 99)], PLAIN, None),
        ]
        return lake(*pages)

    def test_upvotes_are_those_known_at_each_moment(self, ask) -> None:
        expected = {
            "2025-10-07 07:59:59": None,
            "2025-10-07 08:00": 3,
            "2025-10-07 12:00": 3,
            "2025-10-07 17:59": 3,
            "2025-10-07 18:00": 0,
            "2030-01-01": 0,
        }
        moments = ", ".join(f"('{moment}')" for moment in expected)
        asked = f"SELECT moment, upvotes_at('{WOVEN}', moment) FROM (VALUES {moments}) AS moments (moment)"
        assert dict(ask(asked)) == expected

    def test_not_yet_seen_and_unknown(self, ask) -> None:
        assert ask(f"SELECT upvotes_at('{TIDES}', '{NOON}'), upvotes_at('2503.99999', '{NEXT}')") == [(None, None)]

    def test_parameters_may_be_columns_of_the_query(self, ask) -> None:
        asked = "SELECT paper_id, upvotes_at(paper_id, observed_at) FROM core.paper_observations ORDER BY paper_id, observed_at"
        assert ask(asked) == [(WOVEN, 3), (WOVEN, 3), (WOVEN, 0), (TIDES, 5)]
        later = "SELECT upvotes_at(paper_id, first_seen_at + INTERVAL 1 DAY) FROM core.papers ORDER BY paper_id"
        assert ask(later) == [(0,), (5,)]


class TestListing:
    def test_a_list_is_that_of_the_last_capture_before_the_moment(self, lake) -> None:
        first = page([item(WOVEN, 3, comments=1), item(TIDES, 2)], PLAIN, EIGHT)
        second = page([item(TIDES, 9, "Renamed"), item(WOVEN, 4), item(REEDS, 1)], PLAIN, EVENING)
        ask = lake(first, second)
        told = "SELECT rank, paper_id, title, upvote_count, comment_count, observed_at, capture_id FROM"
        assert ask(f"{told} listing_as_of('{DAY}', '{EIGHT - timedelta(seconds=1)}')") == []
        assert ask(f"{told} listing_as_of('{DAY}', '{NOON}')") == [
            (1, WOVEN, f"Woven Ledgers {WOVEN}", 3, 1, EIGHT, first.capture_id),
            (2, TIDES, f"Woven Ledgers {TIDES}", 2, 0, EIGHT, first.capture_id),
        ]
        assert ask(f"{told} listing_as_of(DATE '{DAY}', TIMESTAMP '{EVENING}')") == [
            (1, TIDES, f"Renamed {TIDES}", 9, 0, EVENING, second.capture_id),
            (2, WOVEN, f"Woven Ledgers {WOVEN}", 4, 0, EVENING, second.capture_id),
            (3, REEDS, f"Woven Ledgers {REEDS}", 1, 0, EVENING, second.capture_id),
        ]

    def test_pages_that_are_not_the_day_s_list_do_not_count(self, lake) -> None:
        listed = item(REEDS)
        listed["paper"]["submittedOnDailyAt"] = f"{DAY}T00:00:00.000Z"
        ask = lake(
            page([item(WOVEN)], PLAIN, EIGHT),
            page([listed], f"{HUB}/api/daily_papers", NOON),  # the latest papers: not the list, though it tells its day
            page([item(TIDES)], f"{HUB}/api/daily_papers?date=2025-10-08", NOON),
            page(b"busy", PLAIN, NOON, http_status=503),
            page(b"<html>", PLAIN, NOON),
            page([item(REEDS)], PLAIN, None),
        )
        assert ids(ask, NEXT) == [WOVEN]

    @pytest.mark.parametrize(
        ("pages", "noon"),
        [
            ([((WOVEN,), PLAIN, EIGHT), ((), PLAIN, NOON)], []),
            ([((WOVEN, TIDES), PAGED, EIGHT), ((REEDS,), SECOND, EIGHT + A_MOMENT)], [WOVEN, TIDES, REEDS]),
            (
                [((WOVEN, TIDES), PAGED, EIGHT), ((REEDS,), SECOND, EIGHT), ((LOOMS, REEDS), SECOND, NOON)],
                [WOVEN, TIDES, LOOMS, REEDS],
            ),
            ([((WOVEN, TIDES), PAGED, EIGHT), ((REEDS,), SECOND, EIGHT), ((WOVEN,), PAGED, NOON)], [WOVEN]),
            ([((REEDS, TIDES), PAGED, EIGHT), ((WOVEN, REEDS), SECOND, EIGHT)], [REEDS, TIDES, WOVEN]),
            (
                [((WOVEN, TIDES), PAGED, EIGHT), ((REEDS,), SECOND, EIGHT), ((TIDES, WOVEN, LOOMS), THREES, NOON)],
                [TIDES, WOVEN, LOOMS],
            ),
        ],
        ids=["emptied", "pages are one", "the first unchanged", "no longer full", "moved up", "another address"],
    )
    def test_a_list_at_noon_is_made_of_its_pages(self, lake, pages: list[tuple[Any, ...]], noon: list[str]) -> None:
        ask = lake(*(page([item(one) for one in papers], url, at) for papers, url, at in pages))
        assert ids(ask, NOON) == noon
        of_morning = [one for papers, _, at in pages if at < NOON for one in papers]
        assert ids(ask, EIGHT + A_MOMENT) == list(dict.fromkeys(of_morning))


class TestPaper:
    def test_it_gives_what_papers_held_at_that_moment(self, tmp_path: Path) -> None:
        """The macro's SQL and the Polars of `papers` follow from one declaration, and the last counts of
        `paper_observations` are those of `papers`, of pages of one instant too.
        """
        dice = random.Random(7)
        rows = [everything(dice, number) for number in range(1, 80)]
        sightings = frame(*rows)
        tables = {"sightings": sightings, "paper_observations": paper_observations(sightings)}
        with database(tmp_path, tables) as opened_database:
            for moment in (ONE, TWO, THREE):
                seen = frame(*(row for row in rows if row["observed_at"] and row["observed_at"] <= moment))
                texts = paper_texts(seen).select("paper_id", "abstract")
                expected = papers(seen).drop("standing").join(texts, on="paper_id", how="left")
                answer = opened_database.rows(f"FROM paper_as_of('{moment}')")
                assert (answer.columns, list(answer.rows)) == (expected.columns, expected.rows())


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database without a row."""
    folder = tmp_path_factory.mktemp("empty")
    write_whole(folder / "lake.duckdb", {})
    with duckdb.connect(str(folder / "lake.duckdb"), read_only=True) as connection:
        yield connection


@pytest.mark.parametrize("macro", MACROS, ids=lambda macro: macro.name)
def test_every_macro_gives_what_it_declares(macro, empty: duckdb.DuckDBPyConnection) -> None:
    call = f"{macro.name}({', '.join(['NULL'] * len(macro.parameters))})"
    for schema in ("", "mart."):
        asked = f"FROM {schema}{call}" if macro.is_table else f"SELECT {schema}{call} AS {macro.columns[0].name}"
        gives = empty.sql(asked)
        assert gives.columns == [column.name for column in macro.columns]
        assert [str(kind) for kind in gives.types] == [type_of(column.dtype) for column in macro.columns]
    comments = empty.sql("SELECT comment FROM duckdb_functions() WHERE schema_name = 'mart'").fetchall()
    assert any(macro.answers in comment for (comment,) in comments)
    assert macro.sql.startswith("-- ")


MONDAY = datetime(2025, 10, 6)
HOUR = timedelta(hours=1)
DAILY, TRENDING = f"{HUB}/api/daily_papers?date=2025-10-06", f"{HUB}/api/daily_papers?sort=trending"
Row = dict[str, Any]


def panel_lake(*pages: Capture) -> AbstractContextManager[Database]:
    return little_lake(tables_of(*pages), "source_rank", "paper_as_of", "panel")


def features(opened: Database, cutoff: datetime, horizon: str = "1 day") -> dict[str, Row]:
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
    with panel_lake(*pages) as opened:
        found = features(opened, MONDAY + 12 * HOUR)
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
    with panel_lake(*pages) as opened:
        assert features(opened, MONDAY + 10 * HOUR)[WOVEN]["upvote_count"] == 4
        assert features(opened, MONDAY + 10 * HOUR, "49 hours")[WOVEN]["label_upvote_count"] is None
        assert features(opened, MONDAY + 10 * HOUR, "50 hours")[WOVEN]["label_upvote_count"] == 99
        assert features(opened, MONDAY) == {}


def test_a_corrected_count_is_right_in_features_and_labels_alike(pages: list[Capture]) -> None:
    tables = tables_of(*pages)
    is_wrong = pl.col("observed_at") == MONDAY + 10 * HOUR
    counts = tables["paper_observations"].with_columns(upvote_count=pl.when(is_wrong).then(2).otherwise("upvote_count"))
    tables["paper_observations"] = PAPER_OBSERVATIONS.conform(counts)
    with little_lake(tables, "source_rank", "paper_as_of", "panel") as opened:
        found = features(opened, MONDAY + 10 * HOUR)[TIDES]
        assert features(opened, MONDAY + 9 * HOUR)[TIDES]["label_upvote_count"] == 30
    assert (found["upvote_count"], found["label_gained_upvote_count"]) == (2, 28)


def test_a_page_before_the_source_had_a_field_says_nothing_of_it() -> None:
    early = datetime(2024, 6, 3, 12)
    with panel_lake(page([item(WOVEN, 3)], f"{HUB}/api/daily_papers?date=2024-06-03", early)) as opened:
        found = features(opened, early)[WOVEN]
    assert [name for name, value in found.items() if name.endswith("_known") and value] == []


def test_places_go_on_over_the_second_page_of_a_list() -> None:
    first, second = f"{DAILY}&limit=2", f"{DAILY}&limit=2&p=1"
    with panel_lake(page([item(WOVEN), item(TIDES)], first, MONDAY), page([item(REEDS)], second, MONDAY)) as opened:
        assert {name: row["daily_place"] for name, row in features(opened, MONDAY).items()} == {
            WOVEN: 1,
            TIDES: 2,
            REEDS: 3,
        }
