"""A stand-in Hub, a clock that stands still, and the client between them."""

from collections.abc import Iterator

import pytest

from flows.hub.client import Hub
from tests.client.asking import BUSY, client_of
from tests.hub.clock import VirtualClock
from tests.hub.days import Days
from tests.hub.server import StandIn


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def hub(clock: VirtualClock) -> Iterator[StandIn]:
    with StandIn(Days({BUSY: 250}), clock=clock) as hub:
        yield hub


@pytest.fixture
def client(hub: StandIn) -> Iterator[Hub]:
    with client_of(hub) as client:
        yield client
