"""A feed in each format: its suffix, its media type, and its bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from email.utils import format_datetime
from html import escape
from typing import Any, Final, NamedTuple

from flows.documents.feeds.entries import MAKER, Entry, Feed, instant

ATOM: Final = "http://www.w3.org/2005/Atom"
DUBLIN_CORE: Final = "http://purl.org/dc/elements/1.1/"
JSON_FEED: Final = "https://jsonfeed.org/version/1.1"


class FeedFormat(NamedTuple):
    """How a feed is written. Each file names its feed by `suffix`."""

    title: str
    suffix: str
    media_type: str
    write: Callable[[Feed], bytes]


def atom(feed: Feed) -> bytes:
    """Atom 1.0 (RFC 4287)."""
    parts = [
        _element("id", feed.id),
        _element("title", feed.title),
        _element("subtitle", feed.description),
        _element("updated", instant(feed.updated_at)),
        _author(MAKER),  # of entries whose authors no page showed
        _element("link", href=feed.home_url, rel="alternate", type="text/html"),
    ]
    if feed.file_stem:
        parts.append(_element("link", href=f"{feed.file_stem}.atom", rel="self", type="application/atom+xml"))
    parts.append(_element("generator", "paperlake"))
    return _xml(f'<feed xmlns="{ATOM}" xml:lang="en">', *parts, *map(_atom_entry, feed.entries), "</feed>")


def _atom_entry(entry: Entry) -> str:
    parts = [_element("id", entry.id), _element("title", entry.title), _element("updated", instant(entry.updated_at))]
    parts += map(_author, entry.authors)
    if entry.url and entry.arxiv_url:
        parts.append(_element("link", href=entry.url, rel="alternate", type="text/html"))
        parts.append(_element("link", href=entry.arxiv_url, rel="related", type="text/html"))
    if entry.summary or not entry.url:
        parts.append(_element("summary" if entry.url else "content", entry.summary or entry.title, type="text"))
    return f"<entry>{''.join(parts)}</entry>"


def _author(name: str) -> str:
    return f"<author>{_element('name', name)}</author>"


def rss(feed: Feed) -> bytes:
    """RSS 2.0, each author a `dc:creator`: its own `author` is a mailbox. A description is HTML there."""
    parts = [
        _element("title", feed.title),
        _element("link", feed.home_url),
        _element("description", feed.description),
        _element("language", "en"),
        _element("pubDate", format_datetime(feed.updated_at)),
        *map(_rss_item, feed.entries),
    ]
    return _xml(f'<rss version="2.0" xmlns:dc="{DUBLIN_CORE}"><channel>', *parts, "</channel></rss>")


def _rss_item(entry: Entry) -> str:
    parts = [_element("title", entry.title)]
    if entry.url:
        parts.append(_element("link", entry.url))
    parts.append(_element("guid", entry.id, isPermaLink="false"))
    parts.append(_element("pubDate", format_datetime(entry.updated_at)))
    parts += [_element("dc:creator", author) for author in entry.authors]
    if entry.summary:
        parts.append(_element("description", escape(entry.summary, quote=False)))
    return f"<item>{''.join(parts)}</item>"


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


def _element(tag: str, text: str = "", **attributes: str) -> str:
    """Written as text: a tree of objects, written by its library, takes five times as long."""
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>{escape(text, quote=False)}</{tag}>" if text else f"<{tag}{written} />"


def _xml(*parts: str) -> bytes:
    return f'<?xml version="1.0" encoding="utf-8"?>\n{"".join(parts)}\n'.encode()


FORMATS: Final = (
    FeedFormat("Atom", "atom", "application/atom+xml", atom),
    FeedFormat("JSON Feed", "json", "application/feed+json", json_feed),
    FeedFormat("RSS", "rss", "application/rss+xml", rss),
)
