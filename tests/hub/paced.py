"""A stand-in for a source that wants a pause after each request: it counts the seconds between them, and misbehaves."""

import time
from typing import Any, ClassVar

from flows.hub.budget import Clock
from tests.hub.clock import VirtualClock
from tests.hub.server import STILL, Call, Handler, StandIn
from tests.hub.site import Page
from tests.hub.wire import Wire


class PacedStandIn(StandIn):
    """A source that records every request; one is over the budget that comes less than `seconds` after another, or
    while another is answered, or for which nothing is left.
    """

    kind: ClassVar[str]
    seconds = 1.0

    def __init__(self, clock: Clock | VirtualClock = STILL) -> None:
        super().__init__(clock=clock)
        self.now, self._answering = clock.now, 0
        self.begin()

    def begin(self) -> None:
        """What it has at first."""

    def page(self, target: str) -> Page:
        """What it answers."""
        raise NotImplementedError

    def refusal(self) -> Page | None:
        """What it answers where nothing is left of a longer budget; else one more of it is used."""
        return None

    def serve(self, handler: Handler) -> None:
        """Count one request, and answer it. Whoever has its last byte may ask before the thread that sent it is done."""
        ends = time.monotonic() + 1
        while self._answering and time.monotonic() < ends:
            time.sleep(0.001)
        with self._lock:
            at, refusal = self.clock.seconds(), self.refusal()
            is_soon = bool(self.calls) and at - self.calls[-1].at < self.seconds - 0.001
            is_over = is_soon or self._answering > 0 or refusal is not None
            self.calls.append(Call(at, self.kind, handler.path, dict(handler.headers.items()), is_over))
            fault = next((rule.fault for rule in self._rules if rule.applies(handler.path)), None)
            self._answering += 1
            page = refusal or self.page(handler.path)
        wire: Any = Wire(handler, {})
        try:
            if fault is not None:
                fault(wire, page)
            else:
                wire.send(page)
        finally:
            self._answering -= 1
