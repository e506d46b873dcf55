"""Releases: written whole, read back and verified, and only then the one that `latest.json` names.

A release is `releases/<YYYY.MM.DD.N>/`. It is claimed by its first object, the draft it is made from, and complete
with its last, `manifest.json`: a publisher that was killed finds its claim and goes on where it stopped.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Final

from warehouse import database, parquet
from warehouse.draft import Locate, key_in, local_files
from warehouse.errors import Superseded
from warehouse.latest import DATABASE, LATEST, MANIFEST, RELEASES, latest, manifest_of, release_key
from warehouse.manifest import Draft, File, Latest, Manifest, Parent, TableFiles, decode, digest, encode
from warehouse.store import Store

CLAIM: Final = "draft.json"
SUMS: Final = "SHA256SUMS"


def files_of(manifest: Manifest) -> Locate:
    """Where the lake has a release's files."""
    return lambda file: release_key(manifest.version, file.key)


def latest_manifest(store: Store) -> Manifest | None:
    """The manifest of the latest release, checked against the hash that `latest.json` has of it."""
    named = latest(store)
    return manifest_of(store, named) if named else None


def parent_of(store: Store) -> Parent | None:
    """The release that the next one follows."""
    named = latest(store)
    return Parent(named.version, named.manifest_sha256) if named else None


def claim(store: Store, draft: Draft, today: date) -> str:
    """The version that this draft becomes: the one it has claimed, here or in a racing process, or the day's next."""
    if draft.parent != parent_of(store):
        raise Superseded('another release was published since this draft was made; run "paperlake build" again')
    wanted = encode(draft)
    held = {key.split("/")[1] for key in store.list(RELEASES) if key.count("/") > 1}
    for version in sorted(held):
        key = release_key(version, CLAIM)
        if store.exists(key) and store.read(key) == wanted:
            return version
    number = 1
    while True:
        version = f"{today:%Y.%m.%d}.{number}"
        key = release_key(version, CLAIM)
        if version not in held and (store.put_new(key, wanted) or store.read(key) == wanted):
            return version
        number += 1


def write_release(store: Store, draft: Draft, version: str, documents: Mapping[str, bytes]) -> Manifest:
    """Put every file of the release in place, the manifest last. What is there already is left as it is."""
    locate = key_in(store, draft)
    for file in _table_files(draft.tables):
        store.copy_new(locate(file), release_key(version, file.key))
    for key, data in documents.items():
        store.put_new(release_key(version, key), data)
    if not store.exists(release_key(version, DATABASE)):
        _assemble(store, draft.tables, version)
    others = tuple(_file(store, version, key) for key in sorted([*documents, CLAIM, DATABASE]))
    files = (*_table_files(draft.tables), *others)
    store.put_new(release_key(version, SUMS), _sums(files))
    manifest = Manifest(
        version=version,
        schema_version=draft.schema_version,
        code_version=draft.code_version,
        parent=draft.parent,
        capture_count=draft.capture_count,
        captures_sha256=draft.captures_sha256,
        tables=draft.tables,
        files=(*files, _file(store, version, SUMS)),
        checks=draft.report,
    )
    store.put_new(release_key(version, MANIFEST), encode(manifest))
    return manifest


def _table_files(tables: tuple[TableFiles, ...]) -> Iterator[File]:
    return (file for table in tables for file in table.files)


def _assemble(store: Store, tables: tuple[TableFiles, ...], version: str) -> None:
    keys = {file.key: release_key(version, file.key) for file in _table_files(tables)}
    with local_files(store, keys) as paths, tempfile.TemporaryDirectory(prefix="paperlake-") as folder:
        made = Path(folder) / DATABASE
        database.assemble(made, {table.name: [paths[file.key] for file in table.files] for table in tables})
        store.put_file_new(release_key(version, DATABASE), made)


def _file(store: Store, version: str, key: str) -> File:
    with local_files(store, {key: release_key(version, key)}) as paths:
        return File(key, paths[key].stat().st_size, parquet.sha256(paths[key]))


def _sums(files: tuple[File, ...]) -> bytes:
    """What `sha256sum --check` reads."""
    return "".join(f"{file.sha256}  {file.key}\n" for file in files).encode()


def verify_release(store: Store, manifest: Manifest) -> list[str]:
    """Read everything back: size and hash of every file, rows of every table in Parquet and in the database.

    Returns what is wrong, a line each; an empty list is a sound release.
    """
    keys = {file.key: release_key(manifest.version, file.key) for file in manifest.files}
    missing = [key for key, stored in keys.items() if not store.exists(stored)]
    if missing:
        return [f"{key} is missing" for key in missing]
    with local_files(store, keys) as paths:
        wrong = [message for file in manifest.files for message in _wrong_file(file, paths[file.key])]
        return wrong or _wrong_rows(manifest, paths)


def _wrong_file(file: File, path: Path) -> Iterator[str]:
    if path.stat().st_size != file.bytes:
        yield f"{file.key} has {path.stat().st_size} bytes, the manifest says {file.bytes}"
    elif parquet.sha256(path) != file.sha256:
        yield f"{file.key} does not have the SHA-256 that the manifest says"


def _wrong_rows(manifest: Manifest, paths: Mapping[str, Path]) -> list[str]:
    in_database = database.row_counts(paths[DATABASE], [table.name for table in manifest.tables])
    in_parquet = {
        table.name: sum(parquet.row_count(paths[file.key]) for file in table.files) for table in manifest.tables
    }
    return [
        f"{table.name} has {rows[table.name]} rows in {where}, the manifest says {table.row_count}"
        for where, rows in (("Parquet", in_parquet), (DATABASE, in_database))
        for table in manifest.tables
        if rows[table.name] != table.row_count
    ]


def move_latest(store: Store, manifest: Manifest) -> None:
    """Let readers see the release; refused where another one was published in between."""
    expected = store.read(LATEST) if store.exists(LATEST) else None
    named = decode(expected, Latest, LATEST) if expected else None
    follows = Parent(named.version, named.manifest_sha256) if named else None
    data = encode(Latest(manifest.version, digest(encode(manifest))))
    if follows != manifest.parent or not store.swap(LATEST, data, expected):
        raise Superseded('another release was published first; run "paperlake build" and "paperlake publish" again')
