"""HTML pages: their data stands in an attribute, entity-escaped, and says itself which list is shown."""

import json
import time
from datetime import date, datetime
from html import escape
from typing import Any

import pytest

from tests import invented
from tests.collected import capture_of, collected, outcome, page, rejects
from tests.invented import HUB
from transforms.collect.collect import Collected

DAY = date(2024, 8, 1)
SEEN_AT = datetime(2024, 8, 11, 9, 0)
PAPERS = [invented.paper(number, DAY) for number in (1, 2, 3)]
RANKED = sorted(PAPERS, key=lambda paper: -paper.upvotes)


def read(payload: bytes, path: str | None = "/papers?date=2024-08-01") -> Collected:
    return collected(page(payload, None if path is None else f"{HUB}{path}", SEEN_AT))


def listed(path: str | None = "/papers?date=2024-08-01", **props: Any) -> Collected:
    return read(invented.list_page(PAPERS, DAY, SEEN_AT, **props), path)


def hydrated(target: str, props: object) -> bytes:
    data = props if isinstance(props, str) else escape(json.dumps(props))
    return f'<!doctype html><body><div data-target="{target}" data-props="{data}"></div></body>'.encode()


def test_a_page_gives_what_the_api_gives() -> None:
    from_page = listed()
    answer = invented.daily_answer(PAPERS, SEEN_AT)
    from_api = collected(page(answer, f"{HUB}/api/daily_papers?date=2024-08-01", SEEN_AT))
    assert outcome(from_page) == ("list_page", "read", 3, 0, 0)
    differing = ("capture_id", "source", "listed_basis")
    assert from_page.sightings.drop(differing).equals(from_api.sightings.drop(differing), null_equal=True)
    assert from_page.sightings["source"].unique().to_list() == ["html"]
    assert from_page.sightings["arxiv_id"].to_list() == [paper.arxiv_id for paper in RANKED]
    row = capture_of(from_page)
    assert (row["page_on"], row["page_basis"], row["listed_on"]) == (DAY, "stated", DAY)


def test_text_that_needs_escaping() -> None:
    title = """<think> "A" & 'B' &amp; &lt;1 GB \\ $\\ell_p$ \N{GRINNING FACE}"""
    items = invented.daily_answer(PAPERS[:1], SEEN_AT)
    items[0]["paper"]["title"] = title
    result = read(hydrated("DailyPapers", {"dailyPapers": items, "date": "2024-08-01T00:00:00.000Z"}))
    assert result.sightings["title"].to_list() == [title]


PROPS = {"dailyPapers": invented.daily_answer(PAPERS, SEEN_AT), "date": "2024-08-01T00:00:00.000Z"}
BARE = escape(json.dumps(PROPS), quote=False)


@pytest.mark.parametrize(
    "page",
    [
        f"<div data-target='DailyPapers' data-props='{BARE}'>",
        f"<div data-props='{BARE}' data-target=DailyPapers>",
        f"""<script>$('[data-target="DailyPapers"]')</script><div data-props='{BARE}' data-target=DailyPapers>""",
    ],
    ids=["single quotes", "none", "named before"],
)
def test_a_page_that_a_tool_wrote_anew(page: str) -> None:
    assert outcome(read(f"<!doctype html>{page}".encode())) == ("list_page", "read", 3, 0, 0)


def test_no_second_list_of_a_page_is_dropped_silently() -> None:
    once = hydrated("DailyPapers", PROPS)
    assert outcome(read(once + once)) == ("list_page", "read", 3, 0, 0)
    result = read(once + hydrated("DailyPapers", PROPS | {"dailyPapers": []}))
    assert outcome(result) == ("list_page", "partial", 3, 1, 0)
    assert rejects(result) == [(0, "several_parts", "")]


@pytest.mark.parametrize("path", ["/papers?date=2024-08-03", "/papers?date=2024-08-04", "/papers", None])
def test_the_list_that_is_shown_is_the_pages_word(path: str | None) -> None:
    result = listed(path)
    told = ("daily", DAY, "page")
    assert set(result.sightings.select("list_kind", "listed_on", "listed_basis").rows()) == {told}
    assert (capture_of(result)["listed_on"], capture_of(result)["list_kind"]) == (DAY, "daily")


def test_the_newer_name_of_the_date() -> None:
    result = listed("/papers?date=2024-08-03", date=None, dateString="2024-08-01", periodType="daily")
    assert set(result.sightings.select("list_kind", "listed_on", "listed_basis").rows()) == {("daily", DAY, "page")}


def test_a_page_without_its_date_is_of_the_day_asked_for() -> None:
    result = listed("/papers/date/2024-08-01", date=None)
    assert set(result.sightings.select("listed_on", "listed_basis").rows()) == {(DAY, "request")}
    assert (capture_of(result)["page_on"], capture_of(result)["page_basis"]) == (None, None)


@pytest.mark.parametrize("path", ["/papers/trending", "/papers", "/papers?date=2024-08-01"])
def test_trending(path: str) -> None:
    result = listed(path, isTrending=True, periodType="daily", query="")
    assert set(result.sightings.select("list_kind", "listed_on", "list_query").rows()) == {("trending", None, None)}


@pytest.mark.parametrize(("path", "query"), [("/papers?q=long+letters", None), ("/papers", "long  letters")])
def test_search(path: str, query: str | None) -> None:
    result = listed(path, query=query, isTrending=False, periodType="daily")
    assert set(result.sightings.select("list_kind", "list_query").rows()) == {("search", "long letters")}
    assert result.sightings["listed_on"].null_count() == 3


@pytest.mark.parametrize(
    ("path", "period_type", "kind", "period"),
    [
        ("/papers/week/2024-W31", "weekly", "weekly", "2024-W31"),
        ("/papers/month/2024-08", "monthly", "monthly", "2024-08"),
        ("/papers/week/2024-W31", None, "weekly", "2024-W31"),
        (None, "monthly", "monthly", None),
    ],
)
def test_weeks_and_months(path: str | None, period_type: str | None, kind: str, period: str | None) -> None:
    result = listed(path, periodType=period_type)
    told = (kind, period, None)
    assert set(result.sightings.select("list_kind", "list_period", "listed_on").rows()) == {told}


def test_an_empty_list() -> None:
    assert outcome(read(hydrated("DailyPapers", {"dailyPapers": []}))) == ("list_page", "empty", 0, 0, 0)


BROKEN = {
    "no JSON": "[object Object]",
    "cut off": escape(json.dumps({"dailyPapers": [{"paper": {}}]}))[:-8],
    "empty": "",
    "another shape": escape(json.dumps({"papers": []})),
    "a list that is none": escape(json.dumps({"dailyPapers": "none"})),
    "nested too deeply": "[" * 100_000,
    "a date that is a number": escape(json.dumps({"dailyPapers": [], "date": 20240801})),
}


@pytest.mark.parametrize("props", BROKEN.values(), ids=BROKEN)
def test_broken_props(props: str) -> None:
    result = read(hydrated("DailyPapers", props))
    assert outcome(result) == ("list_page", "rejected", 0, 1, 0)
    assert rejects(result) == [(0, "malformed_props", "")]
    assert "DailyPapers: " in capture_of(result)["reason"]


@pytest.mark.parametrize(
    "payload",
    [
        b'<p>data-target="DailyPapers"</p>',
        b'<div data-target="DailyPapers"></div>',
        b'<!-- <div data-target="DailyPapers" data-props="{}"> -->',
        b'<html><div data-target="DailyPapers" data-props="{&quot;dailyPapers&quot;:[',
    ],
)
def test_the_mark_without_its_data(payload: bytes) -> None:
    assert rejects(read(payload)) == [(0, "malformed_props", "")]


def test_bytes_that_are_no_utf_8() -> None:
    items = invented.daily_answer(PAPERS, SEEN_AT)
    items[0]["paper"]["title"] = "HERE"
    payload = hydrated("DailyPapers", {"dailyPapers": items}).replace(b"HERE", b"W\xff\xfe ledgers")
    result = read(payload)
    assert outcome(result) == ("list_page", "partial", 2, 1, 0)
    assert rejects(result) == [(1, "invalid_utf8", "DailyPapers/dailyPapers/0")]


def test_a_replacement_character_is_text_like_any_other() -> None:
    items = invented.daily_answer(PAPERS, SEEN_AT)
    items[0]["paper"]["title"] = "W\N{REPLACEMENT CHARACTER} ledgers"
    assert outcome(read(hydrated("DailyPapers", {"dailyPapers": items}))) == ("list_page", "read", 3, 0, 0)


@pytest.mark.parametrize(
    ("around", "state"),
    [
        (b"<div>" * 200_000 + b"%s", "read"),
        (b"%s" + b"<table>" * 200_000, "read"),
        (b"%s" + b'data-target="DailyPapers"' * 200_000, "read"),
        (b'<div data-target="DailyPapers" ' * 20_000 + b"%s", "rejected"),
        (b'<div data-target="DailyPapers" title="' + b"<" * 1_000_000 + b"%s", "read"),
    ],
)
def test_a_hostile_page_costs_no_time(around: bytes, state: str) -> None:
    payload = around % hydrated("DailyPapers", {"dailyPapers": invented.daily_answer(PAPERS, SEEN_AT)})
    start = time.process_time()
    assert capture_of(read(payload))["state"] == state
    assert time.process_time() - start < 5


class TestPaperPage:
    def read(self, props: object) -> Collected:
        return read(hydrated("PaperContent", props), f"/papers/{PAPERS[0].arxiv_id}")

    def test_one_paper(self) -> None:
        shown = invented.paper_object(PAPERS[0], SEEN_AT)
        result = self.read({"paper": shown, "comments": [{"id": 1}], "dailyPaperRank": 3, "upvoters": []})
        assert outcome(result) == ("paper_page", "read", 1, 0, 0)
        row = result.sightings.row(0, named=True)
        assert (row["arxiv_id"], row["list_kind"], row["source"]) == (PAPERS[0].arxiv_id, "paper", "html")
        assert (row["upvote_count"], row["comment_count"]) == (PAPERS[0].upvotes, None)

    def test_it_is_no_list_whatever_its_address(self) -> None:
        payload = hydrated("PaperContent", {"paper": invented.paper_object(PAPERS[0], SEEN_AT)})
        assert read(payload, "/saved?date=2024-08-01").sightings["list_kind"].to_list() == ["paper"]

    @pytest.mark.parametrize("props", [{}, {"paper": {"title": "Woven"}}, "{", ""])
    def test_broken_props(self, props: object) -> None:
        result = self.read(props)
        assert outcome(result) == ("paper_page", "rejected", 0, 1, 0)
        assert rejects(result) == [(0, "malformed_props", "")]
