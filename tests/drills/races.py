"""Two commands at one moment, as a person gives them, by chance; then the loser again, and everything is read back.

Sound is: every release is what its manifest says, of who was erased nothing is left, each command ended with 0, with 8, or
with what is true of the lake, and none advised to restore what is not damaged.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import warehouse.store.s3  # noqa: F401 - which every lake in a bucket needs
from flows.runtime.progress import track
from paperlake.cli.main import run_command
from tests.drills import commands
from tests.drills.forks import ended, forked
from tests.flows import steps
from tests.flows.test_erasure import LOGIN, list_of, places_of
from tests.seaweed import running

OTHER: Final = "yara-loom8"
FIRST, SECOND, THIRD = (f"{steps.TODAY:%Y.%m.%d}.{number}" for number in (1, 2, 3))
WORDS: Final[Mapping[str, Sequence[str]]] = {
    "erase": ("erase", LOGIN, "--why", "asked", "--really"),
    "erase another": ("erase", OTHER, "--why", "asked", "--really"),
    "retain": ("retain", "--keep-last", "1", "--apply"),
    "rollback": ("rollback", FIRST),
    "retract": ("retract", THIRD, "--why", "wrong"),
    "keep": ("keep", SECOND, "--why", "cited"),
    "publish": ("publish",),
    "build": ("build", "--from-raw"),
    "land": ("land", str(commands.SAMPLE)),
    "copy": ("copy", "LAKE", "COPY"),
}
RACES: Final = tuple(
    (one, other)
    for number, one in enumerate(WORDS)
    for other in list(WORDS)[number:]
    if "erase" in one or other in {"copy", "retain", "publish"} or one == "retain"
)
TRUE: Final = re.compile(
    r"was dropped|were? retracted|another release (?:was published|became the latest)|is the latest already|is retracted already|is kept already|has nothing of a login"
    r"|is the only one there is|was copied before a person was erased|loss|gate"
)
FALSE: Final = re.compile(r"restore|TMPDIR|report to|maintainers|Traceback")
SUPERSEDED: Final = 8


class End(NamedTuple):
    """With which code a command ended, and what it said."""

    name: str
    code: int
    text: str


@dataclass
class Raced:
    """How many races of which commands, how they ended, and what was wrong."""

    seed: int
    races: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    order_count: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        places = ", ".join(f"{place} {count}" for place, count in sorted(self.races.items()))
        ends = ", ".join(f"{codes}: {count}" for codes, count in sorted(self.ends.items()))
        return "\n".join(
            [
                f"races, seed {self.seed}: {places}; of {self.order_count} orders with one switch; exit codes {ends}; wrong {len(self.wrong)}",
                *self.wrong,
            ]
        )


def make(lake: str) -> None:
    """Three releases that have two people, and a draft that waits."""
    days = [date(2026, 9, 29), *commands.DAYS]
    with steps.bare_releases():
        for number, day in enumerate(days, 1):
            page, earlier = list_of(day), list_of(day.replace(month=8, day=number))
            another = replace(earlier, payload=earlier.payload.replace(LOGIN.encode(), OTHER.encode()))
            steps.build_unchecked(lake, [page, another])
            if number < len(days):
                steps.publish(lake)


def give(name: str, lake: str, said: Path) -> None:
    """Give a command by its name, as a person does, and end this process with its code."""
    out = os.open(said, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    ours = [{"LAKE": lake, "COPY": f"{lake}-copy"}.get(word, word) for word in WORDS[name]]
    os.environ["PAPERLAKE_LAKE"] = lake
    sys.argv = ["paperlake", *ours]
    code = run_command()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def unsound(lake: str, near: Path, erased: Sequence[str]) -> None:
    """Raise where a release is not what it should be, or where somebody is left."""
    commands.verify(lake, near)
    if not Path(lake).is_dir():
        commands.copied(lake, str(near / "near"))
    for login in erased:
        left = places_of(lake if Path(lake).is_dir() else str(near / "near"), login)
        assert not left, left


def race(found: Raced, lake: str, case: Path, chance: random.Random) -> None:
    """One race of two commands on a lake."""
    pair = chance.choice(RACES)
    ends = _together(pair, lake, case, [chance.uniform(0, 1.5), chance.uniform(0, 1.5)])
    judge(found, "bucket" if lake.startswith("s3:") else "folder", ends, lake, case)


def judge(found: Raced, place: str, ends: Sequence[End], lake: str, case: Path) -> None:
    """Give the losers again, and look at what is left."""
    what = f"{' x '.join(end.name for end in ends)} in a {place}"
    found.races[place.partition(",")[0]] += 1
    found.ends[" and ".join(str(code) for code in sorted(end.code for end in ends))] += 1
    erased = set[str]()
    for name, code, text in ends:
        last, said = code, text
        if code == SUPERSEDED:
            [(_, last, said)] = _together([name], lake, case, [0])
        if FALSE.search(text + said) or (last and not TRUE.search(said)):
            found.wrong.append(f"{what}: {name} ended with {code}: {text}, then with {last}: {said}")
        if "erase" in name and not last:
            erased.add(WORDS[name][1])
    if ended(forked(lambda: unsound(lake, case, sorted(erased)))):
        found.wrong.append(f"{what}: unsound, {ends}")


def _together(names: Sequence[str], lake: str, case: Path, delays: Sequence[float]) -> list[End]:
    gate, let_go = os.pipe()
    said = [case / f"said-{number}" for number in range(len(names))]

    def work(name: str, at: Path, delay: float) -> None:
        os.read(gate, 1)
        time.sleep(delay)
        give(name, lake, at)

    pids = [forked(partial(work, *one)) for one in zip(names, said, delays, strict=True)]
    os.write(let_go, b"x" * len(names))
    codes = [ended(pid) for pid in pids]
    os.close(gate)
    os.close(let_go)
    return [End(name, code, at.read_text()) for name, code, at in zip(names, codes, said, strict=True)]


def _require(pid: int) -> None:
    assert ended(pid) == 0


def drill(found: Raced, folder: int, bucket: int) -> None:
    """So many races in a folder and in a bucket; what comes of them is added to `found`."""
    chance = random.Random(found.seed)
    with TemporaryDirectory(prefix="races-") as name, ExitStack() as stack:
        base = str(Path(name) / "base")
        _require(forked(lambda: make(base)))
        seaweed = stack.enter_context(running()) if bucket else None
        for number in track(range(folder + bucket), "races"):
            (case := Path(name) / str(number)).mkdir()
            lake = str(case / "lake")
            if seaweed and number >= folder:
                lake = seaweed.lake()
                os.environ.update(seaweed.environment())
            os.environ |= {"PAPERLAKE_STATE": str(case / "state"), "PREFECT_HOME": str(case / "prefect")}
            _require(forked(partial(commands.copied, base, lake)))
            race(found, lake, case, chance)
            shutil.rmtree(case)
