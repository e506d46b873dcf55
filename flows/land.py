"""Flow `land`: put files, folders and WARC files into the archive, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from prefect import flow
from prefect.artifacts import create_markdown_artifact

from flows.runtime.deployed import ENDS
from flows.runtime.lake import open_lake
from flows.runtime.now import utc_now
from flows.runtime.progress import log
from flows.runtime.retries import step
from flows.runtime.settings import load
from flows.steps.land_inputs import land_inputs
from flows.watch.lineage import traced
from warehouse.archive.writer import Landed
from warehouse.errors import InputRefused
from warehouse.store.store import Store

land_task = step("land")(land_inputs)


@flow(name="land", **ENDS)
def land(lake: str, paths: list[str]) -> Landed:
    """Land files, folders and WARC files in the lake's archive."""
    return land_in(open_lake(lake), paths)


def land_in(store: Store, paths: Sequence[str]) -> Landed:
    """The steps of the flow, within a flow run that has begun."""
    now = utc_now()
    with traced(store, "land") as run:
        landed = land_task(store, [Path(path) for path in paths], limits=load().limits(), now=now)
        if run:
            run.landed(landed, "files")
    log.info(str(landed))
    for refused in landed.refused:
        log.warning("refused %s: %s", refused.name, refused.reason)
    create_markdown_artifact(f"{landed}\n", key="paperlake-land", description="What was landed")
    return landed


def require_all(landed: Landed) -> None:
    """Raise InputRefused if anything was refused; for the end of a run, when all else is done."""
    if landed.refused:
        raise InputRefused(f"{len(landed.refused)} inputs were refused (see above); everything else was landed")
