"""Flow `capture`: fetch what is due at the Hub, and land it in the archive."""

from __future__ import annotations

from datetime import date

from prefect import flow
from prefect.artifacts import create_markdown_artifact

from flows.hub import Hub
from flows.hub.client import CLOCK
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.runtime.retries import step
from flows.runtime.settings import load
from flows.steps.capture_due import capture_due
from flows.watch.lineage import traced
from warehouse.archive.writer import Landed
from warehouse.store.store import Store

capture_task = step("capture")(capture_due)


@flow(name="capture")
def capture(lake: str, since: date | None = None, until: date | None = None, *, details: bool = False) -> Landed:
    """Fetch and land what is due at the Hub; with `since` or `until` the daily lists of those days."""
    return capture_in(open_lake(lake), since, until, details=details)


def capture_in(store: Store, since: date | None, until: date | None, *, details: bool) -> Landed:
    """The steps of the flow, within a flow run that has begun."""
    settings = load()
    with Hub(settings) as hub, traced(store, "land") as run:
        landed = capture_task(store, hub, settings.scope(since, until, with_details=details), clock=CLOCK)
        if run:
            run.landed(landed, settings.hub_url)
    log.info(str(landed))
    for refused in landed.refused:
        log.warning("not captured %s: %s", refused.name, refused.reason)
    create_markdown_artifact(f"{landed}\n", key="paperlake-capture", description="What was captured")
    return landed
