"""The limits of one query of a release's database, and of the memory of the process that answers it.

The system's RLIMIT_DATA holds it to them. And how seldom a program of paperlake looks for garbage, and how long a
process of a pool lives. Imports next to nothing: the command line waits for this module.
"""

import os
import re
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

# New objects after which a program looks for garbage; every 700, as Python does by itself, it looks five to eight
# times through all that imports made, which is never garbage: of a day's run 1.1 s of the command, 0.5 of the gate
NEW_OBJECTS: Final = 50_000
# A size as DuckDB reads it, which takes a negative one for no limit, and fails on what is no text
MEMORY: Final = re.compile(r"\d{1,9}(\.\d{1,9})? *([KMGT]i?B|%)", re.IGNORECASE | re.ASCII)


class QueryLimits(NamedTuple):
    """Memory and time of one query; what does not fit in memory spills to the system's temporary folder.

    `memory` is DuckDB's own limit, which does not count what a single function allocates. That, and `seconds`, are
    enforced from outside (paperlake/sql/worker.py); without `seconds` a query may take as long as it wants.
    """

    memory: str = "2GB"
    seconds: float | None = None

    @property
    def out_of_memory(self) -> str:
        return f"the query takes more memory than {self.memory}; ask for less, or allow more with --memory"

    @property
    def out_of_time(self) -> str:
        return f"stopped after {self.seconds or 0:g} seconds; ask for less, or allow more with --seconds"


# Bytes that DuckDB does not count, once it is open: sorts, joins and groups that spilled took 170 to 199 MiB at a limit
# of 100 MB, 525 to 647 at 500 MB, and 408 at 150 MB after another answer
BESIDE: Final = 384 << 20


def limit_memory(memory: int) -> None:
    """Let this process have `memory` and BESIDE bytes more than it has now."""
    _limit(_size() + memory + BESIDE)


@contextmanager
def uncounted() -> Iterator[None]:
    """Raise the limit by what is reserved in the block: Arrow reserves a GiB before it uses any of it."""
    limit, _ = resource.getrlimit(resource.RLIMIT_DATA)
    before = _size()
    if limit != resource.RLIM_INFINITY:
        _limit(sys.maxsize)
    yield
    if limit != resource.RLIM_INFINITY:
        _limit(limit + _size() - before)


def end_with_parent() -> None:
    """End this process, which is of a pool, when the one that started it ends, however that does.

    Else it waits for work for ever: it holds both ends of the pipe that this comes by.
    """
    from multiprocessing import parent_process
    from threading import Thread

    def follow() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    Thread(target=follow, daemon=True).start()


def _size() -> int:
    """Bytes of private memory that it can write to, used or not: what RLIMIT_DATA counts."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.partition("VmData:")[2].split()[0]) << 10


def _limit(limit: int) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = min(limit, sys.maxsize if most == resource.RLIM_INFINITY else most)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, most))
