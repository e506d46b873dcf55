"""Flow `freshness`: fails where a lake has grown too old, so that an alert is sent although no other run failed."""

from __future__ import annotations

from prefect import flow

from flows.running.deployed import CRASHES, flow_run
from flows.runtime.lake import open_lake
from flows.runtime.now import utc_now
from flows.runtime.progress import log
from flows.runtime.settings import load
from flows.watch.status import status_of, too_old
from warehouse.errors import TooOld


@flow(name="freshness", **CRASHES)
def freshness(lake: str) -> None:
    """Raise TooOld where the newest page, or what waits for a release, is older than PAPERLAKE_ALERT_MAX_AGE."""
    with flow_run(lake, "freshness"):
        settings, now = load(), utc_now()
        found = status_of(open_lake(lake), settings.scope(), now)
        if reasons := list(too_old(found, settings.alert_max_age, now)):
            raise TooOld("\n".join(reasons))
        log.info("the newest page was fetched at %s UTC", found.captured_at)
