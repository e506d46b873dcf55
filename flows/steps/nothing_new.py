"""Finds without Prefect whether a run would change anything, so that a run with nothing to do is over in a second."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from flows import plan
from flows.landing.inputs import Input, captures_from
from flows.plan.listed_papers import listed_papers, missing_list_of_latest
from flows.runtime.lake import journal_folder
from flows.runtime.progress import log
from flows.steps.corrections_file import corrections_of, is_corrected_alike
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits, Notice
from warehouse.archive.index import IndexEntry
from warehouse.archive.journal import NAMES
from warehouse.archive.writer import WARCS, Landed
from warehouse.errors import PaperlakeError
from warehouse.release.schema_changes import changed_tables
from warehouse.release.snapshot import latest_release
from warehouse.schema.core.captures import CAPTURES
from warehouse.store.local_files import LocalFiles, local_files
from warehouse.store.store import Store

NOTHING_NEW: Final = "nothing new: every landed capture is in the latest release"


def nothing_new(  # noqa: PLR0913 - what a run is given
    store: Store,
    paths: Sequence[Path],
    scope: plan.Scope,
    limits: Limits,
    now: datetime,
    *,
    corrections: Path | None = None,
) -> Landed | None:
    """The report of a run that has nothing to do; None where it may have something to do, or may end with an error."""
    with suppress(PaperlakeError), local_files(store) as files:
        entries = Archive(store).index()
        if not is_released(files, entries, corrections):
            return None
        if paths:
            return all_landed(captures_from(paths, limits, store.folder), entries)
        papers = listed_papers(store, scope, now)
        is_waiting = any(journal_folder(store).glob(NAMES)) or plan.due_now(
            scope, plan.PastCalls(entries, now), now, papers
        )
        is_missing = not scope.is_backfill and missing_list_of_latest(files, now)
        return None if is_waiting or is_missing else Landed()
    return None


def is_released(files: LocalFiles, entries: Sequence[IndexEntry], corrections: Path | None = None) -> bool:
    """Whether the latest release has all that is landed, in the form of today and corrected as the file says, and no
    file waits to be indexed.
    """
    release = latest_release(files)
    return (
        release is not None
        and not changed_tables(release)
        and (corrections is None or is_corrected_alike(release, corrections_of(corrections, release)))
        and {entry.capture_id for entry in entries}.issubset(release.read(CAPTURES)["capture_id"])
        and {WARCS + entry.filename for entry in entries}.issuperset(files.store.list(WARCS))
    )


def all_landed(inputs: Iterable[Input], entries: Sequence[IndexEntry]) -> Landed | None:
    """The report where every input is a capture that is landed already, with notices logged; None where one is not."""
    known, notices, skipped = {entry.capture_id for entry in entries}, [], 0
    for found in inputs:
        if isinstance(found, Notice):
            notices.append(found.text)
        elif isinstance(found, Capture) and found.capture_id in known:
            skipped += 1
        else:
            return None
    for text in notices:
        log.warning(text)
    return Landed(skipped_count=skipped)
