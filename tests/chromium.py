"""Chromium on pages from a server on loopback: what they hold once laid out, and what they request."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

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
    "--enable-logging=stderr",  # the console, and what a policy refused
    "--hide-scrollbars",
    "--virtual-time-budget=30000",
)


@dataclass
class Site:
    """Pages by path, the requests that came, and what Chromium logged."""

    pages: Mapping[str, bytes]
    address: str = ""
    asked: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)

    def probe(self, path: str, profile: Path, *flags: str) -> Any:
        """The JSON that a page has written into its element `found` by the end of its load."""
        command = [str(CHROMIUM), *FLAGS, f"--user-data-dir={profile}", *flags, "--dump-dom", self.address + path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        self.console += [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        (found,) = re.findall(r'<script id="found" type="application/json">(.*?)</script>', done.stdout, re.DOTALL)
        return json.loads(unescape(found))


@contextmanager
def served(pages: Mapping[str, bytes]) -> Iterator[Site]:
    """The pages, served on loopback; any other request is recorded and gets 404."""
    site = Site(pages)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            page = site.pages.get(self.path)
            self.send_response(200 if page is not None else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page or b"")

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))  # or it hears half a second late that it is to end
    thread.start()
    try:
        site.address = f"http://127.0.0.1:{server.server_port}"
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
