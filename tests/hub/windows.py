"""The stand-in's own count of calls: fixed windows, announced as the Hub announces them, and enforced."""

import math
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Turn:
    """The outcome of a call: whether it is over the budget, and the headers that state the budget after it."""

    is_over: bool
    headers: dict[str, str]


class Windows:
    """`quotas` by kind (`api`, `pages`) in each window of `seconds`, by a `clock` in seconds. Thread-safe.

    `rounded` makes whole seconds of the time that is left; it is unknown whether the Hub rounds up or down.
    """

    def __init__(self, quotas: dict[str, int], seconds: float, clock: Callable[[], float]) -> None:
        self.quotas, self.seconds = quotas, seconds
        self.rounded: Callable[[float], int] = math.floor
        self._clock, self._lock = clock, threading.Lock()
        self._used: Counter[tuple[str, int]] = Counter()

    def turn(self, kind: str) -> Turn:
        now = self._clock()
        window = int(now // self.seconds)
        with self._lock:
            self._used[kind, window] += 1
            left = self.quotas[kind] - self._used[kind, window]
        ends_in = (window + 1) * self.seconds - now
        headers = {
            "RateLimit": f'"{kind}";r={max(0, left)};t={self.rounded(ends_in)}',
            "RateLimit-Policy": f'"fixed window";"{kind}";q={self.quotas[kind]};w={math.ceil(self.seconds)}',
        }
        if left < 0:
            headers["Retry-After"] = str(math.ceil(ends_in))
        return Turn(left < 0, headers)

    def most_used(self, kind: str) -> int:
        """The most calls of a kind in any one window."""
        return max((used for (name, _), used in self._used.items() if name == kind), default=0)
