"""Flow `daily`: land, or capture from the Hub; then build, then publish; then say so where a list is missing."""

from __future__ import annotations

from datetime import date
from typing import cast

from prefect import flow
from prefect.states import Failed

from flows.build import build_in
from flows.capture import capture_in
from flows.hub.client import CLOCK
from flows.land import land_in
from flows.publish import publish_in, summary_line
from flows.runtime.deployed import begin, log_failure
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.runtime.retries import step
from flows.steps.missing_list import missing_list_of_latest, no_list
from warehouse.archive.writer import Landed
from warehouse.errors import NoList
from warehouse.release.manifest import Manifest
from warehouse.store.local_files import local_files

missing_list_task = step("look for the list")(missing_list_of_latest)


@flow(name="daily", on_failure=[log_failure], on_crashed=[log_failure])
def daily(  # noqa: PLR0913 - what a deployment may choose
    lake: str,
    paths: list[str] | None = None,
    since: date | None = None,
    until: date | None = None,
    *,
    details: bool = False,
    accepted_loss: str | None = None,
) -> tuple[Landed, Manifest | None]:
    """Land what the paths hold, or without paths what is due at the Hub; build what is new and publish it.

    No manifest means there was nothing new. A run that captures what is due, and leaves the lake without a list that
    should be there by now, ends with NoList: a Failed state of that name.
    """
    is_deployed = begin(lake)
    store = open_lake(lake)
    landed = land_in(store, paths) if paths else capture_in(store, since, until, details=details)
    with local_files(store) as files:
        draft = build_in(files, accepted_loss=accepted_loss)
        manifest = publish_in(files) if draft is not None else None
        if is_deployed:
            log.info(summary_line(manifest))
        missing = None if paths or since or until else missing_list_task(files, CLOCK.now())
    if missing is None:
        return landed, manifest
    error = no_list(missing, summary_line(manifest))
    failed: object = Failed(name=NoList.__name__, message=str(error), data=error)
    return cast("tuple[Landed, Manifest | None]", failed)  # Prefect takes a returned state for the run's
