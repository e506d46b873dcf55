"""Writing a release whose version is claimed: its files are put and read back, before `latest.json` may name it.

A release is `releases/<YYYY.MM.DD.N>/`. Its first object names the draft it is made from and so claims it, its last,
`manifest.json`, completes it: a publisher that was killed finds its claim and resumes. The number of
requests here does not grow with the number of releases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter
from pathlib import Path
from shutil import copyfile
from typing import Final

import duckdb
import polars as pl
from msgspec import Raw
from msgspec.structs import replace

from warehouse.errors import Damaged, NothingThere
from warehouse.release import about, database, parquet
from warehouse.release.cohort_files import stored_marts
from warehouse.release.draft import CLAIM, claim_of, write_part
from warehouse.release.latest import DATABASE, MANIFEST, release_key
from warehouse.release.made_again import kept_files
from warehouse.release.manifest import Draft, File, Manifest, TableFiles, digest, encode, long_term, packed
from warehouse.release.parquet import Differing
from warehouse.release.schema_changes import kind_of
from warehouse.release.snapshot import Snapshot, contents, locate, rows_that_differ
from warehouse.schema.catalog import CHANGES, CORE_TABLES, TABLES
from warehouse.schema.mart import Mart
from warehouse.store.local_files import LocalFiles, local_files, scratch, sha256
from warehouse.store.pooled_list import AT_ONCE
from warehouse.store.store import Store

SUMS: Final = "SHA256SUMS"
KEYS: Final = {table.name: table.key for table in CORE_TABLES}
# The manifest so far, with marts, and what is known to differ from the parent, by table → the rows of `_changes`
Explain = Callable[[Manifest, Mapping[str, Differing]], pl.DataFrame]


class ReleaseWriter:
    """Writes the release of one version from a draft. Objects that are there already stay as they are.

    `report` is what its manifest has of the gate's, where that is less than the draft has.
    """

    def __init__(self, draft: Snapshot[Draft], version: str, report: bytes | None = None) -> None:
        self._draft, self._version, self._files = draft.of, version, draft.files
        self._checks = Raw(report) if report else draft.of.report
        follows = draft.parent()
        self._kind = kind_of(draft.of, follows.of if follows else None)
        self._parent = follows if self._store.folder else None
        self._before = frozenset(self._parent.of.files) if self._parent else frozenset()

    def write_tables(self, about_tables: about.Frames, explain: Explain | None = None) -> Manifest:
        """Put every table in place, the database made of them, and its marts; read all back.

        Returns the manifest so far: from here on the release's own tables are read, since another publisher may drop
        the draft's. `about_tables` are the tables about the release in the database (warehouse/release/about.py);
        `explain` makes the rows of `_changes`, which say why it differs from the previous release.
        Damaged where something does not read back as it was written.
        """
        with ThreadPoolExecutor(AT_ONCE) as pool:
            keys_of_tables = [file.key for file in files_of(self._draft.tables)]
            sources = [locate(self._draft, key) for key in keys_of_tables]
            list(pool.map(self._store.copy_new, sources, map(self._key, keys_of_tables)))
        self._require(file_faults(files_of(self._draft.tables), self._version, self._files))
        database_sha256, begun = self._put_database(about_tables, explain)
        self._require(file_faults(files_of(begun.marts), self._version, self._files))
        found = self._files.sha256(self._key(DATABASE))
        self._require([DATABASE] if found != (database_sha256 or found) else [])
        self._require(row_faults(begun.tables, begun.marts, self._version, self._files, self._before))
        return begun

    def write(self, begun: Manifest, documents: Mapping[str, bytes]) -> Manifest:
        """Put the documents beside the tables, and read them back, once; the manifest last."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            is_new = dict(zip(documents, pool.map(self._put_document, documents, documents.values()), strict=True))
        written = {key: digest(documents[key]) for key in documents if is_new[key]}
        written |= {CLAIM: digest(encode(claim_of(self._draft)))}
        with ThreadPoolExecutor(AT_ONCE) as pool:
            others = list(pool.map(self._read_back, sorted([*documents, CLAIM, DATABASE])))
        self._require(file.key for file in others if written.get(file.key, file.sha256) != file.sha256)
        files = (*files_of(begun.tables), *files_of(begun.marts), *others)
        sums = "".join(f"{file.sha256}  {file.key}\n" for file in files)  # what `sha256sum --check` reads
        manifest = replace(begun, files=(*files, self._put_last(SUMS, sums.encode())))
        self._put_last(MANIFEST, packed(manifest))
        return manifest

    @property
    def _store(self) -> Store:
        return self._files.store

    def _key(self, key: str) -> str:
        return release_key(self._version, key)

    def _read_back(self, key: str) -> File:
        at = self._key(key)
        return File(key, self._files.path(at).stat().st_size, self._files.sha256(at))

    def _put_document(self, key: str, data: bytes) -> bool:
        """Put a document; whether it is new.

        In a local lake one that the parent has with the same bytes is linked, as are feeds in which nothing is new; in
        a bucket a copy would cost as much as a write.
        """
        same = File(key, len(data), digest(data))
        if self._parent and same in self._before and self._parent.has(same):
            return self._store.copy_new(locate(self._parent.of, key), self._key(key))
        return self._store.put_new(self._key(key), data)

    def _put_database(self, about_tables: about.Frames, explain: Explain | None) -> tuple[str | None, Manifest]:
        """Assemble the database from the release's own Parquet, and put its marts there as Parquet too.

        Returns the database's hash, None where one was there already, and the manifest so far.
        """
        with scratch() as folder:
            made = folder / DATABASE
            paths = {
                table.name: [self._files.path(self._key(file.key)) for file in table.files]
                for table in self._draft.tables
            }
            begun, of_core = None, dict[str, Differing]()

            def finish(connection: duckdb.DuckDBPyConnection, changed: dict[str, Differing] | None = None) -> Manifest:
                marts = stored_marts(connection, self._parent, changed)
                begun = self._begun(self._put_mart(folder, mart, rows) for mart, rows in marts)
                known_last = {TABLES.name: about.described_tables(begun)}
                if explain:
                    known_last[CHANGES.name] = explain(begun, of_core | (changed or {}))
                database.put_about(connection, known_last)
                return begun

            if before := self._renewable():
                copyfile(before, made)
                of_core = self._differing()
                begun = database.renew(made, of_core, about_tables, database.parquet_bytes(paths), finish)
            if begun is None:
                begun = database.assemble(made, paths, about_tables, finish)
                assert begun is not None
            is_new = self._store.put_file_new(self._key(DATABASE), made)
            return sha256(made) if is_new else None, begun

    def _begun(self, marts: Iterable[TableFiles]) -> Manifest:
        return Manifest(
            version=self._version,
            schema_version=self._draft.schema_version,
            code_version=self._draft.code_version,
            parent=self._draft.parent,
            capture_count=self._draft.capture_count,
            captures_sha256=self._draft.captures_sha256,
            tables=self._draft.tables,
            files=(),
            checks=self._checks,
            marts=tuple(marts),
            code_sha256=self._draft.code_sha256,
            decisions=self._draft.decisions,
            kind=self._kind,
            kept_until=long_term(self._version, self._draft.parent.version if self._draft.parent else None),
        )

    def _renewable(self) -> Path | None:
        """The parent's database, if this one's may be made from a copy of it.

        In one of another version of paperlake most rows would differ.
        """
        if self._parent is None or self._parent.of.code_version != self._draft.code_version:
            return None
        if _forms(self._parent.of.tables) != _forms(self._draft.tables):
            return None
        after = files_of(self._draft.tables)
        needed = [file for file in files_of(self._parent.of.tables) if file not in after]
        needed += [file for file in self._parent.of.files if file.key == DATABASE]
        return self._parent.path(DATABASE) if all(map(self._parent.has, needed)) else None

    def _differing(self) -> dict[str, Differing]:
        """The rows that differ from the parent, for each table that has other files."""
        assert self._parent is not None
        before, after = self._parent, Snapshot(self._begun(()), self._files)
        changed = (one for one in self._draft.tables if contents(one) != contents(before.tables[one.name]))
        return {one.name: rows_that_differ(one.name, KEYS[one.name], before, after) for one in changed}

    def _put_mart(self, folder: Path, mart: Mart, rows: parquet.Renewed) -> TableFiles:
        """Put the files of a mart. The same rows give the same bytes, so a file that is there already is this one."""
        for file in rows.passed:
            assert self._parent is not None
            self._store.copy_new(locate(self._parent.of, file.key), self._key(file.key))
        made = [write_part(folder, part) for part in parquet.parts(mart, *rows)]
        for file in made:
            self._store.put_file_new(self._key(file.key), folder / file.key)
        files = tuple(sorted((*rows.passed, *made), key=attrgetter("key")))
        return TableFiles(mart.name, sum(file.row_count or 0 for file in files), files, cohort_rows=mart.cohort_rows)

    def _put_last(self, key: str, data: bytes) -> File:
        """Put a file that follows from the others; Damaged where other bytes are there already."""
        self._store.put_new(self._key(key), data)
        self._require([key] if self._store.read(self._key(key)) != data else [])
        return File(key, len(data), digest(data))

    def _require(self, faults: Iterable[str]) -> None:
        if lines := list(faults):
            head = f"release {self._version} did not read back as written, latest was not moved:"
            raise Damaged("\n".join([head, *lines]))


def _forms(tables: Iterable[TableFiles]) -> dict[str, str]:
    """The digest of columns and revision of each table, by its name."""
    return {table.name: table.schema_sha256 for table in tables}


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
