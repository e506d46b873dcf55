"""The objects of a lake as they lie, in a folder, in a bucket or behind a web server: what `Store` reads and writes.

Objects are whole: they appear complete or not at all, whatever kills the process. Only `swap` and `put` ever replace
one. The content type of an object follows from its name: a browser shows a page of a bucket only where that states it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, Protocol, TypeAlias

from warehouse.errors import UsageError

CONTENT_TYPES: Final = {
    ".atom": "application/atom+xml",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".jsonld": "application/ld+json",
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


Keys: TypeAlias = list[str]  # inside a store, `list` is the method

TEMPORARY: Final = ".tmp"  # the local store writes there; no object may lie in it anywhere
NOT_IN_A_FOLDER: Final = re.compile(r"[?*\[]")
NOT_IN_A_KEY: Final = re.compile(r"[\x00-\x1f\x7f\\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Options:
    """How to reach an object store: without an endpoint it is AWS, without keys the usual AWS chain finds them."""

    endpoint_url: str | None = None
    region: str | None = None
    access_key_id: str | None = None
    secret_access_key: str | None = field(default=None, repr=False)
    attempts: int = 5  # of one request, the first one counted; pauses between them grow to 20 s at most
    connect_seconds: float = 5
    read_seconds: float = 60  # a store answers nothing while it joins the parts of a large file


class Objects(Protocol):
    """Whole objects under posix keys (`raw/warc/x.warc.gz`), never absolute, never with `..`, backslash or NUL.

    Every method raises `UsageError` for a key that is none, `StoreFailed` when the store itself fails; those that
    need an object raise `NothingThere` when it is missing. A prefix is a folder: `raw/index` holds no `raw/index2/x`.
    """

    url: str
    folder: Path | None  # where the lake lies on this machine; None where it is elsewhere

    def read(self, key: str) -> bytes:
        """The whole object."""

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        """`length` bytes from byte `offset` on; fewer where the object ends."""

    def open(self, key: str) -> BinaryIO:
        """The object as a seekable stream, for the caller to close."""

    def exists(self, key: str) -> bool:
        """Whether there is such an object."""

    def size(self, key: str) -> int:
        """Bytes of the object."""

    def list(self, prefix: str = "") -> Keys:
        """Sorted keys of all objects under a folder, at any depth; never a temporary file."""

    def stored_bytes(self, prefix: str) -> int:
        """The bytes of all objects under a folder; hard links of one file are counted once."""

    def put(self, key: str, data: bytes) -> None:
        """Write an object whole, in place of one that may be there."""

    def put_new(self, key: str, data: bytes) -> bool:
        """Write an object unless there is one: of several racing writers exactly one gets True."""

    def put_file_new(self, key: str, path: Path) -> bool:
        """As `put_new`, from a local file, in constant memory."""

    def copy_new(self, source_key: str, key: str) -> bool:
        """As `put_new`, from an object of the same store, without the bytes passing through here.

        Where the key is taken the source need not be there any more.
        """

    def swap(self, key: str, data: bytes, expected: bytes | None) -> bool:
        """Replace an object if its bytes are `expected` (None: if there is none); of racing writers one gets True."""

    def delete_all(self, keys: Iterable[str]) -> None:
        """Remove objects, many a request where the store can; one that is not there is no error."""

    def delete_prefix(self, prefix: str) -> None:
        """Remove every object under a folder, which must be named: the whole lake cannot be deleted."""

    def temporary(self) -> Keys:
        """Keys under `.tmp`: what writers of a folder have begun and not finished, and its lock."""

    def sweep(self) -> None:
        """Remove what killed writers had begun.

        In a folder nothing of a living one goes; in a bucket uploads in parts that are under way break off, so nothing
        may be written there meanwhile.
        """


def parts_of(key: str) -> Keys:
    """The parts of a key between its slashes, by the same rule in every store, so that a lake can be copied.

    UsageError for a key that is not valid.
    """
    parts = key.split("/")
    if {"", ".", ".."} & set(parts) or NOT_IN_A_KEY.search(key) or parts[0] == TEMPORARY:
        raise UsageError(f"{key!r} is not a key of a lake; keys look like raw/warc/x.warc.gz")
    return parts


def require_no_pattern(setting: str, folder: Path) -> None:
    """Raise UsageError for a folder whose path DuckDB and Polars would take for a pattern of several files."""
    if NOT_IN_A_FOLDER.search(str(folder.absolute())):
        raise UsageError(f"{setting} is {folder}; DuckDB and Polars take ?, * and [ in a path for a pattern")
