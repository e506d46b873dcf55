"""Turns: one request in so many seconds and one connection, over all processes of this machine, as a source asks.

The turn is a file that one process holds at a time, with the moment before which nobody asks. The kernel lets go of it
when a process ends, however it ends. Machines know nothing of each other: whoever runs two shares the limit himself.
"""

from __future__ import annotations

import fcntl
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from flows.hub.budget import Clock

# A moment that is further away was written before the machine was started anew, or by a clock that was set back
MOST_SECONDS: Final = 3600.0


class Turns:
    """The turns of one machine, `seconds` apart, kept in a file. `hold` may be called within a turn alone."""

    def __init__(self, path: Path, seconds: float, clock: Clock) -> None:
        self._path, self._seconds, self._clock = path, seconds, clock
        self._hold = 0.0

    @contextmanager
    def turn(self, most_seconds: float) -> Iterator[float]:
        """One turn, waited for: the block may send one request, and gets 0.

        Where the wait asked for is longer than `most_seconds`, it gets the seconds, and may send nothing.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            wait = self._wait(file)
            if wait > most_seconds:
                yield wait
                return
            if wait > 0:
                self._clock.sleep(wait)
            self._hold = 0.0
            self._write(file, self._seconds)  # before the request: a process that is killed has had its turn
            try:
                yield 0.0
            finally:
                if self._hold > self._seconds:
                    self._write(file, self._hold)

    def hold(self, seconds: float) -> None:
        """Let nobody ask for so long from now on, an hour at most; the longest of several counts."""
        self._hold = max(self._hold, min(seconds, MOST_SECONDS))

    def _wait(self, file: BinaryIO) -> float:
        file.seek(0)
        try:
            wait = float(file.read(40)) - self._clock.seconds()
        except ValueError:  # nothing is written yet, or what is none of ours
            return 0.0
        return max(0.0, wait) if math.isfinite(wait) and wait <= MOST_SECONDS else self._seconds

    def _write(self, file: BinaryIO, seconds: float) -> None:
        file.seek(0)
        file.truncate()
        file.write(f"{self._clock.seconds() + seconds:.3f}".encode())
        file.flush()
