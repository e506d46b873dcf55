"""The stand-in Hub: a real HTTP server on loopback, on a free port, for as long as its `with` block lasts."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Container
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from flows.hub.budget import Clock
from tests.hub.clock import NOW, VirtualClock
from tests.hub.days import Days
from tests.hub.faults import Fault
from tests.hub.site import NOT_FOUND, Page, Site, as_page
from tests.hub.windows import Windows
from tests.hub.wire import Wire
from tests.serving import Quiet

STILL = Clock(now=lambda: NOW)  # but for the seconds of a budget
QUOTAS = {"api": 500, "pages": 100}


@dataclass(frozen=True)
class Call:
    """One request, in the order they came; `is_over` where it was one more than the budget had."""

    at: float
    kind: str
    target: str
    headers: dict[str, str]
    is_over: bool


@dataclass
class Rule:
    """A fault, for the n-th requests whose target holds a text; for all of them without `nth`."""

    fault: Fault
    where: str
    nth: Container[int] | None
    seen: int = field(default=0)

    def applies(self, target: str) -> bool:
        if self.where not in target:
            return False
        self.seen += 1
        return self.nth is None or self.seen in self.nth


class StandIn:
    """A Hub that records every request, and misbehaves on demand.

    It shows the moment of its clock, and its budget goes by the clock's seconds. An exception in one of its threads is
    raised when it is closed.
    """

    def __init__(
        self,
        days: Days | None = None,
        *,
        clock: Clock | VirtualClock = STILL,
        quotas: dict[str, int] | None = None,
        window_seconds: float = 300,
    ) -> None:
        self.days = days or Days()
        self.site = Site(self.days, clock.now)
        self.windows = Windows(quotas or dict(QUOTAS), window_seconds, clock.seconds)
        self.calls: list[Call] = []
        self.sent_bytes = 0
        self.has_etags = True
        self.clock, self._rules = clock, list[Rule]()
        self._lock = threading.Lock()
        self._server = _Server(self)
        self.site.url = self.url
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.hang_up()
        self._server.server_close()
        if self._server.errors and error is None:
            raise self._server.errors[0]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def misbehave(self, fault: Fault, where: str = "", nth: Container[int] | None = None) -> None:
        """Do that to the n-th requests (from 1) whose target holds a text; the rule that was made first wins."""
        self._rules.append(Rule(fault, where, nth))

    def behave(self) -> None:
        """Forget all faults."""
        self._rules.clear()

    @property
    def targets(self) -> list[str]:
        """The targets of all requests but those for robots.txt."""
        return [call.target for call in self.calls if call.target != "/robots.txt"]

    @property
    def over(self) -> list[Call]:
        """The calls over the budget."""
        return [call for call in self.calls if call.is_over]

    def serve(self, handler: Handler) -> None:
        """Count one request, and answer it."""
        kind = "api" if handler.path.startswith("/api/") else "pages"
        headers = dict(handler.headers.items())
        with self._lock:
            turn = self.windows.turn(kind)
            self.calls.append(Call(self.clock.seconds(), kind, handler.path, headers, turn.is_over))
            fault = next((rule.fault for rule in self._rules if rule.applies(handler.path)), None)
        wire = Wire(handler, turn.headers)
        if turn.is_over:
            wire.send(as_page({"error": "We had to rate limit you."}, 429))
        elif fault is not None:
            fault(wire, self.site.page(handler.path))
        else:
            self._answer(wire, self.site.page(handler.path))

    def _answer(self, wire: Wire, page: Page) -> None:
        if not self.has_etags or page.status != 200:
            wire.send(page)
        elif page.etag in wire.request_headers.get("If-None-Match", ""):
            wire.send(Page(b"", 304, "", {"ETag": page.etag}))
        else:
            wire.send(Page(page.body, page.status, page.content_type, page.headers | {"ETag": page.etag}))


class Handler(Quiet, BaseHTTPRequestHandler):
    """Hands every GET to the stand-in; nothing else is served."""

    protocol_version = "HTTP/1.1"
    server: _Server

    @property
    def hub(self) -> StandIn:
        return self.server.hub

    def do_GET(self) -> None:
        self.hub.serve(self)

    def do_POST(self) -> None:
        Wire(self, {}).send(as_page(NOT_FOUND, 404))

    def date_time_string(self, timestamp: float | None = None) -> str:
        return format_datetime(self.hub.site.now().replace(tzinfo=UTC), usegmt=True)


class _Server(ThreadingHTTPServer):
    """Closes the connections that clients have left open, and keeps what went wrong in its threads."""

    def __init__(self, hub: StandIn) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.hub = hub
        self.errors: list[BaseException] = []
        self._open: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):  # clients may hang up
            self.errors.append(error)
