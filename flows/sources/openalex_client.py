"""The client of OpenAlex's REST API: the works that a filter names, without their authors.

It is the interface that OpenAlex offers to programs; robots.txt, which is for crawlers of pages, is not asked for. A
list costs one credit of a thousand that it gives away a day to whoever has no key; its answers say how many are left.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

import httpx

from flows.hub.client import JSON
from flows.hub.paced import Manners, PacedSource
from flows.sources.works_client import PATIENCE
from warehouse.archive.captured import Capture, Outcome

SECONDS: Final = 1.0  # a tenth of what OpenAlex allows
LIST_CREDITS: Final = 1
A_PAGE: Final = 100  # twice as many as a filter has values
SELECTED: Final = "id,doi,title,type,publication_date,is_retracted,biblio,primary_location,locations"
START: Final = 200
AUTHORS: Final = re.compile(rb'"(?:authorships|raw_author_names?|author)"\s*:')
NUMBER: Final = re.compile(r"[0-9]{1,9}")


def no_list(found: Capture) -> str | None:
    """Why an answer is no list of works."""
    if found.http_status != HTTPStatus.OK:
        return f"HTTP status {found.http_status}"
    if AUTHORS.search(found.payload):  # of whom nothing is to be kept
        return "the answer has authors, which were not asked for"
    start = found.payload.lstrip()[:START]
    return None if start.startswith(b"{") and b'"meta"' in start else "the answer is no list of works"


def rest_stated(headers: httpx.Headers) -> float:
    """The seconds to the next day's credits, where those of this day are used up.

    >>> rest_stated(httpx.Headers({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "41992"}))
    41992.0
    """
    left, reset, needed = (_number(headers, name) for name in ("Remaining", "Reset", "Credits-Required"))
    if left is None or reset is None or left >= (needed or LIST_CREDITS):
        return 0.0
    return float(reset)


def _number(headers: httpx.Headers, name: str) -> int | None:
    stated = headers.get(f"X-RateLimit-{name}", "")
    return int(stated) if NUMBER.fullmatch(stated) else None


class OpenAlex(PacedSource):
    """OpenAlex, asked for the works that a filter names, a page at most."""

    manners = Manners(
        name="OpenAlex",
        setting="openalex",
        seconds=SECONDS,
        patience=PATIENCE,
        types=JSON,
        fault=no_list,
        rest=rest_stated,
        with_mailbox=True,
    )

    def ask(self, subject: str) -> Outcome:
        """The works of a filter."""
        asked = {"filter": subject, "select": SELECTED, "per-page": A_PAGE}
        return self.fetch(f"{self.base}/works?{urlencode(asked)}")
