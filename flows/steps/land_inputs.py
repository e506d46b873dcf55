"""The step `land`: puts what files, folders, WARC and WACZ files hold into the archive byte for byte."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from flows.running.how import How, traced
from flows.runtime.environment import utc_now
from flows.runtime.lake import require_landable
from flows.runtime.progress import log, track
from flows.runtime.settings import load
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits, Refused, Revisit, shown
from warehouse.archive.folder_import import Input, captures_from
from warehouse.archive.writer import Landed
from warehouse.errors import InputRefused
from warehouse.printable import counted
from warehouse.store.store import Store

AHEAD: Final = timedelta(days=1)  # a local time that was taken for UTC, or a clock that is a little wrong
YET_TO_COME: Final = (
    "%s would have been fetched in days to come, the first at %s UTC: %s; lists are expected until then. If that is"
    " mistyped, disown the page (paperlake captures disown), and land it with the right time"
)


def land_in(store: Store, paths: Sequence[Path], how: How) -> Landed:
    """Land files, folders, WARC and WACZ files, and say what came of it."""
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
        raise InputRefused(f"{counted(len(landed.refused), 'input')} refused (see above); everything else was landed")


def land_inputs(store: Store, paths: Sequence[Path], *, limits: Limits, now: datetime) -> Landed:
    """Land what the paths hold. What cannot be landed is refused with a reason, and the rest is landed."""
    require_landable(store)
    refused: list[Refused] = []
    captures = _captures(captures_from(paths, limits, store.folder), refused, now)
    landed = Archive(store).write(track(captures, "landing"), now=now)
    return Landed(refused=tuple(refused)) + landed


def _captures(inputs: Iterable[Input], refused: list[Refused], now: datetime) -> Iterator[Capture | Revisit]:
    ahead = list[tuple[datetime, str]]()
    for found in inputs:
        if isinstance(found, Capture | Revisit):
            page = found if isinstance(found, Capture) else found.capture
            if page.fetched_at and page.fetched_at > now + AHEAD:
                ahead.append((page.fetched_at, page.url or "a page"))
            yield found
        elif isinstance(found, Refused):
            refused.append(found)
        else:
            log.warning(found.text)
    if ahead:
        at, url = ahead[0]
        log.warning(YET_TO_COME, counted(len(ahead), "page"), at, shown(url))
