"""The client of Crossref's REST API: the record of one published work, by its DOI.

It is the interface that Crossref offers to programs; robots.txt, which is for crawlers of pages, is not asked for.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

import httpx

from flows.hub import Clock, Patience
from flows.hub.client import CLOCK, JSON
from flows.hub.paced import Manners, Paced, PacedSource
from flows.runtime.settings import Settings
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


MANNERS: Final = Manners(
    name="Crossref", turn="crossref-turn", seconds=SECONDS, types=JSON, fault=no_work, pause=pause_stated
)


def with_mailbox(settings: Settings) -> Settings:
    """The settings by which a mailbox in PAPERLAKE_CONTACT is sent as registries ask for it: with every call, but never
    in an address.
    """
    contact = settings.contact
    if contact and "@" in contact and "/" not in contact and not contact.startswith("mailto:"):
        return settings.model_copy(update={"contact": f"mailto:{contact}"})
    return settings


class Works(PacedSource):
    """A polite client of Crossref, for one thread; a context manager, which closes its one connection."""

    def __init__(self, settings: Settings, *, patience: Patience = PATIENCE, clock: Clock = CLOCK) -> None:
        self._base = settings.crossref_url.rstrip("/")
        self._paced = Paced(self._base, with_mailbox(settings), MANNERS, patience, clock)

    def work(self, doi: str) -> Outcome:
        """The record of the work that a DOI names: a Capture, also of the answer that there is none; or Failed."""
        return self._paced.fetch(f"{self._base}/works/{quote(doi, safe='')}")
