"""Releases: written whole, read back and verified, and only then the one that `latest.json` names.

A release is `releases/<YYYY.MM.DD.N>/`. It is claimed by its first object, the draft it is made from, and complete
with its last, `manifest.json`: a publisher that was killed finds its claim and goes on where it stopped. Nothing here
asks for more objects, or lists more of them, when there are more releases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import count
from pathlib import Path
from typing import Final

import polars as pl

from warehouse.errors import Damaged, NothingThere, Superseded
from warehouse.release import about, database, parquet
from warehouse.release.draft import key_of, locate
from warehouse.release.latest import DATABASE, MANIFEST, latest, manifest_of, release_files, release_key
from warehouse.release.manifest import Draft, File, Manifest, Parent, TableFiles, digest, encode
from warehouse.release.parquet import Part
from warehouse.schema.table import Table
from warehouse.store.far_objects import PathOf
from warehouse.store.local_files import local_files, scratch
from warehouse.store.store import Store, read_if_there

CLAIM: Final = "draft.json"
CLAIM_DAY: Final = "claimed_on"  # beside the draft: the day in the name of the release that it becomes
SUMS: Final = "SHA256SUMS"


def latest_manifest(store: Store) -> Manifest | None:
    """The manifest of the latest release, checked against the hash that `latest.json` has of it."""
    named = latest(store)
    return manifest_of(store, named) if named else None


def parent_of(store: Store) -> Parent | None:
    """The release that the next one follows."""
    named = latest(store)
    return Parent(named.version, named.manifest_sha256) if named else None


def claim(store: Store, draft: Draft, today: date) -> str:
    """The version that this draft becomes: the one it has claimed, here or in a racing process, or the day's next.

    Whoever publishes a draft, today or later, starts from the day of the first who did, and tries the same numbers.
    """
    key, claimed_on = key_of(draft.draft_id, CLAIM_DAY), f"{today:%Y.%m.%d}".encode()
    day = claimed_on if store.put_new(key, claimed_on) else read_if_there(store, key)
    if day is None or draft.parent != parent_of(store):
        store.delete(key)  # whoever published has dropped the draft, perhaps before this was put there
        raise Superseded('another release was published since this draft was made; run "paperlake build" again')
    wanted = encode(draft)
    return next(version for version in _versions(day.decode(), draft.parent) if _claims(store, version, wanted))


def _versions(day: str, parent: Parent | None) -> Iterator[str]:
    """What a release may be called, in order: later than its parent, whose day may be the same."""
    parent_day, _, parent_number = parent.version.rpartition(".") if parent else ("", "", "0")
    first_day, first = max((day, 1), (parent_day, int(parent_number) + 1))
    return (f"{first_day}.{number}" for number in count(first))


def _claims(store: Store, version: str, wanted: bytes) -> bool:
    key = release_key(version, CLAIM)
    return store.put_new(key, wanted) or store.read(key) == wanted


def write_release(
    store: Store, draft: Draft, version: str, documents: Mapping[str, bytes], told: about.Frames
) -> Manifest:
    """Put every file of the release in place and read it back, once; the manifest last.

    `told` is what its database says about the release (warehouse/release/about.py).
    What is there already is left as it is. Damaged where something does not read back as it was written.
    """
    for file in _table_files(draft.tables):
        store.copy_new(locate(draft, file.key), release_key(version, file.key))
    written = {key: digest(data) for key, data in documents.items() if store.put_new(release_key(version, key), data)}
    with local_files(store) as path_of:
        stored = release_files(version, path_of)
        _require(version, _wrong_files(_table_files(draft.tables), stored))
        made, marts = _put_database(store, draft.tables, version, stored, told)
        _require(version, _wrong_files(_table_files(marts), stored))
        written |= {CLAIM: digest(encode(draft))} | made
        others = [_file(key, stored(key)) for key in sorted([*documents, CLAIM, DATABASE])]
        _require(version, [file.key for file in others if written.get(file.key, file.sha256) != file.sha256])
        _require(version, _wrong_rows(draft.tables, marts, stored))
    files = (*_table_files(draft.tables), *_table_files(marts), *others)
    manifest = _manifest(draft, version, marts, (*files, _put_last(store, version, SUMS, _sums(files))))
    _put_last(store, version, MANIFEST, encode(manifest))
    return manifest


def _table_files(tables: tuple[TableFiles, ...]) -> Iterator[File]:
    return (file for table in tables for file in table.files)


def _put_database(
    store: Store, tables: tuple[TableFiles, ...], version: str, path_of: PathOf, told: about.Frames
) -> tuple[dict[str, str], tuple[TableFiles, ...]]:
    """Assemble the database from the release's own Parquet, and put its marts beside it as Parquet.

    Its hash by its name, unless one was there, and the marts.
    """
    with scratch() as folder:
        made = folder / DATABASE
        parquet_of = {table.name: [path_of(file.key) for file in table.files] for table in tables}
        database.assemble(made, parquet_of, told)
        is_new = store.put_file_new(release_key(version, DATABASE), made)
        marts = tuple(_put_mart(store, version, folder, *mart) for mart in database.marts(made))
        return {DATABASE: parquet.sha256(made)} if is_new else {}, marts


def _put_mart(store: Store, version: str, folder: Path, table: Table, frame: pl.DataFrame) -> TableFiles:
    """The same rows are the same bytes, so that one that was there already must be this one."""
    key, made = parquet.mart_key(table), folder / f"{table.name}.parquet"
    Part(table, key, frame, parquet.LEVEL_OF_EVERY_DAY).write(made)
    store.put_file_new(release_key(version, key), made)
    return TableFiles(table.name, frame.height, (_file(key, made),))


def _file(key: str, path: Path) -> File:
    return File(key, path.stat().st_size, parquet.sha256(path))


def _put_last(store: Store, version: str, key: str, data: bytes) -> File:
    """A file that follows from the others: there may be the same one already, and no other."""
    store.put_new(release_key(version, key), data)
    _require(version, [key] if store.read(release_key(version, key)) != data else [])
    return File(key, len(data), digest(data))


def _sums(files: tuple[File, ...]) -> bytes:
    """What `sha256sum --check` reads."""
    return "".join(f"{file.sha256}  {file.key}\n" for file in files).encode()


def _manifest(draft: Draft, version: str, marts: tuple[TableFiles, ...], files: tuple[File, ...]) -> Manifest:
    return Manifest(
        version=version,
        schema_version=draft.schema_version,
        code_version=draft.code_version,
        parent=draft.parent,
        capture_count=draft.capture_count,
        captures_sha256=draft.captures_sha256,
        tables=draft.tables,
        files=files,
        checks=draft.report,
        marts=marts,
    )


def verify_release(store: Store, manifest: Manifest) -> list[str]:
    """Read everything back: size and hash of every file, rows of every table in Parquet and in the database.

    Returns what is wrong, a line each; an empty list is a sound release.
    """
    with local_files(store) as path_of:
        stored = release_files(manifest.version, path_of)
        return list(_wrong_files(manifest.files, stored)) or list(_wrong_rows(manifest.tables, manifest.marts, stored))


def _require(version: str, wrong: Iterable[str]) -> None:
    if told := list(wrong):
        head = f"release {version} did not read back as written, latest was not moved:"
        raise Damaged("\n".join([head, *told]))


def _wrong_files(files: Iterable[File], path_of: PathOf) -> Iterator[str]:
    for file in files:
        try:
            path = path_of(file.key)
        except NothingThere:
            yield f"{file.key} is missing"
            continue
        if path.stat().st_size != file.bytes:
            yield f"{file.key} has {path.stat().st_size} bytes, the manifest says {file.bytes}"
        elif parquet.sha256(path) != file.sha256:
            yield f"{file.key} does not have the SHA-256 that the manifest says"


def _wrong_rows(core: tuple[TableFiles, ...], marts: tuple[TableFiles, ...], path_of: PathOf) -> Iterator[str]:
    tables = (*core, *marts)
    names = {"core": [table.name for table in core], "mart": [table.name for table in marts]}
    in_database = database.row_counts(path_of(DATABASE), **names)
    in_parquet = {table.name: sum(parquet.row_count(path_of(file.key)) for file in table.files) for table in tables}
    return (
        f"{table.name} has {rows[table.name]} rows in {where}, the manifest says {table.row_count}"
        for where, rows in (("Parquet", in_parquet), (DATABASE, in_database))
        for table in tables
        if rows[table.name] != table.row_count
    )
