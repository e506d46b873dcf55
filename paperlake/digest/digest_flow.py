"""Flow `digest`: send the letters that are due, from the latest release. Its only parameter is the lake, no address."""

from prefect import flow

from flows.running.deployed import CRASHES, flow_run
from flows.running.mail import require_packages
from flows.runtime.progress import log


@flow(name="digest", **CRASHES)
def digest(lake: str) -> str:
    """Send the letters that are due by each subscriber's date and hour, of the lists of the latest release."""
    with flow_run(lake, "digest") as how:
        require_packages()
        from paperlake.digest.sending import send_of_latest

        summary = how.step("send letters", send_of_latest, lake)
        if how.is_deployed:
            log.info(summary)
        return summary
