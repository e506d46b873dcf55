"""Opens the store of a lake by its URL. A local lake needs no s3fs, which is imported for a bucket alone."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from warehouse.errors import UsageError
from warehouse.store.local import LocalStore
from warehouse.store.objects import S3Options, require_no_pattern
from warehouse.store.store import Store

NAMED: Final = "PAPERLAKE_LAKE, or the target,"


def open_store(url: str, s3: S3Options | None = None) -> Store:
    """The store at a URL or a path; `s3` is for `s3://` alone. Nothing is created until something is written."""
    if url.lower().startswith("s3:"):
        from warehouse.store.s3 import S3Store

        return Store(S3Store(url, s3 or S3Options()))
    path = _path_of(url)
    if path is None:
        # Only the scheme of a URL is shown: it may contain a password.
        shown = re.sub(r"(?<=://).*", "…", url, flags=re.DOTALL)
        raise UsageError(f"{NAMED} is {shown!r}; a lake is a folder (./lake), file:///its/path or s3://bucket/folder")
    require_no_pattern(NAMED, path)
    with suppress(OSError):  # without permission: the first read or write gives the better error
        if path.is_file():
            raise UsageError(f"{url} is a file; name a folder")
    return Store(LocalStore(path, url))


def is_within(inner: Store, outer: Store) -> bool:
    """Whether a place is another one, or lies in it; links of a file system are followed."""
    inside, outside = (f"{one.folder.resolve() if one.folder else one.url.rstrip('/')}/" for one in (inner, outer))
    return inside.startswith(outside)


def outer_places(place: Store) -> list[str]:
    """The folders that a place lies in, or the places of its bucket, the nearest first."""
    if place.folder is not None:
        return [str(outer) for outer in place.folder.resolve().parents]
    parts = place.url.removeprefix("s3://").split("/")
    return ["s3://" + "/".join(parts[:count]) for count in range(len(parts) - 1, 0, -1)]


def _path_of(url: str) -> Path | None:
    if url.lower().startswith("file:"):
        path = unquote(url[5:].removeprefix("//").removeprefix("localhost"))
        path = path if path.startswith("/") else ""
    else:
        path = "" if "://" in url else url
    return Path(path) if path and "\0" not in path else None
