"""Flow `daily`: land files or capture from the Hub, build, publish, and fail where an expected list is missing."""

from __future__ import annotations

from datetime import date
from typing import Final, cast

from prefect import flow
from prefect.states import Failed

from flows.build import build_in
from flows.capture import capture_in
from flows.hub.client import CLOCK
from flows.land import land_in
from flows.publish import publish_in, summary_line
from flows.runtime.deployed import ENDS, begin
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.runtime.retries import step
from flows.steps.missing_list import missing_list_of_latest, no_list
from warehouse.archive.writer import Landed
from warehouse.errors import NoList, Superseded
from warehouse.release.draft import drop_draft
from warehouse.release.manifest import Manifest
from warehouse.store.local_files import LocalFiles, local_files

TRIES: Final = 5  # builds of one run; each one that fails is a release that another run published

missing_list_task = step("look for the list")(missing_list_of_latest)


@flow(name="daily", **ENDS)
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
    is_deployed = begin(lake)
    store = open_lake(lake)
    landed = land_in(store, paths) if paths else capture_in(store, since, until, details=details)
    with local_files(store) as files:
        manifest = build_and_publish(files, accepted_loss)
        if is_deployed:
            log.info(summary_line(manifest))
        missing = None if paths or since or until else missing_list_task(files, CLOCK.now())
    if missing is None:
        return landed, manifest
    error = no_list(missing, summary_line(manifest))
    failed: object = Failed(name=NoList.__name__, message=str(error), data=error)
    return cast("tuple[Landed, Manifest | None]", failed)  # Prefect takes a returned state for the run's


def build_and_publish(files: LocalFiles, accepted_loss: str | None) -> Manifest | None:
    """Build what is new and publish it; where another run published first, build again on top of its release.

    None: there is nothing new. Superseded where other runs publish first TRIES times in a row.
    """
    for tries_left in reversed(range(TRIES)):
        draft = None
        try:
            draft = build_in(files, accepted_loss=accepted_loss)
            return publish_in(files, draft) if draft else None
        except Superseded:
            if draft is not None:
                drop_draft(files.store, draft)
            if not tries_left:
                raise
            log.info("another run published first; building on its release")
    return None
