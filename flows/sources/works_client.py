"""The client of Crossref's REST API: the record of one published work, by its DOI.

It is the interface that Crossref offers to programs; robots.txt, which is for crawlers of pages, is not asked for.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

import httpx

from flows.hub import Patience
from flows.hub.client import JSON
from flows.hub.paced import Manners, PacedSource
from transforms.readers.works.crossref_work import GONE
from warehouse.archive.captured import Capture, Outcome

SECONDS: Final = (
    1.0  # a fifth of what Crossref allows to whom it does not know; its answers state less where it is busy
)
PATIENCE: Final = Patience(tries=2, backoff_seconds=30, longest_backoff_seconds=600)
INTERVAL: Final = re.compile(r"([0-9]{1,5})(?:s|$)")
HTML: Final = b"<"


def no_work(found: Capture) -> str | None:
    """Why an answer is no record, nor says that there is none; a page of a proxy says nothing of a work."""
    start = found.payload.lstrip()[:1]
    if found.http_status == HTTPStatus.OK:
        return None if start == b"{" else "the answer is no JSON"
    return None if found.http_status in GONE and start != HTML else f"HTTP status {found.http_status}"


def pause_stated(headers: httpx.Headers) -> float:
    """The seconds that Crossref wants between requests, as its answers state them: so many an interval.

    >>> pause_stated(httpx.Headers({"X-Rate-Limit-Limit": "2", "X-Rate-Limit-Interval": "5s"}))
    2.5
    """
    limit = INTERVAL.fullmatch(headers.get("X-Rate-Limit-Limit", ""))
    interval = INTERVAL.fullmatch(headers.get("X-Rate-Limit-Interval", ""))
    return int(interval[1]) / max(1, int(limit[1])) if limit and interval else 0.0


class Crossref(PacedSource):
    """Crossref, asked for the record of the work that a DOI names."""

    manners = Manners(
        name="Crossref",
        setting="crossref",
        seconds=SECONDS,
        patience=PATIENCE,
        types=JSON,
        fault=no_work,
        pause=pause_stated,
        with_mailbox=True,
    )

    def ask(self, subject: str) -> Outcome:
        """The record of a work."""
        return self.fetch(f"{self.base}/works/{quote(subject, safe='')}")
