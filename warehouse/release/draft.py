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

from warehouse.errors import Damaged, NothingThere
from warehouse.release import parquet
from warehouse.release.latest import release_files, release_key
from warehouse.release.manifest import Draft, File, Manifest, Parent, TableFiles, decode, digest, encode, identity_of
from warehouse.release.parquet import Part
from warehouse.schema.table import Table
from warehouse.schema.tables import CORE_TABLES, schema_digest
from warehouse.store.far_objects import PathOf
from warehouse.store.local_files import scratch
from warehouse.store.store import Store, read_if_there

DRAFTS: Final = "drafts"
CURRENT: Final = f"{DRAFTS}/current.json"
LIST_DAYS: Final = {"daily_listings": "listed_on"}
WRITERS: Final = 2  # compression is the work: more threads than cores gain nothing


def write_draft(  # noqa: PLR0913
    store: Store,
    tables: Mapping[str, pl.DataFrame],
    *,
    parent: Parent | None,
    known: Mapping[str, File],
    code_version: str,
    schema_version: int,
) -> Draft:
    """Write the tables to the lake and describe them. Files that are `known` stand in the parent already."""
    parts = [part for table in CORE_TABLES for part in parquet.parts(table, tables[table.name])]
    with scratch() as folder, ThreadPoolExecutor(WRITERS) as pool:
        files = tuple(pool.map(lambda part: known.get(part.key) or _write(folder, part), parts))
        draft = _draft(tables, _described(parts, files), parent, (code_version, schema_version), known)
        for file in files:
            if file.key not in known:
                store.put_file_new(key_of(draft.draft_id, file.key), folder / file.key)
    return draft


def _write(folder: Path, part: Part) -> File:
    path = folder / part.key
    path.parent.mkdir(parents=True, exist_ok=True)
    part.write(path)
    return File(part.key, path.stat().st_size, parquet.sha256(path))


def _draft(
    tables: Mapping[str, pl.DataFrame],
    described: tuple[TableFiles, ...],
    parent: Parent | None,
    versions: tuple[str, int],
    kept: Iterable[str],
) -> Draft:
    captures = tables["captures"]["capture_id"]
    code_version, schema_version = versions
    return Draft(
        draft_id=identity_of(parent, schema_version, code_version, described),
        schema_version=schema_version,
        code_version=code_version,
        parent=parent,
        capture_count=len(captures),
        captures_sha256=digest("\n".join(captures).encode()),
        tables=described,
        kept=tuple(sorted(kept)),
    )


def _described(parts: list[Part], files: tuple[File, ...]) -> tuple[TableFiles, ...]:
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


def key_of(draft_id: str, key: str) -> str:
    return f"{DRAFTS}/{draft_id}/{key}"


def unchanged_files(parent: Manifest, tables: Mapping[str, pl.DataFrame], path_of: PathOf) -> dict[str, File]:
    """The parent's files whose rows are these again, to be kept as they are."""
    stored = release_files(parent.version, path_of)
    parts = {part.key: part.frame for table in CORE_TABLES for part in parquet.parts(table, tables[table.name])}
    files = (file for table in parent.tables for file in table.files if file.key in parts)
    sound = (file for file in files if is_sound(file, stored))
    return {file.key: file for file in sound if _is_same(pl.read_parquet(stored(file.key)), parts[file.key])}


def _is_same(stored: pl.DataFrame, frame: pl.DataFrame) -> bool:
    return stored.schema == frame.schema and stored.equals(frame)


def is_sound(file: File, path_of: PathOf) -> bool:
    """Whether the file is there, and is what its release says: one that is not must not pass into the next release."""
    try:
        return parquet.sha256(path_of(file.key)) == file.sha256
    except NothingThere:
        return False


def name_current(store: Store, draft: Draft, report: bytes) -> Draft:
    """Let the draft be published: it passed the gate with this report."""
    passed = msgspec.structs.replace(draft, report=msgspec.Raw(report))
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


def locate(draft: Draft, key: str) -> str:
    """Where the lake has a draft's file: in the parent where it is kept as it was, else in the draft."""
    if draft.parent is not None and key in draft.kept:
        return release_key(draft.parent.version, key)
    return key_of(draft.draft_id, key)


def draft_files(draft: Draft, path_of: PathOf) -> PathOf:
    """A draft's files on this machine, by their keys in the release to be."""
    return lambda key: path_of(locate(draft, key))


def read_table(table: Table, described: Iterable[TableFiles], path_of: PathOf) -> pl.DataFrame:
    """One of the tables of a draft or a release, as it was written; Damaged where it is not."""
    files = [file for found in described if found.name == table.name for file in found.files]
    for file in files:
        if not is_sound(file, path_of):
            raise Damaged(f'{file.key} of {table.name} is not what was written; run "paperlake verify"')
    return parquet.read(table, [path_of(file.key) for file in files])
