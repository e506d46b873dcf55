"""The clients of Crossref, OpenAlex and GitHub: REST APIs, each asked for one thing, as often as it wants at most.

Of Crossref works are asked for by DOI, of OpenAlex works by a filter and without their authors, of GitHub stars by the
week. These are the interfaces that the sources offer to programs, under their terms of use; robots.txt, which is for
crawlers of pages, is not asked for.

A list of OpenAlex costs one credit of a thousand that it gives away a day to whoever has no key; GitHub gives who
sends no token 60 requests an hour, which all of one address share. The answers of both say how many are left.
"""

import re
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final
from urllib.parse import quote, urlencode

import httpx

from flows.hub.answer import http_date
from flows.hub.arxiv_harvest import Arxiv
from flows.hub.budget import Patience
from flows.hub.client import JSON
from flows.hub.paced import Manners, PacedSource
from transforms.readers.crossref_work import GONE
from warehouse.archive.captured import Capture, Outcome, in_utc

# A fifth of what Crossref allows to whom it does not know; its answers state less where it is busy
CROSSREF_SECONDS: Final = 1.0
AN_HOUR: Final = 3600.0  # a longer pause is believed where a budget is used up
PATIENCE: Final = Patience(tries=2, backoff_seconds=30, longest_backoff_seconds=600)
INTERVAL: Final = re.compile(r"([0-9]{1,5})(?:s|$)")
COUNT: Final = re.compile(r"[0-9]{1,11}")
HTML: Final = b"<"


def stated(headers: httpx.Headers, name: str) -> int | None:
    """The number that a header states; None where it states none."""
    value = headers.get(name, "")
    return int(value) if COUNT.fullmatch(value) else None


def no_work(found: Capture) -> str | None:
    """Why an answer is no record, nor says that there is none; a page of a proxy says nothing of a work."""
    start = found.payload.lstrip()[:1]
    if found.http_status == HTTPStatus.OK:
        return None if start == b"{" else "the answer is no JSON"
    return None if found.http_status in GONE and start != HTML else f"HTTP status {found.http_status}"


def pause_stated(headers: httpx.Headers) -> float:
    """The seconds that Crossref wants between requests, an hour at most; its answers state them as so many an interval.

    >>> pause_stated(httpx.Headers({"X-Rate-Limit-Limit": "2", "X-Rate-Limit-Interval": "5s"}))
    2.5
    """
    limit = INTERVAL.fullmatch(headers.get("X-Rate-Limit-Limit", ""))
    interval = INTERVAL.fullmatch(headers.get("X-Rate-Limit-Interval", ""))
    return min(int(interval[1]) / max(1, int(limit[1])), AN_HOUR) if limit and interval else 0.0


class Crossref(PacedSource):
    """Crossref, asked for the record of the work that a DOI names."""

    manners = Manners(
        name="Crossref",
        setting="crossref",
        seconds=CROSSREF_SECONDS,
        patience=PATIENCE,
        types=JSON,
        fault=no_work,
        pause=pause_stated,
        with_mailbox=True,
    )

    def ask(self, subject: str) -> Outcome:
        """The record of a work."""
        return self.fetch(f"{self.base}/works/{quote(subject, safe='')}")


STARS_SECONDS: Final = 1.0
WEEKS: Final = 30  # weeks, the most that GitHub gives at once
KEPT_FREE: Final = 10  # requests of an hour, for whoever else asks from this address
NOT_HELD: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE, HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS)


def no_history(found: Capture) -> str | None:
    """Why an answer is no history, nor says that there is no such repository."""
    start = found.payload.lstrip()[:1]
    if found.http_status == HTTPStatus.OK:
        return None if start == b"[" else "the answer is no list of weeks"
    return None if found.http_status in NOT_HELD and start == b"{" else f"HTTP status {found.http_status}"


def rest_of_hour(headers: httpx.Headers) -> float:
    """The seconds to the next hour's requests, where few of this hour's are left; an hour where it is not said when.

    >>> left = {"X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "1791378000"}
    >>> rest_of_hour(httpx.Headers(left | {"Date": "Wed, 07 Oct 2026 12:30:00 GMT"}))
    1800.0
    """
    left, reset = (stated(headers, f"X-RateLimit-{name}") for name in ("Remaining", "Reset"))
    if left is None or left >= KEPT_FREE:
        return 0.0
    at = http_date(headers.get("Date", ""))
    if at is None or reset is None:
        return AN_HOUR
    return max(0.0, (in_utc(datetime.fromtimestamp(reset, UTC)) - at).total_seconds())


def second_pause(headers: httpx.Headers) -> float:
    """The seconds of its second limit, an hour at most, which it states in an answer 403 too.

    >>> second_pause(httpx.Headers({"Retry-After": "60"})), second_pause(httpx.Headers({"Retry-After": "99999"}))
    (60.0, 3600.0)
    """
    return min(float(stated(headers, "Retry-After") or 0), AN_HOUR)


class GitHub(PacedSource):
    """GitHub, asked for the newest weeks of `owner/name`."""

    manners = Manners(
        name="GitHub",
        setting="github",
        seconds=STARS_SECONDS,
        patience=PATIENCE,
        types=JSON,
        fault=no_history,
        pause=lambda headers: max(second_pause(headers), rest_of_hour(headers)),
        headers=(("X-GitHub-Api-Version", "2026-03-10"),),
    )

    def ask(self, subject: str) -> Outcome:
        """The stars of a repository, week by week."""
        return self.fetch(f"{self.base}/repos/{quote(subject)}/stargazers/history?per_page={WEEKS}")


OPENALEX_SECONDS: Final = 1.0  # a tenth of what OpenAlex allows
LIST_CREDITS: Final = 1
WORKS_A_PAGE: Final = 100  # twice as many as a filter has values
SELECTED: Final = "id,doi,title,type,publication_date,is_retracted,biblio,primary_location,locations"
START: Final = 200
AUTHORS: Final = re.compile(rb'"(?:authorships|raw_author_names?|author)"\s*:')


def no_list(found: Capture) -> str | None:
    """Why an answer is no list of works."""
    if found.http_status != HTTPStatus.OK:
        return f"HTTP status {found.http_status}"
    if AUTHORS.search(found.payload):  # of whom nothing is to be kept
        return "the answer has authors, which were not asked for"
    start = found.payload.lstrip()[:START]
    return None if start.startswith(b"{") and b'"meta"' in start else "the answer is no list of works"


def rest_of_day(headers: httpx.Headers) -> float:
    """The seconds to the next day's credits, where those of this day are used up.

    >>> rest_of_day(httpx.Headers({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "41992"}))
    41992.0
    """
    names = ("Remaining", "Reset", "Credits-Required")
    left, reset, needed = (stated(headers, f"X-RateLimit-{name}") for name in names)
    if left is None or reset is None or left >= (needed or LIST_CREDITS):
        return 0.0
    return float(reset)


class OpenAlex(PacedSource):
    """OpenAlex, asked for the works that a filter names, a page at most."""

    manners = Manners(
        name="OpenAlex",
        setting="openalex",
        seconds=OPENALEX_SECONDS,
        patience=PATIENCE,
        types=JSON,
        fault=no_list,
        pause=rest_of_day,
        with_mailbox=True,
    )

    def ask(self, subject: str) -> Outcome:
        """The works of a filter."""
        asked = {"filter": subject, "select": SELECTED, "per-page": WORKS_A_PAGE}
        return self.fetch(f"{self.base}/works?{urlencode(asked)}")


SOURCES: Final[tuple[type[PacedSource], ...]] = (Arxiv, Crossref, OpenAlex, GitHub)  # in which order they are asked
