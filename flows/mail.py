"""Flow `digest`: send the letters that are due, from the latest release. Its only parameter is the lake, no address."""

from __future__ import annotations

from prefect import flow

from flows.digest.config import config_of, require_packages
from flows.runtime.deployed import ENDS, begin
from flows.runtime.lake import open_database, open_lake
from flows.runtime.now import utc_now
from flows.runtime.progress import log
from flows.runtime.retries import step
from flows.runtime.settings import load
from warehouse.release.latest import latest
from warehouse.release.query import opened


def send_of_latest(lake: str) -> str:
    """Send the letters that are due, and return a summary line; before the first release none is due."""
    require_packages()
    from flows.digest.sending import NOTHING_DUE, send_due, summary_line

    if latest(open_lake(lake)) is None:
        return NOTHING_DUE
    with opened(open_database(lake)) as database:
        return summary_line(send_due(config_of(load()), database, utc_now))


send_task = step("send letters")(send_of_latest)


@flow(name="digest", **ENDS)
def digest(lake: str) -> str:
    """Send the letters that are due by each subscriber's date and hour, of the lists of the latest release."""
    is_deployed = begin(lake)
    summary = send_task(lake)
    if is_deployed:
        log.info(summary)
    return summary
