"""The cache of this machine: files of lakes that are elsewhere, or made again, each named by its hash.

An erasure empties it, as no copy of who was erased may stay.
"""

import os
import re
from collections.abc import Callable, Collection
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final

from warehouse.release.latest import another_than, noted_erasures
from warehouse.release.manifest import File, digest
from warehouse.store.local_files import fetch, sha256
from warehouse.store.objects import require_no_pattern
from warehouse.store.store import Store
from warehouse.store.temporary import writing

# PAPERLAKE_CACHE may hold other files too. DuckDB writes a log beside a file that it makes
OURS: Final = re.compile(r"[0-9a-f]{64}\.(duckdb|parquet)(\.[0-9a-f]{12}(\.wal)?)?")
# The newest of each kind stay in the cache; an older one is fetched again when it is needed
KEPT: Final = {".duckdb": 3, ".parquet": 300}
STEP: Final = "set PAPERLAKE_CACHE to a place with room"
WRITTEN_SECONDS: Final = 3600.0  # since somebody wrote to a file that is not whole: who fetches it is gone


def cached(store: Store, key: str, file: File, cache: Path) -> Path:
    """The path of an object in the cache, where its hash is its name: fetched once, there whole or not at all.

    Damaged where the lake's bytes are not what `file` says; StoreFailed where the cache cannot be written.
    """

    def fetched(made: Path) -> None:
        fetch(store, key, made)
        if sha256(made) != file.sha256:
            raise another_than(store, key, file)

    path = cache / f"{file.sha256}{Path(key).suffix}"
    with suppress(FileNotFoundError, NotADirectoryError):
        if path.stat().st_size == file.bytes:
            return path
        path.unlink()
    return made_in(store, cache, path.name, fetched)


def made_in(store: Store, cache: Path, name: str, make: Callable[[Path], object]) -> Path:
    """A file of the cache, made anew of a lake, there whole or not at all.

    StoreFailed where the cache cannot be written.
    """
    require_no_pattern("PAPERLAKE_CACHE", cache)
    path = cache / name
    made = path.with_name(f"{name}.{os.urandom(6).hex()}")
    try:
        with writing(name, cache, STEP):
            cache.mkdir(parents=True, exist_ok=True)
            _forget_erased(store, cache)
            make(made)
            if not path.exists():  # else another was first, and may be read by now
                made.replace(path)
            _keep_newest(cache, path)
    finally:
        with suppress(OSError):  # there is no such folder
            made.unlink(missing_ok=True)
    return path


def forget(cache: Path, kept: Collection[str]) -> None:
    """Remove databases whose hash is not among `kept`, all tables, what killed processes left: no copy may stay."""
    with writing("the cache", cache, STEP):
        for path in cache.iterdir() if cache.is_dir() else ():
            if OURS.fullmatch(path.name) and path.name not in {f"{sha256}.duckdb" for sha256 in kept}:
                path.unlink(missing_ok=True)


def _forget_erased(store: Store, cache: Path) -> None:
    """Empty a cache that may have a person who was erased from the lake since, by another machine."""
    notes = noted_erasures(store)
    mark = cache / f"{digest(store.url.encode())[:16]}.erasure"
    if notes and not (mark.exists() and mark.read_text() == notes[-1].name):
        forget(cache, ())
        mark.write_text(notes[-1].name)


def _keep_newest(cache: Path, made: Path) -> None:
    """Remove all but the newest files, and what killed processes left; who has one open keeps it until it is closed."""
    with suppress(FileNotFoundError):  # another process is clearing it
        at = made.stat().st_mtime  # to which the newest are nearest: the clock may have been ahead, and set back
        ages = {path: abs(path.stat().st_mtime - at) for path in cache.iterdir() if OURS.fullmatch(path.name)}
        ours = sorted(ages, key=lambda path: -ages[path])
        left = [path for path in ours if path.suffix not in KEPT and ages[path] > WRITTEN_SECONDS]
        old = [[path for path in ours if path.suffix == suffix][:-count] for suffix, count in KEPT.items()]
        for path in chain(left, *old):
            path.unlink()
