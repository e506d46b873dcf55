"""The lease of a lake: of the commands that write in several steps, one at a time is at work.

`lease.json` says who has it, or had it last. It is taken, renewed and given back by compare-and-swap, under a token
that is never used again. No clock is trusted but this machine's own, that counts seconds: whoever finds the lease of
another machine watches it. One that is renewed is alive; one that stays as it is for as long as it says it lasts is
nobody's. Of a process of this machine the kernel knows. The instants in it are for people.

Who has the lease writes through `Leased.store`, which stops before the next write once the lease is lost.
"""

import hashlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Final, cast

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from warehouse.errors import Damaged, NothingThere, StoreFailed, Superseded
from warehouse.printable import to_the_second
from warehouse.store.store import Store, read_if_there

LEASE: Final = "lease.json"
LASTS_SECONDS: Final = 60.0
RENEW_SECONDS: Final = 10.0
LOOK_SECONDS: Final = 1.0  # between two looks at the lease of another
READS: Final = {
    "read",
    "read_range",
    "open",
    "exists",
    "size",
    "list",
    "temporary",
    "local_path",
    "place",
    "is_kept",
    "made_again",
}
BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


class Lease(Struct, frozen=True, kw_only=True):
    """Who has the lease, or had it last. `machine` and `started` tell the process from all others of its `pid`."""

    token: str
    command: str
    host: str = "an unknown machine"
    pid: int = 0
    machine: str = ""
    started: str = ""
    taken_at: str = ""
    expires_at: str = ""
    seconds: Annotated[float, Meta(gt=0, le=600)] = LASTS_SECONDS
    renewal_count: int = 0
    is_free: bool = False

    def __str__(self) -> str:
        return f"`paperlake {self.command}` (process {self.pid} on {self.host}, since {self.taken_at})"


UNREADABLE: Final = Lease(token="", command="of an unreadable lease")


class InUse(Superseded):
    """Another command has the lease of the lake, or took it from this one."""


def _seconds() -> float:
    """Seconds since some moment, those counted too in which the machine was suspended, where it tells."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def _machine() -> str:
    """This start of this machine, and the space of its process ids, hashed; empty where the system does not tell."""
    try:
        found = f"{BOOT.read_text()} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""
    return hashlib.sha256(found.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Here:
    """Where a command runs: `now`, which people read, `seconds`, which decide, how it waits, and its machine."""

    now: Callable[[], datetime]
    seconds: Callable[[], float] = _seconds
    sleep: Callable[[float], object] = time.sleep
    machine: str = field(default_factory=_machine)


class Leased:
    """The lease of a lake, had by this process until it is given back or lost."""

    def __init__(self, store: Store, mine: Lease, here: Here) -> None:
        self._lake, self._mine, self._here = store, mine, here
        self._data, self._renewed = b"", here.seconds()
        self._is_lost = False
        self._one_at_a_time = threading.RLock()
        self.store = cast("Store", _Fenced(store, self))

    def take(self, found: bytes | None) -> bool:
        """Take the lease in place of what was found; False where another was first."""
        return self._put(self._mine, found)

    def require(self) -> None:
        """Raise InUse where the lease is lost; else nobody else takes it for fifty seconds, by any machine's count."""
        with self._one_at_a_time:
            if not self._is_lost and self._here.seconds() - self._renewed >= RENEW_SECONDS:
                self.renew()
            if self._is_lost:
                other = _parsed(read_if_there(self._lake, LEASE)) or "another command"
                why = f"as this one did not renew its lease for {self._mine.seconds:g} seconds"
                raise InUse(f"{other} took over {self._lake.url}, {why}; run the same command again when that is done")

    def renew(self) -> None:
        """Write that this process is alive."""
        with self._one_at_a_time:
            if not self._is_lost:
                self._is_lost = not self._put(replace(self._mine, renewal_count=self._mine.renewal_count + 1))

    def give_back(self) -> None:
        """Let others have it; nothing can be written through this one any more."""
        with self._one_at_a_time, suppress(StoreFailed):  # it ends by itself, then
            if not self._is_lost:
                self._put(replace(self._mine, is_free=True))
            self._is_lost = True

    def _put(self, lease: Lease, expected: bytes | None = None) -> bool:
        begun = self._here.seconds()
        until = self._here.now() + timedelta(seconds=lease.seconds)
        lease = replace(lease, expires_at=to_the_second(until))
        expected = self._data or expected
        data = msgspec.json.format(msgspec.json.encode(lease), indent=2) + b"\n"
        if not self._lake.swap(LEASE, data, expected):
            data = read_if_there(self._lake, LEASE) or b""
            if (found := _parsed(data)) is None or found.token != lease.token:
                return False  # else it was written, and the answer was lost on the way
        self._mine, self._data, self._renewed = lease, data, begun
        return True


class _Fenced:
    """The store of a lake: whatever is no read requires the lease."""

    def __init__(self, store: Store, leased: Leased) -> None:
        self._store, self._leased = store, leased

    def __getattr__(self, name: str) -> object:
        found = getattr(self._store, name)
        if name in READS or not callable(found):
            return found

        @wraps(found)
        def write(*given: Any) -> object:  # noqa: ANN401 - as the method has it
            self._leased.require()
            return found(*given)

        return write


@contextmanager
def lease(
    store: Store, command: str, here: Here, *, patience: float = 0, notify: Callable[[str], object] = str
) -> Iterator[Store]:
    """The store, for the one command that writes to it in several steps; InUse where another does.

    A command that ended without giving its lease back is followed at once on its own machine, elsewhere when its lease
    stayed as it was for as long as it lasts. `patience` is how many seconds to wait for one that is alive; `notify` is
    called with whom it waits for.
    """
    leased = _wait_for_lease(store, command, here, patience, notify)
    done = threading.Event()
    thread = threading.Thread(target=_keep_alive, args=(leased, done), daemon=True, name="lease")
    thread.start()
    try:
        yield leased.store
    finally:
        done.set()
        leased.give_back()


def _keep_alive(leased: Leased, done: threading.Event) -> None:
    while not done.wait(RENEW_SECONDS):
        with suppress(StoreFailed):  # the next write says so, or the next renewal succeeds
            leased.renew()


def _wait_for_lease(store: Store, command: str, here: Here, patience: float, notify: Callable[[str], object]) -> Leased:
    """The lease, taken; InUse where another has it longer than one waits."""
    mine, told = _of_this_process(command, here), None
    seen = read_if_there(store, LEASE)
    begun = seen_at = here.seconds()  # after it was read: its holder may have renewed it until then
    while True:
        other = _parsed(seen)
        if other is None or other.is_free or _is_dead(other, here) or here.seconds() - seen_at >= other.seconds:
            if (leased := Leased(store, mine, here)).take(seen):
                return leased
        elif (_is_here(other, here) or seen_at > begun) and here.seconds() - begun >= patience:
            raise InUse(_in_use_words(store, other))
        else:
            if told != other.token:
                notify(f"waiting for {other}, or for {other.seconds:g} seconds without a sign of it")
            told = other.token
            here.sleep(LOOK_SECONDS)
        found = read_if_there(store, LEASE)
        seen, seen_at = found, seen_at if found == seen else here.seconds()


def _in_use_words(store: Store, other: Lease) -> str:
    step = f"if it hangs, end process {other.pid} on {other.host}, which the same command then follows"
    return (
        f"{other} is at work on {store.url} until {other.expires_at}, or longer: it renews that as long as it lives. "
        f"Run the same command again when it is done; {step}"
    )


@contextmanager
def undisturbed(store: Store) -> Iterator[None]:
    """A block that reads a lake; what it finds wrong while a command rewrites the lake is raised as InUse."""
    before = read_if_there(store, LEASE)
    try:
        yield
    except (Damaged, NothingThere) as error:
        after = read_if_there(store, LEASE)
        writer = _parsed(after)
        if writer is None or (after == before and writer.is_free):
            raise
        step = "run this again when it is done, or if it was stopped, run that again first"
        raise InUse(f"{writer} was at work on {store.url} meanwhile: {step}") from error


def _parsed(data: bytes | None) -> Lease | None:
    """The lease; one that cannot be read is nobody's, once it stayed so for long enough."""
    try:
        return msgspec.json.decode(data, type=Lease) if data else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return UNREADABLE


def _of_this_process(command: str, here: Here) -> Lease:
    return Lease(
        token=os.urandom(8).hex(),
        command=command,
        host=socket.gethostname(),
        pid=os.getpid(),
        machine=here.machine,
        started=_started(os.getpid()),
        taken_at=to_the_second(here.now()),
    )


def _is_here(other: Lease, here: Here) -> bool:
    """Whether its process is, or was, one that this process could see: of this start of this machine, and container."""
    return bool(other.machine) and other.machine == here.machine


def _is_dead(other: Lease, here: Here) -> bool:
    """Whether its process has ended; False where only another machine knows."""
    if not _is_here(other, here):
        return False
    try:
        os.kill(other.pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # of another user
    return _started(other.pid) not in {"", other.started}


def _started(pid: int) -> str:
    """When a process started, in ticks of this machine; "ended" where it has ended, empty where nobody tells."""
    try:
        state, *rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "ended" if state in "ZX" else rest[18]
