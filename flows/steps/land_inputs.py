"""What `land` does: put files, folders and WARC files into the archive, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from flows.running.run_statistics import How, traced
from flows.runtime.now import utc_now
from flows.runtime.progress import log, track
from flows.runtime.settings import load
from flows.steps.inputs import Input, captures_from
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits, Refused, Revisit
from warehouse.archive.writer import Landed
from warehouse.errors import InputRefused
from warehouse.release.latest import LATEST, require_known_format
from warehouse.store.store import Store, read_if_there


def land_in(store: Store, paths: Sequence[Path], how: How) -> Landed:
    """Land files, folders and WARC files, and say what came of it."""
    with traced(store, "land") as run:
        landed = how.step("land", land_inputs, store, paths, limits=load().limits(), now=utc_now())
        if run:
            run.landed(landed, "files")
    log.info(str(landed))
    for refused in landed.refused:
        log.warning("refused %s: %s", refused.name, refused.reason)
    how.show("paperlake-land", "What was landed", f"{landed}\n")
    return landed


def require_all(landed: Landed) -> None:
    """Raise InputRefused if anything was refused; for the end of a run, when all else is done."""
    if landed.refused:
        raise InputRefused(f"{len(landed.refused)} inputs were refused (see above); everything else was landed")


def land_inputs(store: Store, paths: Sequence[Path], *, limits: Limits, now: datetime) -> Landed:
    """Land what the paths hold. What cannot be landed is refused with a reason, and the rest is landed."""
    require_known_format(store.url, read_if_there(store, LATEST))
    refused: list[Refused] = []
    captures = _captures(captures_from(paths, limits, store.folder), refused)
    archive = Archive(store)
    archive.recover()
    landed = archive.write(track(captures, "landing"), now=now)
    return Landed(refused=tuple(refused)) + landed


def _captures(inputs: Iterable[Input], refused: list[Refused]) -> Iterator[Capture | Revisit]:
    for found in inputs:
        if isinstance(found, Capture | Revisit):
            yield found
        elif isinstance(found, Refused):
            refused.append(found)
        else:
            log.warning(found.text)
