"""The web servers that we start: they listen, and refuse pages of other origins by Host and Origin.

One of our own is within limits: of requests at once, of their size and their time; GET and HEAD alone, and no body. On
loopback it answers to its own name only, so that no page of another host reads it through a browser.
"""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from threading import BoundedSemaphore, Thread, Timer
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from starlette.responses import Response
from starlette.status import WS_1008_POLICY_VIOLATION
from starlette.types import ASGIApp, Receive, Scope, Send

from warehouse.errors import NothingThere, PaperlakeError, StoreFailed, UsageError

LOOPBACK: Final = "127.0.0.1"
OWN_NAMES: Final = (LOOPBACK, "localhost", "[::1]")  # of this machine
OUR_OWN: Final = {b"same-origin", b"none"}  # `none`: the user typed the address


class OriginGuard:
    """An application of which only requests of the named hosts, and of no other origin, reach the one inside."""

    def __init__(self, inside: ASGIApp, hosts: Iterable[str]) -> None:
        self._inside = inside
        self._hosts = {host.encode() for host in hosts}
        self._origins = {b"http://" + host for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed; refuse all else with 421 or 403."""
        refused = 0 if scope["type"] == "lifespan" else self._status(scope["headers"])
        if not refused:
            await self._inside(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": WS_1008_POLICY_VIOLATION})  # not accepted yet: HTTP 403
        else:
            await Response(status_code=refused, headers={"Connection": "close"})(scope, receive, send)

    def _status(self, headers: Sequence[tuple[bytes, bytes]]) -> int:
        """421 for another host, by which DNS is rebound to this address; 403 for another origin; else 0."""
        named = {
            wanted: [value for name, value in headers if name.lower() == wanted]
            for wanted in (b"host", b"origin", b"sec-fetch-site")
        }
        if len(named[b"host"]) != 1 or named[b"host"][0].lower() not in self._hosts:
            return HTTPStatus.MISDIRECTED_REQUEST
        is_ours = self._origins.issuperset(named[b"origin"]) and OUR_OWN.issuperset(named[b"sec-fetch-site"])
        return 0 if is_ours else HTTPStatus.FORBIDDEN


def hosts_of(port: int, names: Iterable[str] = ()) -> list[str]:
    """The values of Host that name a server on a port of this machine, or of other names on that port."""
    return [f"{name}:{port}" for name in (*OWN_NAMES, *names)]


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any that is free. StoreFailed where the port, or the address, cannot be had."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise StoreFailed(f"port {port} cannot be had ({error.strerror}); name another with --port") from error


AT_ONCE: Final = 64  # a browser opens six connections to a host; each takes a thread
ASK_SECONDS: Final = 10.0  # for all of a request, a line and some headers
IDLE_SECONDS: Final = 30.0  # between two requests, or two writes that the other side takes
TEXT: Final = "text/plain; charset=utf-8"
HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class BoundedServer(ThreadingHTTPServer):
    """Listens on a port, 0 being any free one. StoreFailed where it is taken, UsageError where `host` is no address."""

    daemon_threads = True

    def __init__(self, host: str, port: int, handler: type[BoundedHandler]) -> None:
        try:
            is_loopback = ip_address(host).is_loopback
        except ValueError:
            raise UsageError(f"--host {host!r} is no address of this machine, for example {LOOPBACK}") from None
        super().__init__((host, port), handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listen(host, port)
        self.server_port = self.socket.getsockname()[1]
        self._room = BoundedSemaphore(AT_ONCE)
        self.host = f"[{host}]:{self.server_port}" if ":" in host else f"{host}:{self.server_port}"
        self.names = {self.host, *hosts_of(self.server_port)} if is_loopback else None

    def serve_until_stopped(self) -> None:
        """Answer until SIGTERM, by which a container and systemd end a service; open requests are answered first."""
        signal.signal(signal.SIGTERM, lambda *_: Thread(target=self.shutdown).start())
        self.serve_forever()

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as socketserver calls it
        """Accept a request, if there is room for one more."""
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no thread can be started: nobody else gives the room back
            self._room.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Answer a request, and make room for another."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Report an error, unless the client has gone away."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class BoundedHandler(BaseHTTPRequestHandler):
    """Answers requests, with the headers that every answer has. No answer names Python, and no address is logged."""

    server: BoundedServer
    protocol_version = "HTTP/1.1"
    timeout = IDLE_SECONDS
    disable_nagle_algorithm = True  # head and body are written apart: each answer would wait 40 ms

    def handle_one_request(self) -> None:
        """Handle one request; one that comes in too slowly, byte by byte, is cut off."""
        self._limit = Timer(IDLE_SECONDS + ASK_SECONDS, self._cut)
        self._limit.daemon = True
        self._limit.start()
        try:
            super().handle_one_request()
        finally:
            self._limit.cancel()

    def parse_request(self) -> bool:
        """Whether a request may be answered by `give`; otherwise it is refused here."""
        is_request = super().parse_request()
        self._limit.cancel()
        if not is_request:
            return False
        if self.headers.get("Content-Length", "0") != "0" or self.headers.get("Transfer-Encoding"):
            self.say(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "no request has a body here")
        elif self.command not in {"GET", "HEAD"}:
            self.say(HTTPStatus.METHOD_NOT_ALLOWED, "GET and HEAD are answered here", {"Allow": "GET, HEAD"})
        elif self.server.names and self.headers["Host"] not in self.server.names:
            self.say(HTTPStatus.MISDIRECTED_REQUEST, "this is a service of one machine, under another name")
        else:
            return True
        self.close_connection = True
        return False

    def do_GET(self) -> None:
        """Answer by `give`; an error is answered as a line of text."""
        try:
            self.give(unquote(urlsplit(self.path).path).removeprefix("/"))
        except NothingThere as error:
            self.say(HTTPStatus.NOT_FOUND, str(error))
        except PaperlakeError as error:
            self.say(HTTPStatus.BAD_GATEWAY, str(error))

    do_HEAD = do_GET  # noqa: N815 - as http.server calls it

    def give(self, path: str) -> None:
        """Answer a request for a path, which is given without its first slash."""
        raise NotImplementedError

    def say(self, status: HTTPStatus, words: str, more: Mapping[str, str] = HEADERS) -> None:
        """Answer with a line of text."""
        self.answer(status, TEXT, f"{words}\n".encode(), more)

    def answer(self, status: HTTPStatus, content_type: str, data: bytes, more: Mapping[str, str] = HEADERS) -> None:
        """Send a whole answer, which no cache keeps unless `more` says so."""
        self.begin(status, content_type, len(data), more)
        if self.command != "HEAD":
            self.wfile.write(data)

    def begin(self, status: HTTPStatus, content_type: str, size: int | None, more: Mapping[str, str]) -> None:
        """Send the head of an answer of so many bytes; None where the status says that there are none."""
        self.send_response_only(status)
        own = {"Content-Type": content_type, "Cache-Control": "no-cache"}
        own |= {} if size is None else {"Content-Length": str(size)}
        for name, value in (own | HEADERS | dict(more)).items():
            self.send_header(name, value)
        self.end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with what http.server finds wrong with a request, as a line, and end the connection."""
        del explain
        self.close_connection, self.request_version = True, self.protocol_version
        self.command = getattr(self, "command", None) or "GET"
        self.say(HTTPStatus(code), message or HTTPStatus(code).phrase)

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def _cut(self) -> None:
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
