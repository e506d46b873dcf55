"""What an address asks for; an address that cannot be read tells nothing, whatever stands in it."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from transforms.readers.request import Request, day, request_of
from warehouse.schema.core.captures import CAPTURES

API = "https://hub.example/api"
WEB = "https://hub.example/papers"
DAY = date(2024, 3, 12)


@pytest.mark.parametrize(
    ("url", "kind", "told"),
    [
        (f"{API}/daily_papers?date=2024-03-12", "daily", DAY),
        (f"{API}/daily_papers/?date=2024-03-12#top", "daily", DAY),
        (f"{API}/daily_papers?limit=50&date=2024-03-12&p=0", "daily", DAY),
        (f"{API}/daily_papers?date=2024-03-11&date=2024-03-12", "daily", DAY),
        (f"{API}/daily_papers?date=%202024-03-12%20", "daily", DAY),
        (f"{API}/daily_papers?date=2024-03-12T00:00:00.000Z", "daily", DAY),
        (f"{API}/daily_papers?date=2024-03-12&submitter=ada", "daily", DAY),
        ("http://hub.example:8080/api/daily_papers?date=2024-03-12", "daily", DAY),
        ("/api/daily_papers?date=2024-03-12", "daily", DAY),
        (f"{WEB}?date=2024-03-12", "daily", DAY),
        (f"{WEB}/date/2024-03-12", "daily", DAY),
        (f"{WEB}/date/2024-03-12/", "daily", DAY),
        (f"{API}/daily_papers?week=2025-W09", "weekly", "2025-W09"),
        (f"{WEB}/week/2025-W09", "weekly", "2025-W09"),
        (f"{API}/daily_papers?month=2025-02", "monthly", "2025-02"),
        (f"{WEB}/month/2025-02", "monthly", "2025-02"),
        (f"{API}/daily_papers?sort=trending", "trending", None),
        (f"{WEB}/trending", "trending", None),
        (f"{API}/papers/search?q=woven+ledgers&limit=3", "search", "woven ledgers"),
        (f"{API}/papers/search?q=%C3%A9%20%26", "search", "é &"),
        (f"{WEB}?q=looms", "search", "looms"),
        (f"{API}/papers/search", "search", None),
        (f"{API}/daily_papers", "latest", None),
        (f"{API}/daily_papers?limit=100", "latest", None),
        (f"{API}/daily_papers?date=", "latest", None),
        (f"{API}/papers/2503.01234", "paper", None),
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
        "date=2024-02-30",
        "date=20240312",
        "date=2024-W11-2",
        "date=2024-3-12",
        "date=12 Mar 2024",
        "date=\u0662\u0660\u0662\u0664-\u0660\u0663-\u0661\u0662",
        "date=0000-01-01",
        "week=2025-9",
        "week=2025-W9",
        "week=W09",
        "week=2025-W09x",
        "week=\uff12\uff10\uff12\uff15-W09",
        "month=2025-2",
        "month=2025-02-01",
        "month=\u0968\u0966\u0968\u096b-02",
    ],
)
def test_periods_that_are_none_are_not_taken(asked: str) -> None:
    request = request_of(f"{API}/daily_papers?{asked}")
    assert (request.list_kind, request.listed_on, request.list_period) == ("latest", None, None)


def test_a_huge_address() -> None:
    query = "x" * 1_000_000
    assert request_of(f"{API}/papers/search?q={query}").list_query == query


@settings(deadline=None)
@example("http://hub.example/papers/week/\u0661")
@example(f"{WEB}?week=2025-W09%0A")
@example("//[\udcff]?q=\udcff")
@given(st.one_of(st.text(), st.text("/?=&:[]@%#.-W0123456789adeknopqrstwy\n").map("http://h/papers/".__add__)))
def test_any_text_gives_a_request_that_the_table_can_hold(url: str) -> None:
    request = request_of(url)
    told = {name: getattr(request, name) for name in ("list_kind", "list_period", "listed_on")}
    _, broken = CAPTURES.split(pl.DataFrame([told], schema={name: CAPTURES.schema[name] for name in told}))
    assert broken.is_empty()
    assert (request.list_kind == "daily") == (request.listed_on is not None)


def test_days() -> None:
    assert day("2024-02-29") == date(2024, 2, 29)
    assert day("2024-03-12T23:59:59.999Z") == DAY
    assert [day(text) for text in (None, "", "2023-02-29", "2024-03", "today", "+2024-03-12")] == [None] * 6
