"""Flow `verify`: everything that is kept is read back, so that rotten bytes are found while a copy lives."""

from __future__ import annotations

from prefect import flow

from flows.runtime.deployed import begin, tell
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.runtime.read_back import require_sound, verify_raw, verify_release
from flows.runtime.retries import step


@step("verify the archive")
def raw_task(lake: str) -> tuple[str, list[str]]:
    return verify_raw(open_lake(lake))


@step("verify the latest release")
def release_task(lake: str) -> tuple[str, list[str]]:
    return verify_release(open_lake(lake))


@flow(name="verify", on_failure=[tell], on_crashed=[tell])
def verify(lake: str) -> None:
    """Re-read every record of the archive and every file of the latest release; Damaged names each fault of both."""
    begin(lake)
    found = [raw_task(lake), release_task(lake)]
    sound = "; ".join(sound for sound, _ in found)
    log.info(require_sound(lake, (sound, [fault for _, wrong in found for fault in wrong])))
