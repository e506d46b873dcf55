"""Flow `daily`: land, or capture from the Hub; then build, then publish; then say so where a list is missing."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import polars as pl
from prefect import flow
from prefect.states import Failed

from flows.build import build
from flows.capture import capture
from flows.hub.client import CLOCK
from flows.land import land
from flows.landing.landing import Landing
from flows.publish import publish, told
from flows.runtime.deployed import begin, tell
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.runtime.retries import step
from warehouse.errors import NoList
from warehouse.release import release
from warehouse.release.draft import read_table
from warehouse.release.latest import release_files
from warehouse.release.manifest import Manifest
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.list_days import list_days, opens_at
from warehouse.store.local_files import local_files

GRACE = timedelta(hours=6)  # the second fetch of a list; earlier it may still be empty (SOURCES §6)
LOOK_BACK = timedelta(days=4)  # from a Monday before its list opens, to the Friday, and to spare


def missing_list(captures: pl.DataFrame, now: datetime) -> date | None:
    """The newest list day that should have papers by now, if no capture of the daily API shows one; `now` is UTC.

    A holiday looks the same as a failure: the API's answer is in `captures`, `empty` with its reason.
    """
    today = now.date()
    expected = max(day for day in list_days(today - LOOK_BACK, today) if opens_at(day) + GRACE <= now)
    is_list = (pl.col("list_kind") == "daily") & (pl.col("reader") == "api_list") & (pl.col("listed_on") == expected)
    return None if captures.filter(is_list, pl.col("item_count") > 0).height else expected


@step("look for the list")
def missing_list_task(lake: str, now: datetime) -> date | None:
    store = open_lake(lake)
    manifest = release.latest_manifest(store)
    if manifest is None:
        return missing_list(CAPTURES.empty(), now)
    with local_files(store) as path_of:
        captures = read_table(CAPTURES, manifest.tables, release_files(manifest.version, path_of))
    return missing_list(captures, now)


@flow(name="daily", on_failure=[tell], on_crashed=[tell])
def daily(  # noqa: PLR0913 - what a deployment may choose
    lake: str,
    paths: list[str] | None = None,
    since: date | None = None,
    until: date | None = None,
    *,
    details: bool = False,
    accepted_loss: str | None = None,
) -> tuple[Landing, Manifest | None]:
    """Land what the paths hold, or without paths what is due at the Hub; build what is new and publish it.

    No manifest means there was nothing new. A run that captures what is due, and leaves the lake without a list that
    should be there by now, ends with NoList: a Failed state of that name.
    """
    is_deployed = begin(lake)
    landing = land(lake, paths) if paths else capture(lake, since, until, details=details)
    draft = build(lake, accepted_loss=accepted_loss)
    manifest = publish(lake) if draft is not None else None
    if is_deployed:
        log.info(told(manifest))
    missing = None if paths or since or until else missing_list_task(lake, CLOCK.now())
    return (landing, manifest) if missing is None else _failed(missing, manifest)


def _failed(missing: date, manifest: Manifest | None) -> Any:  # noqa: ANN401 Prefect takes a returned state for the run's
    error = NoList(
        f"no list of {missing:%A, %Y-%m-%d}: it opened at {opens_at(missing):%Y-%m-%d %H:%M} UTC, and the daily API "
        f"has shown none of its papers; {told(manifest)}. If it is no holiday, see what was answered: "
        f"paperlake sql \"FROM captures WHERE listed_on = DATE '{missing}'\""
    )
    return Failed(name=NoList.__name__, message=str(error), data=error)
