"""Where a build works: its scratch place, what runs its tasks, and how large they are.

Without PAPERLAKE_DASK they run in this process, one after the other. A task is a plain function at the top of a module,
so that another process finds it by its name. What it takes and gives is small, and is pickled: a frozen `Struct` with
the URLs of the lake and of the scratch place, and keys in them; never a frame, a path, an open file or a store. What it
makes it writes to the scratch place, as Parquet, whole and under a key that follows from what it was asked: done twice,
it is the same, so that what a lost worker did is done again. It takes seconds, being cut by bytes or rows of what it
reads, and its memory is bounded by that. Settings it reads for itself.

The scratch place is a store like a lake, by its URL: a folder of this machine, or a prefix of a bucket that all workers
reach. It is gone when the build is done.
"""

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypeVar
from uuid import uuid4

import polars as pl
from msgspec import Struct

from flows.runtime.environment import variable
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.runtime.settings import load
from warehouse.errors import NothingThere, StoreFailed, Superseded, UsageError
from warehouse.release.draft import begins
from warehouse.release.latest import DRAFTS, parent_of
from warehouse.release.moves import OVERTAKEN
from warehouse.store.local_files import LocalFiles, local_files, scratch
from warehouse.store.store import Store

A = TypeVar("A")
B = TypeVar("B")


class TaskSizes(Struct, frozen=True):
    """Limits on the memory and the time of a task; they never change which rows are made."""

    piece_bytes: int = 12 << 20  # of pages that are read together: some 150 MiB as they are read
    chunks: int = 16  # of a lake at least, as long as a piece is full: some workers share them
    chunk_bytes: int = 96 << 20  # of one at most: some ten seconds, and 30,000 to 50,000 sightings in memory
    capture_bytes: int = 10_000  # what a capture counts at least: one of nothing is a row too
    # Sightings of a range of cohorts, by what is made of them: some seconds, and some 200 MiB. A task opens all chunks
    # that have one of its own, as nearly all have where old papers trend again; of what is described only what differs
    # is kept, so that more of them fit
    described_rows: int = 60_000
    derived_rows: int = 3_000
    written_rows: int = 120_000  # of the files of a task: some seconds
    file_share: int = 1  # times fewer rows a file than its table declares, so that a small lake has files of months


SIZES: Final = TaskSizes()


class Spread(Protocol):
    """The function that runs tasks: `spread` in this process, or one of a cluster."""

    def __call__(self, function: Callable[[A], B], tasks: Sequence[A]) -> Iterator[B]: ...


def spread(function: Callable[[A], B], tasks: Sequence[A]) -> Iterator[B]:
    """The result of each task, in their order; none has begun before it is asked for."""
    for task in tasks:
        made = function(task)
        give_back()
        yield made


def give_back() -> None:
    """Return to the system what a task no longer uses; glibc alone keeps it, up to 130 MiB after some cohorts."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def parcels(items: Iterable[A], size: Callable[[A], int], most: int) -> list[tuple[A, ...]]:
    """Items in their order, so many together that a task has `most` at the most; one of more is a task's alone.

    Of no items there is one task with nothing to do.

    >>> parcels([2_500, 1_000, 2_000, 30_000], int, 4_000)
    [(2500, 1000), (2000,), (30000,)]
    """
    found: list[list[A]] = [[]]
    total = 0
    for item in items:
        if found[-1] and total + size(item) > most:
            found.append([])
            total = 0
        found[-1].append(item)
        total += size(item)
    return [tuple(some) for some in found]


GROUP_ROWS: Final = 2_000  # of a row group: whoever reads one cohort of many passes over the others


class ScratchPlace:
    """The frames of a scratch place."""

    def __init__(self, files: LocalFiles) -> None:
        self._files, self.url = files, files.store.url

    def write(self, key: str, frame: pl.DataFrame) -> None:
        """Write a frame whole, in place of one that a lost worker may have left."""
        folder, buffer = self._files.store.folder, BytesIO()  # where Polars writes a file, a full disk has no errno
        frame.write_parquet(buffer, compression="lz4", row_group_size=GROUP_ROWS, statistics=True)
        if folder is None:
            self._files.store.put(key, buffer.getvalue())
            return
        path = folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{uuid4().hex}.part")
        part.write_bytes(buffer.getbuffer())
        part.replace(path)

    def put(self, key: str, data: bytes) -> None:
        self._files.store.put(key, data)

    def path(self, key: str) -> Path:
        """A file of it on this machine."""
        return self._files.path(key)

    def put_file(self, key: str, path: Path) -> None:
        """Put a file of this machine in place; on a folder it is moved there."""
        folder = self._files.store.folder
        if folder is None:
            self._files.store.put_file_new(key, path)
            return
        (folder / key).parent.mkdir(parents=True, exist_ok=True)
        path.replace(folder / key)

    def scan(self, keys: Sequence[str]) -> pl.LazyFrame:
        """The rows of these frames, end to end; there is at least one."""
        return pl.scan_parquet([self.path(key) for key in keys], glob=False)

    def read(self, keys: Sequence[str]) -> pl.DataFrame:
        return self.scan(keys).collect()


@contextmanager
def scratch_place(url: str) -> Iterator[ScratchPlace]:
    """A scratch place that is there, as a task opens it."""
    with local_files(open_lake(url)) as files:
        yield ScratchPlace(files)


@contextmanager
def new_scratch_place() -> Iterator[ScratchPlace]:
    """An empty one on this machine; it is gone at the end."""
    with scratch() as folder, scratch_place(str(folder)) as place:
        yield place


class Workplace(NamedTuple):
    """A scratch place that every task reaches, what runs them, and how large they are."""

    place: ScratchPlace
    spread: Spread
    sizes: TaskSizes = SIZES


@contextmanager
def workplace(lake: Store, sizes: TaskSizes = SIZES) -> Iterator[Workplace]:
    """The place of one build, on the cluster that the settings name; nothing of it is left at the end."""
    settings = load()
    if settings.dask is None:
        with new_scratch_place() as place:
            yield Workplace(place, spread, sizes)
        give_back()
        return
    from flows.tasks.on_dask import on_dask  # Dask and Prefect's runner of it: a second, and an extra

    with shared_scratch(lake) as place, on_dask(settings, place) as on_workers:
        yield Workplace(place, on_workers, sizes)


@contextmanager
def shared_scratch(lake: Store) -> Iterator[ScratchPlace]:
    """A scratch place among the drafts of a lake, where its workers have rights too.

    What a killed run leaves goes as its draft would: its name tells the release that it follows, and whoever publishes
    the next one removes it. Superseded where that was another run, while this one was at work.
    """
    if lake.folder is not None and not Path(lake.url).is_absolute():
        where = f"{variable('dask')} is set, and the lake is {lake.url}; workers reach a lake in a bucket"
        raise UsageError(f"{where}, or in a folder that all of them have, by its whole path: {lake.folder}")
    parent = parent_of(lake)
    key = f"{DRAFTS}/{begins(parent)}scratch-{uuid4().hex}"
    try:
        with scratch_place(f"{lake.folder or lake.url}/{key}") as place:
            yield place
    except NothingThere:
        if parent == parent_of(lake):
            raise
        raise Superseded(OVERTAKEN) from None
    finally:
        try:
            lake.delete_prefix(key)
        except StoreFailed as error:  # whoever publishes next removes it
            log.warning("temporary files of the build were left in %s: %s", key, error)
