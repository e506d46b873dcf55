"""A feed in each format: its suffix, its media type, and its bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from email.utils import format_datetime
from html import escape
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from flows.documents.feeds.entries import MAKER, Entry, Feed, instant

ATOM: Final = "http://www.w3.org/2005/Atom"
DUBLIN_CORE: Final = "http://purl.org/dc/elements/1.1/"
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
    _add(root, "updated", instant(feed.updated_at))
    _add(_add(root, "author"), "name", MAKER)  # of entries whose authors no page showed
    _add(root, "link", href=feed.home_url, rel="alternate", type="text/html")
    if feed.file_stem:
        _add(root, "link", href=f"{feed.file_stem}.atom", rel="self", type="application/atom+xml")
    _add(root, "generator", "paperlake")
    for entry in feed.entries:
        _atom_entry(_add(root, "entry"), entry)
    return _xml(root)


def _atom_entry(parent: Element, entry: Entry) -> None:
    _add(parent, "id", entry.id)
    _add(parent, "title", entry.title)
    _add(parent, "updated", instant(entry.updated_at))
    for name in entry.authors:
        _add(_add(parent, "author"), "name", name)
    if entry.url and entry.arxiv_url:
        _add(parent, "link", href=entry.url, rel="alternate", type="text/html")
        _add(parent, "link", href=entry.arxiv_url, rel="related", type="text/html")
    if entry.summary or not entry.url:
        _add(parent, "summary" if entry.url else "content", entry.summary or entry.title, type="text")


def rss(feed: Feed) -> bytes:
    """RSS 2.0, each author a `dc:creator`: its own `author` is a mailbox. A description is HTML there."""
    root = Element("rss", {"version": "2.0", "xmlns:dc": DUBLIN_CORE})
    channel = _add(root, "channel")
    for name, text in (("title", feed.title), ("link", feed.home_url), ("description", feed.description)):
        _add(channel, name, text)
    _add(channel, "language", "en")
    _add(channel, "pubDate", format_datetime(feed.updated_at))
    for entry in feed.entries:
        item = _add(channel, "item")
        _add(item, "title", entry.title)
        if entry.url:
            _add(item, "link", entry.url)
        _add(item, "guid", entry.id, isPermaLink="false")
        _add(item, "pubDate", format_datetime(entry.updated_at))
        for author in entry.authors:
            _add(item, "dc:creator", author)
        if entry.summary:
            _add(item, "description", escape(entry.summary, quote=False))
    return _xml(root)


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
        "date_published": instant(entry.updated_at),
        "authors": [{"name": name} for name in entry.authors],
    }
    return {name: value for name, value in fields.items() if value}


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _add(parent: Element, tag: str, text: str | None = None, **attributes: str) -> Element:
    made = SubElement(parent, tag, attributes)
    made.text = text
    return made


def _xml(root: Element) -> bytes:
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'.encode()


FORMATS: Final = (
    FeedFormat("Atom", "atom", "application/atom+xml", atom),
    FeedFormat("JSON Feed", "json", "application/feed+json", json_feed),
    FeedFormat("RSS", "rss", "application/rss+xml", rss),
)
