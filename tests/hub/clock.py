"""A clock that moves only by sleeps, shared by a client and the stand-in: five minutes pass at once."""

from datetime import datetime, timedelta

from flows.hub.budget import Clock

NOW = datetime(2026, 10, 7, 12, 0)


class VirtualClock:
    """`slept` is every sleep that was asked for, in seconds."""

    def __init__(self, start: datetime = NOW) -> None:
        self._start = start
        self.elapsed = 0.0
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self.elapsed)

    def seconds(self) -> float:
        return 10_000.0 + self.elapsed

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.elapsed += seconds

    def clock(self) -> Clock:
        return Clock(now=self.now, seconds=self.seconds, sleep=self.sleep)
