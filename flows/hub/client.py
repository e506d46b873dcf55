"""The Hub's lists, papers and pages (docs/source.md §1)."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Final
from urllib.parse import quote, urlencode

import httpx
import msgspec

from flows.hub.answer import Ask
from flows.hub.fetch import Fetcher
from warehouse.archive.captured import Capture, Failed, Known, Outcome, Unchanged

JSON: Final = ("application/json",)
HTML: Final = ("text/html",)
PERIODS: Final = {"daily": "date", "weekly": "week", "monthly": "month"}  # `2026-10-02`, `2026-W40`, `2026-09`
PAGE_ITEMS: Final = 100  # the Hub's maximum; without `limit` it is 50, and days have had more
MOST_PAGES: Final = 50  # five times the longest month
MOST_COMMAS: Final = 1_000_000  # fifty times those of a full page; 64 MiB of small items would take gigabytes to count
LIST_ITEMS: Final = 1_000  # of repositories; the Hub may give fewer a page, and says by a link whether more follow
MOST_LIST_PAGES: Final = 10  # the papers most cited have some thousands of models
# What is asked of each repository: neither cards nor tags, which are ten times as long
EXPANDED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "models": (
            *("createdAt", "downloads", "downloadsAllTime", "gated", "lastModified", "library_name", "likes"),
            *("safetensors", "siblings"),
        ),
        "datasets": ("createdAt", "downloads", "downloadsAllTime", "gated", "lastModified", "likes"),
        "spaces": ("createdAt", "lastModified", "likes"),
    }
)
NOTHING_KNOWN: Final[Mapping[str, Known]] = MappingProxyType({})
NO_LIST: Final = "not fetched: the page before it is no JSON list of papers, so the whole list is due again"
NO_REPOSITORIES: Final = "not fetched: the link to it leads away from the list"
TOO_LONG: Final = "all pages of a list may have {:,} bytes and it has more; raise PAPERLAKE_PAYLOAD_BYTES to land it"
ITEMS: Final = msgspec.json.Decoder(list[msgspec.Raw])


class Hub(Fetcher):
    """A polite client of one Hub, for one thread; a context manager, which closes its one connection.

    Every address gives one outcome: a Capture, also of an error page (404); Unchanged, where `known` has the page's
    current ETag by its address; or Failed, with the reason. A list gives one outcome a page, up to the first page that
    is not full. Raises SourceFailed where the Hub cannot be reached, or its robots.txt cannot be read.
    """

    def answers(self, kind: str, subject: str = "", known: Mapping[str, Known] = NOTHING_KNOWN) -> Iterator[Outcome]:
        """The answers to one call, one a page; `kind` and `subject` as in a Target (flows/plan/due.py).

        A day without a list has an empty array, one in the future HTTP 400; its `page` shows the previous list. Of what
        trends, which has no last page, and of a search it is the first page.
        """
        match kind:
            case "daily" | "weekly" | "monthly":
                yield from self._list({PERIODS[kind]: subject}, known)
            case "trending":
                yield self._fetch(self._api("daily_papers", {"sort": "trending", "limit": PAGE_ITEMS}), JSON, known)
            case "search":
                yield self._fetch(self._api("papers/search", {"q": subject, "limit": PAGE_ITEMS}), JSON, known)
            case "paper":
                yield self._fetch(self._api(f"papers/{quote(subject, safe='')}"), JSON, known)
            case "page":
                yield self._fetch(f"{self._base}papers?{urlencode({'date': subject})}", HTML, known)
            case "models" | "datasets" | "spaces":
                yield from self._repositories(kind, subject)

    def _repositories(self, kind: str, arxiv_id: str) -> Iterator[Outcome]:
        """The `models`, `datasets` or `spaces` that cite a paper, most liked first, page by page along the links.

        The cursor in a link shifts while likes change: a repository may come twice, or not at all. Always asked
        without a condition, as an answer that nothing changed need not have the link. A list of more pages or bytes is
        cut: its last page links to another, and totals decide.
        """
        query = [("filter", f"arxiv:{arxiv_id}"), ("sort", "likes"), ("limit", str(LIST_ITEMS))]
        query += [("expand[]", one) for one in EXPANDED[kind]]
        url = f"{self._base}api/{kind}?{urlencode(query)}"
        size = 0
        for _ in range(MOST_LIST_PAGES):
            found = self._fetch(url, JSON, NOTHING_KNOWN)
            yield found
            size += len(found.payload) if isinstance(found, Capture) else 0
            following = next_page(found)
            if following is None or size > self._limits.payload_bytes:
                return
            if not following.startswith(f"{self._base}api/{kind}?"):
                yield Failed(url, self._clock.now(), NO_REPOSITORIES)
                return
            url = following

    def _api(self, path: str, query: Mapping[str, str | int] = MappingProxyType({})) -> str:
        return f"{self._base}api/{path}" + (f"?{urlencode(query, quote_via=quote)}" if query else "")

    def _fetch(self, url: str, types: tuple[str, ...], known: Mapping[str, Known]) -> Outcome:
        return self.fetch(Ask(url=url, types=types, limits=self._limits, known=known.get(url)))

    def _list(self, query: Mapping[str, str], known: Mapping[str, Known]) -> Iterator[Outcome]:
        """The pages of a list, until one is not full, or repeats the page before: then the Hub ignores `p`.

        Together they have the bytes that one page may have, because all of them are held before any is kept.
        """
        before, size = None, 0
        for number in range(MOST_PAGES):
            url = self._list_url(query, number)
            found = self._fetch(url, JSON, known)
            size += len(found.payload) if isinstance(found, Capture) else 0
            if size > self._limits.payload_bytes:
                yield Failed(url, self._clock.now(), TOO_LONG.format(self._limits.payload_bytes))
                return
            yield found
            if isinstance(found, Capture) and found.http_status == HTTPStatus.OK and _item_count(found) is None:
                yield Failed(self._list_url(query, number + 1), self._clock.now(), NO_LIST)
                return
            if not _is_full(found, known.get(url)) or (isinstance(found, Capture) and found.payload == before):
                return
            before = found.payload if isinstance(found, Capture) else None
        yield Failed(url, self._clock.now(), f"the list goes on after {MOST_PAGES} pages; the rest was not fetched")

    def _list_url(self, query: Mapping[str, str], number: int) -> str:
        paging = {"limit": PAGE_ITEMS} | ({"p": number} if number else {})
        return self._api("daily_papers", {**query, **paging})


def next_page(found: Outcome) -> str | None:
    """The address of the page that follows, as an answer's Link header has it."""
    headers = found.headers if isinstance(found, Capture) else ()
    links = httpx.Response(HTTPStatus.OK, headers=[one for one in headers if one[0].lower() == "link"]).links
    return links.get("next", {}).get("url")


def _is_full(found: Outcome, known: Known | None) -> bool:
    """Whether another page may follow. For a 304 of unknown fullness, assume so."""
    if isinstance(found, Unchanged):
        return known is None or known.is_full is not False
    if isinstance(found, Capture) and found.http_status == HTTPStatus.OK:
        return (_item_count(found) or 0) >= PAGE_ITEMS
    return False


def _item_count(page: Capture) -> int | None:
    """How many items a list has; None for anything else, which its reader will reject."""
    if page.payload.count(b",") > MOST_COMMAS:
        return None
    try:
        return len(ITEMS.decode(page.payload))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
