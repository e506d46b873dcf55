"""`kill -9` of runs that send letters, two at once: nobody goes without a letter, none comes with a second Message-ID.

The relay is a process of its own, which writes down what it took before it says so. This process forks for each run, so
it uses no DuckDB.
"""

import json
import os
import random
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from datetime import time as clock
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from tempfile import TemporaryDirectory

from flows.runtime.progress import track
from paperlake.digest import subscribers as people
from paperlake.digest.sending import send_due
from paperlake.digest.state import opened
from tests.newsroom import Day, Row, released
from tests.processes import ended, fork
from tests.relay import Relay, config_at, part_of, relaying
from warehouse.schema.daily_lists import list_days

LISTS = tuple(list_days(date(2026, 10, 5), date(2026, 10, 9)))
START = datetime(2026, 10, 5, 12)
MOMENT = 0.05  # seconds, of a letter and what is before and after it
SLOW = 0.01  # in which a kill makes a letter go out again
PER_MINUTE = 12_000
PAPERS = tuple(Row(f"2610.{number:05}", f"Paper {number}") for number in range(5))


@dataclass
class Mailed:
    """What the relay took, by subscriber and list; what was wrong."""

    seed: int
    subscribers: int
    kills: int = 0
    too_late: int = 0
    letters: int = 0
    again: int = 0
    most: int = 0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        head = (
            f"mail, seed {self.seed}: {self.subscribers} subscribers, {len(LISTS)} editions, two runs at once, "
            f"{self.kills} kills ({self.too_late} came too late); {self.letters} letters, {self.again} of them again "
            f"with the same Message-ID (at most {self.most} copies), {len(self.wrong)} wrong; {self.seconds:.0f} s"
        )
        return "\n".join([head, *self.wrong[:20]])


@contextmanager
def relay_process(log: Path) -> Iterator[int]:
    """The port of a relay in a process of its own; a line in the log for each letter, before it says that it has it."""
    reading, writing = os.pipe()

    def serve() -> None:
        with log.open("a") as out, relaying() as relay:
            relay.slow = SLOW
            relay.on_taken = lambda address, letter: out.write(_line(address, letter)) and out.flush()
            os.write(writing, str(relay.port).encode())
            signal.pause()

    server = fork(serve)
    try:
        yield int(os.read(reading, 10))
    finally:
        server.kill()
        server.join()
        os.close(reading)
        os.close(writing)


def _line(address: str, content: bytes) -> str:
    letter = message_from_bytes(content, policy=default)
    days = [line for line in part_of(letter).splitlines() if line.startswith("Papers of ")]
    return json.dumps([address, letter["Message-ID"], days]) + "\n"


class Drill:
    """A state with subscribers, a release that has a list more each day, and runs on them."""

    def __init__(self, root: Path, log: Path, port: int, chance: random.Random) -> None:
        self._root, self._log, self._chance = root, log, chance
        self._config = config_at(root / "state", Relay(port), per_minute=PER_MINUTE)

    def subscribe(self, count: int) -> None:
        with opened(self._config.folder) as connection:
            for number in range(count):
                one = people.sign_up(connection, f"ada{number}@example.org", START)
                people.confirm(connection, one.number, START)

    def publish(self, number: int) -> None:
        """The release with the first lists, so many."""
        with released(self._root, *(Day(day, PAPERS) for day in LISTS[: number + 1])):
            pass

    def send(self, number: int) -> None:
        """A run on the day after a list."""
        from warehouse.release.query import opened as opened_release

        now = datetime.combine(LISTS[number] + timedelta(days=1), clock(12))
        with opened_release(self._root / "release.duckdb", folder=str(self._root)) as database:
            send_due(self._config, database, lambda: now)

    def kill(self, number: int, letters: int) -> bool:
        """Two runs at once, of which one is killed after so many letters, or in the midst of the next; whether it was."""
        start = self._log.stat().st_size
        runs = [fork(self.send, number) for _ in range(2)]
        while self.taken(start) < letters and any(run.is_alive() for run in runs):
            time.sleep(0.01)
        time.sleep(self._chance.uniform(0.0, MOMENT))
        victim = self._chance.choice([run for run in runs if run.is_alive()] or runs)
        victim.kill()
        assert {ended(run) for run in runs if run is not victim} == {0}
        return ended(victim) == -signal.SIGKILL

    def taken(self, start: int) -> int:
        """The letters that the relay took since its log had so many bytes."""
        with self._log.open("rb") as log:
            log.seek(start)
            return log.read().count(b"\n")


def drill(found: Mailed, kills: int) -> None:
    """So many kills, spread over the editions; each edition is ended by a run that nobody disturbs."""
    start, chance = time.monotonic(), random.Random(found.seed)
    with ExitStack() as stack:
        root = Path(stack.enter_context(TemporaryDirectory(prefix="drill-")))
        log = root / "taken.jsonl"
        log.touch()
        at = Drill(root, log, stack.enter_context(relay_process(log)), chance)
        at.subscribe(found.subscribers)
        for number in track(range(len(LISTS)), "editions"):
            assert ended(fork(at.publish, number)) == 0
            wanted = kills * (number + 1) // len(LISTS)
            while found.kills < wanted:
                is_killed = at.kill(number, chance.randrange(found.subscribers * len(LISTS) // kills))
                found.kills += is_killed
                found.too_late += not is_killed
            assert ended(fork(at.send, number)) == 0
        judge(found, [json.loads(line) for line in log.read_text().splitlines()])
    found.seconds = time.monotonic() - start


def judge(found: Mailed, taken: list[tuple[str, str, list[str]]]) -> None:
    """Each subscriber has each list by one Message-ID, and each Message-ID is one subscriber's."""
    by_list: dict[tuple[str, str], set[str]] = defaultdict(set)
    copies = Counter((address, message_id) for address, message_id, _ in taken)
    for address, message_id, days in taken:
        for day in days:
            by_list[address, day].add(message_id)
    found.letters, found.again = len(taken), len(taken) - len(copies)
    found.most = max(copies.values(), default=0)
    expected = found.subscribers * len(LISTS)
    if len(by_list) != expected:
        found.wrong.append(f"lost: {expected - len(by_list)} of {expected}")
    found.wrong += [f"twice: {address}, {day}" for (address, day), ids in by_list.items() if len(ids) != 1]
    if len({message_id for _, message_id in copies}) != len(copies):
        found.wrong.append("a Message-ID of two subscribers")
    if found.again > found.kills:
        found.wrong.append(f"{found.again} letters again after {found.kills} kills")
