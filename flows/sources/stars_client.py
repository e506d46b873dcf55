"""The client of GitHub's REST API: how many stars a repository gained, week by week.

It is the interface that GitHub offers to programs; robots.txt, which is for crawlers of pages, is not asked for.
Whoever sends no token gets 60 requests an hour, which all of one address share; the answers say how many are left.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

import httpx

from flows.hub.answer import http_date
from flows.hub.client import JSON
from flows.hub.paced import Manners, PacedSource
from flows.sources.works_client import PATIENCE
from warehouse.archive.captured import Capture, Outcome, in_utc

SECONDS: Final = 1.0
A_PAGE: Final = 30  # weeks, the most that GitHub gives at once
KEPT_FREE: Final = 10  # requests of an hour, for whoever else asks from this address
AN_HOUR: Final = 3600.0
GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE, HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS)
NUMBER: Final = re.compile(r"[0-9]{1,11}")


def no_history(found: Capture) -> str | None:
    """Why an answer is no history, nor says that there is no such repository."""
    start = found.payload.lstrip()[:1]
    if found.http_status == HTTPStatus.OK:
        return None if start == b"[" else "the answer is no list of weeks"
    return None if found.http_status in GONE and start == b"{" else f"HTTP status {found.http_status}"


def rest_stated(headers: httpx.Headers) -> float:
    """The seconds to the next hour's requests, where few of this hour's are left; an hour where it is not said when.

    >>> stated = {"X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "1791378000"}
    >>> rest_stated(httpx.Headers(stated | {"Date": "Wed, 07 Oct 2026 12:30:00 GMT"}))
    1800.0
    """
    left, reset = (headers.get(f"X-RateLimit-{name}", "") for name in ("Remaining", "Reset"))
    if not NUMBER.fullmatch(left) or int(left) >= KEPT_FREE:
        return 0.0
    at = http_date(headers.get("Date", ""))
    if at is None or not NUMBER.fullmatch(reset):
        return AN_HOUR
    return max(0.0, (in_utc(datetime.fromtimestamp(int(reset), UTC)) - at).total_seconds())


def pause_stated(headers: httpx.Headers) -> float:
    """The seconds of its second limit, which it states in an answer 403 too."""
    stated = headers.get("Retry-After", "")
    return float(stated) if NUMBER.fullmatch(stated) else 0.0


class GitHub(PacedSource):
    """GitHub, asked for the newest weeks of `owner/name`."""

    manners = Manners(
        name="GitHub",
        setting="github",
        seconds=SECONDS,
        patience=PATIENCE,
        types=JSON,
        fault=no_history,
        pause=pause_stated,
        rest=rest_stated,
        headers=(("X-GitHub-Api-Version", "2026-03-10"),),
    )

    def ask(self, subject: str) -> Outcome:
        """The stars of a repository, week by week."""
        return self.fetch(f"{self.base}/repos/{quote(subject)}/stargazers/history?per_page={A_PAGE}")
