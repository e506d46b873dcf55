"""Flow `capture`: what is due of the Hub's daily lists, into the archive, before anything reads it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from prefect import flow
from prefect.artifacts import create_markdown_artifact

from flows import plan
from flows.hub import Clock, Hub
from flows.hub.client import CLOCK
from flows.lake import open_lake
from flows.land import Landing
from flows.progress import log, track
from flows.retries import step
from flows.settings import load
from warehouse.archive import Archive
from warehouse.capture import Capture, Refused
from warehouse.errors import SourceFailed
from warehouse.list_days import list_days
from warehouse.outcome import Failed

DAYS_BACK = 31  # the oldest day that is fetched again is 30 days old
DAYS_AT_A_TIME = 5  # landed together: what a killed run has to ask again


def capture_due(lake: str, hub: Hub, *, since: date | None, until: date | None, clock: Clock) -> Landing:
    """Fetch and land every list day of the range that is due; without a range, of the last month.

    What the Hub did not give is told in `refused`. SourceFailed, where it cannot be reached, is raised after what it
    gave before is landed.
    """
    archive, today = Archive(open_lake(lake)), clock.now().date()
    until = min(until or today + timedelta(days=1), today + timedelta(days=1))  # tomorrow's list opens this evening
    days = list_days(since or today - timedelta(days=DAYS_BACK), until)
    due = plan.due(days, plan.fetches(archive.index()), now=clock.now())
    landing = Landing(0, 0, 0, ())
    for start in track(range(0, len(due), DAYS_AT_A_TIME), "capturing", -(-len(due) // DAYS_AT_A_TIME)):
        landing += _land(archive, hub, due[start : start + DAYS_AT_A_TIME], clock.now())
    return landing


def _land(archive: Archive, hub: Hub, days: list[date], now: datetime) -> Landing:
    failed: list[Failed] = []
    lost: list[SourceFailed] = []
    landed = archive.write(_captures(hub, days, failed, lost), now=now)
    if lost:
        raise lost[0]
    refused = (*(Refused(one.url, one.reason) for one in failed), *landed.refused)
    return Landing(landed.record_count, landed.skipped_count, landed.payload_bytes, refused)


def _captures(hub: Hub, days: list[date], failed: list[Failed], lost: list[SourceFailed]) -> Iterator[Capture]:
    """The pages of some days. A Hub that is lost ends them, so that those it gave are landed first."""
    try:
        for found in (outcome for day in days for outcome in hub.daily(day)):
            if isinstance(found, Capture):
                yield found
            elif isinstance(found, Failed):
                failed.append(found)
    except SourceFailed as error:
        lost.append(error)


@step("capture")
def capture_task(lake: str, since: date | None, until: date | None) -> Landing:
    with Hub(load()) as hub:
        return capture_due(lake, hub, since=since, until=until, clock=CLOCK)


@flow(name="capture")
def capture(lake: str, since: date | None = None, until: date | None = None) -> Landing:
    """Capture the daily lists that are due from the Hub itself."""
    landing = capture_task(lake, since, until)
    log.info(str(landing))
    for refused in landing.refused:
        log.warning("not captured %s: %s", refused.name, refused.reason)
    create_markdown_artifact(f"{landing}\n", key="paperlake-capture", description="What was captured")
    return landing
