"""Which reader reads a page, and what came of the pages that none reads; and what an address asks for: one that cannot be
read tells nothing, whatever stands in it.
"""

from dataclasses import replace
from datetime import date

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.collected import DAILY, capture_of, collected, of_page, outcome, page, rejects
from tests.invented import HUB
from transforms.collect.read_page import READERS
from transforms.readers.request import Request, day, request_of
from warehouse.archive.captured import Capture
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.provenance import SOURCES

API = (DAILY, f"{HUB}/api/daily_papers", f"{HUB}/api/papers/search?q=x", f"{HUB}/api/papers/2503.01234")
BLANK = (b"", b"\n \t\r\n", b"\xef\xbb\xbf", b" " * 5_000)
NO_JSON = (b"<title>502 Bad Gateway</title>", b"\0" * 99_999, b"\x89PNG\r\n", b"null", b"busy")
NO_TEXT = (b"hello", b"\0" * 99_999, b"\x1f\x8b\x08\0\0", bytes(range(256)) * 10)
HTML = (b"<p>", b"\xef\xbb\xbf<!doctype html><p>", b"\n\n  <!doctype html><p>")
UNKNOWN = "no reader knows this page: "
ROBOTS = f"{HUB}/robots.txt"


def kept(payload: bytes) -> Capture:
    """A page of an address that tells nothing."""
    return page(payload, "https://elsewhere.example/kept")


def test_readers_differ_in_their_names_and_have_sources_whose_rank_is_known() -> None:
    assert len({reader.name for reader in READERS}) == len(READERS)
    assert {reader.source for reader in READERS} == set(SOURCES)
    assert all(len(reader.name) <= (CAPTURES.column("reader").max_length or 0) for reader in READERS)


@pytest.mark.parametrize(
    ("captures", "state", "rule", "reason"),
    [
        ([replace(page(b""), failure="no answer")], "failed", None, "no answer"),
        ([replace(page(b""), failure="HTTP status 503", http_status=503)], "failed", None, "HTTP status 503"),
        ([page([], http_status=206)], "error", None, "HTTP status 206"),
        ([page([], http_status=404)], "error", None, "HTTP status 404"),
        ([page(b"[]", damage="digest says\n\x1b[31m no")], "rejected", "digest", "digest says\ufffd\ufffd[31m no"),
        ([page(blank, url) for url in (DAILY, None) for blank in BLANK], "rejected", "empty_page", "the page has no content"),
        ([page(busy, url) for url in API for busy in NO_JSON], "rejected", "malformed_json", "the answer is not JSON"),
        ([page(b"User-agent: *", ROBOTS)], "unknown", None, "robots.txt: what the Hub lets programs ask for, no papers"),
        ([kept(b"{1")], "unknown", None, f"{UNKNOWN}JSON that is malformed, at an address that tells nothing"),
        ([kept(b"{}")], "unknown", None, f"{UNKNOWN}JSON of another shape"),
        ([kept(b'{"on": 1, "rows": []}')], "unknown", None, f"{UNKNOWN}JSON of another shape, with the keys on, rows"),
        (list(map(kept, HTML)), "unknown", None, f"{UNKNOWN}HTML without the data of a list or a paper"),
        (list(map(kept, NO_TEXT)), "unknown", None, f"{UNKNOWN}text that is no list and no paper"),
    ],
)  # fmt: skip
def test_a_page_that_nobody_read_says_why(captures: list[Capture], state: str, rule: str | None, reason: str) -> None:
    together = collected(*captures)
    for capture in captures:
        result = of_page(together, capture)
        assert outcome(result) == (None, state, 0, 1 if rule else 0, 0)
        assert rejects(result) == ([(0, rule, "")] if rule else [])
        assert capture_of(result)["reason"] == reason


LISTS = "https://hub.example/api"
WEB = "https://hub.example/papers"
DAY = date(2024, 3, 12)


@pytest.mark.parametrize(
    ("url", "kind", "told"),
    [
        (f"{LISTS}/daily_papers?date=2024-03-12", "daily", DAY),
        (f"{LISTS}/daily_papers/?date=2024-03-12#top", "daily", DAY),
        (f"{LISTS}/daily_papers?limit=50&date=2024-03-12&p=0", "daily", DAY),
        (f"{LISTS}/daily_papers?date=2024-03-11&date=2024-03-12", "daily", DAY),
        (f"{LISTS}/daily_papers?date=%202024-03-12%20", "daily", DAY),
        (f"{LISTS}/daily_papers?date=2024-03-12T00:00:00.000Z", "daily", DAY),
        (f"{LISTS}/daily_papers?date=2024-03-12&submitter=ada", "daily", DAY),
        ("http://hub.example:8080/api/daily_papers?date=2024-03-12", "daily", DAY),
        ("/api/daily_papers?date=2024-03-12", "daily", DAY),
        (f"{WEB}?date=2024-03-12", "daily", DAY),
        (f"{WEB}/date/2024-03-12", "daily", DAY),
        (f"{WEB}/date/2024-03-12/", "daily", DAY),
        (f"{LISTS}/daily_papers?week=2025-W09", "weekly", "2025-W09"),
        (f"{WEB}/week/2025-W09", "weekly", "2025-W09"),
        (f"{LISTS}/daily_papers?month=2025-02", "monthly", "2025-02"),
        (f"{WEB}/month/2025-02", "monthly", "2025-02"),
        (f"{LISTS}/daily_papers?sort=trending", "trending", None),
        (f"{WEB}/trending", "trending", None),
        (f"{LISTS}/papers/search?q=woven+ledgers&limit=3", "search", "woven ledgers"),
        (f"{LISTS}/papers/search?q=%C3%A9%20%26", "search", "é &"),
        (f"{WEB}?q=looms", "search", "looms"),
        (f"{LISTS}/papers/search", "search", None),
        (f"{LISTS}/daily_papers", "latest", None),
        (f"{LISTS}/daily_papers?limit=100", "latest", None),
        (f"{LISTS}/daily_papers?date=", "latest", None),
        (f"{LISTS}/papers/2503.01234", "paper", None),
        (f"{WEB}/2503.01234", "paper", None),
        (f"{WEB}/2503.01234.md", "paper", None),
        (WEB, None, None),
        ("https://hub.example/", None, None),
        ("saved by hand", None, None),
        ("", None, None),
        (None, None, None),
    ],
)
def test_every_form(url: str | None, kind: str | None, told: object) -> None:
    request = request_of(url)
    assert request.list_kind == kind
    assert [request.listed_on, request.list_period, request.list_query] == [
        told if isinstance(told, date) else None,
        told if kind in {"weekly", "monthly"} else None,
        told if kind == "search" else None,
    ]


@pytest.mark.parametrize(
    "url",
    [
        "http://[",
        "http://[::1",
        "http://[not]/api/daily_papers?date=2024-03-12",
        "http://hub\N{FULLWIDTH SOLIDUS}example.com/api",
        "http://\N{DOUBLE EXCLAMATION MARK}\u2100.example/",
        "urn:pageinfo:https://hub.example/api/daily_papers?date=2024-03-12",
    ],
)
def test_what_is_no_address(url: str) -> None:
    assert request_of(url) == Request()


@pytest.mark.parametrize(
    "url", ["http://hub.example:port/api/daily_papers", "http://hub.example:99999999/api/daily_papers"]
)
def test_a_bad_port_does_not_matter(url: str) -> None:
    assert request_of(url).list_kind == "latest"


@pytest.mark.parametrize(
    "asked",
    [
        *(f"date={day}" for day in ("2024-02-30", "20240312", "2024-W11-2", "2024-3-12", "12 Mar 2024", "0000-01-01")),
        "date=\u0662\u0660\u0662\u0664-\u0660\u0663-\u0661\u0662",
        *(f"week={week}" for week in ("2025-9", "2025-W9", "W09", "2025-W09x", "\uff12\uff10\uff12\uff15-W09")),
        *(f"month={month}" for month in ("2025-2", "2025-02-01", "\u0968\u0966\u0968\u096b-02")),
    ],
)
def test_periods_that_are_none_are_not_taken(asked: str) -> None:
    request = request_of(f"{LISTS}/daily_papers?{asked}")
    assert (request.list_kind, request.listed_on, request.list_period) == ("latest", None, None)


def test_a_huge_address() -> None:
    query = "x" * 1_000_000
    assert request_of(f"{LISTS}/papers/search?q={query}").list_query == query


ADDRESS = st.one_of(st.text(), st.text("/?=&:[]@%#.-W0123456789adeknopqrstwy\n").map("http://h/papers/".__add__))


@settings(deadline=None, max_examples=20)
@example(["http://hub.example/papers/week/\u0661", f"{WEB}?week=2025-W09%0A", "//[\udcff]?q=\udcff"])
@given(st.lists(ADDRESS, min_size=8))
def test_any_text_gives_a_request_that_the_table_can_hold(urls: list[str]) -> None:
    names, requests = ("list_kind", "list_period", "listed_on"), [request_of(url) for url in urls]
    told = [{name: getattr(request, name) for name in names} for request in requests]
    _, broken = CAPTURES.split(pl.DataFrame(told, schema={name: CAPTURES.schema[name] for name in names}))
    assert broken.is_empty()
    assert all((request.list_kind == "daily") == (request.listed_on is not None) for request in requests)


def test_days() -> None:
    assert day("2024-02-29") == date(2024, 2, 29)
    assert day("2024-03-12T23:59:59.999Z") == DAY
    assert [day(text) for text in (None, "", "2023-02-29", "2024-03", "today", "+2024-03-12")] == [None] * 6
