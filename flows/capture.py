"""Flow `capture`: what is due at the Hub, into the archive, before anything reads it."""

from __future__ import annotations

from datetime import date

from prefect import flow
from prefect.artifacts import create_markdown_artifact

from flows.hub import Hub
from flows.hub.client import CLOCK
from flows.landing.capturing import capture_due
from flows.landing.landing import Landing
from flows.runtime.progress import log
from flows.runtime.retries import step
from flows.runtime.settings import load


@step("capture")
def capture_task(lake: str, since: date | None, until: date | None, *, details: bool) -> Landing:
    settings = load()
    with Hub(settings) as hub:
        return capture_due(lake, hub, settings.scope(since, until, with_details=details), clock=CLOCK)


@flow(name="capture")
def capture(lake: str, since: date | None = None, until: date | None = None, *, details: bool = False) -> Landing:
    """Capture what is due from the Hub itself; with `since` or `until` the daily lists of those days."""
    landing = capture_task(lake, since, until, details=details)
    log.info(str(landing))
    for refused in landing.refused:
        log.warning("not captured %s: %s", refused.name, refused.reason)
    create_markdown_artifact(f"{landing}\n", key="paperlake-capture", description="What was captured")
    return landing
