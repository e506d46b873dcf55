"""Requests of a daily run to an object store after few days and after many, counted by a proxy.

The lake holds a list, a file of the archive and a release a day. The releases before the last are copies of the first
one, because a run reads none of them; all else was made by the steps of a run.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from pathlib import Path

from expectations.gate import require
from flows.runtime.lake import open_lake
from tests.faulty import Call, Faulty, faulty
from tests.flows import steps
from tests.flows.steps import list_of
from tests.seaweed import Seaweed, running
from warehouse.archive.archive import Archive
from warehouse.store.opening import open_store
from warehouse.store.store import Store

DAYS = (10, 1000)
TODAY = date(2026, 11, 20)
EVENING = time(19)
PAPERS = 10  # a day
UPLOADS = 8  # at a time, to make the lake
Calls = dict[str, list[Call]]


def calls_ratio() -> Iterator[tuple[str, ...]]:
    with running() as server, faulty(str(server.options.endpoint_url)) as way:
        few, many = (_one_more_day(server, way, days) for days in DAYS)
    for step in many:
        ratio = len(many[step]) / len(few[step])
        yield (
            f"{step} of one list after {DAYS[1]:,} days",
            _summary(many[step]),
            f"after {DAYS[0]} days: {_summary(few[step])}",
            f"{ratio:.2f}",
        )


def _summary(calls: list[Call]) -> str:
    kinds = Counter(call.kind for call in calls)
    counts = ", ".join(f"{kind} {kinds[kind]}" for kind in sorted(kinds))
    sent, received = (sum(sizes) / 1e6 for sizes in list(zip(*calls, strict=True))[1:])
    return f"{len(calls)} requests ({counts}), {sent:.2f} MB up, {received:.2f} MB down"


def _one_more_day(server: Seaweed, way: Faulty, days: int) -> Calls:
    """The requests of each step of a run with today's list, in a lake that has so many days."""
    lake = server.lake()
    with tempfile.TemporaryDirectory(prefix="paperlake-bench-") as folder:
        _make_lake(Path(folder), server.open(lake), days)
    os.environ.update(server.environment() | {"PAPERLAKE_S3_ENDPOINT_URL": way.url})
    calls: Calls = {}
    with _counted(way, calls, "land"):
        Archive(open_lake(lake)).write([list_of(TODAY, PAPERS)], now=datetime.combine(TODAY, EVENING))
    with _counted(way, calls, "build"):
        draft = steps.make_draft(lake)
    assert draft is not None
    with _counted(way, calls, "gate"):
        require(steps.check_draft(lake, draft))
    with _counted(way, calls, "publish"):
        steps.move(lake, steps.write(lake, TODAY))
    return calls | {"all steps": [call for step in calls.values() for call in step]}


@contextmanager
def _counted(way: Faulty, calls: Calls, step: str) -> Iterator[None]:
    way.calls.clear()
    yield
    calls[step] = list(way.calls)


def _make_lake(folder: Path, far: Store, days: int) -> None:
    """Land every day by itself; release the first day, then all; copy the first release for those between."""
    near = open_store(str(folder))
    for back in range(days, 0, -1):
        day = TODAY - timedelta(back)
        Archive(near).write([list_of(day, PAPERS)], now=datetime.combine(day, EVENING))
        if back in {days, 1}:
            _publish(str(folder), day)
    with ThreadPoolExecutor(UPLOADS) as pool:
        list(pool.map(lambda key: far.put(key, near.read(key)), near.list()))
        first = near.list(f"releases/{TODAY - timedelta(days):%Y.%m.%d}.1")
        between = [TODAY - timedelta(back) for back in range(2, days)]
        list(pool.map(lambda copy: far.copy_new(*copy), ((key, _on(key, day)) for key in first for day in between)))


def _publish(lake: str, day: date) -> None:
    draft = steps.make_draft(lake)
    assert draft is not None
    require(steps.check_draft(lake, draft))
    steps.move(lake, steps.write(lake, day))


def _on(key: str, day: date) -> str:
    """The key of an object in a release of that day."""
    releases, _, rest = key.split("/", 2)
    return f"{releases}/{day:%Y.%m.%d}.1/{rest}"
