"""Drafts: the tables of a release to be, whole in the lake before anyone may publish them.

A draft lies under `drafts/<draft_id>/`, its id made from its content. `drafts/current.json` names the one that
passed the gate last; a draft that did not pass keeps its report there and is never named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
import polars as pl
from msgspec.structs import replace

from warehouse.errors import NothingThere
from warehouse.release import parquet
from warehouse.release.manifest import Draft, File, Manifest, TableFiles, decode, digest, encode, identity_of
from warehouse.release.parquet import Part
from warehouse.release.schema_changes import next_schema_version
from warehouse.release.snapshot import DRAFTS, Snapshot, draft_key
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.tables import CORE_TABLES, schema_digest
from warehouse.store.local_files import scratch, sha256
from warehouse.store.store import Store, read_if_there

CURRENT: Final = f"{DRAFTS}/current.json"
LIST_DAYS: Final = {"daily_listings": "listed_on"}
WRITERS: Final = 2  # compression is the work: more threads than cores gain nothing


def write_draft(
    store: Store,
    tables: Mapping[str, pl.DataFrame],
    parent: Snapshot[Manifest] | None,
    *,
    code_version: str,
    source_changes: tuple[str, ...] = (),
) -> Draft | None:
    """Write the tables to the lake and describe them; None where they are file by file those of the parent.

    A file that the parent has already is not written again.
    """
    parts = [part for table in CORE_TABLES for part in parquet.parts(table, tables[table.name])]
    kept = unchanged_files(parent, parts) if parent else {}
    if parent and len(parts) == len(kept) == sum(len(table.files) for table in parent.of.tables):
        return None
    with scratch() as folder, ThreadPoolExecutor(WRITERS) as pool:
        files = tuple(pool.map(lambda part: kept.get(part.key) or _write(folder, part), parts))
        draft = _draft(tables[CAPTURES.name], _described(parts, files), parent, code_version)
        draft = replace(draft, kept=tuple(sorted(kept)), source_changes=source_changes)
        for file in files:
            if file.key not in kept:
                store.put_file_new(draft_key(draft.draft_id, file.key), folder / file.key)
    return draft


def unchanged_files(parent: Snapshot[Manifest], parts: Iterable[Part]) -> dict[str, File]:
    """The parent's sound files whose rows are these again, to be kept as they are."""
    frames = {part.key: part.frame for part in parts}
    files = (file for table in parent.of.tables for file in table.files if file.key in frames)
    sound = (file for file in files if parent.has(file))
    stored = ((file, pl.read_parquet(parent.path(file.key))) for file in sound)
    return {
        file.key: file
        for file, frame in stored
        if frame.schema == frames[file.key].schema and frame.equals(frames[file.key])
    }


def _write(folder: Path, part: Part) -> File:
    path = folder / part.key
    path.parent.mkdir(parents=True, exist_ok=True)
    part.write(path)
    return File(part.key, path.stat().st_size, sha256(path))


def _draft(
    captures: pl.DataFrame, described: tuple[TableFiles, ...], parent: Snapshot[Manifest] | None, code_version: str
) -> Draft:
    follows, schema_version = parent.as_parent() if parent else None, next_schema_version(parent)
    return Draft(
        draft_id=identity_of(follows, schema_version, code_version, described),
        schema_version=schema_version,
        code_version=code_version,
        parent=follows,
        capture_count=captures.height,
        captures_sha256=digest("\n".join(captures["capture_id"]).encode()),
        tables=described,
    )


def _described(parts: Iterable[Part], files: Iterable[File]) -> tuple[TableFiles, ...]:
    """Each table with its files and rows, and its first and last list day where it has list days."""
    made = {table.name: TableFiles(table.name, 0, (), schema_sha256=schema_digest(table)) for table in CORE_TABLES}
    for part, file in zip(parts, files, strict=True):
        known = made[part.table.name]
        day = LIST_DAYS.get(known.name)
        made[known.name] = TableFiles(
            known.name,
            known.row_count + part.frame.height,
            (*known.files, file),
            _iso(part.frame[day].min()) if day else None,
            _iso(part.frame[day].max()) if day else None,
            known.schema_sha256,
        )
    return tuple(made.values())


def _iso(day: object) -> str | None:
    return day.isoformat() if isinstance(day, date) else None


def name_current(store: Store, draft: Draft, report: bytes) -> Draft:
    """Let the draft be published: it passed the gate with this report."""
    passed = replace(draft, report=msgspec.Raw(report))
    store.put(CURRENT, encode(passed))
    return passed


def has_current(store: Store) -> bool:
    return store.exists(CURRENT)


def current_draft(store: Store) -> Draft:
    """The draft that may be published."""
    data = read_if_there(store, CURRENT)
    if data is None:
        raise NothingThere(f'no checked draft is waiting in {store.url}; run "paperlake build" first')
    return decode(data, Draft, CURRENT)


def drop_drafts(store: Store) -> None:
    """Forget every draft, once one has been published or another supersedes it."""
    store.delete(CURRENT)
    store.delete_prefix(DRAFTS)
