"""Flow `daily`: land, build, publish."""

from __future__ import annotations

from prefect import flow

from flows.build import build
from flows.land import Landing, land
from flows.publish import publish
from warehouse.manifest import Manifest


@flow(name="daily")
def daily(lake: str, paths: list[str]) -> tuple[Landing, Manifest | None]:
    """Land what the paths hold, build what is new, publish it. No manifest means there was nothing new."""
    landing = land(lake, paths)
    draft = build(lake)
    return landing, publish(lake) if draft is not None else None
