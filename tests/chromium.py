"""Where Chromium is, how it is started, and pages for it from a server on loopback that notes what they request."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.serving import Quiet, serving

CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--headless",
    "--no-sandbox",  # it runs as root in CI, and sees only pages of ours
    "--disable-gpu",
    *("--disable-site-isolation-trials", "--renderer-process-limit=1"),  # else a process starts with each page: a third
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


@dataclass
class Site:
    """Pages by path, and the requests that came."""

    pages: Mapping[str, bytes]
    address: str = ""
    asked: list[str] = field(default_factory=list)


@contextmanager
def served(pages: Mapping[str, bytes]) -> Iterator[Site]:
    """The pages, served on loopback; any other request is recorded and gets 404."""
    site = Site(pages)

    class Handler(Quiet, BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            page = site.pages.get(self.path)
            self.send_response(200 if page is not None else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page or b"")

    with serving(server := ThreadingHTTPServer(("127.0.0.1", 0), Handler)):
        site.address = f"http://127.0.0.1:{server.server_port}"
        yield site
