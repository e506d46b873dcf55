"""Where the files of a lake are read: here, by ranges on the web, or in a cache, fetched once and checked."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final, NamedTuple

from flows.runtime.lake import open_database
from warehouse.limits import QueryLimits
from warehouse.release import moves
from warehouse.release.cache import cached
from warehouse.release.latest import DATABASE, another_than, release_key
from warehouse.release.made_again import database_path, kept_files
from warehouse.release.manifest import File, Manifest
from warehouse.store.local_files import one_file, sha256
from warehouse.store.store import Store

if TYPE_CHECKING:
    from paperlake.reading.web_store import WebStore
    from warehouse.release.query import Database


class LakeFiles(NamedTuple):
    """The files of a lake's releases, and the limits of queries of its databases.

    If they `verify`, no file is read that is not what its manifest says.
    """

    store: Store
    cache: Callable[[], Path]
    verify: bool
    limits: QueryLimits
    web: WebStore | None = None  # the same store, where it is on the web

    def place(self, version: str, file: File) -> str | Path:
        """A path on this machine, or an address of which a reader fetches what it needs."""
        key = release_key(version, file.key)
        if (path := self.store.local_path(key)) is not None:
            if not path.exists():
                moves.published(self.store, version)  # NothingThere, where the release was dropped since it was opened
            self.store.open(key).close()
            return self._checked(path, file, key)
        if self.web is not None and not self.verify and self.web.has_ranges(at := self.store.place(key)):
            return self.web.address(at)
        return cached(self.store, key, file, self.cache())

    def database(self, version: str, manifest: Callable[[], Manifest]) -> Path:
        """The DuckDB database of a release on this machine, by its manifest; what is fetched is always checked."""
        path = database_path(self.store, version, manifest, self.cache)
        if self.store.local_path(release_key(version, DATABASE)) == path and self.verify:
            kept = (file for file in kept_files(self.store, manifest()) if file.key == DATABASE)
            return self._checked(path, next(kept), release_key(version, DATABASE))
        return path

    def _checked(self, path: Path, file: File, key: str) -> Path:
        if self.verify and sha256(path) != file.sha256:
            raise another_than(self.store, key, file)
        return path


class KnownDatabase(NamedTuple):
    """A database that was opened, whether or not it still is: its file then, and how to close it."""

    reference: weakref.ref[Database]
    file: tuple[int, ...]
    close: Callable[[], None]


def database_at(path: Path, limits: QueryLimits) -> Database:
    """The database of a file, opened where it is not open yet; the limits are those it was opened with first.

    DuckDB opens a file once in a process, so whoever wants it shares it. It is closed when nobody holds it any more,
    also no thread that asks it, or when the process ends. A file that was replaced is opened anew, and nobody goes on
    with the old one: an erasure replaces files. Damaged where the file is no database.
    """
    from warehouse.release.query import opened

    with OPENING:
        known = OPEN.get(place := path.resolve())
        found = known.reference() if known else None
        if known and (found is None or known.file != one_file(place)):
            known.close()
            found = None
        if found is None:
            file, held = one_file(place), ExitStack()
            found = held.enter_context(opened(place, limits))
            OPEN[place] = KnownDatabase(weakref.ref(found), file, partial(_close, held))
            weakref.finalize(found, OPEN[place].close)
        return found


def _close(held: ExitStack) -> None:
    with OPENING:  # whoever wants it anew waits until it is closed
        held.close()


OPEN: Final[dict[Path, KnownDatabase]] = {}
OPENING: Final = RLock()


@contextmanager
def shared_database(lake: str) -> Iterator[Database]:
    """The database of the latest release, for a server whose threads ask it at the same time."""
    yield database_at(open_database(lake), QueryLimits())
