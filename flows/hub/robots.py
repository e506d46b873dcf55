"""The rules of robots.txt (RFC 9309)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from protego import Protego

from warehouse.archive.captured import Capture

AGENT: Final = "paperlake"
PARSED_BYTES: Final = 500 << 10  # RFC 9309 §2.5 asks for no more
NOTHING: Final = "User-agent: *\nDisallow: /\n"
FORBIDDEN: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


class Robots:
    """The rules of one robots.txt for paperlake.

    Of a long file the first 500 KiB count. No file means no rules, and so does None: one that is unavailable. A file we
    may not read (401, 403) forbids all, which is stricter than RFC 9309.
    """

    def __init__(self, answer: Capture | None) -> None:
        text = NOTHING if answer and answer.http_status in FORBIDDEN else ""
        if answer and answer.http_status == HTTPStatus.OK:
            rules = answer.payload
            if len(rules) > PARSED_BYTES:
                rules = rules[:PARSED_BYTES].rpartition(b"\n")[0]  # half a line would be another rule
            text = rules.decode("utf-8", "replace")
        self._rules = Protego.parse(text)

    @property
    def pause_seconds(self) -> float:
        """The Crawl-delay, between any two calls."""
        return self._rules.crawl_delay(AGENT) or 0.0

    def allows(self, url: str) -> bool:
        return self._rules.can_fetch(url, AGENT)
