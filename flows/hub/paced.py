"""A source that wants a pause after each request: one at a time, over all processes of a machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Final, Self

import httpx
from tenacity import Retrying

from flows.hub.answer import Again, Ask, Moved, NextStep
from flows.hub.budget import Clock, Patience
from flows.hub.client import CLOCK
from flows.hub.retries import given_up, retrying
from flows.hub.turns import Turns
from flows.hub.wire import Wire
from flows.runtime.settings import Settings
from warehouse.archive.captured import Capture, Failed, Outcome

REDIRECTS: Final = 1


def no_more(headers: httpx.Headers) -> float:
    """The pause, or the rest, of a source that states none in its answers."""
    del headers
    return 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How a source is asked. `name` is what it is called, `setting` that by which it is asked at all, with its address
    in `…_url`; one `with_mailbox` wants a mailbox in PAPERLAKE_CONTACT as registries do, never in an address.

    Its answers may have the content `types`; `fault` says why one that came whole is none, `pause` how long its headers
    want nobody to ask, and `rest` how long until there is a new budget, for up to a day. `headers` go with each
    request.
    """

    name: str
    setting: str
    seconds: float
    patience: Patience
    types: tuple[str, ...]
    fault: Callable[[Capture], str | None]
    pause: Callable[[httpx.Headers], float] = no_more
    rest: Callable[[httpx.Headers], float] = no_more
    headers: tuple[tuple[str, str], ...] = ()
    with_mailbox: bool = False


def mailbox(contact: str | None) -> str | None:
    """A contact as registries ask for it, where it is a mailbox."""
    is_mailbox = contact and "@" in contact and "/" not in contact and not contact.startswith("mailto:")
    return f"mailto:{contact}" if is_mailbox else contact


class PacedSource:
    """A polite client of one source, asked one address at a time, for one thread; a context manager, which closes its
    one connection. Every address gives one outcome: a Capture, or Failed with the reason, also where the source cannot
    be reached.
    """

    manners: ClassVar[Manners]

    def __init__(self, settings: Settings, *, patience: Patience | None = None, clock: Clock = CLOCK) -> None:
        own, self._clock = self.manners, clock
        self._patience, self._limits = patience or own.patience, settings.limits()
        self.base: str = getattr(settings, f"{own.setting}_url").rstrip("/")
        contact = mailbox(settings.contact) if own.with_mailbox else settings.contact
        self._wire = Wire(httpx.URL(self.base), contact, self._patience, clock)
        turn: Path = settings.state.expanduser() / f"{own.setting}-turn"  # of all processes here
        self._turns = Turns(turn, own.seconds, clock)
        self._retrying: Retrying = retrying(self._patience, clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._wire.close()

    def ask(self, subject: str) -> Outcome:
        """What the source says of one subject that is due: a Capture, also of the answer that there is none; or
        Failed.
        """
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

    def _follow(self, ask: Ask) -> Outcome | Again:
        url = ask.url
        for _ in range(REDIRECTS + 1):
            step = self._once(ask, url)
            if not isinstance(step, Moved):
                return step
            url = step.url
        return Failed(ask.url, self._clock.now(), "more than one redirect")

    def _once(self, ask: Ask, url: str) -> NextStep:
        longest = self._patience.longest_wait_seconds
        with self._turns.turn(longest) as wait:
            if wait:
                reason = f"not fetched: {self.manners.name} allows no request for {wait:,.0f} seconds"
                return Failed(ask.url, self._clock.now(), reason)
            step = self._wire.get(ask, url, self._learn)
            if not isinstance(step, Again) or not step.after_seconds:
                return step
            self._turns.hold(step.after_seconds)
        if step.after_seconds <= longest:
            return step
        reason = f"{step.failed.reason}, and a wait of {step.after_seconds:,.0f} seconds asked for"
        return replace(step.failed, reason=reason)

    def _learn(self, headers: httpx.Headers) -> None:
        self._turns.hold(self.manners.pause(headers))
        if rest := self.manners.rest(headers):
            self._turns.rest(rest)
