"""Flow `digest`: the letters that are due, of the latest release. Its parameter is the lake, and nobody's address."""

from __future__ import annotations

from prefect import flow

from flows.digest.desk import desk_of, require_packages
from flows.runtime.deployed import ENDS, begin
from flows.runtime.lake import open_database, open_lake
from flows.runtime.now import utc_now
from flows.runtime.progress import log
from flows.runtime.retries import step
from flows.runtime.settings import load
from warehouse.release.latest import latest
from warehouse.release.query import opened


def send_of_latest(lake: str) -> str:
    """Send what is due, in words what came of it; before the first release that is nothing, and no failure."""
    require_packages()
    from flows.digest.sending import NOTHING_DUE, send_due, summary_line

    if latest(open_lake(lake)) is None:
        return NOTHING_DUE
    with opened(open_database(lake)) as database:
        return summary_line(send_due(desk_of(load()), database, utc_now))


send_task = step("send letters")(send_of_latest)


@flow(name="digest", **ENDS)
def digest(lake: str) -> str:
    """Send the letters that are due by each subscriber's date and hour, of the lists of the latest release."""
    is_deployed = begin(lake)
    said = send_task(lake)
    if is_deployed:
        log.info(said)
    return said
