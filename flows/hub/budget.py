"""The Hub's rate limits, as its RateLimit headers state them (draft-ietf-httpapi-ratelimit-headers-09).

The Hub counts in fixed windows of five minutes, API calls and pages apart, and says after each call
`RateLimit: "api";r=498;t=212` (calls left, seconds to the next window) and
`RateLimit-Policy: "fixed window";"api";q=500;w=300` (calls and seconds of a window).

Beside it a client's patience: how long it waits, for an answer and for a budget.
"""

import math
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from flows.runtime.environment import utc_now
from flows.runtime.progress import log


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """`now` dates what was fetched, in UTC without zone; `seconds` and `sleep` pace the calls."""

    now: Callable[[], datetime] = utc_now
    seconds: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Time-outs and retries; `tries` counts the first one too.

    `total_seconds` is for one exchange from the first byte sent to the last received, however slowly it drips.
    `longest_wait_seconds` is the longest wait for the Hub (a used up rate limit, Retry-After); a call that would have
    to wait longer fails.
    """

    connect_seconds: float = 10
    read_seconds: float = 30
    total_seconds: float = 60
    tries: int = 5
    backoff_seconds: float = 1  # doubled each time, with a random addition (jitter)
    longest_backoff_seconds: float = 60
    longest_wait_seconds: float = 900  # three windows of the Hub's budget


CallKind: TypeAlias = Literal["api", "pages"]

WINDOW_SECONDS: Final = 300.0
API_CALLS: Final = 500  # an anonymous client's quota; a token raises it, and the headers say by how much
PAGES: Final = 100
ROUNDING_SECONDS: Final = 1.0  # `t` is in whole seconds, rounded up or down
LOGGED_SECONDS: Final = 5.0  # a shorter wait needs no line
ITEM: Final = re.compile(r'"([^"]*)"((?:\s*;\s*[a-z]+\s*=\s*\d{1,9}(?:\.\d+)?)+)')
PARAMETER: Final = re.compile(r"([a-z]+)\s*=\s*([\d.]+)")


@dataclass(slots=True)
class _Window:
    """The calls of one kind. Until the Hub states it, a window is taken to begin with its first call."""

    quota: int
    seconds: float = WINDOW_SECONDS
    left: int = 0
    ends_at: float = -math.inf
    held_until: float = -math.inf

    def free_at(self, now: float) -> float:
        soonest = max(now, self.held_until)
        return soonest if self.left > 0 else max(soonest, self.ends_at)

    def take(self, now: float) -> None:
        if now >= self.ends_at:
            self.left, self.ends_at = self.quota, now + self.seconds
        self.left -= 1

    def learn(self, now: float, limit: Mapping[str, float], age_seconds: float) -> None:
        self.quota = max(1, int(limit.get("q", self.quota)))
        self.seconds = limit.get("w", self.seconds)
        self.left = int(limit.get("r", self.left))
        if "t" in limit:
            self.ends_at = now + limit["t"] + ROUNDING_SECONDS - age_seconds


class Budget:
    """The calls that one client may still make; not thread-safe."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._windows: dict[CallKind, _Window] = {"api": _Window(API_CALLS), "pages": _Window(PAGES)}
        self._next_at = -math.inf
        self.pause_seconds = 0.0
        """Pause between any two calls: the Crawl-delay of robots.txt."""

    def wait_seconds(self, kind: CallKind) -> float:
        """How long the next call of a kind has to wait."""
        now = self._clock.seconds()
        return max(self._windows[kind].free_at(now), self._next_at) - now

    def is_used_up(self, kind: CallKind) -> bool:
        """Whether the next call of a kind has to wait for a new window."""
        now = self._clock.seconds()
        return self._windows[kind].free_at(now) > now

    def left(self, kind: CallKind) -> int:
        """How many calls of a kind may be made before one has to wait."""
        window, now = self._windows[kind], self._clock.seconds()
        return window.quota if now >= window.ends_at else max(0, window.left)

    def take(self, kind: CallKind) -> None:
        """Wait until a call may be made, and count it; a long wait is logged."""
        while (seconds := self.wait_seconds(kind)) > 0:
            if seconds >= LOGGED_SECONDS:
                until = self._clock.now() + timedelta(seconds=seconds)
                log.info("waiting until %s UTC: the Hub allows no more %s calls before", f"{until:%H:%M:%S}", kind)
            self._clock.sleep(seconds)
        now = self._clock.seconds()
        self._windows[kind].take(now)
        self._next_at = now + self.pause_seconds

    def learn(self, kind: CallKind, headers: Mapping[str, str], *, age_seconds: float = 0) -> None:
        """Take over the limit that an answer states: the tightest, where it states several."""
        limits = stated_limits(headers.get("RateLimit", ""))
        if limits:
            name = min(limits, key=lambda name: limits[name].get("r", math.inf))
            policy = stated_limits(headers.get("RateLimit-Policy", "")).get(name, {})
            self._windows[kind].learn(self._clock.seconds(), policy | limits[name], age_seconds)

    def hold(self, kind: CallKind, seconds: float) -> None:
        """Make no call of a kind for as long as Retry-After asks."""
        window = self._windows[kind]
        window.held_until = max(window.held_until, self._clock.seconds() + seconds)


def stated_limits(header: str) -> dict[str, dict[str, float]]:
    """The parameters of a RateLimit or RateLimit-Policy header, by resource. The Hub's policy is no structured field.

    >>> stated_limits('"api";r=498;t=212')
    {'api': {'r': 498.0, 't': 212.0}}
    >>> stated_limits('"fixed window";"api";q=500;w=300')
    {'api': {'q': 500.0, 'w': 300.0}}
    """
    found = ITEM.findall(header.lower())
    return {name: {key: float(number) for key, number in PARAMETER.findall(rest)} for name, rest in found}
