"""The seam of a build: where its tasks run. Without PAPERLAKE_DASK that is this process, one task after the other.

A task is a plain function at the top of a module, so that another process finds it by its name. What it takes and gives
is small, and is pickled: a frozen `Struct` with the URLs of the lake and of the scratch place, and keys in them; never
a frame, a path, an open file or a store. What it makes it writes to the scratch place, whole and under a key that
follows from what it was asked: done twice, it is the same, so that what a lost worker did is done again. It takes
seconds, being cut by bytes or rows of what it reads, and its memory is bounded by that. Settings it reads for itself.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Spread(Protocol):
    """What runs tasks: `spread` here, or a cluster."""

    def __call__(self, function: Callable[[A], B], tasks: Sequence[A]) -> Iterator[B]: ...


def spread(function: Callable[[A], B], tasks: Sequence[A]) -> Iterator[B]:
    """What a task gives of each, in the order of the tasks; none has begun before it is asked for."""
    for task in tasks:
        made = function(task)
        give_back()
        yield made


def give_back() -> None:
    """Return to the system what a task no longer uses; glibc alone keeps it, up to 130 MiB after some cohorts."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
