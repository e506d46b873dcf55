"""Step `land`: put files, folders and WARC files into the archive, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from flows.landing.inputs import Input, captures_from
from flows.runtime.progress import log, track
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits, Refused
from warehouse.archive.outcome import Revisit
from warehouse.archive.writer import Landed
from warehouse.release.latest import LATEST, require_known_format
from warehouse.store.store import Store, read_if_there


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
