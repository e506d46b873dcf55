"""Flow `verify`: read the archive and the latest release back, so that damage is found while a copy still exists."""

from __future__ import annotations

from prefect import flow

from flows.running.deployed import CRASHES, flow_run
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.steps.read_back import require_sound, verify_raw, verify_release


@flow(name="verify", **CRASHES)
def verify(lake: str) -> None:
    """Re-read every record of the archive and every file of the latest release; Damaged names each fault of both."""
    with flow_run(lake, "verify") as how:
        store = open_lake(lake)
        raw, broken = how.step("verify the archive", verify_raw, store)
        release, wrong = how.step("verify the latest release", verify_release, store)
        log.info(require_sound(lake, (f"{raw}; {release}", [*broken, *wrong])))
