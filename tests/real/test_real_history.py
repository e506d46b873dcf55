"""What changed in the real captures, and which sources disagreed: by the json module, and by the lake."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

import polars as pl
import pytest

from tests.real.folder import captures
from tests.real.test_real_api import Page, collapsed, is_list, page_of
from tests.unit.test_macros import database

ON_TWO_LISTS = ("2604.07429", "2606.11176")  # two of the four of docs/source.md §6 are among the captures
ASKED_DAYS_SINCE = datetime(2025, 3, 17)  # before, an item does not tell its list day (docs/source.md §5.4)
Ask = Callable[[str], list[tuple[Any, ...]]]


class Answer(NamedTuple):
    """One answer of the daily API: the day asked for, when it came, its items that are objects."""

    asked: date
    at: datetime
    is_readable: bool
    items: list[dict[str, Any]]


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    return [page_of(capture) for capture in captures() if is_list(capture)]


@pytest.fixture(scope="module")
def answers(pages: list[Page]) -> list[Answer]:
    dated = [page for page in pages if page.asked and not page.shown]
    made = [
        Answer(
            page.asked, page.capture.fetched_at, any(page.items) or not page.elements, [item for _, item in page.items]
        )
        for page in dated
        if page.asked and page.capture.fetched_at
    ]
    return sorted(made, key=lambda answer: answer.at)


@pytest.fixture(scope="module")
def ask(tables: dict[str, pl.DataFrame], tmp_path_factory) -> Iterator[Ask]:
    with database(tmp_path_factory.mktemp("lake"), tables) as opened:
        yield lambda sql: list(opened.rows(sql).rows)


@pytest.fixture(scope="module")
def shown(answers: list[Answer]) -> dict[str, list[tuple[Answer, dict[str, Any]]]]:
    """Each paper's items in the daily answers, in time."""
    found = defaultdict(list)
    for answer in answers:
        for item in answer.items:
            found[item["paper"]["id"]].append((answer, item))
    return found


@pytest.fixture(scope="module")
def told(pages: list[Page]) -> dict[str, list[tuple[datetime, dict[str, Any]]]]:
    """What the lists say of each paper, in order of time: daily answers, the undated one, the HTML page."""
    found = defaultdict(list)
    for page in sorted(pages, key=lambda page: page.capture.fetched_at):
        for _, item in page.items:
            found[item["paper"]["id"]].append((page.capture.fetched_at, item["paper"]))
    return found


def test_the_day_listed_is_the_day_asked_for_in_every_era(answers: list[Answer], tables) -> None:
    rows = tables["sightings"].filter(source="api", list_kind="daily")
    assert set(rows["listed_basis"]) == {"request"}
    told = {(at, paper): day for at, paper, day in rows.select("observed_at", "arxiv_id", "listed_on").rows()}
    expected = {(answer.at, item["paper"]["id"]): answer.asked for answer in answers for item in answer.items}
    assert told == expected
    for answer in answers:
        stated = {(item["paper"].get("submittedOnDailyAt") or "")[:10] for item in answer.items}
        assert stated <= ({""} if answer.at < ASKED_DAYS_SINCE else {answer.asked.isoformat()})
    before = sum(len(answer.items) for answer in answers if answer.at < ASKED_DAYS_SINCE)
    assert 2_000 < before < len(expected) - 2_000


def test_the_three_dates_are_three(shown, tables) -> None:
    """arXiv's, the submission's, the list's: each paper's own, whatever the outer publishedAt meant when it came."""
    rows = {row["paper_id"]: row for row in tables["papers"].iter_rows(named=True)}
    for paper, items in shown.items():
        published = {item["paper"]["publishedAt"][:10] for _, item in items}
        days = {answer.asked for answer, _ in items}
        row = rows[paper]
        assert published == {row["published_on"].isoformat()}
        assert row["published_basis"] == "stated"
        assert (row["first_listed_on"], row["last_listed_on"]) == (min(days), max(days))
        assert row["published_on"] <= min(days)
        if row["submitted_at"] is not None:
            assert row["submitted_at"].date() == min(days)
        assert (row["submitted_at"] is None) == (min(answer.at for answer, _ in items) >= datetime(2025, 3, 11))


def test_each_count_at_each_capture(shown, ask: Ask) -> None:
    expected = {
        (paper, answer.at): (item["paper"]["upvotes"], item["numComments"], item["paper"].get("githubStars"))
        for paper, items in shown.items()
        for answer, item in items
    }
    rows = ask(
        "SELECT paper_id, observed_at, upvotes_at(paper_id, observed_at), comment_count, github_star_count "
        "FROM paper_observations"
    )
    found = {(paper, at): tuple(counts) for paper, at, *counts in rows}
    assert {key: found[key] for key in expected} == expected
    assert len(expected) > 7_000


def test_days_captured_more_than_once_show_each_capture(answers: list[Answer], ask: Ask, tables) -> None:
    by_day = defaultdict(list)
    for answer in answers:
        by_day[answer.asked].append(answer)
    again = {day: found for day, found in by_day.items() if len(found) > 1}
    assert len(again) == 5
    first_seen = {
        (day, paper): at
        for day, paper, at in tables["daily_listings"].select("listed_on", "paper_id", "first_seen_at").rows()
    }
    late = 0
    for day, found in again.items():
        readable = [answer for answer in found if answer.is_readable]
        assert ask(f"FROM listing_as_of('{day}', '{found[0].at - timedelta(seconds=1)}')") == []
        for answer in found:
            told = ask(
                "SELECT rank, paper_id, upvote_count, comment_count, observed_at "
                f"FROM listing_as_of('{day}', '{answer.at}') ORDER BY rank"
            )
            last = max((one for one in readable if one.at <= answer.at), key=lambda one: one.at, default=None)
            assert told == ([] if last is None else _rows(last))
        for answer in readable:
            for item in answer.items:
                known = [one.at for one in readable if item["paper"]["id"] in _ids(one)]
                assert first_seen[day, item["paper"]["id"]] == min(known)
                late += answer is readable[-1] and min(known) > readable[0].at
    assert late == 2 + 12  # 2024-06-12: 14, then 16 papers; 2025-01-22: 1, then 13


def _rows(answer: Answer) -> list[tuple[Any, ...]]:
    return [
        (rank, item["paper"]["id"], item["paper"]["upvotes"], item["numComments"], answer.at)
        for rank, item in enumerate(answer.items, 1)
    ]


def _ids(answer: Answer) -> set[str]:
    return {item["paper"]["id"] for item in answer.items}


def test_papers_on_two_lists(shown, ask: Ask, tables) -> None:
    on_two = {paper for paper, items in shown.items() if len({answer.asked for answer, _ in items}) > 1}
    assert on_two == set(ON_TWO_LISTS)
    listings = tables["daily_listings"]
    for paper in ON_TWO_LISTS:
        (first, early), (second, later) = shown[paper]
        assert early["paper"]["discussionId"] == later["paper"]["discussionId"]
        discussions = tables["sightings"].filter(paper_id=paper)["discussion_id"]
        assert set(discussions) == {early["paper"]["discussionId"]}
        told = listings.filter(paper_id=paper).select("listed_on", "submitter_login", "first_seen_at", "last_seen_at")
        assert told.rows() == [
            (answer.asked, item["paper"]["submittedOnDailyBy"]["user"], answer.at, answer.at)
            for answer, item in ((first, early), (second, later))
        ]
        for moment, answer, item in (
            (first.at, first, early),
            (second.at - timedelta(seconds=1), first, early),
            (second.at, second, later),
        ):
            assert ask(
                "SELECT upvote_count, comment_count, first_listed_on, last_listed_on, sighting_count "
                f"FROM paper_as_of('{moment}') WHERE paper_id = '{paper}'"
            ) == [
                (
                    item["paper"]["upvotes"],
                    item["numComments"],
                    first.asked,
                    answer.asked,
                    1 if answer is first else 2,
                )
            ]


def test_a_discussion_stays_with_its_paper(told, tables) -> None:
    kept = tables["sightings"].drop_nulls("discussion_id").group_by("paper_id").agg(pl.col("discussion_id").unique())
    expected = {
        paper: {said["discussionId"] for _, said in sayings if "discussionId" in said}
        for paper, sayings in told.items()
    }
    assert {paper: set(ids) for paper, ids in kept.rows()} == {paper: ids for paper, ids in expected.items() if ids}
    assert {len(ids) for ids in expected.values()} == {0, 1}


def test_outer_titles_that_say_more_than_the_inner_ones_are_found(shown, tables) -> None:
    expected = {
        (paper, collapsed(title), is_winner)
        for paper, items in shown.items()
        for _, item in items
        if collapsed(item["title"]) != collapsed(item["paper"]["title"])
        for title, is_winner in ((item["title"], False), (item["paper"]["title"], True))
    }
    names = set(tables["paper_aliases"].filter(kind="title").select("paper_id", "alias").rows())
    assert {(paper, title) for paper, title, _ in expected} <= names
    rows = tables["conflicts"].filter(field="title")
    assert set(rows.select("paper_id", "value", "is_winner").rows()) == expected
    assert rows.filter(~pl.col("is_winner")).select("rule", "place").unique().rows() == [("inner", "outer")]
    assert rows["is_same_content"].all()  # they differ in LaTeX markup only
    assert 2 * 10 < len(expected) <= 2 * 19  # 19 in all the list days (docs/source.md §2)


def test_saved_pages_that_tell_another_day_are_found(shown, tables) -> None:
    """Papers of the dumps that the API has too, by title: their day, authors and abstract are compared."""
    papers = {collapsed(items[-1][1]["paper"]["title"]): items[-1][1]["paper"] for items in shown.values()}
    saved = tables["sightings"].filter(source="text")
    fields = {
        "published_on": lambda paper: date.fromisoformat(paper["publishedAt"][:10]),
        "author_count": lambda paper: len(paper["authors"]),
        "abstract": lambda paper: collapsed(paper["summary"]),
    }
    expected, common = set(), 0
    for row in saved.iter_rows(named=True):
        paper = papers.get(row["title"])
        for field, told in fields.items() if paper else ():
            common += 1
            if row[field] is not None and row[field] != told(paper):
                expected |= {(paper["id"], field, str(row[field]), False), (paper["id"], field, str(told(paper)), True)}
    rows = tables["conflicts"].filter(pl.col("field") != "title")
    assert set(rows.select("paper_id", "field", "value", "is_winner").rows()) == expected
    assert common > 3 * 15
    assert expected


def test_every_text_is_one_version_until_it_changes(told, ask: Ask) -> None:
    """No text of these captures changed its content, however often it was seen."""
    expected = {}
    for paper, sayings in told.items():
        for field, key in (("title", "title"), ("abstract", "summary"), ("ai_summary", "ai_summary")):
            texts = [(at, collapsed(said[key])) for at, said in sayings if key in said]
            if texts:
                assert len({text for _, text in texts}) == 1
                expected[paper, field] = (1, texts[0][1], texts[0][0], texts[-1][0], False)
    rows = ask(
        "SELECT paper_id, field, version_number, text, first_seen_at, last_seen_at, has_changed FROM text_versions"
    )
    found = {(paper, field): tuple(rest) for paper, field, *rest in rows}
    assert len(found) == len(rows)
    assert {key: found[key] for key in expected} == expected
    assert len(expected) > 20_000
