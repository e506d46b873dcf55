"""Fetches addresses politely: obeys robots.txt and rate limits, follows redirects, retries what may pass."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from typing import ClassVar, Final, Self

import httpx
from protego import Protego

from flows.hub.answer import Again, Ask, Moved, NextStep, given_up, retrying
from flows.hub.budget import Budget, CallKind, Clock, Patience
from flows.hub.wire import AGENT, Wire
from flows.runtime.settings import Settings
from warehouse.archive.captured import Capture, Failed, Outcome
from warehouse.errors import SourceFailed

PATIENCE: Final = Patience()
CLOCK: Final = Clock()


class SourceClient:
    """The base of all sources' clients: follows one address at a time to its outcome, through redirects and retries.

    For one thread; a context manager, which closes its one connection.
    """

    redirects: ClassVar[int]

    def __init__(self, wire: Wire, patience: Patience, clock: Clock) -> None:
        self._wire, self._patience, self._clock = wire, patience, clock
        self._retrying = retrying(patience, clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._wire.close()

    def _follow(self, ask: Ask) -> Outcome | Again:
        url = ask.url
        for _ in range(self.redirects + 1):
            step = self._once(ask, url)
            if not isinstance(step, Moved):
                return step
            url, status = step.url, step.http_status
        return Failed(ask.url, self._clock.now(), f"more redirects than {self.redirects}", status)

    def _once(self, ask: Ask, url: str) -> NextStep:
        raise NotImplementedError

    def _again(self, step: Again) -> NextStep:
        """The next try; Failed where the source asks for a longer wait than anyone has."""
        seconds = step.after_seconds or 0
        if seconds <= self._patience.longest_wait_seconds:
            return step
        return replace(step.failed, reason=f"{step.failed.reason}, and a wait of {seconds:,.0f} seconds asked for")


class Fetcher(SourceClient):
    """Fetches addresses from the Hub; retries only failures that may pass."""

    redirects = 5  # which is what RFC 9309 asks for, for robots.txt

    def __init__(self, settings: Settings, *, patience: Patience = PATIENCE, clock: Clock = CLOCK) -> None:
        self._base = base = httpx.URL(f"{settings.hub_url.rstrip('/')}/")
        super().__init__(Wire(base, settings.contact, patience, clock, settings.hub_token), patience, clock)
        self._limits = settings.limits()
        self._budget = Budget(clock)
        self._robots: Protego | None = None
        self._robots_answer: Outcome | None = None
        self.robots_url = str(base.join("/robots.txt"))

    @property
    def clock_skew(self) -> timedelta | None:
        """How far this machine's clock is ahead of the Hub's; None before the first answer with a Date."""
        return self._wire.clock_skew

    def fetch(self, ask: Ask) -> Outcome:
        """The outcome of one address, after retries; SourceFailed where the Hub cannot be reached at all."""
        found = self._retrying.copy()(self._follow, ask)
        if not isinstance(found, Again):
            return found
        failed = given_up(found, self._patience)
        if found.is_unreachable:
            message = f"{self._base} cannot be reached: {failed.reason}. Check the network, and PAPERLAKE_HUB_URL"
            raise SourceFailed(message, failed)
        return failed

    def robots(self) -> Outcome:
        """The answer to robots.txt, fetched once; its rules hold from then on.

        One that redirects lead away from the Hub's host, or nowhere, is unavailable, and without it there are no rules
        (RFC 9309 §2.3.1.2, §2.3.1.3): only the Hub's host is asked for anything.
        """
        if self._robots_answer is None:
            answer = self.fetch(Ask(url=self.robots_url, types=(), limits=self._limits))
            if isinstance(answer, Capture):
                self.obey(answer)
            elif isinstance(answer, Failed) and httpx.codes.is_redirect(answer.http_status or 0):
                self._robots = Protego.parse("")
            self._robots_answer = answer
        return self._robots_answer

    def obey(self, answer: Capture) -> None:
        """Obey a robots.txt that was fetched earlier, in place of fetching it."""
        self._robots_answer, self._robots = answer, rules_of(answer)
        self._budget.pause_seconds = self._robots.crawl_delay(AGENT) or 0.0  # between any two calls

    def recall(self, answer: Capture) -> None:
        """Take over the rate limit that an answer of an earlier run stated."""
        if answer.url is not None and answer.url.startswith(str(self._base)) and answer.fetched_at is not None:
            age = (self._clock.now() - answer.fetched_at).total_seconds()
            self._budget.learn(self._kind(answer.url), httpx.Headers(list(answer.headers)), age_seconds=age)

    def must_wait(self) -> bool:
        """Whether the next call of the API would have to wait for a new rate limit window."""
        return self._budget.is_used_up("api")

    def _once(self, ask: Ask, url: str) -> NextStep:
        kind = self._kind(url)
        if self.robots_url not in {ask.url, url} and not self._rules().can_fetch(url, AGENT):
            return self._failed(ask, "the Hub's robots.txt does not allow it")
        if (seconds := self._budget.wait_seconds(kind)) > self._patience.longest_wait_seconds:
            return self._failed(ask, f"not fetched: the Hub allows no such call for {seconds:,.0f} seconds")
        self._budget.take(kind)
        step = self._wire.get(ask, url, partial(self._budget.learn, kind))
        if not isinstance(step, Again):
            return step
        self._budget.hold(kind, step.after_seconds or 0)  # Retry-After holds for all calls of the kind
        return self._again(step)

    def _kind(self, url: str) -> CallKind:
        return "api" if url.removeprefix(str(self._base)).startswith("api/") else "pages"

    def _rules(self) -> Protego:
        """The rules of robots.txt; SourceFailed where it cannot be read, which forbids all (RFC 9309 §2.3.1.4)."""
        found = self.robots()
        if self._robots is not None:
            return self._robots
        why = found.reason if isinstance(found, Failed) else "it is unchanged"
        step = "so nothing may be fetched; try later, or see PAPERLAKE_HUB_URL"
        raise SourceFailed(f"{self.robots_url} cannot be read ({why}), {step}")

    def _failed(self, ask: Ask, reason: str) -> Failed:
        return Failed(ask.url, self._clock.now(), reason)


PARSED_BYTES: Final = 500 << 10  # RFC 9309 §2.5 asks for no more
NOTHING: Final = "User-agent: *\nDisallow: /\n"
FORBIDDEN: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


def rules_of(robots: Capture) -> Protego:
    """The rules of a robots.txt; where there is no file, there are none.

    Of a long file the first 500 KiB count. One we may not read (401, 403) forbids all, which is stricter than RFC 9309.
    """
    if robots.http_status in FORBIDDEN:
        return Protego.parse(NOTHING)
    rules = robots.payload if robots.http_status == HTTPStatus.OK else b""
    if len(rules) > PARSED_BYTES:
        rules = rules[:PARSED_BYTES].rpartition(b"\n")[0]  # half a line would be another rule
    return Protego.parse(rules.decode("utf-8", "replace"))
