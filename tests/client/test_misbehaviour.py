"""Every fault of a Hub is reported, retried where that may help, and never followed to another host."""

import itertools
import json
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime

import pytest

from flows.hub.budget import Patience
from flows.hub.client import Hub
from tests.client.asking import BUSY, DAILY, DAY, HASTY, SATURDAY, STEADY, TOKEN, client_of, failure, page
from tests.hub import faults
from tests.hub.clock import NOW
from tests.hub.server import StandIn
from warehouse.archive.captured import Capture

END = b"\r\n\r\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked" + END
LONG_HEADER = HEAD + b"X: " + b"x" * 300_000
MANY_HEADERS = HEAD + b"X-Y: z\r\n" * 50_000

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
    ("long address", faults.redirect("/" + "x" * 70_000), "a redirect to what is no address: /xxx", 302, 1),
    ("loop", faults.redirect(DAILY), "more redirects than 5", 302, 6),
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
    def test_a_fault_that_lasts_is_a_failure_with_its_reason(
        self, hub: StandIn, fault: faults.Fault, reason: str, status: int | None, calls: int
    ) -> None:
        hub.misbehave(fault, DAILY)
        patience = HASTY if "0." in reason else STEADY
        with client_of(hub, patience, payload_bytes=100_000, hub_token=TOKEN) as client:
            failed = failure(client.answers("daily", str(DAY)))
            assert reason in failed.reason
            assert TOKEN.lower() not in failed.reason.lower()
            assert len(failed.reason) <= 330
            assert (failed.url, failed.http_status) == (hub.url + DAILY, status)
            assert NOW <= failed.fetched_at <= hub.clock.now()
            assert len(hub.targets) == calls
            hub.clock.sleep(86400)
            assert page(client.answers("daily", str(SATURDAY))).payload == b"[]", "the next address is asked as ever"
        assert hub.sent_bytes < 30 << 20
        assert hub.over == []

    @pytest.mark.parametrize(
        "fault", [faults.status(500), faults.truncated(), faults.nonsense()], ids=["500", "truncated", "no HTTP"]
    )
    def test_a_fault_that_passes_is_retried_after_a_pause(self, hub: StandIn, fault: faults.Fault) -> None:
        hub.misbehave(fault, DAILY, nth=(1,))
        with client_of(hub, HASTY) as client:
            assert page(client.answers("daily", str(DAY))).payload == hub.site.page(DAILY).body
        assert len(hub.targets) == 2
        assert hub.clock.slept, "it asked again at once"

    @pytest.mark.parametrize(
        "fault", [faults.cut(), faults.html("application/json")], ids=["cut off", "HTML by another name"]
    )
    def test_what_is_no_list_is_kept_for_its_reader_and_leaves_the_list_to_be_asked_again(
        self, hub: StandIn, client: Hub, fault: faults.Fault
    ) -> None:
        hub.misbehave(fault, DAILY)
        kept, failed = client.answers("daily", str(DAY))
        assert kept.payload in (hub.site.page(DAILY).body[:100], faults.ERROR_PAGE)
        assert (failed.url.removeprefix(hub.url), failed.reason[:27]) == (f"{DAILY}&p=1", "not fetched: the page befor")
        assert hub.targets == [DAILY]

    def test_a_length_that_is_too_short_does_not_spill_into_the_next_answer(self, hub: StandIn, client: Hub) -> None:
        hub.misbehave(faults.wrong_length(lambda _: 50), DAILY)
        kept, _ = client.answers("daily", str(DAY))
        assert kept.payload == hub.site.page(DAILY).body[:50]
        assert page(client.answers("daily", str(SATURDAY))).payload == b"[]"

    def test_a_redirect_on_the_same_host_is_followed_and_recorded(self, hub: StandIn, client: Hub) -> None:
        other = f"/api/daily_papers?date={BUSY}&limit=3"
        hub.misbehave(faults.redirect(other, 308), DAILY)
        capture = page(client.answers("daily", str(DAY)))
        assert (capture.url, capture.final_url) == (hub.url + DAILY, hub.url + other)
        assert len(json.loads(capture.payload)) == 3

    def test_the_pages_of_a_list_have_a_limit_together(self, hub: StandIn) -> None:
        """All pages of a list are in memory before any is kept: 13 of 50 MB took 985 MB."""
        hub.days.counts[DAY] = 900
        limit = 3 * len(hub.site.page(DAILY).body)
        with client_of(hub, payload_bytes=limit) as client:
            *pages, last = client.answers("daily", str(DAY))
        assert 1 < len(pages) < 5
        assert sum(len(page(found).payload) for found in pages) <= limit
        assert f"all pages of a list may have {limit:,} bytes and it has more; raise" in failure(last).reason
        assert len(hub.targets) == len(pages) + 1

    @pytest.mark.parametrize("item", [b"1", b"{}"])
    def test_a_page_of_very_many_items_is_kept_and_not_counted(self, hub: StandIn, client: Hub, item: bytes) -> None:
        """33 million items of 64 MiB took 2.4 GB and a minute to count."""
        hub.misbehave(lambda wire, page: wire.send(replace(page, body=b"[%b]" % b",".join([item] * 2_000_000))), DAILY)
        kept, failed = client.answers("daily", str(DAY))
        assert isinstance(kept, Capture)
        assert "no JSON list of papers" in failure(failed).reason
        assert len(hub.targets) == 1

    def test_a_redirect_under_a_user_name_is_not_followed(self, hub: StandIn, client: Hub) -> None:
        hub.misbehave(faults.redirect(f"{hub.url.replace('://', '://me:secret@')}/papers"), DAILY)
        assert failure(client.answers("daily", str(DAY))).reason == "a redirect to the Hub's host under a user name"

    def test_a_failed_page_ends_its_list(self, hub: StandIn, client: Hub) -> None:
        hub.misbehave(faults.html(), "&p=1")
        first, second = client.answers("daily", str(BUSY))
        assert isinstance(first, Capture)
        assert failure(second).url.endswith("&p=1")

    @pytest.mark.parametrize("when", ["40", format_datetime(NOW + timedelta(seconds=40)) + " "])
    def test_retry_after_is_waited_for_by_all_calls_of_a_kind(self, hub: StandIn, client: Hub, when: str) -> None:
        hub.misbehave(faults.status(429, when), DAILY)
        assert failure(client.answers("daily", str(DAY))).http_status == 429
        page(client.answers("daily", str(SATURDAY)))
        times = [call.at for call in hub.calls if call.kind == "api"]
        waits = [after - before for before, after in itertools.pairwise(times)]
        assert waits[0] == pytest.approx(40)
        assert all(wait >= 40 for wait in waits) or not when.isdecimal()

    def test_after_a_long_retry_after_nothing_more_is_asked(self, hub: StandIn, client: Hub) -> None:
        hub.misbehave(faults.status(503, "3600"), DAILY)
        failure(client.answers("daily", str(DAY)))
        assert "allows no such call for 3,600 seconds" in failure(client.answers("daily", str(BUSY))).reason
        assert page(client.answers("page", str(DAY))).http_status == 200, "pages have a budget of their own"
        assert len(hub.targets) == 2
        hub.clock.sleep(3600)
        assert page(client.answers("daily", str(SATURDAY))).payload == b"[]"

    def test_pauses_between_tries_double(self, hub: StandIn) -> None:
        hub.misbehave(faults.status(500), DAILY)
        with client_of(hub, Patience(tries=5)) as client:
            failure(client.answers("daily", str(DAY)))
        assert len(hub.clock.slept) == 4
        for number, slept in enumerate(hub.clock.slept):
            assert 2**number <= slept <= 2**number + 1
