"""A source that wants a pause after each request: one at a time, over all processes of a machine.

The turn is a file that one process holds at a time, with the last request, and how long nobody asks after it. The
kernel lets go of it when a process ends, however it ends. Machines know nothing of each other: whoever runs two shares
the limit himself.
"""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, ClassVar, Final

import httpx

from flows.hub.answer import Again, Ask, NextStep, given_up
from flows.hub.budget import Clock, Patience
from flows.hub.fetch import CLOCK, SourceClient
from flows.hub.wire import Wire
from flows.runtime.settings import Settings
from warehouse.archive.captured import Capture, Failed, Outcome
from warehouse.store.temporary import writing

MOST_SECONDS: Final = 25 * 3600.0  # a budget of a day is new by then
MOST_AFTER: Final = 3600.0  # of what Retry-After asks: a source that is busy is rarely so for longer


class Turns:
    """The turns of one machine, `seconds` apart, kept in a file. `hold` is for within a turn."""

    def __init__(self, path: Path, seconds: float, clock: Clock) -> None:
        self._path, self._seconds, self._clock = path, seconds, clock
        self._hold = 0.0

    @contextmanager
    def turn(self, most_seconds: float) -> Iterator[float]:
        """One turn, waited for: the block may send one request, and gets 0.

        Where the wait asked for is longer than `most_seconds`, it gets the seconds, and may send nothing. StoreFailed
        where the file cannot be written.
        """
        with writing("whose turn it is", self._path.parent):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                wait = self._wait(file)
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
        """Let nobody ask for so long from now on, a day at most; the longest of several counts."""
        self._hold = max(self._hold, min(seconds, MOST_SECONDS))

    def _wait(self, file: BinaryIO) -> float:
        """The seconds that are left; 0 where the file is none of ours. Where the clock was set back they begin anew."""
        file.seek(0)
        try:
            written, seconds = file.read(80).decode().split()
            passed = (self._clock.now() - datetime.fromisoformat(written)).total_seconds()
            hold = float(seconds)
        except (ValueError, TypeError):
            return 0.0
        if not 0 < hold <= MOST_SECONDS:
            return 0.0
        if passed < 0:
            self._write(file, hold)
        return max(hold - max(passed, 0.0), 0.0)

    def _write(self, file: BinaryIO, seconds: float) -> None:
        file.seek(0)
        file.truncate()
        file.write(f"{self._clock.now().isoformat()} {seconds}".encode())
        file.flush()


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How a source is asked.

    `name` is what it is called, `setting` that by which it is asked at all, with its address in `…_url`; one
    `with_mailbox` wants a mailbox in PAPERLAKE_CONTACT as registries do, never in an address.

    Its answers may have the content `types`; `fault` says why one that came whole is none, `pause` how long its headers
    want nobody to ask, which is up to a day where a budget is used up. `headers` go with each request.
    """

    name: str
    setting: str
    seconds: float
    patience: Patience
    types: tuple[str, ...]
    fault: Callable[[Capture], str | None]
    pause: Callable[[httpx.Headers], float] = lambda _: 0.0
    headers: tuple[tuple[str, str], ...] = ()
    with_mailbox: bool = False


def mailbox(contact: str | None) -> str | None:
    """A contact as registries ask for it, where it is a mailbox."""
    is_mailbox = contact and "@" in contact and "/" not in contact and not contact.startswith("mailto:")
    return f"mailto:{contact}" if is_mailbox else contact


class PacedSource(SourceClient):
    """A polite client of one source.

    Every address gives one outcome: a Capture, or Failed with the reason, also where the source cannot be reached.
    """

    manners: ClassVar[Manners]
    redirects = 1

    def __init__(self, settings: Settings, *, patience: Patience | None = None, clock: Clock = CLOCK) -> None:
        own, patience = self.manners, patience or self.manners.patience
        self.base: str = getattr(settings, f"{own.setting}_url").rstrip("/")
        contact = mailbox(settings.contact) if own.with_mailbox else settings.contact
        super().__init__(Wire(httpx.URL(self.base), contact, patience, clock), patience, clock)
        self._limits = settings.limits()
        turn: Path = settings.state.expanduser() / f"{own.setting}-turn"  # of all processes here
        self._turns = Turns(turn, own.seconds, clock)

    def ask(self, subject: str) -> Outcome:
        """What the source says of one subject that is due: a Capture, also that there is no such; or Failed."""
        raise NotImplementedError

    def fetch(self, url: str) -> Outcome:
        """The outcome of one address, after retries."""
        own = self.manners
        ask = Ask(url=url, types=own.types, limits=self._limits, source=own.name, headers=own.headers)
        found = self._retrying.copy()(self._follow, ask)
        if isinstance(found, Again):
            return given_up(found, self._patience)
        if isinstance(found, Capture) and (fault := own.fault(found)):
            return Failed(url, found.fetched_at or self._clock.now(), fault, found.http_status)
        return found

    def _once(self, ask: Ask, url: str) -> NextStep:
        with self._turns.turn(self._patience.longest_wait_seconds) as wait:
            if wait:
                reason = f"not fetched: {self.manners.name} allows no request for {wait:,.0f} seconds"
                return Failed(ask.url, self._clock.now(), reason)
            step = self._wire.get(ask, url, lambda headers: self._turns.hold(self.manners.pause(headers)))
            if not isinstance(step, Again) or not step.after_seconds:
                return step
            self._turns.hold(min(step.after_seconds, MOST_AFTER))
        return self._again(step)
