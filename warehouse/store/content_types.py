"""The content type of an object, by its name: a browser shows a page of a bucket only where the bucket states it."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

CONTENT_TYPES: Final = {
    ".atom": "application/atom+xml",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/plain; charset=utf-8",
    ".rss": "application/rss+xml",
    ".txt": "text/plain; charset=utf-8",
    ".yaml": "text/plain; charset=utf-8",
}
ANY: Final = "application/octet-stream"


def content_type(key: str) -> str:
    """The content type of a file of this name.

    >>> content_type("releases/index.html"), content_type("SHA256SUMS")
    ('text/html; charset=utf-8', 'application/octet-stream')
    """
    return CONTENT_TYPES.get(PurePosixPath(key).suffix, ANY)
