"""A kill at each write of each command: the same command resumes, and an erasure and a run leave no person, and no key
without an owner.

The lake is kept as each write finds it, with half a temporary file: what a process leaves that is killed there.
"""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import RLock
from typing import Final

import pytest

from flows.documents.release_index import lead_to_latest
from flows.people.erase import Machine, Wish, erase
from flows.runtime.lake import open_lake
from flows.runtime.progress import track
from flows.steps.copy_lake import copy_lake
from flows.steps.drop_releases import retain
from flows.steps.read_back import verify_raw, verify_release
from tests.flows import steps
from tests.flows.test_erasure import DAYS, LOGIN, PAGE, WISH, again, list_of
from tests.processes import ended, fork
from tests.scanner import places_of
from warehouse.archive.archive import Archive
from warehouse.errors import UsageError
from warehouse.inventory.keep_rule import KeepRule
from warehouse.inventory.owners import Owner, inventory
from warehouse.release import moves
from warehouse.release.latest import require_latest
from warehouse.store import local, opening
from warehouse.store.store import Store

WRITES: Final = ("put", "put_new", "put_file_new", "copy_new", "swap", "delete", "delete_prefix")
UNOWNED: Final = {Owner.LEFT, Owner.NOBODY}
AT_ONCE: Final = 2
ALONE: Final = 2  # after every so many kills the same command, and the next run, are tried without the erasure too


@dataclass
class Checked:
    """After how many kills of which commands the lake was looked at, and what was wrong."""

    write_count: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        of = ", ".join(f"{name} {count}" for name, count in sorted(self.kills.items()))
        head = f"kills at {self.kills.total()} of {self.write_count} writes ({of}); traces and keys without an owner: {len(self.wrong)}"
        return "\n".join([head, *self.wrong])


class Killed(local.LocalStore):
    """A lake that keeps what each write leaves that is killed: all that was written, and half a temporary file."""

    states: Path | None = None
    lock = RLock()

    def __getattribute__(self, name: str) -> object:
        found = super().__getattribute__(name)
        return partial(self._write, found) if name in WRITES and self.states else found

    def _write(self, write: Callable[..., object], *given: object) -> object:
        with self.lock:
            if self.states and self.folder and self.folder.exists():
                state = self.states / f"{len(list(self.states.iterdir())):04}"
                shutil.copytree(self.folder, state, copy_function=os.link)
                data = given[1].read_bytes() if isinstance(given[-1], Path) else given[-1]
                if isinstance(data, bytes):
                    (state / ".tmp").mkdir(exist_ok=True)
                    (state / ".tmp" / os.urandom(12).hex()).write_bytes(data[: 1 + len(data) * 2 // 3])
            return write(*given)


def make(lake: Path) -> None:
    """Two releases that have the person."""
    with steps.bare_releases():
        steps.build_unchecked(str(lake), [list_of(DAYS[0]), PAGE])
        steps.publish(str(lake))
        steps.build_unchecked(str(lake), [list_of(DAYS[1])])
        steps.publish(str(lake))


def first_of(store: Store) -> str:
    return moves.moves(store)[0].version


def rollback(lake: Path) -> None:
    store = open_lake(str(lake))
    moves.go_to(store, first_of(store), at=steps.NOW, why=f"asked for by {LOGIN}")
    lead_to_latest(store)


def retract(lake: Path) -> None:
    store = open_lake(str(lake))
    moves.retract(store, require_latest(store).version, at=steps.NOW, why=f"asked for by {LOGIN}")
    lead_to_latest(store)


def keep(lake: Path) -> None:
    store = open_lake(str(lake))
    moves.keep(store, first_of(store), at=steps.NOW, why=f"asked for by {LOGIN}")
    lead_to_latest(store)


def erase_them(lake: Path) -> None:
    erase(open_lake(str(lake)), WISH, Machine())


def erase_another(lake: Path) -> None:
    erase(open_lake(str(lake)), Wish("annotation", "GDPR art. 17"), Machine())


COMMANDS: Final[Mapping[str, Callable[[Path], object]]] = {
    "land": lambda lake: Archive(open_lake(str(lake))).write([again(list_of(day), 9) for day in DAYS], now=steps.NOW),
    "build": lambda lake: steps.build_unchecked(str(lake), [again(list_of(DAYS[1]), 9)]),
    "run": lambda lake: steps.run_captures(str(lake), [again(list_of(DAYS[1]), 9)]),
    "retain": lambda lake: retain(open_lake(str(lake)), KeepRule(1), apply=True, at=steps.NOW),
    "rollback": rollback,
    "retract": retract,
    "keep": keep,
    "copy": lambda lake: copy_lake(open_lake(str(lake)), open_lake(f"{lake}-copy")),
    "erase": erase_them,
    "erase another": erase_another,
}


def killed(name: str, source: Path, folder: Path) -> list[Path]:
    """The lake, or its copy, after a kill at each write of a command."""
    states, lake = folder / "states", folder / "lake"
    states.mkdir(parents=True)
    shutil.copytree(source, lake)
    with pytest.MonkeyPatch.context() as patch, steps.bare_releases():
        patch.setattr(opening, "LocalStore", type("Recorded", (Killed,), {"states": states}))
        COMMANDS[name](lake)
    return sorted(states.iterdir())


def next_run(lake: Path) -> None:
    with steps.bare_releases():
        steps.build_unchecked(str(lake), [steps.list_of(date(2026, 10, 5))])
        steps.publish(str(lake))


def held(lake: Path) -> tuple[object, ...]:
    """What a lake has for its readers, in whatever pieces."""
    store = open_lake(str(lake))
    last = require_latest(store)
    landed = sorted(entry.capture_id for entry in Archive(store).index())
    return landed, steps.hashes(str(lake)), last.version, last.number, len(last.errata), last.kept


def without_owner(store: Store) -> list[str]:
    """Keys that nothing accounts for, temporary files too: nobody is at work."""
    begun = [key for key in store.temporary() if key != ".tmp/lock"]
    return begun + [item.key for item in inventory(store) if item.owner in UNOWNED]


def left_after(name: str, state: Path, source: Path, *, alone: bool) -> Iterator[str]:
    """Traces of the person, and keys without an owner, after a command was killed; `alone`: what it did not resume, too,
    and the same without an erasure.
    """
    if name == "copy":  # what it leaves is no lake yet
        copy_lake(open_lake(str(source)), open_lake(str(state)))
    if alone and not name.startswith(("copy", "erase")):  # after which the same command comes anyway
        by_itself = Path(shutil.copytree(state, f"{state}-alone"))
        with suppress(UsageError), steps.bare_releases():  # which says that it is done already
            COMMANDS[name](by_itself)
        if held(by_itself) != held(state.parents[1] / "lake"):
            yield "not resumed"
        next_run(by_itself)
        yield from (f"not erased: {line}" for line in without_owner(open_lake(str(by_itself))))
    erase_them(state)
    yield from places_of(state, LOGIN)
    if name == "erase another":  # nothing is landed before that is done
        erase_another(state)
    next_run(state)
    store = open_lake(str(state))
    yield from without_owner(store)
    yield from (*verify_release(store, every=True)[1], *verify_raw(store)[1])


def drill(found: Checked, seed: int, count: int) -> None:
    """After a kill at one write of each command, and at others by chance, so many in all; `found` has what came of it."""
    chance = Random(seed)
    if not count:
        return
    with TemporaryDirectory(prefix="writes-") as name:
        source, root = Path(name) / "lake", Path(name)
        assert not ended(fork(make, source))
        commands = sorted(chance.sample(list(COMMANDS), min(count, len(COMMANDS))))
        for command in commands:
            assert not ended(fork(killed, command, source, root / command)), command
        states = [(one, state) for one in commands for state in sorted((root / one / "states").iterdir())]
        found.write_count = len(states)
        first = [(one, chance.choice([state for of, state in states if of == one])) for one in commands]
        others = [one for one in states if one not in first]
        waiting = list(enumerate(first + chance.sample(others, min(count - len(first), len(others)))))
        at_work: dict[int, tuple[ForkProcess, str, Path]] = {}
        for _ in track(range(len(waiting)), "killed", len(waiting)):
            while waiting and len(at_work) < AT_ONCE:
                number, (command, state) = waiting.pop(0)
                look = fork(_look, command, state, source, number % ALONE == 1)
                at_work[look.sentinel] = look, command, state
            look, command, state = at_work.pop(wait(list(at_work))[0])
            code = ended(look)
            found.kills[command] += 1
            left = [] if code else state.with_suffix(".said").read_text().splitlines()
            found.wrong += [f"{command}, write {state.name}: {line}" for line in [*left, *["failed"] * bool(code)]]


def _look(command: str, state: Path, source: Path, alone: bool) -> None:
    lines = list(left_after(command, state, source, alone=alone))
    state.with_suffix(".said").write_text("\n".join(lines))
    shutil.rmtree(state)
