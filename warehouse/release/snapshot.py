"""A snapshot reads the tables of a release or a draft. Each file is fetched and hashed at most once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import polars as pl
from msgspec.structs import replace

from warehouse.errors import Damaged, NothingThere
from warehouse.release import parquet
from warehouse.release.latest import DRAFTS, latest, manifest_of, release_key
from warehouse.release.manifest import Draft, File, Latest, Manifest, Parent, TableFiles
from warehouse.schema.table import Table
from warehouse.store.local_files import LocalFiles, local_files
from warehouse.store.store import Store

Of = TypeVar("Of", bound=Manifest | Draft)
Of_co = TypeVar("Of_co", bound=Manifest | Draft, covariant=True)


class Snapshot(Generic[Of_co]):
    """A release or a draft that can be read as long as `files` are open; snapshots that share them hash no file twice.

    `manifest_sha256` is the hash of a release's manifest, from `latest.json` or the release that follows it.
    """

    def __init__(self, of: Of_co, files: LocalFiles, manifest_sha256: str = "") -> None:
        self.of, self.files, self.manifest_sha256 = of, files, manifest_sha256
        self.tables = {table.name: table for table in of.tables}

    @property
    def name(self) -> str:
        """The version of a release, or the id of a draft."""
        return self.of.version if isinstance(self.of, Manifest) else self.of.draft_id

    def parent(self) -> Snapshot[Manifest] | None:
        """The release that this one follows; None for the first."""
        return snapshot_of(self.of.parent, self.files) if self.of.parent else None

    def path(self, key: str) -> Path:
        """A file on this machine, by its key in the release; NothingThere where it is gone."""
        return self.files.path(locate(self.of, key))

    def paths(self, name: str) -> list[Path]:
        """The files of a table; none of a table that it does not have."""
        return [self.path(file.key) for file in self._files(name)]

    def has(self, file: File) -> bool:
        """Whether the file is there with its hash; only such a file may be passed on to the next release."""
        return is_sound(self.files, locate(self.of, file.key), file)

    def is_sound(self, table: Table) -> bool:
        """Whether every file of the table is there with its hash."""
        return all(map(self.has, self._files(table.name)))

    def read(self, table: Table) -> pl.DataFrame:
        """A table as it was written; Damaged where a file of it is not."""
        return self.read_files(table, self._files(table.name))

    def read_files(self, table: Table, files: Sequence[File], papers: pl.Series | None = None) -> pl.DataFrame:
        """The rows of these files of a table, of `papers` or all; Damaged where a file is not what was written."""
        self._require_sound(table.name, files)
        return parquet.read(table, [self.path(file.key) for file in files], papers)

    def select(self, table: Table, columns: Sequence[str], files: Sequence[File] | None = None) -> pl.DataFrame:
        """These columns of a table, or of these files of it, unchecked.

        A release of an older schema has more columns, or fewer.
        """
        chosen = self._files(table.name) if files is None else files
        paths = [self.path(file.key) for file in chosen]  # reading all at once takes half of the time
        return pl.read_parquet(paths, columns=list(columns)) if paths else table.empty().select(columns)

    def scan(self, name: str, columns: Sequence[str]) -> pl.LazyFrame:
        """These columns of a table, unchecked, as a lazy frame."""
        return pl.scan_parquet(self.paths(name)).select(columns)  # one scan of all is three times as quick

    def require_sound(self) -> None:
        """Raise Damaged where a file of a table is not what was written."""
        for table in self.of.tables:
            self._require_sound(table.name, table.files)

    def _require_sound(self, name: str, files: Sequence[File]) -> None:
        for file in files:
            if not self.has(file):
                raise Damaged(f'{file.key} of {name} is not what was written; run "paperlake verify"')

    def _files(self, name: str) -> Sequence[File]:
        return self.tables.get(name, TableFiles(name, 0, ())).files


def contents(table: TableFiles | None) -> list[str]:
    """The hashes of a table's files: where they are equal, so are all rows."""
    return sorted(file.sha256 for file in table.files) if table else []


def rows_that_differ(
    name: str, key: Sequence[str], before: Snapshot[Manifest], after: Snapshot[Manifest | Draft]
) -> parquet.Differing:
    """The rows that differ in a table; files that both sides have are not read."""
    held = [side.tables[name].files if name in side.tables else () for side in (before, after)]
    same = set.intersection(*({file.sha256 for file in files} for files in held))
    gone, new = (
        [side.path(file.key) for file in files if file.sha256 not in same]
        for side, files in zip((before, after), held, strict=True)
    )
    return parquet.differing(key, gone, new)


def without_damaged(parent: Snapshot[Manifest], after: Manifest | Draft) -> Snapshot[Manifest]:
    """A release without tables that have a damaged file; tables that `after` has unchanged are not looked at."""
    sound = (table for table in parent.of.tables if table in after.tables or all(map(parent.has, table.files)))
    return Snapshot(replace(parent.of, tables=tuple(sound)), parent.files, parent.manifest_sha256)


def is_sound(files: LocalFiles, at: str, file: File) -> bool:
    """Whether the store has the file at this key, with its hash."""
    try:
        return files.sha256(at) == file.sha256
    except NothingThere:
        return False


def locate(of: Manifest | Draft, key: str) -> str:
    """The key of a file in the store: a file that a draft keeps as it was lies in its parent."""
    if isinstance(of, Manifest):
        return release_key(of.version, key)
    if of.parent is not None and key in of.kept:
        return release_key(of.parent.version, key)
    return draft_key(of.draft_id, key)


def draft_key(draft_id: str, key: str) -> str:
    return f"{DRAFTS}/{draft_id}/{key}"


def latest_release(files: LocalFiles) -> Snapshot[Manifest] | None:
    """The release that readers open; None before the first."""
    named = latest(files.store)
    return snapshot_of(named, files) if named else None


def snapshot_of(named: Latest | Parent, files: LocalFiles) -> Snapshot[Manifest]:
    """A release by its name and the hash of its manifest."""
    return Snapshot(manifest_of(files.store, named), files, named.manifest_sha256)


@contextmanager
def open_snapshot(store: Store, of: Of) -> Iterator[Snapshot[Of]]:
    """A release or a draft; what was fetched of it is gone at the end."""
    with local_files(store) as files:
        yield Snapshot(of, files)


@contextmanager
def open_latest(store: Store) -> Iterator[Snapshot[Manifest] | None]:
    """The latest release; None before the first."""
    with local_files(store) as files:
        yield latest_release(files)
