"""A backfill of 120 list days, killed in a call and in a pause between two; a clock that is set back by weeks: earlier
captures lie in the future, and nothing wrong is published. Faults: tests/client/test_misbehaviour.py.
"""

import itertools
import os
import signal
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from queue import LifoQueue

import pytest

from flows.hub.budget import Clock
from flows.hub.client import Hub
from flows.plan.due import due_now
from flows.plan.past_calls import PastCalls
from flows.runtime.lake import open_lake
from flows.runtime.scope import Scope
from flows.runtime.settings import load
from flows.steps.capture_due import capture_due
from flows.steps.read_back import verify_raw, verify_release
from tests import processes
from tests.flows import steps
from tests.flows.test_capture import capture
from tests.hub.clock import NOW, VirtualClock
from tests.hub.days import Days
from tests.hub.server import StandIn
from warehouse.archive.archive import Archive
from warehouse.release import moves
from warehouse.schema.daily_lists import list_days

DAYS = list(list_days(date(2024, 1, 1), date(2026, 9, 30)))[-120:]
FEW = dict.fromkeys(DAYS, 1)  # a paper a list: it is lists that count
IN_A_CALL, IN_A_PAUSE = 40, 80  # calls that there were before
JUNE = Scope(since=date(2026, 6, 1), until=date(2026, 6, 3))
BACK = timedelta(days=40)


@pytest.mark.slow
def test_a_backfill_killed_in_a_call_and_between_two_ends_as_if_undisturbed(tmp_path: Path) -> None:
    """The same Parquet, byte for byte, and fewer than 1 % of the calls made twice, by the server's count.

    A call is made twice if the kill comes between the moment the server counts it and the moment its answer is
    durable: so it may be where the server kills whoever asks. It is not where the client is killed as it begins the
    pause after a call (Crawl-delay), which is otherwise left out. What is fetched is dated by a clock that stands
    still, without which no two runs give the same captures.
    """
    calm, killed = str(tmp_path / "calm"), str(tmp_path / "killed")
    with StandIn(Days(FEW), quotas={"api": 10**6, "pages": 10**6}) as hub:
        hub.site.robots = "User-agent: *\nCrawl-delay: 0.05\n"
        hub.site.page = cache(hub.site.page)
        victims = LifoQueue[Callable[[], None]]()

        def ended(lake: str, pauses: int = 0) -> int | None:
            process = processes.forked(backfill, lake, pauses, {**os.environ, "PAPERLAKE_HUB_URL": hub.url})
            victims.put(process.kill)
            process.join()
            return process.exitcode

        assert ended(calm) == 0
        calls = len(hub.calls)
        hub.calls.clear()
        hub.misbehave(lambda *_: victims.get()(), nth=(IN_A_CALL,))
        assert ended(killed) == -signal.SIGKILL, "it was still at work"
        assert ended(killed, IN_A_PAUSE - len(hub.calls)) == -signal.SIGKILL, "it was still at work"
        assert ended(killed) == 0
        assert [call.target for call in hub.calls].count("/robots.txt") <= 2
        assert len(hub.calls) - calls == 1 < calls / 100
    for lake in (calm, killed):
        steps.publish_tables(lake)
    assert steps.hashes(killed) == steps.hashes(calm)


def backfill(lake: str, pauses: int, environment: dict[str, str]) -> None:
    """With these settings; it dies at the start of its n-th pause between calls."""
    os.environ.update(environment)
    begun, still = itertools.count(1), VirtualClock()

    def sleep(seconds: float) -> None:
        still.sleep(seconds)
        if next(begun) == pauses:
            os.kill(os.getpid(), signal.SIGKILL)

    clock = Clock(now=lambda: NOW, seconds=still.seconds, sleep=sleep)
    with Hub(load(), clock=clock) as hub:
        capture_due(open_lake(lake), hub, Scope(since=DAYS[0], until=DAYS[-1]), clock=clock)


@pytest.mark.slow
def test_pages_are_captured_anew_and_released_after_the_latest_release(lake: str) -> None:
    """The newest capture still decides; that the tables are those of a right clock: tests/laws/test_builds.py."""
    clock = VirtualClock()
    with StandIn(Days(is_alive=True), clock=clock) as hub:
        assert capture(lake, hub, JUNE).landed_count == 4
        first = steps.publish_new(lake, now=clock.now(), is_bare=True)
        clock.elapsed -= BACK.total_seconds()
        index = Archive(open_lake(lake)).index()
        assert [one.subject for one in due_now(JUNE, PastCalls(index, clock.now()), clock.now())] == [
            "2026-06-01",
            "2026-06-02",
            "2026-06-03",
        ]
        again = capture(lake, hub, JUNE)
        assert (again.landed_count, again.refused) == (4, ())
        second = steps.publish_new(lake, now=clock.now(), is_bare=True)
        assert capture(lake, hub, JUNE).landed_count == 0
    assert (first.version, second.version) == ("2026.10.07.1", "2026.10.07.2")
    store = open_lake(lake)
    assert [move.version for move in moves.moves(store)] == [first.version, second.version]
    assert (verify_release(store, every=True)[1], verify_raw(store)[1]) == ([], [])
    papers = steps.table(lake, "papers")
    assert set(papers["last_seen_at"].dt.date()) == {date(2026, 10, 7)}
