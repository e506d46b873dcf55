"""Step `make draft`: unread captures become sightings, sightings become tables, tables become a draft."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Final

import polars as pl
from msgspec.structs import replace

from flows.documents.drift import source_changes
from flows.runtime.encoder import encoder
from flows.runtime.progress import track
from flows.steps.corrections_file import corrections_of, is_corrected_alike
from flows.steps.next_tables import READ_RESULTS, can_follow, next_tables
from flows.steps.why.code_digest import code_digest
from flows.tasks.full_build import full_build
from flows.tasks.read_chunk import ChunkRead, Kept, chunks, keep, nothing_read, read_back, read_chunk, read_kept
from flows.tasks.workplace import Workplace, workplace
from transforms.collect.collect import Collected
from transforms.corrections import NONE
from transforms.search.embeddings import Encode
from warehouse.archive.archive import Archive
from warehouse.errors import NothingThere
from warehouse.release.draft import write_draft
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.schema_changes import changed_tables, require_not_newer
from warehouse.release.snapshot import Snapshot, latest_release, locate
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.schema_paths import SCHEMA_PATHS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.store.local_files import LocalFiles

MOST_NEW: Final = 20_000  # sightings that are in memory together; a build of more is a full one


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
    encode = encoder() if semantic else None
    with workplace(store) as at:
        asked = list(chunks(unread, store.url, at.place.url))
        read = list(track(at.spread(read_chunk, asked), "reading", len(asked)))
        is_day = sum(sum(one.rows.values()) for one in read) <= MOST_NEW
        if before and not changed and is_day and can_follow(before):
            draft = next_draft(before, read_back(at.place, read), encode, declared)
        else:
            read += _held(at, before) if before else []
            draft = full_build(files, at, read, parent, encode, corrections=declared)
    return replace(draft, code_sha256=code_digest(semantic=semantic)) if draft else None


def next_draft(
    before: Snapshot[Manifest], new: Collected, encode: Encode | None = None, corrections: pl.DataFrame = NONE
) -> Draft | None:
    """The draft that follows a release of this paperlake, of what is new."""
    tables = next_tables(new, before, encode, corrections)
    changes = source_changes(before, tables[SCHEMA_PATHS.name].frame)
    store, code_version = before.files.store, version("paperlake")
    return write_draft(store, tables, before, code_version=code_version, source_changes=changes)


def _held(at: Workplace, before: Snapshot[Manifest]) -> list[ChunkRead]:
    """What was read for a release, as chunks."""
    tables = {table.name: before.read(table) for table in (CAPTURES, QUARANTINE, SCHEMA_PATHS)}
    lake, files = before.files.store.url, before.tables[SIGHTINGS.name].files
    kept = [
        Kept(lake, at.place.url, f"kept/{number}", locate(before.of, file.key)) for number, file in enumerate(files)
    ]
    return [keep(at.place, "kept", nothing_read()._replace(**tables)), *at.spread(read_kept, kept)]
