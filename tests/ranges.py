"""A static file server on loopback with range requests, which counts requests and bytes sent."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from tests.serving import Quiet, serving


class Asked(NamedTuple):
    """A request: its method, its file, and how many bytes were sent."""

    method: str
    path: str
    sent: int


@dataclass
class Served:
    """A running server and the requests that it had."""

    folder: Path
    url: str
    asked: list[Asked] = field(default_factory=list)

    @property
    def sent(self) -> int:
        return sum(asked.sent for asked in self.asked)


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """Everything below the folder, for as long as the context is open."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.served = Served(folder, f"http://127.0.0.1:{server.server_port}")  # type: ignore[attr-defined]
    with serving(server):
        yield server.served  # type: ignore[attr-defined]


class _Handler(Quiet, BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def _answer(self) -> None:
        path = self.server.served.folder / self.path.lstrip("/")  # type: ignore[attr-defined]
        if not path.is_file():
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        size = path.stat().st_size
        start, end = _range(self.headers.get("Range", ""), size)
        is_part = "Range" in self.headers
        self.send_response(HTTPStatus.PARTIAL_CONTENT if is_part else HTTPStatus.OK)
        if is_part:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{size}")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(end - start))
        self.send_header("ETag", f'"{size}-{path.stat().st_mtime_ns}"')
        self.end_headers()
        sent = end - start if self.command == "GET" else 0
        self.server.served.asked.append(Asked(self.command, self.path, sent))  # type: ignore[attr-defined]
        if sent:
            with path.open("rb") as file:
                file.seek(start)
                self.wfile.write(file.read(sent))


def _range(header: str, size: int) -> tuple[int, int]:
    """First byte, and the one after the last, of `bytes=2-5`, `bytes=2-` or `bytes=-4`; all of it without a range."""
    found = re.fullmatch(r"bytes=(\d*)-(\d*)", header)
    if found is None:
        return 0, size
    first, last = found.groups()
    if not first:
        return max(size - int(last), 0), size
    return int(first), min(int(last or size - 1) + 1, size)
