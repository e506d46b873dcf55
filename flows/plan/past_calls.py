"""What the archive's index says of the Hub: when each thing was last fetched, and how it answered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from http import HTTPStatus
from typing import Final
from urllib.parse import unquote

from transforms.readers.request import Request, request_of
from warehouse.archive.captured import Capture
from warehouse.archive.index import IndexEntry
from warehouse.archive.outcome import Known, Outcome

NEVER: Final = datetime.min  # noqa: DTZ901 - instants are UTC without zone
WITH_A_PAGE: Final = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)
EMPTY_BYTES: Final = 8  # `[]` and a line end or two; a list with one item has hundreds
PAGE_NUMBER: Final = re.compile(r"[?&]p=([0-9]{1,4})(?:&|$)")
BUDGET_LASTS: Final = timedelta(minutes=15)  # three windows of the Hub's; a longer one would be told anew
# A cached robots.txt should not be used for longer (RFC 9309 §2.4); no file means no rules, and may be remembered too
ROBOTS_LAST: Final = timedelta(hours=24)
ROBOTS_ANSWERS: Final = (HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


@dataclass(slots=True)
class _Address:
    """One address. `answered_at`: also with an error (404); `fetched_at`: with the page."""

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
            self.is_empty = self.is_empty if _is_bare(entry) else _size(entry) <= EMPTY_BYTES


class History:
    """Every attempt the index tells of, but those without a time, or from the future: a clock was wrong there.

    What is asked for is named as in a `Target`: by its kind and its subject, whatever host and limit the address had.
    """

    def __init__(self, entries: Iterable[IndexEntry], now: datetime) -> None:
        self._addresses: dict[str, _Address] = {}
        self._pages: dict[tuple[str, str], dict[int, list[_Address]]] = {}
        self._robots: dict[str, IndexEntry] = {}
        self.latest: IndexEntry | None = None
        """The API's last answer, if it may still tell what is left of the Hub's budget."""
        for entry in entries:
            at = entry.fetched_at
            if entry.url is not None and at is not None and at <= now:
                self._at(entry.url).learn(entry, at)
                if entry.failure is None and entry.damage is None:
                    self._remember(entry.url, entry, at, now - at)

    def learn(self, outcome: Outcome) -> None:
        """Take in what was fetched since the index was read."""
        capture = outcome if isinstance(outcome, Capture) else outcome.as_capture()
        if capture.url is not None and capture.fetched_at is not None:
            self._at(capture.url).learn(capture, capture.fetched_at)

    def fetched_at(self, kind: str, subject: str) -> datetime | None:
        """When something was last fetched whole: no later page of a list has failed since its first page came.

        Of a paper any answer counts: that there is none (404) is what is to be known.
        """
        pages = self._pages.get((kind, subject), {})
        if kind == "paper":
            return _last(address.answered_at for address in pages.get(0, ()))
        failed_at = _last(address.failed_at for address in _later(pages)) or NEVER
        return _last(address.fetched_at for address in pages.get(0, ()) if address.fetched_at > failed_at)

    def is_empty(self, day: date) -> bool:
        """Whether the list of a day had no papers when it was last fetched."""
        first = self._pages.get(("daily", day.isoformat()), {}).get(0, ())
        return max(((address.fetched_at, address.is_empty) for address in first), default=(NEVER, False))[1]

    def known(self) -> dict[str, Known]:
        """What a conditional request needs, by address: the ETag of the last page that came."""
        return {
            url: Known(address.etag, is_full=self._was_followed(url, address))
            for url, address in self._addresses.items()
            if address.etag is not None
        }

    def robots(self, url: str) -> IndexEntry | None:
        """The last answer to robots.txt at an address, where it may still be used."""
        return self._robots.get(url)

    def _at(self, url: str) -> _Address:
        address = self._addresses.get(url)
        if address is None:
            address = self._addresses[url] = _Address()
            if (name := _name_of(request_of(url))) is not None:
                self._pages.setdefault(name, {}).setdefault(_page_number(url), []).append(address)
        return address

    def _was_followed(self, url: str, address: _Address) -> bool:
        """Whether the next page was asked for when this one came, which is so only where this one was full."""
        number = _page_number(url)
        following = PAGE_NUMBER.sub("", url) if number else url
        after = self._addresses.get(f"{following}&p={number + 1}")
        return after is not None and after.asked_at >= address.fetched_at

    def _remember(self, url: str, entry: IndexEntry, at: datetime, age: timedelta) -> None:
        """Which answers a run reads again: the rules, and the count of calls that are left."""
        if url.endswith("/robots.txt") and entry.http_status in ROBOTS_ANSWERS and age < ROBOTS_LAST:
            self._robots[url] = _later_one(self._robots.get(url), entry, at)
        if "/api/" in url and entry.http_status is not None and age < BUDGET_LASTS:
            self.latest = _later_one(self.latest, entry, at)


def _later_one(before: IndexEntry | None, entry: IndexEntry, at: datetime) -> IndexEntry:
    return entry if before is None or (before.fetched_at or NEVER) <= at else before


def _last(moments: Iterable[datetime]) -> datetime | None:
    return max((moment for moment in moments if moment != NEVER), default=None)


def _is_bare(entry: IndexEntry | Capture) -> bool:
    """Whether it is a 304 without the page that is still the same."""
    return isinstance(entry, Capture) and entry.http_status == HTTPStatus.NOT_MODIFIED


def _size(entry: IndexEntry | Capture) -> int:
    return len(entry.payload) if isinstance(entry, Capture) else entry.payload_bytes


def _later(pages: dict[int, list[_Address]]) -> Iterator[_Address]:
    return (address for number, addresses in pages.items() if number for address in addresses)


def _page_number(url: str) -> int:
    found = PAGE_NUMBER.search(url)
    return int(found[1]) if found else 0


def _name_of(request: Request) -> tuple[str, str] | None:
    """Kind and subject of what an address asks for; None for what is never planned."""
    is_api = "/api/" in request.path
    if request.list_kind == "daily":
        return ("daily" if is_api else "page"), str(request.listed_on)
    if not is_api or request.list_kind in {None, "latest"}:
        return None
    subject = request.list_period or request.list_query or ""
    if request.list_kind == "paper":
        subject = unquote(request.path.rpartition("/api/papers/")[2])
    return str(request.list_kind), subject
