"""Faults of a release that was written: files that are not what they were, tables that lost rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from warehouse.errors import NothingThere
from warehouse.release import database, parquet
from warehouse.release.latest import DATABASE, release_key
from warehouse.release.made_again import kept_files
from warehouse.release.manifest import File, Manifest, TableFiles
from warehouse.store.local_files import LocalFiles, local_files
from warehouse.store.store import Store


def faults(store: Store, manifest: Manifest) -> list[str]:
    """Read everything back: size and hash of every file that is kept, rows of every table in Parquet and the database.

    A line for each fault; an empty list is a sound release.
    """
    with local_files(store) as files:
        wrong = list(file_faults(kept_files(store, manifest), manifest.version, files))
        return wrong or list(row_faults(manifest.tables, manifest.marts, manifest.version, files))


def files_of(tables: Iterable[TableFiles]) -> tuple[File, ...]:
    """The files of all these tables."""
    return tuple(file for table in tables for file in table.files)


def file_faults(described: Iterable[File], version: str, files: LocalFiles) -> Iterator[str]:
    """Files of a release that are missing, or have another size or hash than described."""
    for file in described:
        key = release_key(version, file.key)
        try:
            size = files.path(key).stat().st_size
        except NothingThere:
            yield f"{file.key} is missing"
            continue
        if size != file.bytes:
            yield f"{file.key} has {size} bytes, the manifest says {file.bytes}"
        elif files.sha256(key) != file.sha256:
            yield f"{file.key} does not have the SHA-256 that the manifest says"


def row_faults(
    core: tuple[TableFiles, ...],
    marts: tuple[TableFiles, ...],
    version: str,
    files: LocalFiles,
    counted: AbstractSet[File] = frozenset(),
) -> Iterator[str]:
    """Tables of a release that have more or fewer rows than described, in Parquet or in the database.

    Of files in `counted` the rows were counted when an earlier release was read back: their `row_count` is trusted.
    """
    tables = (*core, *marts)
    names = {"core": [table.name for table in core], "mart": [table.name for table in marts]}
    key, counted_in = release_key(version, DATABASE), dict[str, dict[str, int]]()
    if files.store.is_kept(key):
        counted_in[DATABASE] = database.row_counts(files.path(key), **names)
    counted_in["Parquet"] = {
        table.name: sum(
            file.row_count or 0 if file in counted else parquet.row_count(files.path(release_key(version, file.key)))
            for file in table.files
        )
        for table in tables
    }
    return (
        f"{table.name} has {rows[table.name]} rows in {where}, the manifest says {table.row_count}"
        for where, rows in counted_in.items()
        for table in tables
        if rows[table.name] != table.row_count
    )
