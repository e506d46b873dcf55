"""`/metrics`, `/healthz` and `/readyz` of a lake, served beside its schedule; the metrics are at most a minute old."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final

from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST

from flows.serving.bounded import BoundedHandler, BoundedServer

FRESH_SECONDS: Final = 60.0  # a measure reads the archive's index; Prometheus asks every 15 s, and others too
READY: Final = b"paperlake_lake_state 2"


class WatchServer(BoundedServer):
    """Serves the text that `measure` returns, which may take a second to make."""

    def __init__(self, measure: Callable[[], bytes], host: str, port: int) -> None:
        self._measure, self._lock = measure, threading.Lock()
        self._measured, self._at = b"", -FRESH_SECONDS
        super().__init__(host, port, _Handler)

    def measured(self) -> bytes:
        """The metrics, at most FRESH_SECONDS old; a request that comes while they are measured waits for them."""
        with self._lock:
            if time.monotonic() - self._at >= FRESH_SECONDS:
                self._measured, self._at = self._measure(), time.monotonic()
            return self._measured


class _Handler(BoundedHandler):
    server: WatchServer

    def give(self, path: str) -> None:
        """Answer one of the three paths."""
        match path:
            case "healthz":
                self.say(HTTPStatus.OK, "alive")
            case "readyz":
                is_ready = any(line.startswith(READY) for line in self.server.measured().splitlines())
                words = "a release is published" if is_ready else 'nothing can be read: "paperlake doctor" says why'
                self.say(HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE, words)
            case "metrics":
                self.answer(HTTPStatus.OK, CONTENT_TYPE_LATEST, self.server.measured())
            case _:
                self.say(HTTPStatus.NOT_FOUND, "here are /metrics, /healthz and /readyz")


@contextmanager
def metrics_server(measure: Callable[[], bytes], host: str, port: int) -> Iterator[str]:
    """Serve the metrics from a thread of its own; yields their address."""
    server = WatchServer(measure, host, port)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{server.host}/metrics"
    finally:
        server.shutdown()
        server.server_close()
