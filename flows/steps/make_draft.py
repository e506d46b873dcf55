"""Step `make draft`: unread captures become sightings, sightings become tables, tables become a draft."""

from __future__ import annotations

from importlib.metadata import version
from itertools import islice
from pathlib import Path

from flows.documents.drift import source_changes
from flows.runtime.encoder import encoder
from flows.runtime.progress import track
from flows.steps.corrections_file import corrections_of, is_corrected_alike
from flows.steps.next_tables import READ_RESULTS, joined, next_tables
from transforms.collect.collect import collect, read_page
from warehouse.archive.archive import Archive
from warehouse.errors import NothingThere
from warehouse.release.draft import write_draft
from warehouse.release.manifest import Draft
from warehouse.release.schema_changes import changed_tables, require_not_newer
from warehouse.release.snapshot import latest_release
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.schema_paths import SCHEMA_PATHS
from warehouse.store.local_files import LocalFiles

PAGES_AT_A_TIME = 200  # captures whose rows are in memory before they are a frame


def make_draft(
    files: LocalFiles, *, from_raw: bool, semantic: bool = False, corrections: Path | None = None
) -> Draft | None:
    """Tables for the next release, written as a draft; None where they would be those of the latest release.

    The texts of a `semantic` one are read by a language model too. `corrections` is the file that declares them;
    without one they are those of the latest release.
    """
    store, parent = files.store, latest_release(files)
    changed = changed_tables(parent) if parent else set()
    if parent and changed:
        require_not_newer(parent.of, version("paperlake"))
    before = parent if not from_raw and changed.isdisjoint(table.name for table in READ_RESULTS) else None
    entries = Archive(store).index()
    if not entries:
        raise NothingThere(f'nothing has been landed in {store.url}; run "paperlake land PATH" first')
    landed = set(before.read(CAPTURES)["capture_id"]) if before else set()
    unread = [entry for entry in entries if entry.capture_id not in landed]
    declared = corrections_of(corrections, parent)
    if before and not unread and not changed and is_corrected_alike(before, declared):
        return None
    captures = track(Archive(store).captures(unread), "reading", len(unread))
    chunks = range(0, len(unread), PAGES_AT_A_TIME)
    parts = [collect(map(read_page, islice(captures, PAGES_AT_A_TIME))) for _ in chunks] or [collect([])]
    tables = next_tables(joined(parts), before, changed, encoder() if semantic else None, declared)
    changes = source_changes(parent, tables[SCHEMA_PATHS.name].frame)
    return write_draft(store, tables, parent, code_version=version("paperlake"), source_changes=changes)
