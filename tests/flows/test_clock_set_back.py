"""A clock that is set back by weeks: earlier captures lie in the future, and nothing wrong is published."""

from datetime import date, timedelta

import pytest

from flows.plan.due import due_now
from flows.plan.past_calls import PastCalls
from flows.runtime.lake import open_lake
from flows.runtime.scope import Scope
from flows.steps.read_back import verify_raw, verify_release
from tests.flows import steps
from tests.flows.test_capture import capture
from tests.hub.clock import VirtualClock
from tests.hub.days import Days
from tests.hub.server import StandIn
from warehouse.archive.archive import Archive
from warehouse.release import moves

pytestmark = pytest.mark.slow

JUNE = Scope(since=date(2026, 6, 1), until=date(2026, 6, 3))
BACK = timedelta(days=40)


def test_pages_are_captured_anew_and_released_after_the_latest_release(lake: str) -> None:
    """The newest capture still decides; that the tables are those of a right clock: tests/laws/test_builds.py."""
    clock = VirtualClock()
    with StandIn(Days(is_alive=True), now=clock.now, clock=clock.seconds) as hub:
        assert capture(lake, hub, clock, JUNE).landed_count == 4
        with steps.bare_releases():
            first = steps.publish_new(lake, now=clock.now())
        clock.elapsed -= BACK.total_seconds()
        index = Archive(open_lake(lake)).index()
        assert [one.subject for one in due_now(JUNE, PastCalls(index, clock.now()), clock.now())] == [
            "2026-06-01",
            "2026-06-02",
            "2026-06-03",
        ]
        again = capture(lake, hub, clock, JUNE)
        assert (again.landed_count, again.refused) == (4, ())
        with steps.bare_releases():
            second = steps.publish_new(lake, now=clock.now())
        assert capture(lake, hub, clock, JUNE).landed_count == 0
    assert (first.version, second.version) == ("2026.10.07.1", "2026.10.07.2")
    store = open_lake(lake)
    assert [move.version for move in moves.moves(store)] == [first.version, second.version]
    assert (verify_release(store, every=True)[1], verify_raw(store)[1]) == ([], [])
    papers = steps.table(lake, "papers")
    assert set(papers["last_seen_at"].dt.date()) == {date(2026, 10, 7)}
