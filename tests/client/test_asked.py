"""Which requests the client sends to the stand-in Hub, never one that robots.txt does not allow, and what it makes of each
answer.
"""

import itertools
import json
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from flows.hub.client import Hub
from tests.client.asking import BUSY, DAILY, DAY, SATURDAY, client_of, failure, only, page
from tests.hub import faults
from tests.hub.clock import NOW
from tests.hub.server import StandIn
from warehouse.archive.captured import Capture, Failed, Known, Unchanged
from warehouse.errors import SourceFailed


class TestWhatIsAsked:
    def test_a_daily_list_is_captured_as_it_came(self, hub: StandIn, client: Hub) -> None:
        capture = page(client.answers("daily", str(DAY)))
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
        capture = page(client.answers("daily", str(DAY)))
        names = [name for name, _ in capture.headers]
        assert [header for header in capture.headers if header[0].lower().startswith("x-o")] == list(sent.items())[:3]
        assert {"Content-Type", "Content-Length"} <= set(names)
        assert "Set-Cookie" not in names

    def test_a_list_is_paged_until_a_page_is_not_full(self, hub: StandIn, client: Hub) -> None:
        captures = [page(found) for found in client.answers("daily", str(BUSY))]
        address = f"{hub.url}/api/daily_papers?date={BUSY}&limit=100"
        assert [capture.url for capture in captures] == [address, f"{address}&p=1", f"{address}&p=2"]
        items = [item["paper"]["id"] for capture in captures for item in json.loads(capture.payload)]
        assert len(set(items)) == len(items) == 250
        assert len(hub.targets) == 3

    def test_a_list_of_exactly_one_page_is_asked_whether_there_is_more(self, hub: StandIn, client: Hub) -> None:
        hub.days.counts[DAY] = 100
        assert [len(json.loads(page(found).payload)) for found in client.answers("daily", str(DAY))] == [100, 0]

    def test_a_hub_that_ignores_the_page_is_not_asked_for_ever(self, hub: StandIn, client: Hub) -> None:
        hub.days.counts[DAY] = 100
        hub.misbehave(lambda wire, _: wire.send(hub.site.page(DAILY)), "&p=")
        assert len(list(client.answers("daily", str(DAY)))) == 2

    def test_a_list_without_end_is_given_up_and_reported(self, hub: StandIn, client: Hub) -> None:
        numbers = itertools.count()
        hub.misbehave(
            lambda wire, page: wire.send(replace(page, body=json.dumps([next(numbers)] * 100).encode())), "p="
        )
        hub.days.counts[DAY] = 100
        *pages, last = client.answers("daily", str(DAY))
        assert {type(found) for found in pages} == {Capture}
        assert len(hub.targets) == 50
        assert "goes on after 50 pages" in failure(last).reason

    def test_trending_searches_papers_weeks_and_months_have_addresses(self, hub: StandIn, client: Hub) -> None:
        listed = json.loads(page(client.answers("daily", str(DAY))).payload)
        first = listed[0]["paper"]["id"]
        week = [page(found) for found in client.answers("weekly", "2026-W40")]
        month = [page(found) for found in client.answers("monthly", "2026-10")]
        asked = [
            client.answers("trending"),
            client.answers("search", "field guides & tides"),
            client.answers("paper", first),
            client.answers("page", str(DAY)),
        ]
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
        future = page(client.answers("daily", str(NOW.date() + timedelta(1))))
        missing = page(client.answers("paper", "2610.99999"))
        assert (future.http_status, missing.http_status) == (400, 404)
        assert missing.payload == b'{"error":"Sorry, we can\'t find the page you are looking for."}'
        assert len(hub.targets) == 2

    @pytest.mark.parametrize("code", [401, 410])
    def test_no_other_4xx_is_tried_again(self, hub: StandIn, client: Hub, code: int) -> None:
        hub.misbehave(faults.status(code), "daily_papers")
        assert page(client.answers("daily", str(DAY))).http_status == code
        assert hub.targets == [DAILY]

    def test_a_list_that_grows_is_captured_as_it_stands_each_time(self, hub: StandIn, client: Hub) -> None:
        hub.days.counts[DAY] = 7
        hub.misbehave(faults.grow(lambda: hub.days.counts.update({DAY: hub.days.counts[DAY] + 2})))
        sizes = [len(json.loads(page(client.answers("daily", str(DAY))).payload)) for _ in range(3)]
        assert sizes == [9, 11, 13]  # robots.txt was the first call


class TestConditional:
    @pytest.mark.parametrize(
        ("full", "last"), [((True, True, False), 3), ((None, None, None), 4), ((True, False, False), 2)]
    )
    def test_the_page_after_an_unchanged_full_page_is_asked_for(
        self, hub: StandIn, client: Hub, full: tuple[bool | None, ...], last: int
    ) -> None:
        captures = [page(found) for found in client.answers("daily", str(BUSY))]
        known = {
            capture.url or "": Known(capture.etag or "", is_full=is_full)
            for capture, is_full in zip(captures, full, strict=True)
        }
        found = list(client.answers("daily", str(BUSY), known))
        assert len(found) == last
        assert {type(outcome) for outcome in found[:3]} == {Unchanged}

    @pytest.mark.parametrize("etag", ["", "bare", '"a"\r\nX-Evil: 1', '"ü"', '"a", "b"'])
    def test_an_invalid_etag_is_not_sent(self, hub: StandIn, client: Hub, etag: str) -> None:
        page(client.answers("daily", str(DAY), {hub.url + DAILY: Known(etag)}))
        assert "If-None-Match" not in hub.calls[-1].headers

    def test_a_hub_without_etags_gives_captures_without_one(self, hub: StandIn, client: Hub) -> None:
        hub.has_etags = False
        assert page(client.answers("daily", str(DAY))).etag is None


def test_a_fetch_is_dated_by_the_clock_that_was_given(hub: StandIn) -> None:
    hub.clock.elapsed = 3600
    with client_of(hub) as client:
        assert page(client.answers("daily", str(DAY))).fetched_at == datetime(2026, 10, 7, 13, 0)


class TestRobots:
    def test_are_asked_for_first_and_once(self, hub: StandIn, client: Hub) -> None:
        assert hub.calls == []
        page(client.answers("daily", str(DAY)))
        page(client.answers("page", str(DAY)))
        assert [call.target for call in hub.calls] == ["/robots.txt", DAILY, f"/papers?date={DAY}"]

    def test_what_they_do_not_allow_is_not_asked_for(self, hub: StandIn, client: Hub) -> None:
        hub.site.robots = "User-agent: *\nAllow: /\nDisallow: /api/papers/\n\nUser-agent: other\nDisallow: /\n"
        assert failure(client.answers("paper", "2610.00001")).reason == "the Hub's robots.txt does not allow it"
        page(client.answers("daily", str(DAY)))
        assert hub.targets == [DAILY]

    def test_a_redirect_does_not_lead_around_them(self, hub: StandIn, client: Hub) -> None:
        hub.site.robots = "User-agent: paperlake\nDisallow: /private\n"
        hub.misbehave(faults.redirect("/private"), DAILY)
        assert "robots.txt" in failure(client.answers("daily", str(DAY))).reason
        assert hub.targets == [DAILY]

    def test_five_redirects_lead_to_them(self, hub: StandIn, client: Hub) -> None:
        hub.site.robots = "User-agent: *\nDisallow: /api/papers/\n"
        for number in range(5):
            hub.misbehave(faults.redirect(f"/robots-{number}"), f"/robots-{number - 1}" if number else "/robots.txt")
        hub.misbehave(faults.robots_of(0, ""), "/robots-4")
        assert failure(client.answers("paper", "2610.00001")).reason == "the Hub's robots.txt does not allow it"
        page(client.answers("daily", str(DAY)))
        assert [call.target for call in hub.calls] == ["/robots.txt", *(f"/robots-{n}" for n in range(5)), DAILY]

    @pytest.mark.parametrize(
        ("to", "reason"),
        [
            ("/robots.txt", "more redirects than 5"),
            ("javascript:alert(1)", "a redirect to what is no web address: javascript:alert(1)"),
            ("https://elsewhere.example/r", "a redirect off the Hub's host, to https://elsewhere.example"),
        ],
    )
    def test_a_redirect_away_or_nowhere_gives_no_rule(self, hub: StandIn, client: Hub, to: str, reason: str) -> None:
        """robots.txt is requested once, and no other host gets a request."""
        hub.misbehave(faults.redirect(to), "/robots.txt")
        assert failure([client.robots()]).reason == reason
        for _ in range(2):
            page(client.answers("daily", str(DAY)))
        assert [call.target for call in hub.calls].count("/robots.txt") == (6 if to.startswith("/") else 1)

    @pytest.mark.parametrize(
        ("size", "rule", "is_open"),
        [(400 << 10, "Disallow: /", False), (500 << 10, "Disallow: /", True), (2 << 20, "Disallow: /", True)],
    )
    def test_the_first_500_kib_count(self, hub: StandIn, client: Hub, size: int, rule: str, is_open: bool) -> None:
        hub.misbehave(faults.robots_of(size, rule), "/robots.txt")
        assert failure(client.answers("paper", "2610.00001")).reason == "the Hub's robots.txt does not allow it"
        assert isinstance(only(client.answers("daily", str(DAY))), Capture if is_open else Failed)

    def test_a_rule_that_the_500_kib_cut_in_two_does_not_count(self, hub: StandIn, client: Hub) -> None:
        body = b"User-agent: *\nAllow: /papers\n".ljust((500 << 10) - 11, b"#") + b"\nDisallow: /papers\n"
        hub.misbehave(lambda wire, page: wire.send(replace(page, body=body)), "/robots.txt")
        page(client.answers("daily", str(DAY)))

    def test_a_pause_between_calls_is_kept(self, hub: StandIn, client: Hub) -> None:
        hub.site.robots = "User-agent: *\nCrawl-delay: 2\n"
        for _ in range(4):
            page(client.answers("daily", str(SATURDAY)))
        assert hub.clock.elapsed == 6

    @pytest.mark.parametrize(("code", "is_open"), [(404, True), (410, True), (401, False), (403, False)])
    def test_no_file_allows_all_and_a_forbidden_one_nothing(
        self, hub: StandIn, client: Hub, code: int, is_open: bool
    ) -> None:
        hub.misbehave(faults.status(code), "/robots.txt")
        assert isinstance(only(client.answers("daily", str(DAY))), Capture if is_open else Failed)
        assert len(hub.targets) == is_open

    @pytest.mark.parametrize("fault", [faults.status(500), faults.huge()])
    def test_without_them_nothing_is_fetched(self, hub: StandIn, client: Hub, fault: faults.Fault) -> None:
        hub.misbehave(fault, "/robots.txt")
        with pytest.raises(SourceFailed, match="so nothing may be fetched; try later"):
            list(client.answers("daily", str(DAY)))
        assert hub.targets == []
