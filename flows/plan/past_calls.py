"""Past calls to the Hub, from the archive's index: when each list or paper was last fetched, and its ETag."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from http import HTTPStatus
from typing import Final
from urllib.parse import unquote

from transforms.readers.request import Request, request_of
from warehouse.archive.captured import Capture, Known, Outcome
from warehouse.archive.index import IndexEntry
from warehouse.schema.core.attached import STARS
from warehouse.schema.core.works import CROSSREF, OPENALEX

NEVER: Final = datetime.min  # noqa: DTZ901 - instants are UTC without zone
WITH_A_PAGE: Final = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)
EMPTY_BYTES: Final = 8  # `[]` and a line end or two; a list with one item has hundreds of bytes
PAGE_NUMBER: Final = re.compile(r"[?&]p=([0-9]{1,4})(?:&|$)")
BUDGET_LASTS: Final = timedelta(minutes=15)  # three windows of the Hub's; then its count of calls has restarted
# A cached robots.txt should not be used for longer (RFC 9309 §2.4); that there is none may be cached as well
ROBOTS_LAST: Final = timedelta(hours=24)
ROBOTS_ANSWERS: Final = (HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


@dataclass(slots=True)
class _Address:
    """The calls to one address. An error (404) counts for `answered_at`, and only a page for `fetched_at`."""

    asked_at: datetime = NEVER
    failed_at: datetime = NEVER
    answered_at: datetime = NEVER
    fetched_at: datetime = NEVER
    etag: str | None = None
    is_empty: bool = False

    def learn(self, entry: IndexEntry | Capture, at: datetime) -> None:
        is_good = entry.failure is None and entry.damage is None and entry.http_status in WITH_A_PAGE
        self.asked_at = max(self.asked_at, at)
        if not is_good:
            self.failed_at = max(self.failed_at, at)
        if entry.failure is None:
            self.answered_at = max(self.answered_at, at)
        if is_good and at >= self.fetched_at:
            self.fetched_at, self.etag = at, entry.etag
            if isinstance(entry, IndexEntry):
                self.is_empty = entry.payload_bytes <= EMPTY_BYTES
            elif entry.http_status != HTTPStatus.NOT_MODIFIED:  # whose page is the one before it
                self.is_empty = len(entry.payload) <= EMPTY_BYTES


class PastCalls:
    """Every call in the index. Those without a time or from the future are left out: a clock was wrong.

    Calls are looked up as a `Target` names them, by kind and subject, whatever host and limit their address had.
    """

    def __init__(self, entries: Iterable[IndexEntry], now: datetime) -> None:
        self._addresses: dict[str, _Address] = {}
        self._pages: dict[tuple[str, str], dict[int, list[_Address]]] = {}
        self._robots: dict[str, IndexEntry] = {}
        self.latest: IndexEntry | None = None
        """The API's last answer, if its rate limit headers may still hold."""
        for entry in entries:
            at = entry.fetched_at
            if entry.url is None or at is None or at > now:
                continue
            self._address_of(entry.url).learn(entry, at)
            if entry.failure is not None or entry.damage is not None:
                continue
            if entry.url.endswith("/robots.txt") and entry.http_status in ROBOTS_ANSWERS and now - at < ROBOTS_LAST:
                self._robots[entry.url] = _later_one(self._robots.get(entry.url), entry, at)
            if "/api/" in entry.url and entry.http_status is not None and now - at < BUDGET_LASTS:
                self.latest = _later_one(self.latest, entry, at)

    def learn(self, outcome: Outcome) -> None:
        """Add a call that was made since the index was read."""
        capture = outcome if isinstance(outcome, Capture) else outcome.as_capture()
        if capture.url is not None and capture.fetched_at is not None:
            self._address_of(capture.url).learn(capture, capture.fetched_at)

    def fetched_at(self, kind: str, subject: str) -> datetime | None:
        """When a target was last fetched completely: a list counts only if none of its later pages failed.

        For a paper, a work or a repository any answer counts: one that is gone (404) need not be asked for again.
        """
        pages = self._pages.get((kind, subject), {})
        if kind in {"paper", CROSSREF, STARS}:
            return _last(address.answered_at for address in pages.get(0, ()))
        later_pages = (address for number, addresses in pages.items() if number for address in addresses)
        failed_at = _last(address.failed_at for address in later_pages) or NEVER
        return _last(address.fetched_at for address in pages.get(0, ()) if address.fetched_at > failed_at)

    def tried_at(self, kind: str, subject: str) -> datetime:
        """When a target was last asked for, whatever came of it."""
        return _last(one.asked_at for one in self._pages.get((kind, subject), {}).get(0, ())) or NEVER

    def is_empty(self, day: date) -> bool:
        """Whether a day's list had no papers when it was last fetched."""
        first = self._pages.get(("daily", day.isoformat()), {}).get(0, ())
        return max(((address.fetched_at, address.is_empty) for address in first), default=(NEVER, False))[1]

    def known(self) -> dict[str, Known]:
        """The ETag of the last page of each address, for conditional requests."""
        found = {}
        for url, address in self._addresses.items():
            if address.etag is not None:
                number = _page_number(url)
                following = PAGE_NUMBER.sub("", url) if number else url
                after = self._addresses.get(f"{following}&p={number + 1}")
                # A page was full where the next one was asked for after it
                found[url] = Known(address.etag, is_full=after is not None and after.asked_at >= address.fetched_at)
        return found

    def robots(self, url: str) -> IndexEntry | None:
        """The last answer to robots.txt at an address, if it may still be used."""
        return self._robots.get(url)

    def _address_of(self, url: str) -> _Address:
        address = self._addresses.get(url)
        if address is None:
            address = self._addresses[url] = _Address()
            request = request_of(url)
            is_later = request.citing is not None and not request.citing.is_first
            for name in _names_of(request):
                self._pages.setdefault(name, {}).setdefault(is_later or _page_number(url), []).append(address)
        return address


def _later_one(before: IndexEntry | None, entry: IndexEntry, at: datetime) -> IndexEntry:
    return entry if before is None or (before.fetched_at or NEVER) <= at else before


def _last(moments: Iterable[datetime]) -> datetime | None:
    return max((moment for moment in moments if moment != NEVER), default=None)


def _page_number(url: str) -> int:
    found = PAGE_NUMBER.search(url)
    return int(found[1]) if found else 0


def _names_of(request: Request) -> list[tuple[str, str]]:
    """The targets that an address belongs to, as kind and subject; of OpenAlex each work that it asks for."""
    if request.works is not None:
        return [(OPENALEX, one) for one in (*request.works.dois, *request.works.arxiv_ids)]
    name = (STARS, request.starred) if request.starred is not None else _name_of(request)
    return [name] if name else []


def _name_of(request: Request) -> tuple[str, str] | None:
    """The target that an address belongs to, as kind and subject; None for one that is never planned."""
    if request.work is not None:
        return CROSSREF, request.work
    if request.harvest is not None:
        return ("arxiv", request.harvest.arxiv_id) if request.harvest.arxiv_id else None
    is_api = "/api/" in request.path
    if request.list_kind == "daily":
        return ("daily" if is_api else "page"), str(request.listed_on)
    if not is_api or request.list_kind in {None, "latest"}:
        return None
    if request.citing is not None:
        return f"{request.citing.kind}s", request.citing.arxiv_id
    subject = request.list_period or request.list_query or ""
    if request.list_kind == "paper":
        subject = unquote(request.path.rpartition("/api/papers/")[2])
    return str(request.list_kind), subject
