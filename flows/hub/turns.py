"""Turns: one request in so many seconds and one connection, over all processes of this machine, as a source asks.

The turn is a file that one process holds at a time, with the moment before which nobody asks. The kernel lets go of it
when a process ends, however it ends. Machines know nothing of each other: whoever runs two shares the limit himself.
"""

from __future__ import annotations

import fcntl
import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO, Final

from flows.hub.budget import Clock

# A moment that is further away was written before the machine was started anew, or by a clock that was set back
MOST_SECONDS: Final = 3600.0
MOST_REST: Final = timedelta(hours=25)  # a budget of a day is new by then


class Turns:
    """The turns of one machine, `seconds` apart, kept in a file. `hold` and `rest` are for within a turn."""

    def __init__(self, path: Path, seconds: float, clock: Clock) -> None:
        self._path, self._seconds, self._clock = path, seconds, clock
        self._rest = path.with_name(f"{path.name}-rest")
        self._hold = 0.0

    @contextmanager
    def turn(self, most_seconds: float) -> Iterator[float]:
        """One turn, waited for: the block may send one request, and gets 0.

        Where the wait asked for is longer than `most_seconds`, it gets the seconds, and may send nothing.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            wait = max(self._wait(file), self._resting())
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

    def rest(self, seconds: float) -> None:
        """Let nobody ask for so long from now on, a day at most, and also after the machine was started anew."""
        until = self._clock.now() + min(timedelta(seconds=seconds), MOST_REST)
        self._rest.write_text(until.isoformat(timespec="seconds"), encoding="ascii")

    def _resting(self) -> float:
        """The seconds of a rest that are left; 0 where its file is none of ours, or a clock was set back."""
        try:
            left = datetime.fromisoformat(self._rest.read_text("ascii")) - self._clock.now()
        except (FileNotFoundError, ValueError, TypeError):
            return 0.0
        return max(0.0, left.total_seconds()) if left <= MOST_REST else 0.0

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
