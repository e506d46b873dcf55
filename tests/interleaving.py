"""All orders of several writers' calls of one store: each writer is a thread that goes on when it is told to."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path
from random import Random
from typing import BinaryIO

from warehouse.errors import NothingThere
from warehouse.store.objects import Keys, parts_of
from warehouse.store.store import Store

CALLS = {
    *("read", "read_range", "open", "exists", "size", "list", "local_path"),
    *("put", "put_new", "put_file_new", "copy_new", "swap", "delete", "delete_prefix"),
}


class Killed(BaseException):
    """What a writer meets at its next call once it was killed: nothing catches it."""


@dataclass
class Bucket:
    """A store in memory with the conditions of S3: who swaps names the bytes that it read."""

    url: str = "s3://memory/lake"
    folder: Path | None = None
    objects: dict[str, bytes] = field(default_factory=dict)

    def read(self, key: str) -> bytes:
        parts_of(key)
        if key not in self.objects:
            raise NothingThere(f"{key} is not in the lake {self.url}")
        return self.objects[key]

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        return self.read(key)[offset : offset + length]

    def open(self, key: str) -> BinaryIO:
        return BytesIO(self.read(key))

    def exists(self, key: str) -> bool:
        return key in self.objects

    def size(self, key: str) -> int:
        return len(self.read(key))

    def list(self, prefix: str = "") -> Keys:
        folder = f"{prefix.rstrip('/')}/" if prefix else ""
        return sorted(key for key in self.objects if key.startswith(folder))

    def put(self, key: str, data: bytes) -> None:
        self.objects["/".join(parts_of(key))] = data

    def put_new(self, key: str, data: bytes) -> bool:
        return self.swap(key, data, None)

    def put_file_new(self, key: str, path: Path) -> bool:
        return self.put_new(key, path.read_bytes())

    def copy_new(self, source_key: str, key: str) -> bool:
        return not self.exists(key) and self.put_new(key, self.read(source_key))

    def swap(self, key: str, data: bytes, expected: bytes | None) -> bool:
        if is_same := self.objects.get(key) == expected:
            self.put(key, data)
        return is_same

    def delete(self, key: str) -> None:
        self.objects.pop(key, None)

    def delete_prefix(self, prefix: str) -> None:
        for key in self.list(prefix):
            self.delete(key)

    def local_path(self, key: str) -> Path | None:
        parts_of(key)
        return None


class Seen:
    """A store that reports each call before it is made."""

    def __init__(self, store: Store, report: Callable[[str, str], object]) -> None:
        self._store, self._report = store, report

    def __getattr__(self, name: str) -> object:
        found = getattr(self._store, name)
        if name not in CALLS:
            return found

        def call(*given: object) -> object:
            self._report(name, str(given[0]) if given else "")
            return found(*given)

        return call


class Turns:
    """Threads that take turns: one goes on at a time, until its next call."""

    def __init__(self, jobs: Sequence[Callable[[], object]]) -> None:
        self.waiting: dict[int, str] = {}  # who waits before which call
        self.ended: dict[int, BaseException | None] = {}
        self._may_go = [threading.Semaphore(0) for _ in jobs]
        self._is_back = threading.Semaphore(0)
        self._killed = set[int]()
        self._threads = ThreadPoolExecutor(len(jobs))
        for who, job in enumerate(jobs):
            self._threads.submit(self._run, who, job).add_done_callback(partial(self._end, who))
            self._is_back.acquire()

    def turn(self, who: int, call: str) -> None:
        """Wait, within the thread of a writer, until it may make this call."""
        if who in self._killed:
            raise Killed
        self.waiting[who] = call
        self._is_back.release()
        self._may_go[who].acquire()
        if who in self._killed:
            raise Killed

    def go(self, who: int, *, kill: bool = False) -> None:
        """Let one writer go on until its next call or its end."""
        if kill:
            self._killed.add(who)
        del self.waiting[who]
        self._may_go[who].release()
        self._is_back.acquire()

    def join(self) -> None:
        self._threads.shutdown()

    def _run(self, who: int, job: Callable[[], object]) -> None:
        self.turn(who, "start")
        job()

    def _end(self, who: int, done: Future[None]) -> None:
        self.ended[who] = done.exception()
        self._is_back.release()


class Choices:
    """The choices of one order of calls, made so that all orders are met, one after the other; by chance, if given."""

    def __init__(self, chance: Random | None = None) -> None:
        self._chance, self._path = chance, list[int]()
        self._made: list[tuple[int, int]] = []

    def choose(self, count: int) -> int:
        """One of so many."""
        if self._chance is not None:
            return self._chance.randrange(count)
        place = len(self._made)
        chosen = self._path[place] if place < len(self._path) else 0
        self._made.append((chosen, count))
        return chosen

    def orders(self) -> Iterator[int]:
        """The number of each order, until there is none that was not met."""
        number = 0
        while True:
            self._made = []
            yield number
            number += 1
            while self._made and self._made[-1][0] + 1 == self._made[-1][1]:
                self._made.pop()
            if not self._made and self._chance is None:
                return
            self._path = [chosen + (place + 1 == len(self._made)) for place, (chosen, _) in enumerate(self._made)]
