"""Capturing what is due from the stand-in Hub, the clock moved by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta

import pytest

from flows import plan
from flows.capture import capture_due
from flows.hub import Hub
from flows.settings import Settings
from tests.flows import steps
from tests.hub import faults
from tests.hub.clock import VirtualClock
from tests.hub.days import Days
from tests.hub.server import StandIn
from warehouse.errors import SourceFailed
from warehouse.list_days import list_days

FRIDAY = date(2026, 10, 2)
OPENED = datetime(2026, 10, 2, 1, 30)  # 21:30 in New York


@pytest.mark.parametrize(
    ("hours", "fetched_hours", "expected"),
    [
        (0.5, None, False),  # not an hour old
        (1.5, None, True),
        (1.5, 1.2, False),
        (6.5, 1.2, True),  # the second age has come
        (6.5, 6.1, False),
        (24 * 400, 24 * 31, False),  # older than every age, and fetched after the last one
        (24 * 400, 24 * 29, True),
        (24 * 400, None, True),  # a missed day is one fetch, not eight
    ],
)
def test_a_day_is_due_at_its_ages(hours: float, fetched_hours: float | None, expected: bool) -> None:
    fetched = {FRIDAY: OPENED + timedelta(hours=fetched_hours)} if fetched_hours else {}
    now = OPENED + timedelta(hours=hours)
    assert plan.due([FRIDAY], fetched, now=now) == ([FRIDAY] if expected else [])


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def hub(clock: VirtualClock) -> Iterator[StandIn]:
    with StandIn(Days(is_alive=True), now=clock.now, clock=clock.seconds) as hub:
        yield hub


def capture(lake: str, hub: StandIn, clock: VirtualClock, since: date, until: date):
    times = clock.clock()
    with Hub(Settings(hub_url=hub.url), clock=times) as client:
        return capture_due(lake, client, since=since, until=until, clock=times)


def lists_asked(hub: StandIn) -> list[str]:
    return [target for target in hub.targets if "daily_papers" in target]


def test_a_backfill_asks_for_each_list_day_once_and_resumes(lake: str, hub: StandIn, clock: VirtualClock) -> None:
    since, until = date(2026, 6, 1), date(2026, 7, 31)
    first = capture(lake, hub, clock, since, date(2026, 6, 30))
    assert (first.landed_count, first.refused) == (22, ())
    rest = capture(lake, hub, clock, since, until)
    asked = lists_asked(hub)
    assert (rest.landed_count, len(asked)) == (23, 45)
    assert len(set(asked)) == len(asked)
    assert capture(lake, hub, clock, since, until).landed_count == 0
    assert steps.publish_new(lake) is not None
    listed = set(steps.table(lake, "daily_listings")["listed_on"])
    assert listed == set(list_days(since, until))


def test_what_the_hub_did_not_give_is_told_and_asked_for_again(lake: str, hub: StandIn, clock: VirtualClock) -> None:
    hub.misbehave(faults.status(500), where="date=2026-06-02", nth=range(1, 9))
    landing = capture(lake, hub, clock, date(2026, 6, 1), date(2026, 6, 3))
    assert landing.landed_count + len(landing.refused) == 3
    again = capture(lake, hub, clock, date(2026, 6, 1), date(2026, 6, 3))
    assert (again.landed_count, again.refused) == (1, ())
    others = [target for target in lists_asked(hub) if "2026-06-02" not in target]
    assert len(others) == len(set(others)) == 2


def test_a_hub_that_cannot_be_reached_names_the_setting(lake: str, clock: VirtualClock) -> None:
    times = clock.clock()
    with (
        Hub(Settings(hub_url="http://127.0.0.1:9"), clock=times) as client,
        pytest.raises(SourceFailed, match="PAPERLAKE_HUB_URL"),
    ):
        capture_due(lake, client, since=date(2026, 6, 1), until=date(2026, 6, 3), clock=times)
