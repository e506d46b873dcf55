"""Flow `daily`: land files or capture from the Hub, build, publish, and fail where an expected list is missing."""

from datetime import date
from pathlib import Path
from typing import cast

from prefect import flow
from prefect.states import Failed

from flows.hub.fetch import CLOCK
from flows.plan.due import missing_list_of_latest, no_list
from flows.running.deployed import CRASHES, flow_run
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.steps.build_draft import build_and_publish
from flows.steps.capture_due import capture_in
from flows.steps.land_inputs import land_in
from flows.steps.write_release import summary_line
from warehouse.archive.writer import Landed
from warehouse.errors import NoList
from warehouse.release.manifest import Manifest
from warehouse.store.local_files import local_files


@flow(name="daily", **CRASHES)
def daily(  # noqa: PLR0913 - what a deployment may choose
    lake: str,
    paths: list[str] | None = None,
    since: date | None = None,
    until: date | None = None,
    *,
    details: bool = False,
    accepted_loss: str | None = None,
) -> tuple[Landed, Manifest | None]:
    """Land the paths, or without paths what is due at the Hub; then build what is new and publish it.

    No manifest means there was nothing new. A run that captures what is due, and leaves the lake without a list that
    should be there by now, ends with NoList: a Failed state of that name.
    """
    try:
        with flow_run(lake, "daily", paths) as how:
            store = open_lake(lake)
            if paths:
                landed = land_in(store, [Path(path) for path in paths], how)
            else:
                landed = capture_in(store, since, until, how, details=details)
            with local_files(store) as files:
                manifest = build_and_publish(files, accepted_loss, how)
                if how.is_deployed:
                    log.info(summary_line(manifest))
                if not (paths or since or until):
                    missing = how.step("look for the list", missing_list_of_latest, files, CLOCK.now())
                    if missing is not None:
                        raise no_list(missing, summary_line(manifest))
            return landed, manifest
    except NoList as error:
        failed: object = Failed(name=NoList.__name__, message=str(error), data=error)
        return cast("tuple[Landed, Manifest | None]", failed)  # Prefect takes a returned state for the run's
