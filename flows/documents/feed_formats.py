"""A feed and its entries, made of rows, and its bytes as Atom 1.0 and JSON Feed 1.1: of the same rows the same bytes.

An entry is named by its paper and list day, never by a release, and dated by the data, never by a clock: a feed reader
shows each paper of a list once.
"""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time
from typing import Any, Final, NamedTuple, Self
from xml.etree.ElementTree import Element, SubElement, tostring

from flows.documents.edition import SOURCE_URL
from warehouse.printable import to_the_second, unsteered
from warehouse.schema.daily_lists import FIRST_DAY
from warehouse.tex import untexed

TAG: Final = "tag:paperlake,2026:"  # RFC 4151: names that are nobody's address, the same in every lake
HUB_PAGE: Final = "https://huggingface.co/papers/{}"
ARXIV_PAGE: Final = "https://arxiv.org/abs/{}"
NO_XML: Final = {0xFFFE: None, 0xFFFF: None}
QUERIES: Final = "queries/"
MAKER: Final = "Hugging Face Daily Papers"


def harmless(text: str) -> str:
    r"""A text without the characters that XML forbids, that control a reader, or that turn the direction of text.

    >>> harmless("Lo\x00om\u202e")
    'Loom'
    """
    return unsteered(text).translate(NO_XML)


class Entry(NamedTuple):
    """One paper in a feed; `updated_at` is UTC."""

    id: str
    title: str
    updated_at: datetime
    authors: tuple[str, ...] = ()
    arxiv_id: str | None = None
    summary: str | None = None

    @classmethod
    def of(cls, row: dict[str, Any]) -> Self:
        """From a row with `paper_id`, `title`, `arxiv_id`, `listed_on`, `first_seen_at`, `names` and `abstract`.

        Of a paper of which anything is to be said, its `status` in words goes before the title, without the details.
        """
        day: date | None = row["listed_on"]
        at = row["first_seen_at"] or datetime.combine(day or FIRST_DAY, time())
        mark = f"[{row['status'].partition(';')[0]}] " if row.get("status") else ""
        return cls(
            id=f"{TAG}{row['paper_id']}" + (f":{day.isoformat()}" if day else ""),
            title=mark + (harmless(untexed(row["title"])).strip() or row["paper_id"]),
            updated_at=at.replace(microsecond=0, tzinfo=UTC),
            authors=tuple(filter(None, map(harmless, row["names"] or ()))),
            arxiv_id=row["arxiv_id"],
            summary=harmless(untexed(row["abstract"])) if row["abstract"] else None,
        )

    @property
    def url(self) -> str | None:
        """The page of the paper at the Hub, which has one by its arXiv id only."""
        return HUB_PAGE.format(self.arxiv_id) if self.arxiv_id else None

    @property
    def arxiv_url(self) -> str | None:
        return ARXIV_PAGE.format(self.arxiv_id) if self.arxiv_id else None


class Feed(NamedTuple):
    """A feed; `key` is the path of its files without their suffix. The feed of a query has no file of a known name."""

    key: str
    title: str
    description: str
    entries: tuple[Entry, ...]
    home_url: str = SOURCE_URL

    @classmethod
    def of(cls, key: str, title: str, description: str, rows: Iterable[dict[str, Any]]) -> Self:
        return cls(key, harmless(title), harmless(description), tuple(map(Entry.of, rows)))

    @property
    def file_stem(self) -> str | None:
        return None if self.key.startswith(QUERIES) else self.key.rpartition("/")[2]

    @property
    def id(self) -> str:
        return f"{TAG}feeds/{self.key}"

    @property
    def updated_at(self) -> datetime:
        """The time of its newest entry; that of the first list day where there is none."""
        first = datetime.combine(FIRST_DAY, time(), UTC)
        return max((entry.updated_at for entry in self.entries), default=first)


ATOM: Final = "http://www.w3.org/2005/Atom"
JSON_FEED: Final = "https://jsonfeed.org/version/1.1"


class FeedFormat(NamedTuple):
    """A format of feeds: its name, the suffix of its files, its media type, and how it is written."""

    title: str
    suffix: str
    media_type: str
    write: Callable[[Feed], bytes]


def atom(feed: Feed) -> bytes:
    """Atom 1.0 (RFC 4287)."""
    root = Element("feed", {"xmlns": ATOM, "xml:lang": "en"})
    for name, text in (("id", feed.id), ("title", feed.title), ("subtitle", feed.description)):
        _add(root, name, text)
    _add(root, "updated", to_the_second(feed.updated_at))
    _add(_add(root, "author"), "name", MAKER)  # of entries whose authors no page showed
    _add(root, "link", href=feed.home_url, rel="alternate", type="text/html")
    if feed.file_stem:
        _add(root, "link", href=f"{feed.file_stem}.atom", rel="self", type="application/atom+xml")
    _add(root, "generator", "paperlake")
    for entry in feed.entries:
        _atom_entry(_add(root, "entry"), entry)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'.encode()


def _atom_entry(parent: Element, entry: Entry) -> None:
    _add(parent, "id", entry.id)
    _add(parent, "title", entry.title)
    _add(parent, "updated", to_the_second(entry.updated_at))
    for name in entry.authors:
        _add(_add(parent, "author"), "name", name)
    if entry.url and entry.arxiv_url:
        _add(parent, "link", href=entry.url, rel="alternate", type="text/html")
        _add(parent, "link", href=entry.arxiv_url, rel="related", type="text/html")
    if entry.summary or not entry.url:
        _add(parent, "summary" if entry.url else "content", entry.summary or entry.title, type="text")


def json_feed(feed: Feed) -> bytes:
    """JSON Feed 1.1, an item a line."""
    head = {
        "version": JSON_FEED,
        "title": feed.title,
        "home_page_url": feed.home_url,
        "description": feed.description,
        "language": "en",
    }
    items = ",\n".join(_compact(_json_item(entry)) for entry in feed.entries)
    return f'{_compact(head)[:-1]},"items":[\n{items}\n]}}\n'.encode()


def _json_item(entry: Entry) -> dict[str, Any]:
    fields = {
        "id": entry.id,
        "url": entry.url,
        "external_url": entry.arxiv_url,
        "title": entry.title,
        "content_text": entry.summary or entry.title,
        "date_published": to_the_second(entry.updated_at),
        "authors": [{"name": name} for name in entry.authors],
    }
    return {name: value for name, value in fields.items() if value}


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _add(parent: Element, tag: str, text: str | None = None, **attributes: str) -> Element:
    made = SubElement(parent, tag, attributes)
    made.text = text
    return made


FORMATS: Final = (
    FeedFormat("Atom", "atom", "application/atom+xml", atom),
    FeedFormat("JSON Feed", "json", "application/feed+json", json_feed),
)
