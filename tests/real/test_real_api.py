"""The real captures of the API and the list page, read twice: by paperlake, and by the json module and a few lines."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from html import unescape
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from tests.real.folder import captures
from transforms.collect.collect import Collected
from transforms.readers import read
from transforms.readers.hub_items import Item
from transforms.readers.known_items import known
from warehouse.archive.captured import Capture
from warehouse.schema.core import CORE_TABLES

NEW_YORK = ZoneInfo("America/New_York")


class Page(NamedTuple):
    """A captured list as the json module reads it: `items` holds the items that are objects."""

    capture: Capture
    asked: date | None
    shown: date | None
    elements: list[Any]

    @property
    def items(self) -> Iterator[tuple[int, dict[str, Any]]]:
        return ((place, item) for place, item in enumerate(self.elements, 1) if isinstance(item, dict))

    def day_of(self, item: dict[str, Any]) -> date | None:
        stated = item["paper"].get("submittedOnDailyAt")
        return self.shown or self.asked or (date.fromisoformat(stated[:10]) if stated else None)


def is_list(capture: Capture) -> bool:
    return capture.http_status == 200 and capture.payload.lstrip()[:1] in {b"[", b"{", b"<"}


def page_of(capture: Capture) -> Page:
    asked = re.search(r"[?&]date=(\d{4}-\d{2}-\d{2})", capture.url or "")
    day = date.fromisoformat(asked[1]) if asked else None
    if capture.payload.lstrip()[:1] != b"<":
        value = json.loads(capture.payload)
        return Page(capture, day, None, value["data"] if isinstance(value, dict) else value)
    found = re.search(r'data-target="DailyPapers" data-props="([^"]*)"', capture.payload.decode())
    assert found
    props = json.loads(unescape(found[1]))
    return Page(capture, day, date.fromisoformat(props["date"][:10]), props["dailyPapers"])


def collapsed(text: str | None) -> str | None:
    return " ".join(text.split()) if text is not None else None


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    return [page_of(capture) for capture in captures() if is_list(capture)]


@pytest.fixture(scope="module")
def shown(pages: list[Page], collected: Collected) -> list[tuple[Page, dict[str, Any], dict[str, Any]]]:
    """Each item that is an object, with its sighting."""
    sightings = {(row["capture_id"], row["position"]): row for row in collected.sightings.iter_rows(named=True)}
    return [(page, item, sightings[page.capture.capture_id, place]) for page in pages for place, item in page.items]


def test_every_item_is_accounted_for(pages: list[Page], collected: Collected) -> None:
    rows = {row["capture_id"]: row for row in collected.captures.iter_rows(named=True)}
    kept = Counter(collected.sightings["capture_id"])
    rejected = Counter(collected.quarantine["capture_id"])
    for page in pages:
        key, row = page.capture.capture_id, rows[page.capture.capture_id]
        assert kept[key] + rejected[key] + row["duplicate_count"] == len(page.elements) == row["item_count"]
        assert (kept[key], rejected[key]) == (row["sighting_count"], row["rejected_count"])
        assert row["reader"] == ("list_page" if page.shown else "api_list")
    assert len(rows) == len(captures())


def test_what_is_no_object_is_quarantined_where_it_stands(pages: list[Page], collected: Collected) -> None:
    expected = {
        (page.capture.capture_id, place, "python_repr")
        for page in pages
        for place, element in enumerate(page.elements, 1)
        if not isinstance(element, dict)
    }
    assert set(collected.quarantine.select("capture_id", "position", "rule").rows()) == expected
    assert len(expected) > 200
    assert collected.quarantine["detail"].str.contains("repr of a Python dict").all()


def test_an_error_is_no_list(collected: Collected) -> None:
    errors = [capture for capture in captures() if capture.http_status not in {200, None}]
    assert [capture.http_status for capture in errors] == [404]
    row = collected.captures.filter(pl.col("capture_id") == errors[0].capture_id).row(0, named=True)
    assert (row["state"], row["reader"], row["item_count"]) == ("error", None, 0)
    assert row["reason"] == "HTTP status 404"


def test_the_listings_are_the_days_and_ids_of_the_pages(pages: list[Page], tables: dict[str, pl.DataFrame]) -> None:
    expected = {(page.day_of(item), item["paper"]["id"]) for page in pages for _, item in page.items}
    assert set(tables["daily_listings"].select("listed_on", "paper_id").rows()) == expected
    assert tables["daily_listings"].height == len(expected)
    assert None not in {day for day, _ in expected}


def test_rank_is_the_place_on_the_days_last_list(pages: list[Page], tables: dict[str, pl.DataFrame]) -> None:
    dated = [page for page in pages if page.shown or page.asked]
    dated.sort(key=lambda page: (page.capture.fetched_at or datetime(1, 1, 1), page.capture.capture_id))
    ranks = {(page.day_of(item), item["paper"]["id"]): place for page in dated for place, item in page.items}
    found = {
        (day, paper): rank
        for day, paper, rank in tables["daily_listings"].select("listed_on", "paper_id", "rank").rows()
    }
    assert {key: rank for key, rank in found.items() if rank is not None} == ranks


def test_every_number_is_exact(shown) -> None:
    assert len(shown) > 7_000
    for page, item, row in shown:
        paper = item["paper"]
        expected = (
            page.capture.fetched_at,
            paper["upvotes"],
            item["numComments"],
            paper.get("githubStars"),
            len(paper["authors"]),
        )
        names = ("observed_at", "upvote_count", "comment_count", "github_star_count", "author_count")
        assert tuple(row[name] for name in names) == expected


def test_every_text_is_exact_but_for_white_space(shown) -> None:
    for _, item, row in shown:
        paper = item["paper"]
        assert row["arxiv_id"] == paper["id"]
        assert row["title"] == collapsed(paper["title"])
        assert row["abstract"] == collapsed(paper["summary"])
        assert row["ai_summary"] == collapsed(paper.get("ai_summary"))
        assert [author["name"] for author in row["authors"]] == [
            collapsed(author["name"]) for author in paper["authors"]
        ]
        keywords = paper.get("ai_keywords")
        assert row["keywords"] == (keywords and list(dict.fromkeys(filter(None, map(collapsed, keywords)))))


def test_every_login_is_exact_and_the_hidden_stay_hidden(shown) -> None:
    hidden = 0
    for _, item, row in shown:
        for author, told in zip(item["paper"]["authors"], row["authors"], strict=True):
            hidden += author["hidden"]
            account = {} if author["hidden"] else author
            assert told["login"] == account.get("user", {}).get("user")
            assert told["claim_status"] == account.get("status")
        by = item["paper"].get("submittedOnDailyBy", {}).get("user") or item.get("submittedBy", {}).get("name")
        assert row["submitter_login"] == by
    assert hidden


def test_every_date_is_exact(shown) -> None:
    for page, item, row in shown:
        stated = datetime.fromisoformat(item["paper"]["publishedAt"]).replace(tzinfo=None)
        is_day_only = (stated.hour, stated.minute, stated.second, stated.microsecond) == (0, 0, 0, 0)
        assert row["published_on"] == stated.date()
        assert row["published_at"] == (None if is_day_only else stated)
        assert row["listed_on"] == page.day_of(item)
        assert row["listed_on"] - row["published_on"] >= timedelta(0)


def test_the_submission_is_told_in_the_two_eras_that_tell_it(shown) -> None:
    """Its UTC day is the list's; after 2025-03-10 the outer publishedAt is the paper's, in New York (docs/source.md §5.1)."""
    bases = Counter()
    for _, item, row in shown:
        outer = datetime.fromisoformat(item["publishedAt"]).replace(tzinfo=None)
        bases[row["submitted_basis"]] += 1
        if row["submitted_basis"] is None:
            published_at = datetime.fromisoformat(item["paper"]["publishedAt"])
            assert row["submitted_at"] is None
            assert row["observed_at"] >= datetime(2025, 3, 11)
            assert outer == published_at.astimezone(NEW_YORK).replace(tzinfo=None)
            continue
        assert row["submitted_at"].date() == row["listed_on"]
        assert row["published_at"] < row["submitted_at"] <= row["observed_at"]
        shift = timedelta(0) if row["submitted_basis"] == "stated" else timedelta(hours=5)
        if datetime(2024, 6, 12) <= row["observed_at"] < datetime(2024, 11, 29):
            shift = timedelta(hours=1, minutes=30)
        elif row["submitted_at"] >= datetime(2025, 3, 9, 7):  # New York's summer time
            shift = timedelta(hours=4)
        assert row["submitted_at"] - outer == shift
    assert min(bases[basis] for basis in ("stated", "inferred", None)) > 250


def test_no_paper_is_there_twice(shown, tables: dict[str, pl.DataFrame]) -> None:
    papers = tables["papers"]
    assert papers["paper_id"].n_unique() == papers.height
    assert papers["arxiv_id"].drop_nulls().n_unique() == papers["arxiv_id"].drop_nulls().len()
    assert set(papers["arxiv_id"].drop_nulls()) == {item["paper"]["id"] for _, item, _ in shown}


def test_every_table_keeps_its_rules(tables: dict[str, pl.DataFrame]) -> None:
    assert tables.keys() == {table.name for table in CORE_TABLES}
    for table in CORE_TABLES:
        frame = tables[table.name]
        assert table.split(frame)[1].is_empty()
        assert not frame.select(pl.struct(table.key).is_duplicated().any()).item()


def test_no_item_of_a_list_needs_a_walk_over_its_values() -> None:
    lists = [reading for reading in map(read, captures()) if reading.reader == "api_list"]
    assert {type(item) for reading in lists for item in reading.json_items} <= {known(Item), str}
