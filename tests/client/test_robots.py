"""What robots.txt does not allow is not asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flows.hub.client import Hub
from tests.client.asking import DAILY, DAY, SATURDAY, failure, only, page
from tests.hub import faults
from tests.hub.clock import VirtualClock
from tests.hub.server import StandIn
from warehouse.archive.captured import Capture, Failed
from warehouse.errors import SourceFailed


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
            ("/robots.txt", "more redirects than 5"),
            ("javascript:alert(1)", "a redirect to what is no web address: javascript:alert(1)"),
            ("https://elsewhere.example/r", "a redirect off the Hub's host, to https://elsewhere.example"),
        ],
    )
    def test_a_redirect_to_another_host_or_nowhere_gives_no_rule(
        self, hub: StandIn, client: Hub, to: str, reason: str
    ) -> None:
        """robots.txt is requested once, and no other host gets a request."""
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
    def test_a_missing_file_allows_all_and_a_forbidden_one_nothing(
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
