"""`kill -9` of every command at moments by chance; then the same command again, and everything is read back.

Nothing may be lost (what was landed, rows, releases), half (an unsound release, a torn file) or blocked (the command
does not succeed any more). This process imports what the commands need and forks for each: a start costs nothing, and
none may use Polars or DuckDB here, whose threads no fork has.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import expectations.runner  # noqa: F401 - what each gate would import anew: tests/gate_here.py
import warehouse.store.s3  # noqa: F401 - and every lake in a bucket
from flows.runtime.progress import track
from tests.drills import commands
from tests.drills.commands import COMMANDS
from tests.drills.forks import ended, forked
from tests.flows import steps
from tests.flows.conftest import own_server
from tests.hub.server import StandIn
from tests.seaweed import Seaweed, running

PAPERLAKE: Final = Path(sys.executable).with_name("paperlake")
PLACES: Final = ("folder", "bucket", "command line")
Job = Callable[[str, Path], object]


@dataclass
class Killed:
    """How many were killed of each command and place, and what was wrong afterwards."""

    seed: int
    kills: Counter[str] = field(default_factory=Counter)
    too_late: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        of = ", ".join(f"{what} {count}" for what, count in sorted(self.kills.items()))
        verdicts = Counter(line.split(":")[0] for line in self.wrong)
        found = ", ".join(f"{verdict} {verdicts[verdict]}" for verdict in ("lost", "half", "blocked"))
        head = f"kills, seed {self.seed}: {self.kills.total()} ({of}); {self.too_late} came too late"
        return "\n".join([f"{head}; {found}", *self.wrong])


def at_work(job: Job, lake: str, folder: Path) -> int:
    """A process at work on a lake; what it says is in the folder."""

    def work() -> None:
        said = os.open(folder / "said", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(said, 1)
        os.dup2(said, 2)
        answer = job(lake, folder)
        if isinstance(answer, str):
            (folder / "state").write_text(answer)

    return forked(work)


def done(job: Job, lake: str, folder: Path) -> str:
    """What was said by a process that failed; empty where it did not."""
    return (folder / "said").read_text() or "?" if ended(at_work(job, lake, folder)) else ""


class Drill:
    """One place in which commands are killed: a lake in a folder or a bucket, by forked steps or the command line."""

    def __init__(self, place: str, root: Path, seaweed: Seaweed | None, found: Killed, chance: random.Random) -> None:
        self._place, self._root, self._seaweed, self._found, self._chance = place, root, seaweed, found, chance
        self._base = str(root.parent / "base")
        self._seconds: dict[str, float] = {}
        self._states: dict[str, str] = {}
        self._number = 0

    def kill(self, name: str) -> None:
        """Kill the command once; where it was quicker, another one."""
        if name not in self._seconds:
            self._calm(name)
        while not self._try(name):
            self._found.too_late += 1

    def _calm(self, name: str) -> None:
        """The command undisturbed: how long it takes, and what it leaves."""
        folder = self._root / name
        folder.mkdir()
        self._require(
            done(lambda lake, here: commands.prepare(name, self._base, lake, here), str(folder / "before"), folder)
        )
        lake, case = self._copy(name)
        start = time.monotonic()
        assert self._again(name, lake, case) == "", (case / "said").read_text()
        self._seconds[name] = time.monotonic() - start
        self._states[name] = self._state(lake, case)

    def _copy(self, name: str) -> tuple[str, Path]:
        self._number += 1
        case = self._root / f"{self._number:04}"
        case.mkdir()
        os.environ["PAPERLAKE_STATE"] = str(case / "state-folder")
        lake = self._seaweed.lake() if self._seaweed else str(case / "lake")
        before = str(self._root / name / "before")
        self._require(done(lambda lake, _: commands.copied(before, lake), lake, case))
        return lake, case

    def _try(self, name: str) -> bool:
        lake, case = self._copy(name)
        pid = self._start(name, lake, case)
        time.sleep(self._chance.uniform(0.3 if self._is_cli else 0.0, 1.0) * self._seconds[name])
        os.kill(pid, signal.SIGKILL)
        if ended(pid) != -signal.SIGKILL:
            return False
        what = f"{name} in {self._place}, case {self._number}"
        self._found.kills[f"{name}/{self._place}"] += 1
        self._note("half", what, done(commands.sound, lake, case))
        self._note("blocked", what, self._again(name, lake, case))
        self._note("half", what, done(commands.verify, lake, case))
        state = self._state(lake, case)
        self._note("lost", what, "" if state == self._states[name] else f"{state}\n{self._states[name]}")
        return True

    @property
    def _is_cli(self) -> bool:
        return self._place == "command line"

    def _start(self, name: str, lake: str, case: Path) -> int:
        if not self._is_cli:
            return at_work(COMMANDS[name].do, lake, case)
        with (case / "said").open("wb") as said:
            environment = {**os.environ, "PAPERLAKE_LAKE": lake}
            command = [str(PAPERLAKE), *COMMANDS[name].words]
            return subprocess.Popen(command, cwd=case, env=environment, stdout=said, stderr=said).pid

    def _again(self, name: str, lake: str, case: Path) -> str:
        code = ended(self._start(name, lake, case))
        said = (case / "said").read_text()
        return "" if code == 0 or (code == 2 and "is the latest already" in said) else said or f"exit {code}"

    def _state(self, lake: str, case: Path) -> str:
        self._require(done(commands.state_text, lake, case))
        return (case / "state").read_text()

    def _note(self, verdict: str, what: str, said: str) -> None:
        if said:
            self._found.wrong.append(f"{verdict}: {what}: {said}")

    def _require(self, said: str) -> None:
        assert not said, said


def drill(found: Killed, folder: int, bucket: int, command_line: int) -> None:
    """So many kills in each place, of one command after the other; what comes of them is added to `found`."""
    chance = random.Random(found.seed)
    with ExitStack() as stack:
        root = Path(stack.enter_context(TemporaryDirectory(prefix="drill-")))
        os.environ["PAPERLAKE_HUB_URL"] = stack.enter_context(_hub())
        base = str(root / "base")
        assert not done(commands.make, base, root), (root / "said").read_text()
        for place, count in zip(PLACES, (folder, bucket, command_line), strict=True):
            names = [name for name, command in COMMANDS.items() if place != "command line" or command.words]
            with ExitStack() as of_place:
                seaweed = None
                if count and place == "bucket":
                    seaweed = of_place.enter_context(running())
                    os.environ.update(seaweed.environment())
                if count and place == "command line":
                    os.environ |= of_place.enter_context(own_server(root / "prefect")).environment
                here = root / place.replace(" ", "-")
                here.mkdir()
                at = Drill(place, here, seaweed, found, chance)
                for number in track(range(count), f"kills in a {place}"):
                    at.kill(names[number % len(names)])


@contextmanager
def _hub() -> Iterator[str]:
    """The stand-in, in a process of its own, without limits."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        with StandIn(now=lambda: steps.NOW, quotas={"api": 10**6, "pages": 10**6}) as hub:
            os.write(writing, hub.url.encode())
            signal.pause()
    try:
        yield os.read(reading, 100).decode()
    finally:
        os.kill(pid, signal.SIGKILL)
        ended(pid)
