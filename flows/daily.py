"""Flow `daily`: land, or capture from the Hub; then build, then publish."""

from __future__ import annotations

from datetime import date

from prefect import flow

from flows.build import build
from flows.capture import capture
from flows.land import land
from flows.landing import Landing
from flows.publish import publish
from warehouse.manifest import Manifest


@flow(name="daily")
def daily(
    lake: str,
    paths: list[str] | None = None,
    since: date | None = None,
    until: date | None = None,
    *,
    details: bool = False,
) -> tuple[Landing, Manifest | None]:
    """Land what the paths hold, or without paths what is due at the Hub; build what is new and publish it.

    No manifest means there was nothing new.
    """
    landing = land(lake, paths) if paths else capture(lake, since, until, details=details)
    draft = build(lake)
    return landing, publish(lake) if draft is not None else None
