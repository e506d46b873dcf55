"""How long it takes to ask who builds on many papers, on the stand-in Hub with its budget and a clock moved by sleeps.

    python -m bench.adoption [PAPERS]

Each run ends after some windows of the budget, as those of `capture` do; every fifth is cut off in its middle.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from typing import Final
from unittest.mock import patch

from flows.hub.client import Hub
from flows.runtime.lake import open_lake
from flows.runtime.scope import Scope
from flows.runtime.settings import Settings
from flows.steps import capture_due
from tests.hub.clock import VirtualClock
from tests.hub.days import Days, paper_of
from tests.hub.server import StandIn
from warehouse.schema.daily_lists import list_days

WEEK: Final = timedelta(days=7)
FIRST: Final = date(2024, 3, 12)


class CutOff(BaseException):
    """What stands for a kill."""


def papers(most: int) -> dict[tuple[str, str], date]:
    """So many papers, as `adoption_wanted` would name them, 22 a list day."""
    found = dict[tuple[str, str], date]()
    for day in list_days(FIRST, date(2026, 10, 2)):
        found |= {("paper", paper_of(number, day).arxiv_id): day for number in range(1, 23)}
    return dict(sorted(found.items(), key=lambda item: item[1])[-most:])


def asked(lake: str, hub: StandIn, clock: VirtualClock, scope: Scope, *, is_cut: bool) -> int:
    """One run; how many calls it made."""
    times, before = clock.clock(), len(hub.calls)
    of_client = replace(times, sleep=cut_off) if is_cut else times
    with Hub(Settings(hub_url=hub.url), clock=of_client) as client, suppress(CutOff):
        capture_due.capture_due(open_lake(lake), client, scope, clock=times)
    return len(hub.calls) - before


def cut_off(seconds: float) -> None:
    raise CutOff(seconds)


def main(most: int) -> None:
    scope = Scope(details_after=(), refetch_after=(timedelta(hours=1),), adoption_every=WEEK)
    clock, wanted = VirtualClock(), papers(most)
    with (
        tempfile.TemporaryDirectory() as lake,
        StandIn(Days(), clock=clock) as hub,
        patch.object(capture_due, "adoption_wanted", lambda *_: wanted),
    ):
        runs, calls = 0, 1
        while calls:
            calls = asked(lake, hub, clock, scope, is_cut=runs % 5 == 4)
            runs += 1
        minutes = clock.elapsed / 60
        of_papers = [call.target for call in hub.calls if "/api/papers/" in call.target]
        print(
            f"first fill of {len(wanted):,} papers: {len(of_papers):,} calls ({len(set(of_papers)):,} papers), "
            f"{minutes:,.0f} minutes, {runs} runs, over the budget {len(hub.over)}"
        )
        hub.calls.clear()
        for day in range(7):
            clock.sleep(timedelta(days=1).total_seconds())
            start, calls = clock.elapsed, 1
            made = 0
            while calls:
                calls = asked(lake, hub, clock, scope, is_cut=False)
                made += calls
            print(f"day {day + 1}: {made:,} calls, {(clock.elapsed - start) / 60:,.0f} minutes, over {len(hub.over)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 13_000)
