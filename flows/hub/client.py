"""What can be asked of the Hub (SOURCES §1), by what is wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from http import HTTPStatus
from types import MappingProxyType, TracebackType
from typing import Final, Self
from urllib.parse import quote, urlencode

import httpx
import msgspec

from flows.hub.answer import Ask
from flows.hub.fetch import Fetcher
from flows.hub.patience import Clock, Patience
from flows.hub.wire import Wire
from flows.runtime.settings import Settings
from warehouse.archive.captured import Capture
from warehouse.archive.outcome import Failed, Known, Outcome, Unchanged

JSON: Final = ("application/json",)
HTML: Final = ("text/html",)
PAGE_ITEMS: Final = 100  # the most the Hub gives at once; without `limit` it gives 50, and days have had more
MOST_PAGES: Final = 50  # no month has had a fifth of that
PATIENCE: Final = Patience()
CLOCK: Final = Clock()
NOTHING_KNOWN: Final[Mapping[str, Known]] = MappingProxyType({})
NO_LIST: Final = "not asked for: the page before it came as no JSON list, so it is to be asked for again"
ITEMS: Final = msgspec.json.Decoder(list[msgspec.Raw])


class Hub:
    """A polite client of one Hub, for one thread; a context manager, which closes its one connection.

    Every address asked for gives one value: a Capture, also of an answer that is an error (404); Unchanged, where
    `known`, by address, has the ETag the Hub still has; or Failed, with the reason. A list of several pages gives one
    value a page, up to the first page that is not full. SourceFailed, an exception, where the Hub cannot be reached
    or its robots.txt not be read: nothing else can be asked then.
    """

    def __init__(self, settings: Settings, *, patience: Patience = PATIENCE, clock: Clock = CLOCK) -> None:
        self._base = httpx.URL(f"{settings.hub_url.rstrip('/')}/")
        self._limits, self._clock = settings.limits(), clock
        self._wire = Wire(self._base, settings, patience, clock)
        self._fetcher = Fetcher(self._base, self._wire, patience, clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._wire.close()

    @property
    def clock_skew(self) -> timedelta | None:
        """How far this machine's clock is ahead of the Hub's; None before the first answer that tells the time."""
        return self._wire.clock_skew

    def robots(self) -> Outcome:
        """What may be asked for, by the Hub's robots.txt; from now on it is obeyed. Asked for once."""
        return self._fetcher.robots()

    def obey(self, robots: Capture) -> None:
        """Obey an answer to robots.txt that came earlier, in place of asking for it."""
        self._fetcher.obey(robots)

    def recall(self, answer: Capture) -> None:
        """Take over what an earlier answer, of a run before this one, said of the calls that are left."""
        self._fetcher.recall(answer)

    @property
    def robots_url(self) -> str:
        """Where the Hub's robots.txt is."""
        return self._fetcher.robots_url

    def must_wait(self) -> bool:
        """Whether the next call of the API would have to wait until the Hub allows more of them."""
        return self._fetcher.must_wait("api")

    def daily(self, day: date, known: Mapping[str, Known] = NOTHING_KNOWN) -> Iterator[Outcome]:
        """The list of a day; an empty array where it has none, HTTP 400 where it lies in the future."""
        return self._list({"date": day.isoformat()}, known)

    def week(self, period: str, known: Mapping[str, Known] = NOTHING_KNOWN) -> Iterator[Outcome]:
        """The list of an ISO week, `2025-W09`."""
        return self._list({"week": period}, known)

    def month(self, period: str, known: Mapping[str, Known] = NOTHING_KNOWN) -> Iterator[Outcome]:
        """The list of a month, `2025-02`."""
        return self._list({"month": period}, known)

    def trending(self, known: Mapping[str, Known] = NOTHING_KNOWN) -> Outcome:
        """The first page of the trending list, which has no end of its own."""
        return self._fetch(self._api("daily_papers", {"sort": "trending", "limit": PAGE_ITEMS}), JSON, known)

    def search(self, query: str, known: Mapping[str, Known] = NOTHING_KNOWN) -> Outcome:
        """The first hits of a search."""
        return self._fetch(self._api("papers/search", {"q": query, "limit": PAGE_ITEMS}), JSON, known)

    def paper(self, arxiv_id: str, known: Mapping[str, Known] = NOTHING_KNOWN) -> Outcome:
        """The details of one paper: all of the list's, and its linked models, datasets and spaces."""
        return self._fetch(self._api(f"papers/{quote(arxiv_id, safe='')}"), JSON, known)

    def list_page(self, day: date, known: Mapping[str, Known] = NOTHING_KNOWN) -> Outcome:
        """The HTML page of a day's list; of a day without one, the Hub shows the list before."""
        return self._fetch(f"{self._base}papers?{urlencode({'date': day.isoformat()})}", HTML, known)

    def _api(self, path: str, asked: Mapping[str, str | int] = MappingProxyType({})) -> str:
        return f"{self._base}api/{path}" + (f"?{urlencode(asked, quote_via=quote)}" if asked else "")

    def _fetch(self, url: str, types: tuple[str, ...], known: Mapping[str, Known]) -> Outcome:
        return self._fetcher.fetch(Ask(url=url, types=types, limits=self._limits, known=known.get(url)))

    def _list(self, asked: Mapping[str, str], known: Mapping[str, Known]) -> Iterator[Outcome]:
        """Page after page, until one is not full, or says the same as the page before: then `p` means nothing."""
        before = None
        for number in range(MOST_PAGES):
            url = self._list_url(asked, number)
            found = self._fetch(url, JSON, known)
            yield found
            if isinstance(found, Capture) and found.http_status == HTTPStatus.OK and _item_count(found) is None:
                yield Failed(self._list_url(asked, number + 1), self._clock.now(), NO_LIST)
                return
            if not _is_full(found, known.get(url)) or (isinstance(found, Capture) and found.payload == before):
                return
            before = found.payload if isinstance(found, Capture) else None
        yield Failed(url, self._clock.now(), f"the list goes on after {MOST_PAGES} pages; the rest was not asked for")

    def _list_url(self, asked: Mapping[str, str], number: int) -> str:
        paging = {"limit": PAGE_ITEMS} | ({"p": number} if number else {})
        return self._api("daily_papers", {**asked, **paging})


def _is_full(found: Outcome, known: Known | None) -> bool:
    """Whether more may follow a page; of an unchanged one of which that is not known, it is asked."""
    if isinstance(found, Unchanged):
        return known is None or known.is_full is not False
    if isinstance(found, Capture) and found.http_status == HTTPStatus.OK:
        return (_item_count(found) or 0) >= PAGE_ITEMS
    return False


def _item_count(page: Capture) -> int | None:
    """How many items a list has; None for what is no list, which its reader will reject."""
    try:
        return len(ITEMS.decode(page.payload))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
