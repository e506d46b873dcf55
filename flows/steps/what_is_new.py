"""What is new to a run: captures and corrections that the latest release has not; or nothing at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec
import polars as pl
import yaml

from flows import plan
from flows.documents.release_index import pages_instead
from flows.landing.inputs import Input, captures_from
from flows.plan.listed_papers import adoption_wanted, listed_papers, missing_list_of_latest
from flows.plan.others_due import others_due
from flows.runtime.lake import journal_folder, sole_writer
from flows.runtime.progress import log
from flows.runtime.variables import variable
from transforms.corrections import NONE, Correction, declared
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits, Notice
from warehouse.archive.index import IndexEntry
from warehouse.archive.journal import NAMES
from warehouse.archive.writer import WARCS, Landed
from warehouse.errors import Damaged, NothingThere, PaperlakeError, StoreFailed, UsageError
from warehouse.inventory.pool_files import is_over, pool_all
from warehouse.release.manifest import Manifest
from warehouse.release.schema_changes import changed_tables
from warehouse.release.snapshot import Snapshot, latest_release
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.store.lease import InUse
from warehouse.store.local_files import LocalFiles, local_files
from warehouse.store.store import Store

SETTING: Final = variable("corrections")
NULL: Final = "tag:yaml.org,2002:null"


class _AsWritten(yaml.SafeLoader):
    """A loader that keeps every value but null as the text that was written: the id 2504.12980 is no number."""


_AsWritten.yaml_implicit_resolvers = {
    first: [one for one in known if one[0] == NULL] for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def corrections_of(path: Path | None, parent: Snapshot[Manifest] | None) -> pl.DataFrame:
    """The corrections to apply; UsageError where the file is no list of any, GateClosed where one cannot be applied.

    Damaged where only the latest release has them, and its table is not what was written: no page has them.
    """
    if path is None:
        held = parent.tables.get(CORRECTIONS.name) if parent else None
        if parent is None or held is None or not held.row_count:
            return NONE
        if not parent.is_sound(CORRECTIONS):
            raise Damaged(
                f"the corrections of release {parent.name} are not what was written; restore it from a copy, or name "
                f"their file: {SETTING} (docs/corrections.md)"
            )
        return parent.read(CORRECTIONS).drop("capture_id")
    try:
        written = yaml.load(path.expanduser().read_bytes(), _AsWritten)  # noqa: S506 - a SafeLoader
        entries = msgspec.convert(written or [], list[Correction])
        msgspec.json.encode(entries)  # half of a pair of surrogates is no text
        return declared(entries)
    except OSError as error:
        raise UsageError(f"{SETTING}: cannot read {path}: {error.strerror}") from error
    except (yaml.YAMLError, msgspec.ValidationError, ValueError) as error:
        words = " ".join(str(error).split())
        raise UsageError(f"{SETTING}: {path} is no list of corrections (docs/corrections.md): {words}") from error


def is_corrected_alike(release: Snapshot[Manifest], corrections: pl.DataFrame) -> bool:
    """Whether a release has these corrections and no others; one that is damaged has not."""
    if not release.is_sound(CORRECTIONS):
        return False
    return release.read(CORRECTIONS).drop("capture_id").sort(CORRECTIONS.key).equals(corrections.sort(CORRECTIONS.key))


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
        history = plan.PastCalls(entries, now)
        of_hub = plan.due_now(scope, history, now, papers, adoption_wanted(store, scope))
        of_others = any(True for _ in others_due(store, scope, entries, history, now))
        is_waiting = any(journal_folder(store).glob(NAMES)) or of_hub or of_others
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
