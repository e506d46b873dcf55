"""A backfill of 30, 150 and 596 list days from the stand-in Hub, each in a process of its own.

`python -m bench.capture` prints its rows; `python -m bench.capture LAKE URL DAYS` is one backfill, which prints JSON.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from tests.hub.clock import NOW
from tests.hub.server import StandIn
from warehouse.schema.daily_lists import list_days

COUNTS = (30, 150, 596)
DAYS = list(list_days(date(2024, 1, 1), date(2026, 9, 30)))
QUOTAS = {"api": 10**6, "pages": 10**6}  # else most of the time would be waits for the budget


def capture_ratio() -> Iterator[tuple[str, ...]]:
    """Calls, MB, seconds and peak memory; the peer of each is the backfill of 30 days."""
    peer: dict[str, float] = {}
    for count in COUNTS:
        with StandIn(quotas=QUOTAS) as hub, tempfile.TemporaryDirectory(prefix="paperlake-") as name:
            told = _measured([name, hub.url, str(count)])
            calls, sent = len(hub.calls), hub.sent_bytes / 1e6
        peer = peer or told
        yield (
            f"backfill of {count} list days",
            f"{calls} calls, {sent:.1f} MB received, {told['seconds']:.1f} s, peak {told['peak MiB']:.0f} MiB",
            f"{COUNTS[0]} days: {peer['seconds']:.1f} s, peak {peer['peak MiB']:.0f} MiB",
            f"time {told['seconds'] / peer['seconds']:.1f}, memory {told['peak MiB'] / peer['peak MiB']:.2f}",
        )


def _measured(arguments: list[str]) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.capture", *arguments]
    measured: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return measured


def backfill(lake: Path, url: str, count: int) -> dict[str, float]:
    """Seconds and peak memory in MiB of one backfill; the seconds without imports."""
    from flows.hub.budget import Clock
    from flows.hub.client import Hub
    from flows.runtime.scope import Scope
    from flows.runtime.settings import Settings
    from flows.steps.capture_due import capture_due
    from warehouse.store.opening import open_store

    clock, start = Clock(now=lambda: NOW), time.perf_counter()
    with Hub(Settings(hub_url=url), clock=clock) as hub:
        landing = capture_due(open_store(str(lake)), hub, Scope(since=DAYS[-count], until=DAYS[-1]), clock=clock)
    assert landing.landed_count == count + 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": time.perf_counter() - start, "peak MiB": peak}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(backfill(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))))
    else:
        for row in capture_ratio():
            print(f"| {' | '.join(row)} |", flush=True)
