"""Local files for as long as a run needs them: those that it makes, and the objects of a lake that it reads."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from copy import copy
from pathlib import Path
from types import MappingProxyType
from typing import Final

from warehouse.errors import NothingThere, StoreFailed, UsageError
from warehouse.store.objects import require_no_pattern
from warehouse.store.pooled_list import MARKS_OF_A_LAKE
from warehouse.store.store import Store
from warehouse.store.temporary import PREFIX, STEP, sweep, temporary_folder, temporary_place, writing

FETCHED_BYTES: Final = 32 << 20  # in memory at once; nearly every object comes with one request


class LocalFiles:
    """The objects of a lake as local files, for tools that read only files.

    Each is fetched, where the lake is remote, and hashed at most once, when it is first asked for: hard links of one
    file, as a release links what its parent has, are hashed once. Every method raises NothingThere where there is no
    such object, StoreFailed where it cannot be fetched or read. `hashes` are those that were found before, by key.
    """

    def __init__(self, store: Store, folder: Path, hashes: Mapping[str, str] = MappingProxyType({})) -> None:
        self.store, self._folder = store, folder
        self._hashes = dict(hashes)  # by key
        self._hashes_of_files: dict[tuple[int, ...], str] = {}

    def through(self, store: Store) -> LocalFiles:
        """The same files, of the same lake by another way to it."""
        made = copy(self)
        made.store = store
        return made

    @property
    def root(self) -> Path:
        """The folder in which every object that was asked for lies, by its key."""
        return self.store.folder or self._folder

    @property
    def hashes(self) -> Mapping[str, str]:
        """The hashes found so far, by key."""
        return MappingProxyType(self._hashes)

    def path(self, key: str) -> Path:
        """The object's path on this machine; a remote object is fetched first."""
        if (there := self.store.local_path(key)) is not None:
            if self.store.exists(key):
                return there
            raise NothingThere(f"{key} is not in the lake {self.store.url}")
        path = self._folder / key
        if not path.is_file():
            part = path.with_name(f"{path.name}.part")  # a step that is retried must not find half a file
            with _temporary():
                fetch(self.store, key, part)
                part.replace(path)
        return path

    def sha256(self, key: str) -> str:
        """The hash of the object's bytes, in hex."""
        if key not in self._hashes:
            path = self.path(key)
            if self.store.folder is not None:
                self.store.open(key).close()  # where permission is missing, its error says what to do
            try:
                file = one_file(path)
                self._hashes[key] = self._hashes_of_files[file] = self._hashes_of_files.get(file) or sha256(path)
            except OSError as error:
                raise StoreFailed(f"could not read {path}: {(error.strerror or str(error)).lower()}") from error
        return self._hashes[key]


@contextmanager
def local_files(store: Store) -> Iterator[LocalFiles]:
    """The lake's objects as local files; what was fetched is gone at the end."""
    with ExitStack() as ends:
        with _temporary():
            if store.folder is None:
                require_no_pattern("TMPDIR", temporary_place())
            folder = ends.enter_context(temporary_folder())
        yield LocalFiles(store, folder)


@contextmanager
def scratch() -> Iterator[Path]:
    """An empty folder that goes away; StoreFailed names TMPDIR where what the caller writes in it fails."""
    with _temporary():
        require_no_pattern("TMPDIR", temporary_place())
        with temporary_folder() as folder:
            yield folder


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A file beside one that is to be written: in the end it takes its place, and where the block fails it is gone.

    What one that was killed left there goes too. Links are followed; of a device or a pipe, nothing takes the place.
    UsageError where it cannot be written, or would be in a lake.
    """
    place, is_file = outside_lakes(path), is_place_of_a_file(path)
    beside = place.parent, f".{place.name}.{PREFIX}"
    try:
        if place.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not is_file:
            yield path
            return
        sweep(*beside)
        with temporary_folder(*beside) as folder:  # of files of the one who writes too, as DuckDB has
            yield (part := folder / "paperlake.part")
            part.replace(place)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}; name another place") from error


def is_place_of_a_file(path: Path) -> bool:
    """Whether a file may take the place: not where a device, a pipe or a folder is, which root could replace."""
    return os.path.isfile(path) or not os.path.exists(path)  # noqa: PTH110, PTH113 - where Path's raise


def outside_lakes(path: Path) -> Path:
    """Where a file is to be written, links followed; UsageError in a lake, where each file must have an owner."""
    if lake := lake_with(place := real(path)):
        raise UsageError(f"{path} is in the lake {lake}, which holds paperlake's files alone; name another place")
    return place


def real(path: Path) -> Path:
    """A path with its links followed, as far as that goes: Path.resolve fails at links in a circle."""
    return Path(os.path.realpath(path))


def lake_with(place: Path) -> Path | None:
    """The lake that a place without links lies in; None where it lies in none."""
    marked = ((folder, folder / one) for folder in place.parents for one in MARKS_OF_A_LAKE)
    return next((folder for folder, mark in marked if os.path.exists(mark)), None)  # noqa: PTH110 - Path's may raise


def fetch(store: Store, key: str, path: Path) -> None:
    """Write an object to a file, in constant memory; no file where there is no object."""
    data = store.read_range(key, 0, FETCHED_BYTES)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        while file.write(data) == FETCHED_BYTES:
            data = store.read_range(key, file.tell(), FETCHED_BYTES)


def one_file(path: Path) -> tuple[int, ...]:
    """The identity of a file, which all its hard links share, as long as nobody writes to it."""
    found = path.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def sha256(path: Path) -> str:
    """The hash of a file's bytes, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _temporary() -> AbstractContextManager[None]:
    """A block that writes temporary files; StoreFailed names TMPDIR where that fails."""
    return writing("temporary files", temporary_place(), STEP)
