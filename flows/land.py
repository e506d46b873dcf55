"""Flow `land`: files, folders and WARCs into the archive, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from prefect import flow
from prefect.artifacts import create_markdown_artifact

from flows.landing.inputs import Input, captures_from
from flows.landing.landing import Landing, landing_of
from flows.runtime.lake import open_lake
from flows.runtime.now import utc_now
from flows.runtime.progress import log, track
from flows.runtime.retries import step
from flows.runtime.settings import load
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits, Refused
from warehouse.archive.outcome import Revisit
from warehouse.errors import InputRefused


def land_inputs(lake: str, paths: Sequence[Path], *, limits: Limits, now: datetime) -> Landing:
    """Land what the paths hold. What cannot be landed is refused with a reason, and the rest is landed."""
    refused: list[Refused] = []
    store = open_lake(lake)
    captures = _captures(captures_from(paths, limits, store.folder), refused)
    archive = Archive(store)
    archive.recover()
    landed = archive.write(track(captures, "landing"), now=now)
    return landing_of(landed, refused)


def _captures(inputs: Iterable[Input], refused: list[Refused]) -> Iterator[Capture | Revisit]:
    for found in inputs:
        if isinstance(found, Capture | Revisit):
            yield found
        elif isinstance(found, Refused):
            refused.append(found)
        else:
            log.warning(found.text)


@step("land")
def land_task(lake: str, paths: list[str]) -> Landing:
    return land_inputs(lake, [Path(path) for path in paths], limits=load().limits(), now=utc_now())


@flow(name="land")
def land(lake: str, paths: list[str]) -> Landing:
    """Land files, folders and WARC files in the lake's archive."""
    landing = land_task(lake, paths)
    log.info(str(landing))
    for refused in landing.refused:
        log.warning("refused %s: %s", refused.name, refused.reason)
    create_markdown_artifact(f"{landing}\n", key="paperlake-land", description="What was landed")
    return landing


def require_all(landing: Landing) -> None:
    """Raise InputRefused if anything was refused; for the end of a run, when all else is done."""
    if landing.refused:
        raise InputRefused(f"{len(landing.refused)} inputs were refused (see above); everything else was landed")
