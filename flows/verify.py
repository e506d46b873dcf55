"""Flow `verify`: read the archive and the latest release back, so that damage is found while a copy still exists."""

from __future__ import annotations

from prefect import flow

from flows.runtime.deployed import ENDS, begin
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.runtime.retries import step
from flows.steps.read_back import require_sound, verify_raw, verify_release

raw_task = step("verify the archive")(verify_raw)
release_task = step("verify the latest release")(verify_release)


@flow(name="verify", **ENDS)
def verify(lake: str) -> None:
    """Re-read every record of the archive and every file of the latest release; Damaged names each fault of both."""
    begin(lake)
    store = open_lake(lake)
    found = [raw_task(store), release_task(store)]
    sound = "; ".join(sound for sound, _ in found)
    log.info(require_sound(lake, (sound, [fault for _, wrong in found for fault in wrong])))
