"""A proxy on loopback that counts requests to an HTTP server and spoils some of them."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.serving import Quiet, serving

CONFLICT = b"<Error><Code>ConditionalRequestConflict</Code><Message>Try again</Message></Error>"
BODIES = {"409": CONFLICT, "200": b"<html>Welcome to this router</html>"}


class Call(NamedTuple):
    """A request, by its name in a price list of S3, with its path."""

    kind: str
    path: str


class Faulty(ThreadingHTTPServer):
    """Spoils the requests that `faults` names, in order; "" leaves one as it is, and so does the end of the list.

    `lost`: done by the server, and not answered. `cut`: half an answer. A status: answered so, and not done.
    """

    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target = urlsplit(target).netloc
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.faults: list[str] = []
        self.asked: list[str] = []
        self.calls: list[Call] = []

    def handle_error(self, *_: object) -> None:
        """Print nothing: these tests are about clients that hang up."""


@contextmanager
def faulty(target: str) -> Iterator[Faulty]:
    with serving(server := Faulty(target)):
        yield server


class _Handler(Quiet, BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Faulty

    def _pass_on(self) -> None:
        self.server.asked.append(self.command)
        fault = self.server.faults.pop(0) if self.server.faults else ""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if fault.isdigit():
            data = BODIES.get(fault, b"")
            self._answer(int(fault), {"Content-Length": str(len(data))}, data)
            return
        with closing(HTTPConnection(self.server.target)) as connection:
            connection.request(self.command, self.path, body, dict(self.headers))
            answer = connection.getresponse()
            data = answer.read()
        self.server.calls.append(Call(self._kind(), urlsplit(self.path).path))
        self.close_connection = fault in {"lost", "cut"}
        if fault != "lost":
            self._answer(answer.status, dict(answer.headers), data[: len(data) // 2] if fault == "cut" else data)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = _pass_on  # noqa: N815

    def _kind(self) -> str:
        query = urlsplit(self.path).query
        if self.command == "GET" and "list-type=" in query:
            return "LIST"
        if self.command == "PUT" and "x-amz-copy-source" in self.headers:
            return "COPY"
        return "DELETE" if self.command == "POST" and "delete" in query else self.command

    def _answer(self, status: int, headers: dict[str, str], data: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
