"""Drafts: the tables of a release to be, whole in the lake before anyone may publish them.

A draft lies under `drafts/<draft_id>/`, its id made from its content. `drafts/current.json` names the one that
passed the gate last; a draft that did not pass keeps its report there and is never named.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
import polars as pl

from warehouse import parquet
from warehouse.errors import NothingThere
from warehouse.fetch import fetch
from warehouse.latest import release_key
from warehouse.manifest import Draft, File, Manifest, Parent, TableFiles, decode, digest, encode, identity_of
from warehouse.parquet import Part
from warehouse.store import Store
from warehouse.table import Table
from warehouse.tables import CORE_TABLES, SCHEMA_VERSION

DRAFTS: Final = "drafts"
CURRENT: Final = f"{DRAFTS}/current.json"
LIST_DAYS: Final = {"daily_listings": "listed_on"}
WRITERS: Final = 2  # compression is the work: more threads than cores gain nothing


def write_draft(
    store: Store,
    tables: Mapping[str, pl.DataFrame],
    *,
    parent: Parent | None,
    known: Mapping[str, File],
    code_version: str,
) -> Draft:
    """Write the tables to the lake and describe them. Files that are `known` stand in the parent already."""
    parts = [part for table in CORE_TABLES for part in parquet.parts(table, tables[table.name])]
    with tempfile.TemporaryDirectory(prefix="paperlake-") as folder, ThreadPoolExecutor(WRITERS) as pool:
        files = tuple(pool.map(lambda part: known.get(part.key) or _write(Path(folder), part), parts))
        draft = _draft(tables, _described(parts, files), parent, code_version)
        for file in files:
            if file.key not in known:
                store.put_file_new(key_of(draft.draft_id, file.key), Path(folder) / file.key)
    return draft


def _write(folder: Path, part: Part) -> File:
    path = folder / part.key
    path.parent.mkdir(parents=True, exist_ok=True)
    part.write(path)
    return File(part.key, path.stat().st_size, parquet.sha256(path))


def _draft(
    tables: Mapping[str, pl.DataFrame], described: tuple[TableFiles, ...], parent: Parent | None, code_version: str
) -> Draft:
    captures = tables["captures"]["capture_id"]
    return Draft(
        draft_id=identity_of(parent, SCHEMA_VERSION, code_version, described),
        schema_version=SCHEMA_VERSION,
        code_version=code_version,
        parent=parent,
        capture_count=len(captures),
        captures_sha256=digest("\n".join(captures).encode()),
        tables=described,
    )


def _described(parts: list[Part], files: tuple[File, ...]) -> tuple[TableFiles, ...]:
    """Each table with its files and rows, and its first and last list day where it has list days."""
    made = {table.name: TableFiles(table.name, 0, ()) for table in CORE_TABLES}
    for part, file in zip(parts, files, strict=True):
        known = made[part.table.name]
        day = LIST_DAYS.get(known.name)
        made[known.name] = TableFiles(
            known.name,
            known.row_count + part.frame.height,
            (*known.files, file),
            _iso(part.frame[day].min()) if day else None,
            _iso(part.frame[day].max()) if day else None,
        )
    return tuple(made.values())


def _iso(day: object) -> str | None:
    return day.isoformat() if isinstance(day, date) else None


def key_of(draft_id: str, key: str) -> str:
    return f"{DRAFTS}/{draft_id}/{key}"


def unchanged_files(store: Store, parent: Manifest | None, tables: Mapping[str, pl.DataFrame]) -> dict[str, File]:
    """The parent's files whose rows are these again, to be kept as they are."""
    if parent is None or parent.schema_version != SCHEMA_VERSION:
        return {}
    files = {file.key: file for table in parent.tables for file in table.files}
    parts = {part.key: part.frame for table in CORE_TABLES for part in parquet.parts(table, tables[table.name])}
    shared = {key: release_key(parent.version, key) for key in files.keys() & parts.keys()}
    with local_files(store, shared) as paths:
        return {key: files[key] for key, path in paths.items() if pl.read_parquet(path).equals(parts[key])}


def name_current(store: Store, draft: Draft, report: bytes) -> Draft:
    """Let the draft be published: it passed the gate with this report."""
    passed = msgspec.structs.replace(draft, report=msgspec.Raw(report))
    store.put(CURRENT, encode(passed))
    return passed


def has_current(store: Store) -> bool:
    return store.exists(CURRENT)


def current_draft(store: Store) -> Draft:
    """The draft that may be published."""
    if not has_current(store):
        raise NothingThere(f'no checked draft is waiting in {store.url}; run "paperlake build" first')
    return decode(store.read(CURRENT), Draft, CURRENT)


def drop_drafts(store: Store) -> None:
    """Forget every draft, once one has been published or another supersedes it."""
    store.delete(CURRENT)
    store.delete_prefix(DRAFTS)


Locate: TypeAlias = Callable[[File], str]


def key_in(store: Store, draft: Draft) -> Locate:
    """Where the lake has a draft's file: in the draft where it was written anew, else in the parent."""

    def locate(file: File) -> str:
        key = key_of(draft.draft_id, file.key)
        if store.exists(key) or draft.parent is None:
            return key
        return release_key(draft.parent.version, file.key)

    return locate


def read_table(store: Store, table: Table, described: TableFiles, locate: Locate) -> pl.DataFrame:
    """One table from the lake, as it was written."""
    with local_files(store, {file.key: locate(file) for file in described.files}) as paths:
        return parquet.read(table, list(paths.values()))


@contextmanager
def local_files(store: Store, keys: Mapping[str, str]) -> Iterator[dict[str, Path]]:
    """Files of the lake as local paths, for tools that read nothing else; fetched where the lake is elsewhere."""
    with tempfile.TemporaryDirectory(prefix="paperlake-") as folder:
        yield {name: store.local_path(key) or _fetched(store, key, Path(folder) / name) for name, key in keys.items()}


def _fetched(store: Store, key: str, path: Path) -> Path:
    fetch(store, key, path)
    return path
