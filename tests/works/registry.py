"""The stand-in Crossref: works by DOI on loopback, which counts the seconds between requests, and misbehaves."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from urllib.parse import unquote

from tests.hub.server import NOW, Call, Handler, StandIn
from tests.hub.site import Page
from tests.hub.wire import Wire
from tests.works.messages import NO_SUCH, Message

SECONDS: Final = 1.0
JSON: Final = "application/json"


class CrossrefStandIn(StandIn):
    """A Crossref that records every request; one is over the budget that comes less than a second after another, or
    less than `pause`, once that was stated, or while another is answered. DOIs of DataCite, such as arXiv's, it has not.
    """

    def __init__(
        self, *, now: Callable[[], datetime] = lambda: NOW, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(now=now, clock=clock)
        self.works: dict[str, Message] = {}
        self.pause = 0
        self._answering = 0

    def page(self, target: str) -> Page:
        limits = {"X-Rate-Limit-Limit": "1", "X-Rate-Limit-Interval": f"{self.pause}s"} if self.pause else {}
        doi = unquote(target.removeprefix("/works/")).lower()
        if doi not in self.works:
            return Page(NO_SUCH, 404, "text/plain", limits)
        return Page(self.works[doi].answer, 200, JSON, limits)

    def serve(self, handler: Handler) -> None:
        """Count one request, and answer it."""
        with self._lock:
            at, least = self._clock(), max(SECONDS, self.pause) - 0.001
            is_over = self._answering > 0 or (bool(self.calls) and at - self.calls[-1].at < least)
            self.calls.append(Call(at, "works", handler.path, dict(handler.headers.items()), is_over))
            fault = next((rule.fault for rule in self._rules if rule.applies(handler.path)), None)
            self._answering += 1
            page = self.page(handler.path)
        wire: Any = Wire(handler, {})
        try:
            if fault is not None:
                fault(wire, page)
            else:
                wire.send(page)
        finally:
            self._answering -= 1

    @property
    def asked(self) -> list[str]:
        """The DOIs that were asked for, in order."""
        return [unquote(call.target.removeprefix("/works/")) for call in self.calls]
