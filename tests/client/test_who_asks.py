"""What the client sends about its user, what it never sends, and which addresses it accepts."""

import logging
import socket
from dataclasses import replace
from datetime import timedelta
from importlib.metadata import version

import httpx
import pytest
from pydantic import SecretStr

from flows.hub.client import Hub
from flows.hub.wire import Bearer
from flows.runtime.settings import Settings, load
from tests.client.asking import BUSY, DAILY, DAY, SATURDAY, STEADY, TOKEN, client_of, failure, only, page
from tests.hub import faults
from tests.hub.clock import NOW, VirtualClock
from tests.hub.server import StandIn
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Failed
from warehouse.errors import SourceFailed, UsageError
from warehouse.store.opening import open_store


class TestWhoAsks:
    def test_it_says_who_it_is(self, hub: StandIn) -> None:
        with client_of(hub, contact="https://lake.example/about") as client:
            page(client.answers("daily", str(DAY)))
        with client_of(hub, contact="") as client:
            page(client.answers("daily", str(DAY)))
        agents = [call.headers["User-Agent"] for call in hub.calls]
        assert agents[1] == f"paperlake/{version('paperlake')} (+https://lake.example/about)"
        assert agents[2] == f"paperlake/{version('paperlake')}"
        assert {call.headers["Accept-Encoding"] for call in hub.calls} == {"gzip"}

    def test_no_cookie_is_kept(self, hub: StandIn, client: Hub) -> None:
        hub.misbehave(lambda wire, page: wire.send(replace(page, headers={"Set-Cookie": "token=1; Path=/"})))
        page(client.answers("daily", str(DAY)))
        page(client.answers("daily", str(SATURDAY)))
        assert not any("Cookie" in call.headers for call in hub.calls)

    def test_the_token_is_sent_to_the_hub_only(self, hub: StandIn, caplog, capfd, tmp_path) -> None:
        caplog.set_level(logging.DEBUG)
        with StandIn() as other:
            hub.misbehave(faults.redirect(f"{other.url}/api/daily_papers"), str(BUSY))
            hub.misbehave(faults.echo(), "q=echo")
            hub.misbehave(faults.reset(1), "q=reset")
            with client_of(hub, hub_token=TOKEN) as client:
                found = [
                    *client.answers("daily", str(DAY)),
                    *client.answers("daily", str(BUSY)),
                    *client.answers("page", str(DAY)),
                    *client.answers("trending"),
                ]
                found += [only(client.answers("search", word)) for word in ("echo", "reset")]
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

    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
    def test_a_proxy_of_the_environment_is_told_nothing_of_a_hub_on_this_machine(
        self, hub: StandIn, monkeypatch: pytest.MonkeyPatch, host: str
    ) -> None:
        with StandIn() as proxy:
            for name in ("http_proxy", "HTTPS_PROXY", "all_proxy"):
                monkeypatch.setenv(name, proxy.url)
            url = hub.url.replace("127.0.0.1", host)
            with Hub(Settings(hub_url=url, hub_token=TOKEN), patience=STEADY, clock=hub.clock.clock()) as client:
                page(client.answers("daily", str(DAY)))
        assert {call.headers["Authorization"] for call in hub.calls} == {f"Bearer {TOKEN}"}
        assert proxy.calls == []

    @pytest.mark.parametrize("headers", [{"X-You-Are": f"Bearer {TOKEN}"}, {TOKEN: ""}])
    def test_a_header_that_repeats_the_token_is_not_kept(self, hub: StandIn, headers: dict[str, str]) -> None:
        hub.misbehave(lambda wire, page: wire.send(replace(page, headers=headers)), "daily_papers")
        with client_of(hub, hub_token=TOKEN) as client:
            assert "PAPERLAKE_HUB_TOKEN" in failure(client.answers("daily", str(DAY))).reason

    def test_the_token_is_sent_to_the_same_host_and_scheme_only(self) -> None:
        bearer = Bearer(SecretStr(TOKEN), httpx.URL("https://hub.example/"))
        for url, is_told in (
            ("https://hub.example/api", True),
            ("https://cdn.hub.example/", False),
            ("http://hub.example/", False),
        ):
            [request] = bearer.auth_flow(httpx.Request("GET", url))
            assert ("Authorization" in request.headers) == is_told

    def test_without_a_token_no_authorization_is_sent(self, hub: StandIn, client: Hub) -> None:
        page(client.answers("daily", str(DAY)))
        assert not any("Authorization" in call.headers for call in hub.calls)


class TestReach:
    def test_an_unreachable_hub_names_the_setting(self, clock: VirtualClock) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with Hub(Settings(hub_url=url), patience=STEADY, clock=clock.clock()) as client:
            with pytest.raises(SourceFailed, match=f"{url}.*given up after 3 tries.*PAPERLAKE_HUB_URL") as caught:
                list(client.answers("daily", str(DAY)))
            assert caught.value.exit_code == 10
            assert len(clock.slept) == 2

    def test_a_hub_without_tls_is_asked_once(self, hub: StandIn) -> None:
        url = hub.url.replace("http:", "https:")
        with (
            Hub(Settings(hub_url=url), patience=STEADY, clock=hub.clock.clock()) as client,
            pytest.raises(
                SourceFailed, match=r"cannot be reached: the connection failed: \[SSL.*PAPERLAKE_HUB_URL"
            ) as caught,
        ):
            list(client.answers("daily", str(DAY)))
        assert "given up after" not in str(caught.value)
        assert hub.clock.slept == []

    def test_a_hub_that_goes_away_in_the_middle_names_the_setting(self, clock: VirtualClock) -> None:
        with StandIn(clock=clock) as hub, client_of(hub) as client:
            page(client.answers("daily", str(DAY)))
            hub._server.shutdown()
            hub._server.hang_up()
            hub._server.server_close()
            with pytest.raises(SourceFailed, match="PAPERLAKE_HUB_URL"):
                list(client.answers("daily", str(BUSY)))

    def test_the_skew_of_a_wrong_clock_is_known(self, hub: StandIn) -> None:
        hub.site.now = lambda: NOW + timedelta(hours=3)
        with client_of(hub) as client:
            assert client.clock_skew is None
            page(client.answers("daily", str(DAY)))
            assert client.clock_skew == timedelta(hours=-3)

    def test_a_hub_may_lie_below_a_path(self, hub: StandIn) -> None:
        hub.misbehave(faults.empty_list(), "/mirror/api/")
        with Hub(Settings(hub_url=f"{hub.url}/mirror/"), patience=STEADY, clock=hub.clock.clock()) as client:
            assert page(client.answers("daily", str(DAY))).url == f"{hub.url}/mirror{DAILY}"
        assert [call.target for call in hub.calls] == ["/robots.txt", f"/mirror{DAILY}"]


class TestSettings:
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
