"""The lease of a lake: one writer at a time, whatever the order of their calls, whoever is killed, whatever clocks say."""

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import cast

import msgspec
import pytest

from flows.runtime.lake import sole_writer
from tests.interleaving import Bucket, Choices, Killed, Seen, Turns
from tests.processes import python
from warehouse.errors import Damaged, NothingThere
from warehouse.store.lease import LASTS_SECONDS, LEASE, Here, InUse, lease, undisturbed
from warehouse.store.local import LocalStore
from warehouse.store.store import Store

NOW = datetime(2026, 11, 23, 12)
LOOK = 20.0  # a look at the lease of another takes as long as all others are stopped
REQUEST = 50.0  # no request of a store takes longer
KILLS = 1


class World:
    """Two or three writers on machines of their own, whose clocks are 100 days ahead or behind, and one of seconds."""

    def __init__(self, store: Store, machines: Sequence[str], choices: Choices, works: int) -> None:
        self.store, self.seconds, self.done, self.works = store, 0.0, set[int](), works
        self._choices, self._days = choices, (days for _ in count() for days in (100, -100, 0))
        self._kills, self._since = KILLS, dict[int, float]()
        self._turns = Turns([self._job(who, machine) for who, machine in enumerate(machines)])
        while self._turns.waiting:
            self._step()
        self._turns.join()
        self.ended = self._turns.ended

    def _step(self) -> None:
        late = {who for who, at in self._since.items() if self.seconds + LOOK - at >= REQUEST}
        may = [who for who, call in self._turns.waiting.items() if call != "look" or not late - {who}]
        options = [(who, False) for who in sorted(may)]
        options += [(who, True) for who in sorted(may) if self._kills and self._turns.waiting[who] != "start"]
        who, is_killed = options[self._choices.choose(len(options))]
        self._kills -= is_killed
        if not is_killed and self._turns.waiting[who] == "put work":
            found = msgspec.json.decode(self.store.read(LEASE))
            assert (found["command"], found["is_free"]) == (f"writer {who}", False)
        self._since.pop(who, None)
        self._turns.go(who, kill=is_killed)

    def _job(self, who: int, machine: str) -> Callable[[], None]:
        def wait(_: float) -> None:
            self._turns.turn(who, "look")
            self.seconds += LOOK

        def called(name: str, key: str) -> None:
            if key != LEASE:
                self._since[who] = self.seconds
            self._turns.turn(who, f"{name} {key}")

        def job() -> None:
            here = Here(lambda: NOW + timedelta(days=next(self._days)), lambda: self.seconds, wait, machine)
            with lease(cast("Store", Seen(self.store, called)), f"writer {who}", here) as leased:
                for _ in range(self.works):
                    leased.put("work", str(who).encode())
            self.done.add(who)

        return job


def looking(seconds: list[float], machine: str = "ours") -> Here:
    """A machine whose seconds are those that it waits."""
    return Here(lambda: NOW, lambda: seconds[0], lambda waited: seconds.append(seconds.pop() + waited), machine)


def store_of(place: str, folder: Path) -> Callable[[], Store]:
    numbers = count()
    return (lambda: LocalStore(folder / (name := str(next(numbers))), name)) if place == "folder" else Bucket


def explore(new: Callable[[], Store], machines: Sequence[str], works: int, most: int = 0) -> int:
    """Every order of calls of these writers, with a kill at any; the number of orders."""
    choices = Choices(Random(1) if most else None)
    number = 0
    for number in choices.orders():
        world = World(new(), machines, choices, works)
        ends = {type(error) for error in world.ended.values()} - {type(None)}
        assert ends <= {InUse, Killed}, world.ended
        assert world.done or Killed in ends
        assert all("writer" in str(one) for one in world.ended.values() if isinstance(one, InUse))
        with lease(world.store, "later", looking([0.0], "another")) as leased:  # nobody has it for ever
            leased.put("work", b"later")
        if number + 1 == most:
            break
    return number + 1


@pytest.mark.parametrize(
    ("place", "machines", "orders"),
    [("folder", "ab", 20), ("bucket", "ab", 150), ("bucket", "aa", 80), ("bucket", "abc", 200), ("bucket", "aab", 80)],
)
def test_in_any_order_of_calls_one_at_a_time_works(place: str, machines: str, orders: int, tmp_path: Path) -> None:
    """So many orders by chance; with LEASE_ORDERS=all every one: 10,804 of two writers, 908 on one machine."""
    is_all = os.environ.get("LEASE_ORDERS") == "all"
    assert explore(store_of(place, tmp_path), machines, works=1, most=0 if is_all else orders) >= orders


@contextmanager
def held_by(lake: str, command: str = "erase") -> Iterator[subprocess.Popen[str]]:
    """A process that has the lease of a lake until it is killed."""
    script = "from flows.runtime.lake import sole_writer\nwith sole_writer(store, sys.argv[2]): wait()"
    with python(script, lake, command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stderr.readline()
        yield process
        process.kill()


def test_the_loser_is_told_who_is_at_work_and_a_killed_one_is_followed_at_once(lake: str) -> None:
    store = LocalStore(Path(lake), lake)
    with held_by(lake) as process:
        said = rf"`paperlake erase` \(process {process.pid} on .*, since .*Z\) .* until .*Z.*again when it is done"
        with pytest.raises(InUse, match=said), sole_writer(store, "retain"):
            pass
        process.kill()
        process.wait()
        with sole_writer(store, "erase") as leased:
            leased.put("work", b"1")
    assert msgspec.json.decode(store.read(LEASE))["is_free"]


def test_who_was_stopped_for_too_long_writes_nothing_more(lake: str) -> None:
    """On another machine, whose clock is 100 days ahead: it is followed after a minute, not after 100 days."""
    store, seconds = Bucket(), [0.0]
    ours = Here(lambda: NOW, lambda: seconds[0], lambda _: None, "ours")
    theirs = Here(lambda: NOW + timedelta(days=100), lambda: seconds[0], lambda _: None, "theirs")
    with lease(store, "erase", theirs) as stopped:
        stopped.put("work", b"theirs")
        with lease(store, "retain", looking(seconds)) as leased:
            assert seconds[0] == LASTS_SECONDS
            leased.put("work", b"ours")
            with pytest.raises(InUse, match=r"`paperlake retain` .* took over"):
                stopped.put("work", b"theirs")
    assert store.read("work") == b"ours"
    with lease(store, "keep", ours), pytest.raises(InUse, match="at work"), lease(store, "erase", ours):
        pass


def test_a_lease_that_nobody_can_read_is_nobodys_after_a_minute() -> None:
    store, seconds, told = Bucket(objects={LEASE: b"\xff{"}), [0.0], list[str]()
    with lease(store, "erase", looking(seconds), notify=told.append) as leased:
        leased.put("work", b"1")
    assert seconds[0] == LASTS_SECONDS
    assert len(told) == 1


def test_a_fault_that_a_reader_found_while_somebody_wrote_may_be_none() -> None:
    store = Bucket()
    with pytest.raises(Damaged), undisturbed(store):
        raise Damaged("a file is not what its manifest says; restore it from a copy")
    said, erasing = r"`paperlake erase` .* meanwhile: run this again", lease(store, "erase", Here(lambda: NOW))
    with pytest.raises(InUse, match=said), undisturbed(store), erasing:
        raise NothingThere("a file")
    with pytest.raises(NothingThere), undisturbed(store):
        raise NothingThere("a file")
