"""Backfills of 350 list days: with every fault of the source, and killed at any moment."""

from __future__ import annotations

import itertools
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from email.utils import format_datetime
from functools import cache
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from queue import LifoQueue

import pytest

from flows.hub.budget import Clock, Patience
from flows.hub.client import Hub
from flows.runtime.lake import open_lake
from flows.runtime.scope import Scope
from flows.runtime.settings import Settings, load
from flows.steps.capture_due import capture_due
from tests import processes
from tests.flows import steps
from tests.hub import faults
from tests.hub.clock import VirtualClock
from tests.hub.days import Days
from tests.hub.server import NOW, StandIn
from tests.seaweed import Seaweed
from warehouse.archive import writer
from warehouse.archive.archive import Archive
from warehouse.archive.writer import Landed
from warehouse.schema.daily_lists import list_days

pytestmark = pytest.mark.slow

DAYS = list(list_days(date(2024, 1, 1), date(2026, 9, 30)))[-350:]
FEW = dict.fromkeys(DAYS, 1)  # a paper a list: it is lists that count
EVERYTHING = Scope(since=DAYS[0], until=DAYS[-1])
HASTY = Patience(read_seconds=10, total_seconds=3, tries=3)  # a busy machine may take a second for an answer
LONG = str(400)  # seconds: longer than a window of the budget

# Those that come to nothing however often one asks, and those that pass
LASTING: dict[str, faults.Fault] = {
    "500": faults.status(500),
    "503": faults.status(503, "7"),
    "429": faults.status(429, LONG),
    "a wait until a date": faults.status(503, format_datetime(NOW + timedelta(seconds=40)) + " "),
    "408": faults.status(408),
    "drip": faults.drip(0.05),
    "reset": faults.reset(),
    "truncated": faults.truncated(),
    "wrong length": faults.wrong_length(lambda page: len(page.body) + 9),
    "hang up": faults.hang_up(),
    "no HTTP": faults.nonsense(),
    "html": faults.html(),
    "other host": faults.redirect("https://elsewhere.example/x"),
    "huge": faults.huge(),
    "huge and told": faults.huge(is_told=True),
    "gzip bomb": faults.gzip_bomb(128 << 20),
    "brotli": faults.encoded("br"),
    "cut off, with a length that fits": faults.cut(),
    "html by another name": faults.html("application/json"),
}
PASSING = {name: LASTING[name] for name in ("500", "503", "429", "reset", "truncated", "hang up", "no HTTP")}


class TestMisbehaviour:
    def test_a_backfill_survives_every_fault_and_a_second_one_completes_it(self, lake: str) -> None:
        """The clock is the client's and the server's, and stands still but for waits: no call is spread by chance."""
        days = iter(random.Random(3).sample(DAYS, len(LASTING) + len(PASSING) + 3))
        lasting = {next(days): fault for fault in LASTING.values()}
        passing = {next(days): fault for fault in PASSING.values()}
        growing, empty, quiet = days
        clock = VirtualClock()
        quotas = {"api": 100, "pages": 1}
        days_there = Days(FEW | {growing: 7}, quiet=[quiet])
        with StandIn(days_there, now=clock.now, clock=clock.seconds, quotas=quotas) as hub:
            hub.misbehave(faults.grow(lambda: hub.days.counts.update({growing: 9})), f"?date={growing}&")
            hub.misbehave(faults.empty_list(), f"?date={empty}&", nth=(1,))
            for day, fault in (lasting | passing).items():
                hub.misbehave(fault, f"?date={day}&", nth=None if day in lasting else (1,))
            first = _capture(lake, hub, clock)
            asked = Counter(hub.targets)
            lists = {day: asked.pop(_target(day)) for day in DAYS}
            assert asked == {f"/papers?date={day}": 1 for day in (empty, quiet)}
            assert all(count == 1 for day, count in lists.items() if day not in lasting | passing)
            assert all(count == 2 for day, count in lists.items() if day in passing)
            assert all(count <= HASTY.tries for count in lists.values())
            assert [call.target for call in hub.calls].count("/robots.txt") == 1
            failed = {_list_of(refused.name, hub) for refused in first.refused}
            assert failed == {_target(day) for day in lasting} == set(_failures(lake, hub))
            steps.publish_tables(lake)
            lacking = _lacking(lake)
            assert lacking.keys() == {*lasting, empty, quiet}
            assert "never fetched" not in lacking.values()
            hub.behave()
            clock.sleep(900)
            before = len(hub.targets)
            second = _capture(lake, hub, clock)
            assert (second.landed_count, second.refused) == (len(lasting), ())
            assert set(hub.targets[before:]) == failed
            assert _capture(lake, hub, clock).landed_count == 0
            assert hub.over == []
            assert hub.windows.most_used("api") == 100, "the budget is used"
        steps.publish_tables(lake)
        captures = steps.table(lake, "captures").filter(steps.pl.col("list_kind") == "daily")
        assert set(captures.filter(steps.pl.col("state") == "failed")["listed_on"]) == set(lasting)
        whole = captures.filter(steps.pl.col("state").is_in(["read", "empty"]))
        assert set(whole["listed_on"]) == set(DAYS)
        assert set(captures.filter(steps.pl.col("state") == "empty")["listed_on"]) == {empty, quiet}
        assert _lacking(lake).keys() == {empty, quiet}


def _target(day: date) -> str:
    return f"/api/daily_papers?date={day}&limit=100"


def _lacking(lake: str) -> dict[date, str]:
    """The days whose list is not complete, each with its reason."""
    coverage = steps.table(lake, "coverage").filter(steps.pl.col("listed_on").is_in(DAYS), source="api")
    assert coverage.height == len(DAYS)
    lacking = coverage.filter(steps.pl.col("state") != "complete")
    assert all(lacking["reason"])
    return dict(lacking.select("listed_on", "reason").rows())


def _capture(lake: str, hub: StandIn, clock: VirtualClock) -> Landed:
    times = clock.clock()
    with Hub(Settings(hub_url=hub.url, payload_bytes=4 << 20), patience=HASTY, clock=times) as client:
        return capture_due(open_lake(lake), client, EVERYTHING, clock=times)


def _failures(lake: str, hub: StandIn) -> Iterator[str]:
    for entry in Archive(open_lake(lake)).index():
        if entry.failure is not None:
            yield _list_of(entry.url or "", hub)


def _list_of(url: str, hub: StandIn) -> str:
    """The list to be fetched again: after a page that is no list, the failure is the next page's."""
    return url.removeprefix(hub.url).removesuffix("&p=1")


SMALL_FILES = 100_000
KILLS = 5
OPEN = 2  # of them while a call is under way


class TestKilled:
    def test_a_backfill_killed_at_many_moments_ends_as_if_undisturbed(self, tmp_path) -> None:
        """The same Parquet, byte for byte, and fewer than 1 % of the calls made twice, by the server's count.

        A call is made twice if the kill comes between the moment the server counts it and the moment its answer is
        durable: so it may be where the server kills whoever asks. It is not where the client is killed as it begins the
        pause after a call (Crawl-delay), which is otherwise left out. The Hub allows 500 calls in 300 s, 600 ms a call,
        and takes some 200 ms to answer: there a kill meets an open call in one of three cases. The moments are by the count of calls, spread over all of them. What is fetched is dated by a clock that
        stands still, without which no two runs give the same captures.
        """
        chance = random.Random(20)
        with StandIn(Days(FEW), now=lambda: NOW, quotas={"api": 10**6, "pages": 10**6}) as hub:
            hub.site.robots = "User-agent: *\nCrawl-delay: 0.05\n"
            hub.site.page = cache(hub.site.page)
            calm, killed = str(tmp_path / "calm"), str(tmp_path / "killed")
            assert _ended(_backfill(calm, hub)) == 0
            calls = len(hub.calls)
            hub.calls.clear()
            numbers = sorted(chance.sample(range(1, calls - KILLS), KILLS))
            opened = set(chance.sample(numbers, OPEN))
            victims = LifoQueue[ForkServerProcess]()
            for number in numbers:
                more = max(number - len(hub.calls), 1)
                if number in opened:
                    hub.misbehave(lambda *_: victims.get().kill(), nth=(more,))
                victims.put(process := _backfill(killed, hub, pauses=0 if number in opened else more))
                assert _ended(process) == -signal.SIGKILL, "it was still at work"
            assert _ended(_backfill(killed, hub)) == 0
            repeated = len(hub.calls) - calls
            assert [call.target for call in hub.calls].count("/robots.txt") <= 1 + repeated
        assert repeated == OPEN < calls / 100
        for lake in (calm, killed):
            steps.publish_tables(lake)
        assert steps.hashes(killed) == steps.hashes(calm)

    def test_into_a_bucket_every_answer_is_landed_once(
        self, seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """The archive's files are small, so that kills come between journal, file and index too."""
        for name, value in {**seaweed.environment(), "PAPERLAKE_STATE": str(tmp_path / "state")}.items():
            monkeypatch.setenv(name, value)
        chance = random.Random(21)
        calm, killed = str(tmp_path / "calm"), seaweed.lake()
        with StandIn(now=lambda: NOW, quotas={"api": 10**6, "pages": 10**6}) as hub:
            assert _ended(_backfill(calm, hub, DAYS[-60])) == 0
            calls = len(hub.calls)
            hub.calls.clear()
            kills = 0
            for number in sorted(chance.sample(range(1, calls), 4)):
                process = _backfill(killed, hub, DAYS[-60], SMALL_FILES)
                while len(hub.calls) < number and process.is_alive():
                    time.sleep(0.002)
                time.sleep(chance.uniform(0, 0.1))
                process.kill()
                kills += _ended(process) == -signal.SIGKILL
            assert _ended(_backfill(killed, hub, DAYS[-60], SMALL_FILES)) == 0
            assert len(hub.calls) - calls <= kills
        assert kills >= 2
        there = [Archive(open_lake(lake)) for lake in (calm, killed)]
        expected, found = (sorted(entry.capture_id for entry in archive.index()) for archive in there)
        assert found == expected
        payloads = [{page.url: page.payload for page in archive.captures(archive.index())} for archive in there]
        assert payloads[0] == payloads[1]
        assert not list((tmp_path / "state").rglob("*.warc*")), "nothing waits to be landed"


def _backfill(
    lake: str, hub: StandIn, since: date = DAYS[0], file_bytes: int = writer.FILE_BYTES, pauses: int = 0
) -> ForkServerProcess:
    """Start a backfill with the settings of this process; it dies at the start of its n-th pause between calls."""
    settings = {**os.environ, "PAPERLAKE_HUB_URL": hub.url}
    return processes.forked(_backfill_in, lake, since, file_bytes, pauses, settings)


def _backfill_in(lake: str, since: date, file_bytes: int, pauses: int, environment: dict[str, str]) -> None:
    os.environ.update(environment)
    writer.FILE_BYTES = file_bytes
    begun = itertools.count(1)
    still = VirtualClock()

    def sleep(seconds: float) -> None:
        still.sleep(seconds)
        if next(begun) == pauses:
            os.kill(os.getpid(), signal.SIGKILL)

    clock = Clock(now=lambda: NOW, seconds=still.seconds, sleep=sleep)
    with Hub(load(), clock=clock) as hub:
        capture_due(open_lake(lake), hub, Scope(since=since, until=DAYS[-1]), clock=clock)


def _ended(process: ForkServerProcess) -> int | None:
    process.join()
    return process.exitcode
