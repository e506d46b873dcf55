"""A connection of the stand-in, for faults: it can send bytes that no sound server would."""

from __future__ import annotations

import gzip
import socket
import struct
from http.client import responses
from typing import TYPE_CHECKING

from tests.hub.site import Page

if TYPE_CHECKING:
    from tests.hub.server import Handler

GZIP_FROM = 1000
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close at once, and throw away what was not sent


class Wire:
    """`headers` go out with every answer."""

    def __init__(self, handler: Handler, headers: dict[str, str]) -> None:
        self._handler, self._headers = handler, headers
        self.request_headers = dict(handler.headers.items())

    def send(self, page: Page) -> None:
        """A whole answer, compressed where the client takes that."""
        takes_gzip = "gzip" in self.request_headers.get("Accept-Encoding", "")
        body, headers = page.body, page.headers
        if takes_gzip and len(body) >= GZIP_FROM and "Content-Encoding" not in headers:
            body, headers = gzip.compress(body, 1, mtime=0), {**headers, "Content-Encoding": "gzip"}
        self.start(Page(body, page.status, page.content_type, headers), length=len(body))
        if page.status not in (204, 304):
            self.write(body)

    def start(self, page: Page, *, length: int | None) -> None:
        """The header of an answer; without a length the body is chunked."""
        lines = [
            f"HTTP/1.1 {page.status} {responses.get(page.status, 'Unknown')}",
            f"Date: {self._handler.date_time_string()}",
        ]
        framing = {"Transfer-Encoding": "chunked"} if length is None else {"Content-Length": str(length)}
        typed = {"Content-Type": page.content_type} if page.content_type else {}
        told = {**self._headers, **typed, **(framing if page.status not in (204, 304) else {}), **page.headers}
        lines += [f"{name}: {value}" for name, value in told.items()]
        self.write("\r\n".join([*lines, "", ""]).encode("latin-1"))

    def write(self, data: bytes) -> None:
        self._handler.hub.sent_bytes += len(data)  # before the client can have read it
        self._handler.wfile.write(data)

    def close(self) -> None:
        self._handler.close_connection = True

    def reset(self) -> None:
        self._handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self._handler.connection.close()
        self.close()
