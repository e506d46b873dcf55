"""What is new to a run: captures and corrections that the latest release lacks."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

import polars as pl

from flows.documents.release_index import pages_instead
from flows.plan.due import missing_list_of_latest
from flows.plan.others_due import calls_due
from flows.runtime.lake import journal_folder, sole_writer
from flows.runtime.progress import log
from flows.runtime.scope import Scope
from flows.steps.standing import last_published
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits, Notice
from warehouse.archive.folder_import import Input, captures_from
from warehouse.archive.index import IndexEntry
from warehouse.archive.journal import NAMES
from warehouse.archive.writer import WARCS, Landed
from warehouse.errors import Damaged, NothingThere, PaperlakeError, StoreFailed
from warehouse.inventory.pool_files import is_over, pool_all
from warehouse.release.manifest import Manifest
from warehouse.release.schema_changes import changed_tables
from warehouse.release.snapshot import Snapshot, latest_release
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.store.lease import InUse
from warehouse.store.local_files import LocalFiles, local_files
from warehouse.store.store import Store


def is_corrected_alike(release: Snapshot[Manifest], corrections: pl.DataFrame) -> bool:
    """Whether a release has these corrections and no others; one that is damaged has not."""
    if not release.is_sound(CORRECTIONS):
        return False
    return release.read(CORRECTIONS).drop("capture_id").sort(CORRECTIONS.key).equals(corrections.sort(CORRECTIONS.key))


NOTHING_NEW: Final = "nothing new: every landed capture is in the latest release"


def nothing_new(  # noqa: PLR0913 - what a run is given
    store: Store,
    paths: Sequence[Path],
    scope: Scope,
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
        is_waiting = any(journal_folder(store).glob(NAMES)) or any(True for _ in calls_due(store, scope, entries, now))
        is_missing = not scope.is_backfill and missing_list_of_latest(files, now)
        return None if is_waiting or is_missing else Landed()
    return None


def _is_decided_alike(release: Snapshot[Manifest], path: Path | None, files: LocalFiles) -> bool:
    """Whether a release has what the file says, and, after a rollback, what was decided in the one published last."""
    newest = last_published(files, release)
    if newest is None or (newest is release and path is None):
        return True
    from flows.steps.corrections_file import corrections_of  # and with it yaml: not for a run without corrections

    declared = corrections_of(path, newest, files.store)
    is_corrected = is_corrected_alike(release, declared) and is_corrected_alike(newest, declared)
    return is_corrected and newest.of.decisions == release.of.decisions


def is_released(files: LocalFiles, entries: Sequence[IndexEntry], corrections: Path | None = None) -> bool:
    """Whether the latest release has all that is landed and decided, and no file waits to be indexed.

    It has it in the form of today, and corrected as the file says.
    """
    release = latest_release(files)
    return (
        release is not None
        and not changed_tables(release)
        and _is_decided_alike(release, corrections, files)
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


def fold_replaced(store: Store, at: datetime) -> None:
    """Have the release that was replaced an hour ago share its files; not while another command writes."""
    try:
        if is_over(store, at):
            with sole_writer(store, "run") as held:
                pool_all(held, pages_instead, at=at)
    except InUse:
        return
    except (StoreFailed, Damaged, NothingThere) as error:  # the next one does
        log.warning("older releases do not share their files yet: %s", error)
