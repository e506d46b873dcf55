"""What robots.txt allows (RFC 9309)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from protego import Protego

from warehouse.archive.captured import Capture

AGENT: Final = "paperlake"
NOTHING: Final = "User-agent: *\nDisallow: /\n"
FORBIDDEN: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


class Robots:
    """The rules that one answer to /robots.txt lays down for paperlake."""

    def __init__(self, answer: Capture) -> None:
        self._rules = Protego.parse(_text(answer))

    @property
    def pause_seconds(self) -> float:
        """How long to wait between any two calls."""
        return self._rules.crawl_delay(AGENT) or 0.0

    def allows(self, url: str) -> bool:
        return self._rules.can_fetch(url, AGENT)


def _text(answer: Capture) -> str:
    """No file means no rules. A file that may not be read is taken for a closed door, which RFC 9309 does not ask."""
    if answer.http_status in FORBIDDEN:
        return NOTHING
    return answer.payload.decode("utf-8", "replace") if answer.http_status == HTTPStatus.OK else ""
