"""Where the files of a lake are read: here, by ranges on the web, or in a cache, fetched once and checked.

And when which release was the latest, by the log of its moves and by its index.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final, NamedTuple

from flows.runtime.lake import open_database
from paperlake.reading.moments import Moment, instant
from warehouse.errors import NothingThere
from warehouse.limits import QueryLimits
from warehouse.release import moves
from warehouse.release.cache import cached
from warehouse.release.chain import read_chain, walk_chain
from warehouse.release.latest import DATABASE, another_than, release_key, require_latest
from warehouse.release.made_again import database_path, kept_files
from warehouse.release.manifest import Erratum, File, Latest, Manifest, Parent
from warehouse.store.local_files import one_file, sha256
from warehouse.store.store import Store

if TYPE_CHECKING:
    from flows.documents.release_index import ReleaseSummary
    from paperlake.reading.web_store import WebStore
    from warehouse.release.query import Database


@dataclass(slots=True)
class LakeFiles:
    """The files of a lake's releases, the limits of queries of its databases, and the moves of its latest release.

    If they `verify`, no file is read that is not what its manifest says. What was moved is looked up each time that
    something is asked.
    """

    store: Store
    cache: Callable[[], Path]
    verify: bool
    limits: QueryLimits
    web: WebStore | None = None  # the same store, where it is on the web
    _known: Sequence[Latest] = ()

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

    def moves(self) -> Sequence[Latest]:
        """Every move, the first one first; Damaged where the chain of them is broken.

        Over HTTP the log cannot be listed, and so not be looked through for moves later than the newest.
        """
        if not self._known or self._known[-1] != require_latest(self.store):
            self._known = moves.sound_chain(self.store, walk_chain if self.web else read_chain).moves
        return self._known

    def named(self, version: str) -> tuple[Parent, Erratum | None]:
        """A release with the hash of its manifest, and why it was retracted, if it was.

        NothingThere where it never was, or was dropped.
        """
        past = self.moves()
        moves.published(self.store, version, past)
        move = next(move for move in reversed(past) if move.version == version)
        return Parent(version, move.manifest_sha256), past[-1].erratum(version)

    def version_of(self, named: str | Moment) -> str:
        """The version itself, or that of the release that was the latest at a moment; NothingThere before the first."""
        if isinstance(named, str) and named.count(".") == 3:  # noqa: PLR2004 - a version's dots
            return named
        at, past = instant(named), self.moves()
        found = [move.version for move in past if instant(move.moved_at) <= at]
        if not found:
            raise NothingThere(f"nothing was published by {at} UTC; the first release is of {past[0].moved_at}")
        return found[-1]

    def released_at(self, version: str) -> str:
        """When a release was first the latest, an ISO instant."""
        return next(one.published_at for one in self.summaries() if one.version == version)

    def summaries(self) -> Sequence[ReleaseSummary]:
        """All releases, by the index of the lake; where that is not of the newest move, by every manifest."""
        from flows.documents.release_index import release_index, stored_index

        index = stored_index(self.store)
        if index is None or index.move != require_latest(self.store).number:
            index = release_index(self.store, self.moves()[-1], self.moves())
        return index.releases


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
