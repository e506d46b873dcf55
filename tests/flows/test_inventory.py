"""Every byte of a lake has an owner: what nobody wrote is found, and what a killed command leaves goes."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from pathlib import Path
from threading import RLock

import pytest

from flows.documents.release_index import lead_to_latest
from flows.people.erase import Machine, Wish, erase
from flows.runtime.lake import open_lake
from flows.steps.copy_lake import copy_lake
from flows.steps.read_back import verify_release
from paperlake.texts import releases
from tests.flows import steps
from tests.flows.test_erasure import DAYS, LOGIN, PAGE, WISH, again, list_of
from tests.flows.test_signing import made_key, newest, sign, signers
from tests.scanner import places_of
from warehouse.inventory.owners import Owner, inventory
from warehouse.release import moves
from warehouse.release.latest import require_latest
from warehouse.store import local, opening
from warehouse.store.opening import open_store
from warehouse.store.store import Store

WRITES = ("put", "put_new", "put_file_new", "copy_new", "swap", "delete", "delete_prefix")
STATES = 8  # of all in which a kill leaves the lake, so many are tried
NEVER = "2020.01.01"
UNOWNED = {Owner.LEFT, Owner.NOBODY}


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


@pytest.fixture(scope="module")
def with_person(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of two releases that has the person; tests only read it."""
    lake = tmp_path_factory.mktemp("with_person") / "lake"
    with steps.bare_releases():
        steps.build_unchecked(str(lake), [list_of(DAYS[0]), PAGE])
        steps.publish(str(lake))
        steps.build_unchecked(str(lake), [list_of(DAYS[1])])
        steps.publish(str(lake))
    return lake


def build(lake: Path) -> None:
    steps.build_unchecked(str(lake), [again(list_of(DAYS[1]), 9)])


def publish(lake: Path) -> None:
    build(lake)
    steps.publish(str(lake))


def retain(lake: Path) -> None:
    releases.retain(open_lake(str(lake)), keep_last=1, keep_months=0, apply=True, at=steps.NOW)


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


def copy(lake: Path) -> None:
    copy_lake(open_lake(str(lake)), open_lake(f"{lake}-copy"))


def erase_them(lake: Path) -> None:
    erase(open_lake(str(lake)), WISH, Machine())


def erase_another(lake: Path) -> None:
    erase(open_lake(str(lake)), Wish("annotation", "GDPR art. 17"), Machine())


COMMANDS: Sequence[Callable[[Path], None]] = (publish, retain, rollback, retract, copy, erase_them, erase_another)


def killed(command: Callable[[Path], None], source: Path, folder: Path) -> list[Path]:
    """The lake, or its copy, after a kill at each write of a command."""
    states, lake = folder / "states", folder / "lake"
    states.mkdir(parents=True)
    shutil.copytree(source, lake)
    with pytest.MonkeyPatch.context() as patch, steps.bare_releases():
        patch.setattr(opening, "LocalStore", type("Recorded", (Killed,), {"states": states}))
        command(lake)
    return sorted(states.iterdir())


def next_run(lake: Path) -> None:
    with steps.bare_releases():
        steps.build_unchecked(str(lake), [steps.list_of(date(2026, 10, 5))])
        steps.publish(str(lake))


def without_owner(store: Store) -> list[str]:
    """Keys that nothing accounts for, temporary files too: nobody is at work."""
    begun = [key for key in store.temporary() if key != ".tmp/lock"]
    return begun + [item.key for item in inventory(store) if item.owner in UNOWNED]


@pytest.mark.slow
def test_after_a_kill_at_each_write_nothing_of_an_erased_person_is_left_and_no_key_without_an_owner(
    with_person: Path, tmp_path: Path
) -> None:
    states = [
        (command, state) for command in COMMANDS for state in killed(command, with_person, tmp_path / command.__name__)
    ]
    tried = states[:: max(1, len(states) // STATES)]
    names = [command.__name__ for command, _ in tried]
    sys.stdout.write(f"{len(tried)} of {len(states)} states after a kill: {names}\n")
    found: list[str] = []
    for command, lake in tried:
        if command is publish:  # the next run alone
            next_run(alone := Path(shutil.copytree(lake, f"{lake}-alone")))
            found += [f"not erased: {line}" for line in without_owner(open_lake(str(alone)))]
        if command is copy:
            copy_lake(open_lake(str(with_person)), open_lake(str(lake)))
        erase_them(lake)
        traces = places_of(lake, LOGIN)
        next_run(lake)
        store = open_lake(str(lake))
        found += [f"{command.__name__}: {line}" for line in (*traces, *without_owner(store))]
        found += verify_release(store, every=True)[1]
    assert found == []


def test_a_hundred_files_that_nothing_lists_are_all_found(one_release: Path, tmp_path: Path) -> None:
    lake = Path(shutil.copytree(one_release, tmp_path / "lake"))
    store, key = open_store(str(lake)), made_key(tmp_path / "key")
    sign(store, key)
    manifest = newest(store)
    assert verify_release(store, signed_by=signers(key))[1] == []
    forms = (
        f"releases/{manifest.version}/data/daily_listings/zzz{{}}.parquet",
        f"releases/{manifest.version}/notes{{}}.html",
        f"releases/{NEVER}.1{{}}/data/papers.parquet",
        "releases/latest/data{}.parquet",
        "raw/warc/2026-11/pages{}.warc.gz",
        "log/moves/notes{}.json",
        f"log/dropped/{NEVER}.1{{}}.json",
        "drafts/papers{}.parquet",
        ".tmp/papers{}.parquet",
        "digest{}.sqlite3",
    )
    made = [form.format(number) for form in forms for number in range(10)]
    for name in made:
        (lake / name).parent.mkdir(parents=True, exist_ok=True)
        (lake / name).write_bytes(b"{}")
    wrong = verify_release(store, signed_by=signers(key))[1]
    assert {line.partition(" is ")[0] for line in wrong} == {*made}
    with steps.bare_releases():
        next_run(lake)
    assert all((lake / name).is_file() for name in made), "they are evidence"


def test_what_a_killed_writer_began_goes_and_what_a_living_one_begins_stays(tmp_path: Path) -> None:
    lake, pipe = tmp_path / "lake", tmp_path / "pipe"
    left = lake / ".tmp" / ("0" * 24)
    left.parent.mkdir(parents=True)
    left.write_bytes(b"half")
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        written = pool.submit(open_store(str(lake)).put_file_new, "large", pipe)
        with pipe.open("wb") as file:
            file.write(b"a living one's")
            file.flush()
            while not (begun := [path for path in left.parent.iterdir() if path != left]):
                time.sleep(0.01)
            open_store(str(lake)).sweep()
            assert list(left.parent.iterdir()) == begun
        assert written.result()
    assert open_store(str(lake)).temporary() == []
