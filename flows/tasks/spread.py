"""Tasks of a build, how large they are, and what runs them: without PAPERLAKE_DASK this process, one after the other.

A task is a plain function at the top of a module, so that another process finds it by its name. What it takes and
gives is small, and is pickled: a frozen `Struct` with the URLs of the lake and of the scratch place, and keys in them;
never a frame, a path, an open file or a store. What it makes it writes to the scratch place, as Parquet, whole and
under a key that follows from what it was asked: done twice, it is the same, so that what a lost worker did is done
again. It takes seconds, being cut by bytes or rows of what it reads, and its memory is bounded by that. Settings it
reads for itself.
"""

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

from msgspec import Struct

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
