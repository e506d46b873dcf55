"""The client never sends more requests than the Hub allows."""

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from flows.hub.client import Hub
from flows.runtime.settings import Settings
from tests.client.asking import DAY, SATURDAY, TOKEN, client_of, failure, page
from tests.hub import faults
from tests.hub.server import StandIn
from warehouse.archive.captured import Failed, Known


class TestBudget:
    @pytest.mark.parametrize("rounded", [int, lambda seconds: int(-(-seconds // 1))], ids=["down", "up"])
    @pytest.mark.parametrize("seconds", [300, 7.5])
    def test_is_not_exceeded(self, hub: StandIn, client: Hub, seconds: float, rounded: Callable[[float], int]) -> None:
        hub.windows.rounded, hub.windows.seconds = rounded, seconds
        hub.windows.quotas.update(api=20, pages=6)
        for number in range(70):
            page(client.answers("daily", str(SATURDAY - timedelta(7 * number))))
            if number % 4 == 0:
                page(client.answers("page", str(DAY)))
            hub.clock.elapsed += number % 3 * seconds / 40
        assert hub.over == []
        assert len(hub.targets) == 70 + 18
        assert hub.windows.most_used("api") == 20, "the budget is used, not only spared"

    def test_until_the_hub_announces_one_it_is_that_of_anonymous_clients(self, hub: StandIn) -> None:
        with client_of(hub) as client:
            hub.windows.turn = lambda kind: replace(type(hub.windows).turn(hub.windows, kind), headers={})
            for number in range(501):
                page(client.answers("daily", str(SATURDAY - timedelta(7 * number))))
                if number == 499:
                    assert hub.clock.slept == []
            assert hub.clock.slept == [300]
            for _ in range(101):
                page(client.answers("page", str(DAY)))
        assert hub.over == []

    def test_with_a_token_it_is_what_the_hub_announces(self, hub: StandIn) -> None:
        hub.windows.quotas["api"] = 510  # ten more than without one
        with client_of(hub, hub_token=TOKEN) as client:
            for _ in range(510):
                page(client.answers("daily", str(SATURDAY)))
            assert hub.clock.slept == []

    def test_calls_of_others_at_the_same_address_count(self, hub: StandIn, client: Hub) -> None:
        page(client.answers("daily", str(SATURDAY)))
        for _ in range(498):
            hub.windows.turn("api")
        page(client.answers("daily", str(SATURDAY)))
        assert hub.clock.slept == []
        page(client.answers("daily", str(SATURDAY)))
        assert 0 < hub.clock.slept[0] <= 301
        assert hub.over == []

    def test_a_new_process_starts_from_the_last_answer(self, hub: StandIn) -> None:
        hub.windows.quotas["api"] = 5
        with client_of(hub) as client:
            last = [page(client.answers("daily", str(SATURDAY))) for _ in range(5)][-1]
            assert client.must_wait()
        hub.clock.elapsed += 30
        with client_of(hub) as client:
            client.recall(replace(last, url="https://elsewhere.example/api/daily_papers"))
            assert not client.must_wait(), "nobody has told"
            client.recall(last)
            assert client.must_wait()
            page(client.answers("daily", str(SATURDAY)))
        assert hub.over == []
        assert sum(hub.clock.slept) <= 300 + 1
        hub.clock.elapsed += 3000
        with client_of(hub) as client:
            client.recall(last)
            assert not client.must_wait(), "that window is over"

    def test_a_wait_is_logged_with_its_end(self, hub: StandIn, client: Hub, caplog: pytest.LogCaptureFixture) -> None:
        hub.windows.quotas["api"] = 1
        with caplog.at_level(logging.INFO, "paperlake"):
            for _ in range(2):
                page(client.answers("daily", str(SATURDAY)))
        [line] = caplog.messages
        assert line == f"waiting until {hub.clock.now():%H:%M:%S} UTC: the Hub allows no more api calls before"

    def test_retries_are_counted_like_any_call(self, hub: StandIn, client: Hub) -> None:
        hub.windows.quotas["api"] = 5
        hub.misbehave(faults.status(500), str(DAY))
        for _ in range(6):
            failure(client.answers("daily", str(DAY)))
        assert len(hub.targets) == 18
        assert hub.over == []

    def test_is_kept_by_the_real_clock_too(self) -> None:
        with (
            StandIn(quotas={"api": 10, "pages": 10}, window_seconds=1) as hub,
            Hub(Settings(hub_url=hub.url)) as client,
        ):
            for _ in range(12):
                page(client.answers("daily", str(SATURDAY)))
        assert hub.over == []
        assert len(hub.targets) == 12

    def test_one_connection_serves_all(self, hub: StandIn, client: Hub) -> None:
        accepted = []
        process = hub._server.process_request
        hub._server.process_request = lambda *request: (accepted.append(request), process(*request))
        hub.misbehave(faults.redirect("/papers"), f"/papers?date={DAY}")
        capture = page(client.answers("daily", str(DAY)))
        known = {capture.url or "": Known(capture.etag or "")}
        list(client.answers("daily", str(DAY), known))
        for found in (
            *client.answers("daily", str(DAY), known),
            client.answers("page", str(DAY)),
            *client.answers("daily", str(SATURDAY)),
        ):
            assert not isinstance(found, Failed)
        assert len(accepted) == 1
