"""Every order of two commands with one switch: the second is given whole at a write of the first, which then goes on.

Soundness is that of the races; these are the orders that chance does not find.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from flows.runtime.progress import track
from tests.drills import commands, races
from tests.drills.forks import ended, forked
from tests.drills.writes import WRITES
from warehouse.store import local, opening


@dataclass
class Switch:
    """Before which write a command waits (0: none), and the pipes on which it says so and is told to go on."""

    at: int
    says: int
    told: int
    write_count: int = 0

    def write(self) -> None:
        self.write_count += 1
        if self.write_count == self.at:
            os.write(self.says, b"x")
            os.read(self.told, 1)
        elif not self.at:
            os.write(self.says, b"x")


class Waiting(local.LocalStore):
    """A lake in a folder whose writer waits before one of its writes."""

    switch: Switch

    def __getattribute__(self, name: str) -> object:
        found = super().__getattribute__(name)
        return partial(self._write, found) if name in WRITES else found

    def _write(self, write: Callable[..., object], *given: object) -> object:
        self.switch.write()
        return write(*given)


def waiting(name: str, lake: str, case: Path, at: int) -> tuple[int, int, int]:
    """A process that gives the command and waits before a write; the pipes on which it says so, and is told."""
    (hears, says), (told, tells) = os.pipe(), os.pipe()

    def work() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(opening, "LocalStore", type("Switched", (Waiting,), {"switch": Switch(at, says, told)}))
            races.give(name, lake, case / "said-0")

    pid = forked(work)
    os.close(says)
    os.close(told)
    return pid, hears, tells


def write_count(name: str, base: Path, case: Path) -> int:
    """The number of writes of a command that nobody meets."""
    commands.copied(str(base), lake := str(case / "lake"))
    pid, hears, tells = waiting(name, lake, case, 0)
    with os.fdopen(hears, "rb") as pipe:
        count = len(pipe.read())
    os.close(tells)
    ended(pid)
    return count


def switched(found: races.Raced, pair: tuple[str, str], at: int, lake: str, case: Path) -> None:
    """Give the second command at a write of the first, and judge what comes of it."""
    pid, hears, tells = waiting(pair[0], lake, case, at)
    is_there = os.read(hears, 1)  # nothing where it ended with fewer writes than another time
    second = ended(forked(lambda: races.give(pair[1], lake, case / "said-1")))
    if is_there:
        os.write(tells, b"x")
    codes = (ended(pid), second)
    os.close(hears)
    os.close(tells)
    said = ((case / f"said-{number}").read_text() for number in range(2))
    ends = [races.End(*end) for end in zip(pair, codes, said, strict=True)]
    races.judge(found, f"folder with one switch, at write {at}", ends, lake, case)


def drill(found: races.Raced, count: int) -> None:
    """So many of all orders, by chance; what comes of them is added to `found`."""
    if not count:
        return
    chance = random.Random(found.seed)
    with TemporaryDirectory(prefix="switches-") as name:
        base = Path(name) / "base"
        assert not ended(forked(lambda: races.make(str(base))))
        counts = {}
        for number, one in enumerate(races.WORDS):
            (case := Path(name) / f"count-{number}").mkdir()
            _at(case)
            counts[one] = write_count(one, base, case)
        pairs = {either for pair in races.RACES for either in (pair, pair[::-1])}
        orders = [(pair, at) for pair in sorted(pairs) for at in range(1, 1 + counts[pair[0]])]
        found.order_count = len(orders)
        for number, (pair, at) in enumerate(track(chance.sample(orders, min(count, len(orders))), "switches")):
            (case := Path(name) / str(number)).mkdir()
            _at(case)
            commands.copied(str(base), lake := str(case / "lake"))
            switched(found, pair, at, lake, case)
            shutil.rmtree(case)


def _at(case: Path) -> None:
    os.environ |= {"PAPERLAKE_STATE": str(case / "state"), "PREFECT_HOME": str(case / "prefect")}
