"""The wire of the stand-in for dataset repositories, on loopback, and how it misbehaves: faults in place of answers."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.hub.dataset_site import Answer, Asked, DatasetSite, Fault, Reply
from tests.serving import Quiet, serving


class SiteHandler(Quiet, BaseHTTPRequestHandler):
    """Hands every request to the site."""

    protocol_version = "HTTP/1.1"

    def __init__(self, site: DatasetSite, *given: Any) -> None:
        self._site = site
        super().__init__(*given)

    def _serve(self, method: str) -> None:
        parts, length = urlsplit(self.path), int(self.headers.get("Content-Length") or 0)
        if method == "PUT" and self._site.is_cut():
            self.rfile.read(length // 2)
            self.close_connection = True
            return
        body = self.rfile.read(length) if "chunked" not in self.headers.get("Transfer-Encoding", "") else self._chunks()
        if len(body) < length:  # whoever sent it was killed
            self.close_connection = True
            return
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        reply = self._site.reply(Asked(method, parts.path, parse_qs(parts.query), body, token))
        if reply.status == 0:
            self.close_connection = True
            return
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        data = reply.body
        if found and reply.data is not None:
            first, last = int(found[1]), min(int(found[2] or len(data) - 1), len(data) - 1)
            ranged = {"Content-Range": f"bytes {first}-{last}/{len(data)}"}
            reply, data = replace(reply, status=206, headers=reply.headers | ranged), data[first : last + 1]
        self.send_response(reply.status)
        for name, value in {"Content-Type": "application/json", **reply.headers, "Content-Length": len(data)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _chunks(self) -> bytes:
        body = b""
        while size := int(self.rfile.readline() or b"0", 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def do_GET(self) -> None:
        self._serve("GET")

    def do_HEAD(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def do_PUT(self) -> None:
        self._serve("PUT")

    def do_DELETE(self) -> None:
        self._serve("DELETE")


class SiteServer(ThreadingHTTPServer):
    """Keeps what went wrong in its threads."""

    daemon_threads = True

    def __init__(self, site: DatasetSite) -> None:
        self.errors: list[BaseException] = []
        super().__init__(("127.0.0.1", 0), partial(SiteHandler, site))

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exception()
        if error is not None and not isinstance(error, (ConnectionError, ValueError)):  # clients are killed
            self.errors.append(error)


@contextmanager
def dataset_site(home: Path) -> Iterator[DatasetSite]:
    """The site, listening for as long as the block lasts; what went wrong in it is raised."""
    site = DatasetSite(home)
    server = SiteServer(site)
    site.url = f"http://127.0.0.1:{server.server_address[1]}"
    with serving(server):
        yield site
    if server.errors:
        raise server.errors[0]


# Faults: what is done in place of the right answer


def answers(status: int, **headers: str) -> Fault:
    """A status, and nothing done; headers with `_` for `-`."""
    told = {name.replace("_", "-"): text for name, text in headers.items()}
    return lambda _asked, _right: Reply(status, {"error": "for now"}, told)


def after(status: int) -> Fault:
    """What was asked is done, and the answer is an error; with 0 it is cut."""

    def fault(asked: Asked, right: Answer) -> Reply:
        right(asked)
        return Reply(status, {"error": "after all"})

    return fault


def lost(_asked: Asked, _right: Answer) -> Reply:
    """The answer says that it is done, and nothing is."""
    return Reply(200, {})


def ignoring(part: str) -> Fault:
    """Files whose path has this part are said to be ignored."""

    def fault(asked: Asked, right: Answer) -> Reply:
        reply = right(asked)
        told = [file | {"shouldIgnore": part in file["path"]} for file in reply.told["files"]]
        return replace(reply, told={"files": told})

    return fault
