"""Where Chromium is, how it is started, and pages for it from a server on loopback that notes what they request."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.serving import answering

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
    """Where pages are served, and the requests that came."""

    address: str = ""
    asked: list[str] = field(default_factory=list)


@contextmanager
def served(pages: Mapping[str, bytes]) -> Iterator[Site]:
    """The pages, served on loopback; any other request is recorded and gets 404."""
    site = Site()

    def page(asked: Any, _: bytes) -> tuple[int, bytes]:
        site.asked.append(asked.path)
        return (200, pages[asked.path]) if asked.path in pages else (404, b"")

    with answering(page) as site.address:
        yield site
