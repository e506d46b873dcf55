"""A time limit for a whole exchange: the time-outs of sockets begin anew with every byte."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final

STREAM_IS_OPEN: Final = ("connect_tcp.complete", "start_tls.complete")


class Watch:
    """Shuts down a client's only connection when an exchange has lasted `seconds`; for one exchange at a time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._socket: socket.socket | None = None
        self._over = threading.Event()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """The `trace` extension of a request, from which the open connection is known."""
        if event.endswith(STREAM_IS_OPEN):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._over.is_set():
                self._shut()

    @contextmanager
    def exchange(self) -> Iterator[threading.Event]:
        """Limit the time of the block; the event is set when it is over, just before the connection fails."""
        self._over = threading.Event()
        timer = threading.Timer(self._seconds, self._shut)
        timer.daemon = True
        timer.start()
        try:
            yield self._over
        finally:
            timer.cancel()
            timer.join()

    def _shut(self) -> None:
        self._over.set()
        if self._socket is not None:
            with suppress(OSError):  # it is closed already
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)  # not TLS's own, which changes state under read
