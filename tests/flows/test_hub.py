"""The client against the stand-in Hub: what comes of each answer, how often it asks, and what it never tells."""

from __future__ import annotations

import itertools
import json
import logging
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from email.utils import format_datetime
from importlib.metadata import version

import httpx
import pytest
from pydantic import SecretStr

from flows.hub import Hub, Patience
from flows.hub.wire import Bearer
from flows.runtime.settings import Settings, load
from tests.hub import faults
from tests.hub.clock import VirtualClock
from tests.hub.days import Days
from tests.hub.server import NOW, StandIn
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.archive.outcome import Failed, Known, Outcome, Unchanged
from warehouse.errors import SourceFailed, UsageError
from warehouse.store.store import open_store

DAY = date(2026, 10, 1)
BUSY = date(2026, 10, 2)
SATURDAY = date(2026, 10, 3)
DAILY = f"/api/daily_papers?date={DAY}&limit=100"
TOKEN = "hf_Invented0Secret0Token"
END = b"\r\n\r\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked" + END
LONG_HEADER = HEAD + b"X: " + b"x" * 300_000
MANY_HEADERS = HEAD + b"X-Y: z\r\n" * 50_000
STEADY = Patience(tries=3)
HASTY = Patience(read_seconds=0.3, total_seconds=0.8, tries=3)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def hub(clock: VirtualClock) -> Iterator[StandIn]:
    with StandIn(Days({BUSY: 250}), now=clock.now, clock=clock.seconds) as hub:
        yield hub


@pytest.fixture
def client(hub: StandIn, clock: VirtualClock) -> Iterator[Hub]:
    with client_of(hub, clock) as client:
        yield client


def client_of(hub: StandIn, clock: VirtualClock, patience: Patience = STEADY, **settings: object) -> Hub:
    return Hub(Settings(hub_url=hub.url, **settings), patience=patience, clock=clock.clock())


def only(found: Iterator[Outcome]) -> Outcome:
    [outcome] = found
    return outcome


def page(found: Iterator[Outcome] | Outcome) -> Capture:
    outcome = found if isinstance(found, Capture | Failed | Unchanged) else only(found)
    assert isinstance(outcome, Capture), outcome
    return outcome


def failure(found: Iterator[Outcome] | Outcome) -> Failed:
    outcome = found if isinstance(found, Capture | Failed | Unchanged) else only(found)
    assert isinstance(outcome, Failed), outcome
    return outcome


class TestWhatIsAsked:
    def test_a_daily_list_is_captured_as_it_came(self, hub: StandIn, client: Hub) -> None:
        capture = page(client.daily(DAY))
        stands = hub.site.page(DAILY)
        assert replace(capture, headers=()) == Capture(
            payload=stands.body,
            url=hub.url + DAILY,
            fetched_at=NOW,
            http_status=200,
            content_type="application/json; charset=utf-8",
            etag=stands.etag,
        )
        assert hub.targets == [DAILY]

    def test_every_header_is_kept_as_it_came_but_a_cookie(self, hub: StandIn, client: Hub) -> None:
        sent = {"X-Odd-Case": "one", "x-odd-case": "two", "X-Old": "caf\xe9", "Set-Cookie": "session=1"}
        hub.misbehave(lambda wire, page: wire.send(replace(page, headers=sent)), str(DAY))
        capture = page(client.daily(DAY))
        names = [name for name, _ in capture.headers]
        assert [header for header in capture.headers if header[0].lower().startswith("x-o")] == list(sent.items())[:3]
        assert {"Content-Type", "Content-Length"} <= set(names)
        assert "Set-Cookie" not in names

    def test_a_list_is_paged_until_a_page_is_not_full(self, hub: StandIn, client: Hub) -> None:
        captures = [page(found) for found in client.daily(BUSY)]
        address = f"{hub.url}/api/daily_papers?date={BUSY}&limit=100"
        assert [capture.url for capture in captures] == [address, f"{address}&p=1", f"{address}&p=2"]
        items = [item["paper"]["id"] for capture in captures for item in json.loads(capture.payload)]
        assert len(set(items)) == len(items) == 250
        assert len(hub.targets) == 3

    def test_a_list_of_exactly_one_page_is_asked_whether_there_is_more(self, hub: StandIn, client: Hub) -> None:
        hub.days.counts[DAY] = 100
        assert [len(json.loads(page(found).payload)) for found in client.daily(DAY)] == [100, 0]

    def test_a_hub_that_ignores_the_page_is_not_asked_for_ever(self, hub: StandIn, client: Hub) -> None:
        hub.days.counts[DAY] = 100
        hub.misbehave(lambda wire, _: wire.send(hub.site.page(DAILY)), "&p=")
        assert len(list(client.daily(DAY))) == 2

    def test_a_list_without_end_is_given_up_and_told(self, hub: StandIn, client: Hub) -> None:
        numbers = itertools.count()
        hub.misbehave(
            lambda wire, page: wire.send(replace(page, body=json.dumps([next(numbers)] * 100).encode())), "p="
        )
        hub.days.counts[DAY] = 100
        *pages, last = client.daily(DAY)
        assert {type(found) for found in pages} == {Capture}
        assert len(hub.targets) == 50
        assert "goes on after 50 pages" in failure(last).reason

    def test_every_other_question(self, hub: StandIn, client: Hub) -> None:
        listed = json.loads(page(client.daily(DAY)).payload)
        first = listed[0]["paper"]["id"]
        week = [page(found) for found in client.week("2026-W40")]
        month = [page(found) for found in client.month("2026-10")]
        asked = [client.trending(), client.search("field guides & tides"), client.paper(first), client.list_page(DAY)]
        captures = [page(found) for found in asked]
        assert len(week) > 1
        assert len(month) > 1
        assert [capture.http_status for capture in captures] == [200] * 4
        assert hub.targets[-4:] == [
            "/api/daily_papers?sort=trending&limit=100",
            "/api/papers/search?q=field%20guides%20%26%20tides&limit=100",
            f"/api/papers/{first}",
            f"/papers?date={DAY}",
        ]
        assert json.loads(captures[2].payload)["numTotalModels"] >= 0
        assert b"data-target=" in captures[3].payload

    def test_an_answer_that_is_an_error_is_kept_and_asked_for_once(self, hub: StandIn, client: Hub) -> None:
        future = page(client.daily(NOW.date() + timedelta(1)))
        missing = page(client.paper("2610.99999"))
        assert (future.http_status, missing.http_status) == (400, 404)
        assert missing.payload == b'{"error":"Sorry, we can\'t find the page you are looking for."}'
        assert len(hub.targets) == 2

    @pytest.mark.parametrize("code", [400, 401, 403, 404, 409, 410, 416, 422, 451])
    def test_no_other_4xx_is_tried_again(self, hub: StandIn, client: Hub, code: int) -> None:
        hub.misbehave(faults.status(code), "daily_papers")
        assert page(client.daily(DAY)).http_status == code
        assert hub.targets == [DAILY]

    def test_an_empty_list_is_an_answer_like_any_other(self, hub: StandIn, client: Hub) -> None:
        hub.misbehave(faults.empty_list(), str(DAY))
        assert [page(client.daily(day)).payload for day in (SATURDAY, DAY)] == [b"[]", b"[]"]

    def test_the_page_of_a_weekend_shows_the_list_before(self, client: Hub) -> None:
        assert f"{BUSY}T00:00:00".encode() in page(client.list_page(SATURDAY)).payload

    def test_a_list_that_grows_is_captured_as_it_stands_each_time(self, hub: StandIn, client: Hub) -> None:
        hub.days.counts[DAY] = 7
        hub.misbehave(faults.grow(lambda: hub.days.counts.update({DAY: hub.days.counts[DAY] + 2})))
        sizes = [len(json.loads(page(client.daily(DAY)).payload)) for _ in range(3)]
        assert sizes == [9, 11, 13]  # robots.txt was the first call

    def test_what_was_captured_can_be_landed_and_read_back(self, hub: StandIn, client: Hub, tmp_path) -> None:
        hub.misbehave(faults.redirect(DAILY), "/papers/")
        found = [*client.daily(BUSY), client.paper("2610.99999"), only(client.daily(date(2027, 1, 1)))]
        captures = [page(outcome) for outcome in found]
        archive = Archive(open_store(str(tmp_path / "lake")))
        archive.write(captures, now=NOW)
        assert list(archive.captures(archive.index())) == captures
        assert {capture.http_status for capture in captures} == {200, 400}
        assert sum(capture.final_url is not None for capture in captures) == 1


MISBEHAVIOUR: list[tuple[str, faults.Fault, str, int | None, int]] = [
    # what, fault, a part of the reason, status, calls
    ("500", faults.status(500), "HTTP status 500; given up after 3 tries", 500, 3),
    ("503", faults.status(503, "7"), "HTTP status 503; given up after 3 tries", 503, 3),
    ("429", faults.status(429, "7"), "HTTP status 429; given up after 3 tries", 429, 3),
    ("503 without end", faults.endless(503), "HTTP status 503; given up after 3 tries", 503, 3),
    ("408", faults.status(408), "HTTP status 408; given up", 408, 3),
    ("long wait", faults.status(503, "86400"), "a wait of 86,400 seconds asked for", 503, 1),
    ("drip", faults.drip(0.05), "took longer than 0.8 seconds", 200, 1),
    ("drip of the head", faults.drip_head(0.05), "took longer than 0.8 seconds", None, 1),
    ("silence", faults.silence(0.5), "no answer within 0.3 seconds; given up after 3 tries", None, 3),
    ("reset", faults.reset(), "; given up after 3 tries", 200, 3),
    ("truncated", faults.truncated(), "cut short", 200, 3),
    ("length too long", faults.wrong_length(lambda page: len(page.body) + 9), "cut short", 200, 3),
    ("hang up", faults.hang_up(), "cut short", None, 3),
    ("long header", faults.nonsense(LONG_HEADER), "its header is too large (over 100 KiB)", None, 1),
    ("many headers", faults.nonsense(MANY_HEADERS), "its header is too large (over 100 KiB)", None, 1),
    ("long chunk size", faults.nonsense(CHUNKED + b"0" * 300_000), "the header of a chunk of its answer is", 200, 1),
    ("no number", faults.nonsense(b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + END), "no HTTP", None, 3),
    ("no HTTP", faults.nonsense(), "no HTTP", None, 3),
    ("html", faults.html(), "its content type is text/html; charset=utf-8, in place of application/json", 200, 1),
    ("wrong type", faults.content_type("text/plain"), "its content type is text/plain", 200, 1),
    ("no type", faults.content_type(""), "its content type is missing", 200, 1),
    ("other host", faults.redirect("https://elsewhere.example/x"), "Hub's host, to https://elsewhere.example", 302, 1),
    ("other port", faults.redirect("http://127.0.0.1:1/x"), "off the Hub's host, to http://127.0.0.1:1", 302, 1),
    ("other scheme", faults.redirect("ftp://127.0.0.1/x", 301), "off the Hub's host, to ftp://127.0.0.1", 301, 1),
    ("user name", faults.redirect("//me:secret@127.0.0.1/x"), "off the Hub's host, to http://127.0.0.1", 302, 1),
    ("script", faults.redirect("javascript:alert(1)"), "no web address: javascript:alert(1)", 302, 1),
    ("mail", faults.redirect("mailto:a@b.example"), "no web address: mailto:a@b.example", 302, 1),
    ("x:y", faults.redirect("x:y"), "a redirect to what is no web address: x:y", 302, 1),
    ("long address", faults.redirect("/" + "x" * 70_000), "a redirect to what is no address: /xxx", 302, 1),
    ("loop", faults.redirect(DAILY), "more than 5 redirects", 302, 6),
    (
        "no address",
        faults.redirect("http://hub.example:port/", 307),
        "to what is no address: http://hub.example:port/",
        307,
        1,
    ),
    ("huge", faults.huge(), "may have 100,000 bytes and it has more; raise PAPERLAKE_PAYLOAD_BYTES", 200, 1),
    ("huge and told", faults.huge(is_told=True), "it has 10,737,418,240 bytes", 200, 1),
    ("gzip bomb", faults.gzip_bomb(16 << 20), "may have 100,000 bytes", 200, 1),
    ("brotli", faults.encoded("br"), "its encoding was not asked for: br", 200, 1),
    ("no gzip", faults.encoded("gzip", b"[]"), "gzip: ", 200, 3),
    ("304 unasked", faults.status(304), "to a request without a condition", 304, 1),
    ("echo", faults.echo(), "repeats PAPERLAKE_HUB_TOKEN", 200, 1),
    ("echo in a header", faults.content_type(f"text/{TOKEN}"), "repeats PAPERLAKE_HUB_TOKEN", 200, 1),
    ("echo in a redirect", faults.redirect(f"http://{TOKEN}.example/"), "repeats PAPERLAKE_HUB_TOKEN", 302, 1),
    ("echo as a port", faults.redirect(f"http://hub.example:{TOKEN}/"), "repeats PAPERLAKE_HUB_TOKEN", 302, 1),
    ("echo as a script", faults.redirect(f"javascript:{TOKEN}"), "repeats PAPERLAKE_HUB_TOKEN", 302, 1),
    ("echo behind much", faults.content_type("text/" + "x" * 190 + TOKEN), "repeats PAPERLAKE_HUB_TOKEN", 200, 1),
    ("echo as status", faults.nonsense(f"HTTP/1.1 {TOKEN}\r\n\r\n".encode()), "repeats PAPERLAKE_HUB", None, 1),
    ("echo, no colon", faults.nonsense(HEAD + TOKEN.encode() + END), "repeats PAPERLAKE_HUB_TOKEN", None, 1),
    ("echo as a chunk", faults.nonsense(CHUNKED + TOKEN.encode() + END), "repeats PAPERLAKE_HUB_TOKEN", 200, 1),
]


class TestMisbehaviour:
    @pytest.mark.parametrize(
        ("fault", "reason", "status", "calls"), [row[1:] for row in MISBEHAVIOUR], ids=[row[0] for row in MISBEHAVIOUR]
    )
    def test_lasting(  # noqa: PLR0917
        self, hub: StandIn, clock: VirtualClock, fault: faults.Fault, reason: str, status: int | None, calls: int
    ) -> None:
        hub.misbehave(fault, DAILY)
        patience = HASTY if "0." in reason else STEADY
        with client_of(hub, clock, patience, payload_bytes=100_000, hub_token=TOKEN) as client:
            failed = failure(client.daily(DAY))
            assert reason in failed.reason
            assert TOKEN.lower() not in failed.reason.lower()
            assert len(failed.reason) <= 330
            assert (failed.url, failed.http_status) == (hub.url + DAILY, status)
            assert NOW <= failed.fetched_at <= clock.now()
            assert len(hub.targets) == calls
            clock.sleep(86400)
            assert page(client.daily(SATURDAY)).payload == b"[]", "the next address is asked as ever"
        assert hub.sent_bytes < 30 << 20
        assert hub.over == []

    @pytest.mark.parametrize(
        "fault",
        [row[1] for row in MISBEHAVIOUR if row[-1] == 3],
        ids=[row[0] for row in MISBEHAVIOUR if row[-1] == 3],
    )
    def test_passing(self, hub: StandIn, clock: VirtualClock, fault: faults.Fault) -> None:
        hub.misbehave(fault, DAILY, nth=(1,))
        with client_of(hub, clock, HASTY) as client:
            assert page(client.daily(DAY)).payload == hub.site.page(DAILY).body
        assert len(hub.targets) == 2
        assert clock.slept, "it asked again at once"

    @pytest.mark.parametrize(
        "fault", [faults.cut(), faults.html("application/json")], ids=["cut off", "HTML by another name"]
    )
    def test_what_is_no_list_is_kept_for_its_reader_and_leaves_the_list_to_be_asked_again(
        self, hub: StandIn, client: Hub, fault: faults.Fault
    ) -> None:
        hub.misbehave(fault, DAILY)
        kept, failed = client.daily(DAY)
        assert isinstance(kept, Capture)
        assert kept.payload in (hub.site.page(DAILY).body[:100], faults.ERROR_PAGE)
        assert isinstance(failed, Failed)
        assert (failed.url.removeprefix(hub.url), failed.reason[:27]) == (f"{DAILY}&p=1", "not fetched: the page befor")
        assert hub.targets == [DAILY]

    def test_a_length_that_is_too_short_does_not_spill_into_the_next_answer(self, hub: StandIn, client: Hub) -> None:
        hub.misbehave(faults.wrong_length(lambda _: 50), DAILY)
        kept, _ = client.daily(DAY)
        assert isinstance(kept, Capture)
        assert kept.payload == hub.site.page(DAILY).body[:50]
        assert page(client.daily(SATURDAY)).payload == b"[]"

    def test_a_redirect_on_the_same_host_is_followed_and_told(self, hub: StandIn, client: Hub) -> None:
        other = f"/api/daily_papers?date={BUSY}&limit=3"
        hub.misbehave(faults.redirect(other, 308), DAILY)
        capture = page(client.daily(DAY))
        assert (capture.url, capture.final_url) == (hub.url + DAILY, hub.url + other)
        assert len(json.loads(capture.payload)) == 3

    def test_the_pages_of_a_list_have_a_limit_together(self, hub: StandIn, clock: VirtualClock) -> None:
        """All of them are held before any is kept: 13 of 50 MB were 985 MB of memory."""
        hub.days.counts[DAY] = 900
        limit = 3 * len(hub.site.page(DAILY).body)
        with client_of(hub, clock, payload_bytes=limit) as client:
            *pages, last = client.daily(DAY)
        assert 1 < len(pages) < 5
        assert sum(len(page(found).payload) for found in pages) <= limit
        assert f"all pages of a list may have {limit:,} bytes and it has more; raise" in failure(last).reason
        assert len(hub.targets) == len(pages) + 1

    def test_a_redirect_on_the_same_host_under_a_user_name_is_not(self, hub: StandIn, client: Hub) -> None:
        hub.misbehave(faults.redirect(f"{hub.url.replace('://', '://me:secret@')}/papers"), DAILY)
        assert failure(client.daily(DAY)).reason == "a redirect to the Hub's host under a user name"

    def test_a_failed_page_ends_its_list(self, hub: StandIn, client: Hub) -> None:
        hub.misbehave(faults.html(), "&p=1")
        first, second = client.daily(BUSY)
        assert isinstance(first, Capture)
        assert failure(second).url.endswith("&p=1")

    @pytest.mark.parametrize("when", ["40", format_datetime(NOW + timedelta(seconds=40)) + " "])
    def test_retry_after_is_waited_for_by_all_calls_of_a_kind(
        self, hub: StandIn, clock: VirtualClock, client: Hub, when: str
    ) -> None:
        hub.misbehave(faults.status(429, when), DAILY)
        assert failure(client.daily(DAY)).http_status == 429
        page(client.daily(SATURDAY))
        times = [call.at for call in hub.calls if call.kind == "api"]
        waits = [after - before for before, after in itertools.pairwise(times)]
        assert waits[0] == pytest.approx(40)
        assert all(wait >= 40 for wait in waits) or not when.isdecimal()

    def test_after_a_long_retry_after_nothing_more_is_asked(
        self, hub: StandIn, clock: VirtualClock, client: Hub
    ) -> None:
        hub.misbehave(faults.status(503, "3600"), DAILY)
        failure(client.daily(DAY))
        assert "allows no such call for 3,600 seconds" in failure(client.daily(BUSY)).reason
        assert page(client.list_page(DAY)).http_status == 200, "pages have a budget of their own"
        assert len(hub.targets) == 2
        clock.sleep(3600)
        assert page(client.daily(SATURDAY)).payload == b"[]"

    def test_tries_are_further_and_further_apart(self, hub: StandIn, clock: VirtualClock) -> None:
        hub.misbehave(faults.status(500), DAILY)
        with client_of(hub, clock, Patience(tries=5)) as client:
            failure(client.daily(DAY))
        assert len(clock.slept) == 4
        for number, slept in enumerate(clock.slept):
            assert 2**number <= slept <= 2**number + 1


class TestBudget:
    @pytest.mark.parametrize("rounded", [int, lambda seconds: int(-(-seconds // 1))], ids=["down", "up"])
    @pytest.mark.parametrize("seconds", [300, 7.5])
    def test_is_never_exceeded(
        self, hub: StandIn, clock: VirtualClock, client: Hub, seconds: float, rounded: Callable[[float], int]
    ) -> None:
        hub.windows.rounded, hub.windows.seconds = rounded, seconds
        hub.windows.quotas.update(api=20, pages=6)
        for number in range(70):
            page(client.daily(SATURDAY - timedelta(7 * number)))
            if number % 4 == 0:
                page(client.list_page(DAY))
            clock.elapsed += number % 3 * seconds / 40
        assert hub.over == []
        assert len(hub.targets) == 70 + 18
        assert hub.windows.most_used("api") == 20, "the budget is used, not only spared"

    def test_before_the_hub_has_told_it_an_anonymous_one_is_taken(self, hub: StandIn, clock: VirtualClock) -> None:
        with client_of(hub, clock) as client:
            hub.windows.turn = lambda kind: replace(type(hub.windows).turn(hub.windows, kind), headers={})
            for number in range(501):
                page(client.daily(SATURDAY - timedelta(7 * number)))
                if number == 499:
                    assert clock.slept == []
            assert clock.slept == [300]
            for _ in range(101):
                page(client.list_page(DAY))
        assert hub.over == []

    def test_a_token_has_what_the_hub_says_it_has(self, hub: StandIn, clock: VirtualClock) -> None:
        hub.windows.quotas["api"] = 1000
        with client_of(hub, clock, hub_token=TOKEN) as client:
            for _ in range(1000):
                page(client.daily(SATURDAY))
            assert clock.slept == []

    def test_others_at_the_same_address_are_counted_too(self, hub: StandIn, clock: VirtualClock, client: Hub) -> None:
        page(client.daily(SATURDAY))
        for _ in range(498):
            hub.windows.turn("api")
        page(client.daily(SATURDAY))
        assert clock.slept == []
        page(client.daily(SATURDAY))
        assert 0 < clock.slept[0] <= 301
        assert hub.over == []

    def test_a_new_process_goes_on_with_what_the_last_answer_told(self, hub: StandIn, clock: VirtualClock) -> None:
        hub.windows.quotas["api"] = 5
        with client_of(hub, clock) as client:
            last = [page(client.daily(SATURDAY)) for _ in range(5)][-1]
            assert client.must_wait()
        clock.elapsed += 30
        with client_of(hub, clock) as client:
            client.recall(replace(last, url="https://elsewhere.example/api/daily_papers"))
            assert not client.must_wait(), "nobody has told"
            client.recall(last)
            assert client.must_wait()
            page(client.daily(SATURDAY))
        assert hub.over == []
        assert sum(clock.slept) <= 300 + 1
        clock.elapsed += 3000
        with client_of(hub, clock) as client:
            client.recall(last)
            assert not client.must_wait(), "that window is over"

    def test_a_wait_is_told_with_its_end(
        self, hub: StandIn, clock: VirtualClock, client: Hub, caplog: pytest.LogCaptureFixture
    ) -> None:
        hub.windows.quotas["api"] = 1
        with caplog.at_level(logging.INFO, "paperlake"):
            for _ in range(2):
                page(client.daily(SATURDAY))
        [line] = caplog.messages
        assert line == f"waiting until {clock.now():%H:%M:%S} UTC: the Hub allows no more api calls before"

    def test_tries_again_are_counted_like_any_call(self, hub: StandIn, client: Hub) -> None:
        hub.windows.quotas["api"] = 5
        hub.misbehave(faults.status(500), str(DAY))
        for _ in range(6):
            failure(client.daily(DAY))
        assert len(hub.targets) == 18
        assert hub.over == []

    def test_in_real_time(self) -> None:
        with (
            StandIn(quotas={"api": 10, "pages": 10}, window_seconds=1) as hub,
            Hub(Settings(hub_url=hub.url)) as client,
        ):
            for _ in range(25):
                page(client.daily(SATURDAY))
        assert hub.over == []
        assert len(hub.targets) == 25

    def test_one_connection_serves_all(self, hub: StandIn, client: Hub) -> None:
        accepted = []
        process = hub._server.process_request
        hub._server.process_request = lambda *request: (accepted.append(request), process(*request))
        hub.misbehave(faults.redirect("/papers"), f"/papers?date={DAY}")
        capture = page(client.daily(DAY))
        known = {capture.url or "": Known(capture.etag or "")}
        list(client.daily(DAY, known))
        for found in (*client.daily(DAY, known), client.list_page(DAY), *client.daily(SATURDAY)):
            assert not isinstance(found, Failed)
        assert len(accepted) == 1


class TestRobots:
    def test_are_asked_for_first_and_once(self, hub: StandIn, client: Hub) -> None:
        assert hub.calls == []
        page(client.daily(DAY))
        page(client.list_page(DAY))
        assert [call.target for call in hub.calls] == ["/robots.txt", DAILY, f"/papers?date={DAY}"]

    def test_what_they_do_not_allow_is_not_asked_for(self, hub: StandIn, client: Hub) -> None:
        hub.site.robots = "User-agent: *\nAllow: /\nDisallow: /api/papers/\n\nUser-agent: other\nDisallow: /\n"
        assert failure(client.paper("2610.00001")).reason == "the Hub's robots.txt does not allow it"
        page(client.daily(DAY))
        assert hub.targets == [DAILY]

    def test_a_redirect_does_not_lead_around_them(self, hub: StandIn, client: Hub) -> None:
        hub.site.robots = "User-agent: paperlake\nDisallow: /private\n"
        hub.misbehave(faults.redirect("/private"), DAILY)
        assert "robots.txt" in failure(client.daily(DAY)).reason
        assert hub.targets == [DAILY]

    def test_five_redirects_lead_to_them(self, hub: StandIn, client: Hub) -> None:
        hub.site.robots = "User-agent: *\nDisallow: /api/papers/\n"
        for number in range(5):
            hub.misbehave(faults.redirect(f"/robots-{number}"), f"/robots-{number - 1}" if number else "/robots.txt")
        hub.misbehave(faults.robots_of(0, ""), "/robots-4")
        assert failure(client.paper("2610.00001")).reason == "the Hub's robots.txt does not allow it"
        page(client.daily(DAY))
        assert [call.target for call in hub.calls] == ["/robots.txt", *(f"/robots-{n}" for n in range(5)), DAILY]

    @pytest.mark.parametrize(
        ("to", "reason"),
        [
            ("/robots.txt", "more than 5 redirects"),
            ("javascript:alert(1)", "a redirect to what is no web address: javascript:alert(1)"),
            ("https://elsewhere.example/r", "a redirect off the Hub's host, to https://elsewhere.example"),
        ],
    )
    def test_a_redirect_that_leads_away_or_nowhere_is_no_rule(
        self, hub: StandIn, client: Hub, to: str, reason: str
    ) -> None:
        """It is asked for once, and nobody but the Hub is asked for anything."""
        hub.misbehave(faults.redirect(to), "/robots.txt")
        assert failure([client.robots()]).reason == reason
        for _ in range(2):
            page(client.daily(DAY))
        assert [call.target for call in hub.calls].count("/robots.txt") == (6 if to.startswith("/") else 1)

    @pytest.mark.parametrize(
        ("size", "rule", "is_open"),
        [(400 << 10, "Disallow: /", False), (500 << 10, "Disallow: /", True), (2 << 20, "Disallow: /", True)],
    )
    def test_the_first_500_kib_of_a_long_file_count(
        self, hub: StandIn, client: Hub, size: int, rule: str, is_open: bool
    ) -> None:
        hub.misbehave(faults.robots_of(size, rule), "/robots.txt")
        assert failure(client.paper("2610.00001")).reason == "the Hub's robots.txt does not allow it"
        assert isinstance(only(client.daily(DAY)), Capture if is_open else Failed)

    def test_a_rule_that_the_500_kib_cut_in_two_does_not_count(self, hub: StandIn, client: Hub) -> None:
        body = b"User-agent: *\nAllow: /papers\n".ljust((500 << 10) - 11, b"#") + b"\nDisallow: /papers\n"
        hub.misbehave(lambda wire, page: wire.send(replace(page, body=body)), "/robots.txt")
        page(client.daily(DAY))

    def test_a_pause_between_calls_is_kept(self, hub: StandIn, clock: VirtualClock, client: Hub) -> None:
        hub.site.robots = "User-agent: *\nCrawl-delay: 2\n"
        for _ in range(4):
            page(client.daily(SATURDAY))
        assert clock.elapsed == 6

    @pytest.mark.parametrize(("code", "is_open"), [(404, True), (410, True), (401, False), (403, False)])
    def test_no_file_is_no_rule_and_a_locked_one_a_closed_door(
        self, hub: StandIn, client: Hub, code: int, is_open: bool
    ) -> None:
        hub.misbehave(faults.status(code), "/robots.txt")
        assert isinstance(only(client.daily(DAY)), Capture if is_open else Failed)
        assert len(hub.targets) == is_open

    @pytest.mark.parametrize("fault", [faults.status(500), faults.huge()])
    def test_without_them_nothing_is_fetched(self, hub: StandIn, client: Hub, fault: faults.Fault) -> None:
        hub.misbehave(fault, "/robots.txt")
        with pytest.raises(SourceFailed, match="so nothing may be fetched; try later"):
            list(client.daily(DAY))
        assert hub.targets == []


class TestConditional:
    def test_an_unchanged_page_is_not_sent_again(self, hub: StandIn, client: Hub) -> None:
        capture = page(client.daily(DAY))
        assert capture.url
        assert capture.etag
        before = hub.sent_bytes
        known = {capture.url: Known(capture.etag, is_full=False)}
        unchanged = only(client.daily(DAY, known))
        assert isinstance(unchanged, Unchanged)
        assert replace(unchanged, headers=()) == Unchanged(capture.url, NOW, capture.etag)
        assert ("ETag", capture.etag) in unchanged.headers
        assert hub.sent_bytes - before < 500
        hub.days.counts[DAY] = 3
        assert len(json.loads(page(client.daily(DAY, known)).payload)) == 3

    @pytest.mark.parametrize(
        ("full", "last"), [((True, True, False), 3), ((None, None, None), 4), ((True, False, False), 2)]
    )
    def test_behind_an_unchanged_full_page_more_may_follow(
        self, hub: StandIn, client: Hub, full: tuple[bool | None, ...], last: int
    ) -> None:
        captures = [page(found) for found in client.daily(BUSY)]
        known = {
            capture.url or "": Known(capture.etag or "", is_full=is_full)
            for capture, is_full in zip(captures, full, strict=True)
        }
        found = list(client.daily(BUSY, known))
        assert len(found) == last
        assert {type(outcome) for outcome in found[:3]} == {Unchanged}

    @pytest.mark.parametrize("etag", ["", "bare", '"a"\r\nX-Evil: 1', '"ü"', '"a", "b"'])
    def test_what_is_no_etag_is_not_sent(self, hub: StandIn, client: Hub, etag: str) -> None:
        page(client.daily(DAY, {hub.url + DAILY: Known(etag)}))
        assert "If-None-Match" not in hub.calls[-1].headers

    def test_a_hub_without_etags(self, hub: StandIn, client: Hub) -> None:
        hub.has_etags = False
        assert page(client.daily(DAY)).etag is None


class TestWhoAsks:
    def test_it_says_who_it_is(self, hub: StandIn, clock: VirtualClock) -> None:
        with client_of(hub, clock, contact="https://lake.example/about") as client:
            page(client.daily(DAY))
        with client_of(hub, clock, contact="") as client:
            page(client.daily(DAY))
        agents = [call.headers["User-Agent"] for call in hub.calls]
        assert agents[1] == f"paperlake/{version('paperlake')} (+https://lake.example/about)"
        assert agents[2] == f"paperlake/{version('paperlake')}"
        assert {call.headers["Accept-Encoding"] for call in hub.calls} == {"gzip"}

    def test_no_cookie_is_kept(self, hub: StandIn, client: Hub) -> None:
        hub.misbehave(lambda wire, page: wire.send(replace(page, headers={"Set-Cookie": "token=1; Path=/"})))
        page(client.daily(DAY))
        page(client.daily(SATURDAY))
        assert not any("Cookie" in call.headers for call in hub.calls)

    def test_the_token_is_told_to_the_hub_and_to_nobody_else(
        self, hub: StandIn, clock: VirtualClock, caplog, capfd, tmp_path
    ) -> None:
        caplog.set_level(logging.DEBUG)
        with StandIn() as other:
            hub.misbehave(faults.redirect(f"{other.url}/api/daily_papers"), str(BUSY))
            hub.misbehave(faults.echo(), "q=echo")
            hub.misbehave(faults.reset(1), "q=reset")
            with client_of(hub, clock, hub_token=TOKEN) as client:
                found = [*client.daily(DAY), *client.daily(BUSY), client.list_page(DAY), client.trending()]
                found += [client.search(word) for word in ("echo", "reset")]
                shown = repr(found) + repr(vars(client)) + str(vars(client._wire)) + repr(vars(client._wire._bearer))
        archive = Archive(open_store(str(tmp_path / "lake")))
        archive.write([capture for capture in found if isinstance(capture, Capture)], now=NOW)
        landed = b"".join(capture.payload for capture in archive.captures(archive.index()))
        told = capfd.readouterr()
        assert {call.headers["Authorization"] for call in hub.calls} == {f"Bearer {TOKEN}"}
        assert other.calls == []
        assert sum(isinstance(outcome, Failed) for outcome in found) == 3
        assert caplog.records
        for text in (shown, caplog.text, told.out, told.err, landed.decode()):
            assert TOKEN not in text

    @pytest.mark.parametrize("headers", [{"X-You-Are": f"Bearer {TOKEN}"}, {TOKEN: ""}])
    def test_a_header_that_repeats_the_token_is_not_kept(
        self, hub: StandIn, clock: VirtualClock, headers: dict[str, str]
    ) -> None:
        hub.misbehave(lambda wire, page: wire.send(replace(page, headers=headers)), "daily_papers")
        with client_of(hub, clock, hub_token=TOKEN) as client:
            assert "PAPERLAKE_HUB_TOKEN" in failure(client.daily(DAY)).reason

    def test_the_token_stays_at_home_whoever_is_asked(self) -> None:
        bearer = Bearer(SecretStr(TOKEN), httpx.URL("https://hub.example/"))
        for url, is_told in (
            ("https://hub.example/api", True),
            ("https://cdn.hub.example/", False),
            ("http://hub.example/", False),
        ):
            [request] = bearer.auth_flow(httpx.Request("GET", url))
            assert ("Authorization" in request.headers) == is_told

    def test_without_a_token_nothing_is_said_of_one(self, hub: StandIn, client: Hub) -> None:
        page(client.daily(DAY))
        assert not any("Authorization" in call.headers for call in hub.calls)


class TestReach:
    def test_a_hub_that_cannot_be_reached_is_told_with_the_setting(self, clock: VirtualClock) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with Hub(Settings(hub_url=url), patience=STEADY, clock=clock.clock()) as client:
            with pytest.raises(SourceFailed, match=f"{url}.*given up after 3 tries.*PAPERLAKE_HUB_URL") as caught:
                list(client.daily(DAY))
            assert caught.value.exit_code == 10
            assert len(clock.slept) == 2

    def test_one_that_speaks_no_tls_is_asked_once(self, hub: StandIn, clock: VirtualClock) -> None:
        url = hub.url.replace("http:", "https:")
        with (
            Hub(Settings(hub_url=url), patience=STEADY, clock=clock.clock()) as client,
            pytest.raises(
                SourceFailed, match=r"cannot be reached: the connection failed: \[SSL.*PAPERLAKE_HUB_URL"
            ) as caught,
        ):
            list(client.daily(DAY))
        assert "given up after" not in str(caught.value)
        assert clock.slept == []

    def test_one_that_goes_away_in_the_middle(self, clock: VirtualClock) -> None:
        with StandIn(now=clock.now, clock=clock.seconds) as hub, client_of(hub, clock) as client:
            page(client.daily(DAY))
            hub._server.shutdown()
            hub._server.hang_up()
            hub._server.server_close()
            with pytest.raises(SourceFailed, match="PAPERLAKE_HUB_URL"):
                list(client.daily(BUSY))

    def test_a_clock_that_is_wrong_can_be_seen(self, hub: StandIn, clock: VirtualClock) -> None:
        hub.site.now = lambda: NOW + timedelta(hours=3)
        with client_of(hub, clock) as client:
            assert client.clock_skew is None
            page(client.daily(DAY))
            assert client.clock_skew == timedelta(hours=-3)

    def test_a_hub_below_a_path(self, hub: StandIn, clock: VirtualClock) -> None:
        hub.misbehave(faults.empty_list(), "/mirror/api/")
        with Hub(Settings(hub_url=f"{hub.url}/mirror/"), patience=STEADY, clock=clock.clock()) as client:
            assert page(client.daily(DAY)).url == f"{hub.url}/mirror{DAILY}"
        assert [call.target for call in hub.calls] == ["/robots.txt", f"/mirror{DAILY}"]


class TestSettings:
    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("HUB_URL", "hub.example"),
            ("HUB_URL", "ftp://hub.example"),
            ("HUB_URL", "https://user:secret@hub.example"),
            ("HUB_URL", "https://hub.example/?token=secret"),
            ("HUB_TOKEN", "hf_secret\nX-Evil: 1"),
            ("HUB_TOKEN", "hf_secret "),
            ("CONTACT", "me (at home)"),
            ("CONTACT", "a\nb"),
        ],
    )
    def test_a_wrong_one_is_named_and_not_shown(self, monkeypatch, name: str, value: str) -> None:
        monkeypatch.setenv(f"PAPERLAKE_{name}", value)
        with pytest.raises(UsageError, match=f"PAPERLAKE_{name}: ") as caught:
            load()
        assert "secret" not in f"{caught.value} {caught.value.__cause__}"
        assert "Value error" not in str(caught.value)

    def test_a_token_goes_over_https_only(self, monkeypatch) -> None:
        monkeypatch.setenv("PAPERLAKE_HUB_TOKEN", TOKEN)
        for url in ("https://hub.example", "http://127.0.0.1:8000", "http://[::1]:8000", "http://localhost:8000"):
            monkeypatch.setenv("PAPERLAKE_HUB_URL", url)
            settings = load()
            assert settings.hub_token == SecretStr(TOKEN)
            assert TOKEN not in repr(settings)
        monkeypatch.setenv("PAPERLAKE_HUB_URL", "http://hub.example")
        with pytest.raises(UsageError, match=r"PAPERLAKE_HUB_TOKEN: .*https"):
            load()

    def test_by_default_it_is_the_hub_and_nobody_is_named(self) -> None:
        settings = Settings()
        assert settings.hub_url.startswith("https://")
        assert (settings.hub_token, settings.contact) == (None, None)


def test_a_moment_is_dated_by_the_clock_that_was_given(hub: StandIn, clock: VirtualClock) -> None:
    clock.elapsed = 3600
    with client_of(hub, clock) as client:
        assert page(client.daily(DAY)).fetched_at == datetime(2026, 10, 7, 13, 0)
