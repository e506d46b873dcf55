"""The cache of databases of a remote lake on this machine, each named by its hash. Imports next to nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

from warehouse.errors import Damaged, StoreFailed
from warehouse.release.manifest import File
from warehouse.store.local_files import fetch, sha256
from warehouse.store.store import Store, require_no_pattern

OURS: Final = re.compile(r"[0-9a-f]{64}\.duckdb(\.[0-9a-f]{12})?")  # PAPERLAKE_CACHE may hold other files too
KEPT: Final = 3  # the newest databases stay in the cache; an older one is fetched again when it is needed


def cached(store: Store, key: str, file: File, cache: Path) -> Path:
    """The path of an object in the cache, where its hash is its name: fetched once, there whole or not at all.

    Damaged where the lake's bytes are not what `file` says; StoreFailed where the cache cannot be written.
    """
    require_no_pattern("PAPERLAKE_CACHE", cache)
    path = cache / f"{file.sha256}{Path(key).suffix}"
    try:
        if not path.exists() or path.stat().st_size != file.bytes:
            _fetch_whole(store, key, file, path)
            _keep_newest(cache)
    except OSError as error:
        cause = (error.strerror or str(error)).lower()
        raise StoreFailed(
            f"could not keep {key} in {cache}: {cause}; set PAPERLAKE_CACHE to a place with room"
        ) from error
    return path


def forget(cache: Path, kept: Collection[str]) -> None:
    """Remove the databases whose hash is not among `kept`, and what killed processes left: no copy may stay."""
    for path in cache.iterdir() if cache.is_dir() else ():
        if OURS.fullmatch(path.name) and path.name not in {f"{sha256}.duckdb" for sha256 in kept}:
            path.unlink(missing_ok=True)


def _fetch_whole(store: Store, key: str, file: File, path: Path) -> None:
    made = path.with_name(f"{path.name}.{os.urandom(6).hex()}")
    try:
        fetch(store, key, made)
        if sha256(made) != file.sha256:
            raise Damaged(f'{key} does not have the SHA-256 that its manifest says; run "paperlake verify"')
        made.replace(path)
    finally:
        made.unlink(missing_ok=True)


def _keep_newest(cache: Path) -> None:
    """Remove all but the newest files, those of killed processes too; who has one open keeps it until it is closed."""
    ours = (path for path in cache.iterdir() if OURS.fullmatch(path.name))
    with suppress(FileNotFoundError):  # another process is clearing it
        for path in sorted(ours, key=lambda path: path.stat().st_mtime)[:-KEPT]:
            path.unlink()
