"""Serves a release to a browser of this machine: its files, whole or by range, and nothing else of the lake."""

from __future__ import annotations

import re
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from warehouse.errors import NothingThere, PaperlakeError, StoreFailed
from warehouse.release.latest import MANIFEST, release_key
from warehouse.release.manifest import Manifest
from warehouse.store.store import Store

LOOPBACK: Final = "127.0.0.1"
PAGE: Final = "explore/index.html"
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".yaml": "text/plain; charset=utf-8",
}
RANGE: Final = re.compile(r"bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))")  # one, as the explorer and DuckDB ask for


class ReleaseServer(ThreadingHTTPServer):
    """On loopback; port 0 is any that is free. StoreFailed where the port is taken."""

    daemon_threads = True

    def __init__(self, store: Store, manifest: Manifest, port: int) -> None:
        if all(file.key != PAGE for file in manifest.files):
            step = 'run "paperlake build" and then "paperlake publish" for one that has'
            raise NothingThere(f"release {manifest.version} of an older paperlake has no explorer; {step}")
        self.store, self.version = store, manifest.version
        self.sizes = {file.key: file.bytes for file in manifest.files}
        self.sizes[MANIFEST] = store.size(release_key(manifest.version, MANIFEST))
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except OSError as error:
            raise StoreFailed(f"port {port} cannot be had ({error.strerror}); name another with --port") from error
        self.host = f"{LOOPBACK}:{self.server_port}"

    @property
    def address(self) -> str:
        """Of the explorer."""
        return f"http://{self.host}/{PAGE.removesuffix('index.html')}"

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as socketserver calls it
        """A browser that has gone away is no error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _span(asked: re.Match[str], size: int) -> tuple[int, int]:
    """Where a range begins and ends in a file: from a place on, or so many of its last bytes."""
    if asked[1] is None:
        return max(size - int(asked[3]), 0), size
    return int(asked[1]), min(int(asked[2] or size) + 1, size)


class _Handler(BaseHTTPRequestHandler):
    server: ReleaseServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are written apart: each answer would wait 40 ms

    def do_GET(self) -> None:
        if self.headers["Host"] not in {self.server.host, f"localhost:{self.server.server_port}"}:
            self._say(HTTPStatus.MISDIRECTED_REQUEST, "this is the explorer of a release, under another name")
            return
        key = unquote(urlsplit(self.path).path).removeprefix("/")
        key = f"{key}index.html" if key.endswith("/") or not key else key
        size = self.server.sizes.get(key)
        if size is None:
            self._say(HTTPStatus.NOT_FOUND, f"release {self.server.version} has no such file")
            return
        asked = RANGE.fullmatch(self.headers["Range"] or "")
        start, end = _span(asked, size) if asked else (0, size)
        if asked and start >= end:
            self._say(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, f"{key} has {size} bytes")
            return
        try:
            data = self.server.store.read_range(release_key(self.server.version, key), start, end - start)
        except PaperlakeError as error:
            self._say(HTTPStatus.NOT_FOUND if isinstance(error, NothingThere) else HTTPStatus.BAD_GATEWAY, str(error))
            return
        given = {"Content-Range": f"bytes {start}-{end - 1}/{size}"} if asked else {}
        content_type = TYPES.get(PurePosixPath(key).suffix, "application/octet-stream")
        self._send(HTTPStatus.PARTIAL_CONTENT if asked else HTTPStatus.OK, content_type, data, given)

    do_HEAD = do_GET  # noqa: N815 - as http.server calls it

    def _say(self, status: HTTPStatus, words: str) -> None:
        self._send(status, TYPES[".txt"], f"{words}\n".encode(), {})

    def _send(self, status: HTTPStatus, content_type: str, data: bytes, more: dict[str, str]) -> None:
        self.send_response(status)
        told = {"Content-Type": content_type, "Content-Length": str(len(data)), "Accept-Ranges": "bytes"}
        told |= {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}  # the next release has this address
        for name, value in (told | more).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""
