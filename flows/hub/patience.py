"""How long the client waits, how often it retries, and by which clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from flows.runtime.now import utc_now


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
