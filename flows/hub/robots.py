"""The rules of robots.txt (RFC 9309)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from protego import Protego

from warehouse.archive.captured import Capture

AGENT: Final = "paperlake"
NOTHING: Final = "User-agent: *\nDisallow: /\n"
FORBIDDEN: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


class Robots:
    """The rules of one robots.txt for paperlake."""

    def __init__(self, answer: Capture) -> None:
        self._rules = Protego.parse(_text(answer))

    @property
    def pause_seconds(self) -> float:
        """The Crawl-delay, between any two calls."""
        return self._rules.crawl_delay(AGENT) or 0.0

    def allows(self, url: str) -> bool:
        return self._rules.can_fetch(url, AGENT)


def _text(answer: Capture) -> str:
    """No file means no rules. A file we may not read (401, 403) forbids all, which is stricter than RFC 9309."""
    if answer.http_status in FORBIDDEN:
        return NOTHING
    return answer.payload.decode("utf-8", "replace") if answer.http_status == HTTPStatus.OK else ""
