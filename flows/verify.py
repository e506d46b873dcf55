"""Flows that look at a lake: `verify` finds damage while a copy still exists, `freshness` a lake that has grown old."""

from prefect import flow

from flows.running.deployed import CRASHES, flow_run
from flows.runtime.environment import utc_now
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.runtime.settings import load
from flows.steps.read_back import require_sound, verify_raw, verify_release
from flows.watch.status import status_of, too_old
from warehouse.errors import TooOld


@flow(name="verify", **CRASHES)
def verify(lake: str) -> None:
    """Re-read every record of the archive and every file of the latest release; Damaged names each fault of both."""
    with flow_run(lake, "verify") as how:
        store = open_lake(lake)
        raw, broken = how.step("verify the archive", verify_raw, store)
        release, wrong = how.step("verify the latest release", verify_release, store)
        log.info(require_sound(lake, (f"{raw}; {release}", [*broken, *wrong])))


@flow(name="freshness", **CRASHES)
def freshness(lake: str) -> None:
    """Raise TooOld where the newest page, or what waits for a release, is older than PAPERLAKE_ALERT_MAX_AGE."""
    with flow_run(lake, "freshness"):
        settings, now = load(), utc_now()
        found = status_of(open_lake(lake), settings.scope(), now)
        if reasons := list(too_old(found, settings.alert_max_age, now)):
            raise TooOld("\n".join(reasons))
        log.info("the newest page was fetched at %s UTC", found.captured_at)
