"""Rewriting a kept release without a person: every file that changes is made anew and staged.

A file that is not what its manifest says is reported, not rewritten under a hash that says it is right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec
import polars as pl
import pyarrow.parquet as pq
from msgspec.structs import replace

from warehouse.archive.index import IndexEntry
from warehouse.erasing.person import Person
from warehouse.errors import Damaged
from warehouse.release import database, parquet
from warehouse.release.cohorts.mart_files import cut_as, stored_marts
from warehouse.release.erasing.database_copy import Amend, about_tables, copied, hits_in, rows_of
from warehouse.release.erasing.erasures import Cells
from warehouse.release.erasing.left_over import NO_DATA, text_without
from warehouse.release.erasing.masking import masked_frame
from warehouse.release.erasing.staged import Plan, plan_key, stage_key
from warehouse.release.faults import files_of
from warehouse.release.latest import DATABASE, MANIFEST, release_key
from warehouse.release.manifest import ErasureNote, File, Manifest, TableFiles, digest, encode
from warehouse.release.write import SUMS
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.tables import ALL_TABLES, CORE_TABLES, schema_digest
from warehouse.store.local_files import LocalFiles, scratch, sha256

Read = Callable[[str], pl.DataFrame]  # reads a table of the release, by its name, with the person masked
Derive = Callable[[Manifest, Read], Mapping[str, pl.DataFrame] | None]  # makes every core table of those that were read
DOCUMENTS_OF_FILES: Final = ("croissant.json", "datapackage.json", "explore/tables.json", "explore/index.html")
TEXTS: Final = {"title", "abstract", "description", "ai_summary"}  # other tables are derived from these
NEAR: Final = 400  # characters around a file's hash within which a document states its length


def amended(entries: list[IndexEntry]) -> Amend:
    """A function that updates digests and sizes of masked pages in the table of captures, by the archive's index."""
    erased = [(one.capture_id, one.payload_sha256, one.payload_bytes) for one in entries if one.erased]
    schema = {"capture_id": pl.String, "payload_sha256": pl.String, "payload_bytes": pl.Int64}
    now = pl.DataFrame(erased, schema=schema, orient="row").unique("capture_id")

    def amend(table: str, frame: pl.DataFrame) -> pl.DataFrame:
        known = [name for name in now.columns if name in frame.columns]
        if table != CAPTURES.name or "capture_id" not in known:
            return frame
        casts = now.select(pl.col(name).cast(frame.schema[name]) for name in known)
        return frame.update(casts, on="capture_id", how="left")

    return amend


class Rewriter:
    """Rewrites one release: files are made in a scratch folder on this machine first, then staged in the lake."""

    def __init__(
        self, files: LocalFiles, manifest: Manifest, person: Person, amend: Amend, derive: Derive | None = None
    ) -> None:
        self._files, self._manifest, self._person, self._amend = files, manifest, person, amend
        self._derive = derive
        self._made: dict[str, Path] = {}
        self._rows: dict[str, int] = {}
        self._cells: list[Cells] = []
        self._tables = {file.key: table for table in (*manifest.tables, *manifest.marts) for file in table.files}

    def plan(self, note: ErasureNote) -> Plan | None:
        """Rewrite and stage what holds something of the person; None where nothing does."""
        with scratch() as folder:
            for file in files_of(self._manifest.tables):
                self._rewrite(file, folder)
            if any(cell.column in TEXTS for cell in self._cells):
                self._derive_all(folder)
            tables = {file.key for file in files_of(self._manifest.tables)}
            for file in self._manifest.files:
                if file.key not in tables | self._rows.keys():
                    self._rewrite(file, folder)
            if not self._made:
                return None
            new = {key: File(key, path.stat().st_size, sha256(path)) for key, path in self._made.items()}
            self._renew_documents(new, folder)
            manifest = self._manifest_of(new, note)
            return self._stage(manifest, note)

    def _derive_all(self, folder: Path) -> None:
        """Where a text of a paper changed, derive all tables again, and make the database of them.

        This is impossible for a release made by other code; its tables are masked by value alone.
        """
        frames = self._derive(self._manifest, self._frame) if self._derive else None
        if frames is None:
            return
        parts = [part for table in CORE_TABLES for part in parquet.parts(table, frames[table.name])]
        if {part.key for part in parts} != {file.key for file in files_of(self._manifest.tables)}:
            return
        for part in parts:
            if not self._read(part.key).equals(part.frame):
                self._put(part, folder)
        about = about_tables(
            self._path(DATABASE), self._person, {table.name: len(frames[table.name]) for table in CORE_TABLES}
        )
        paths = {table.name: [self._path(file.key) for file in table.files] for table in self._manifest.tables}
        database.assemble(folder / DATABASE, paths, about)
        self._made[DATABASE], self._rows[DATABASE] = folder / DATABASE, 0
        held = {mart.name: mart.files for mart in self._manifest.marts}
        for mart, (frame, _) in stored_marts(folder / DATABASE):
            for part in cut_as(mart, frame, held[mart.name]):
                if not self._read(part.key).equals(part.frame):
                    self._put(part, folder)
                self._rows[part.key] = part.frame.height

    def _put(self, part: parquet.Part, folder: Path) -> None:
        target = folder / part.key
        target.parent.mkdir(parents=True, exist_ok=True)
        part.write(target)
        self._made[part.key], self._rows[part.key] = target, part.frame.height

    def _path(self, key: str) -> Path:
        """The path of a file on this machine: the new one where it was made, else the release's."""
        return self._made.get(key) or self._files.path(release_key(self._manifest.version, key))

    def _read(self, key: str) -> pl.DataFrame:
        return pl.read_parquet(self._path(key))

    def _frame(self, name: str) -> pl.DataFrame:
        """A table of the release, with the person masked."""
        return pl.concat(self._read(key) for key, table in self._tables.items() if table.name == name)

    def _rewrite(self, file: File, folder: Path) -> None:
        if file.key == SUMS or NO_DATA.fullmatch(file.key):
            return
        source, target = self._files.path(release_key(self._manifest.version, file.key)), folder / file.key
        target.parent.mkdir(parents=True, exist_ok=True)
        self._require_sound(file)
        if file.key == DATABASE:
            is_changed = self._copy_database(source, target)
        elif file.key.endswith(".parquet"):
            is_changed = self._rewrite_table(file, source, target)
        else:
            is_changed = self._rewrite_text(source, target)
        if is_changed:
            self._made[file.key] = target

    def _copy_database(self, source: Path, target: Path) -> bool:
        """Copy the database wherever a table changed: its statistics hold values too. Returns whether it did."""
        if not self._made and not hits_in(source, self._person)[0]:
            return False
        counted = {(cell.table, cell.column) for cell in self._cells}
        rows = rows_of(copied(source, target, self._person, self._amend))
        self._cells += [self._cell(*row) for row in rows if row[:2] not in counted]
        return True

    def _rewrite_table(self, file: File, source: Path, target: Path) -> bool:
        described = self._tables[file.key]
        frame = pl.read_parquet(source)
        masked, changed = masked_frame(self._person, frame)
        masked = self._amend(described.name, masked)
        if not changed and masked.equals(frame):
            return False
        table = next((one for one in ALL_TABLES if one.name == described.name), None)
        is_known = table is not None and frame.schema == table.schema
        if table is not None and is_known and described.schema_sha256 in ("", schema_digest(table)):
            parquet.Part(table, file.key, table.conform(masked)).write(target)
        else:
            pq.write_table(masked.to_arrow(compat_level=parquet.OLDEST), target, compression="zstd")
        self._cells += [self._cell(described.name, column, rows) for column, rows in changed.items()]
        return True

    def _rewrite_text(self, source: Path, target: Path) -> bool:
        text = source.read_bytes().decode("utf-8", "surrogateescape")
        masked = text_without(self._person, source.name, text)
        target.write_bytes(masked.encode("utf-8", "surrogateescape"))
        return masked != text

    def _require_sound(self, file: File) -> None:
        key = release_key(self._manifest.version, file.key)
        if self._files.sha256(key) != file.sha256:
            raise Damaged(f"{key} is not what its manifest says; restore it from a copy, and erase again")

    def _cell(self, table: str, column: str, rows: int) -> Cells:
        return Cells(self._manifest.version, table, column, rows)

    def _renew_documents(self, new: dict[str, File], folder: Path) -> None:
        """Update the hashes and lengths that documents state of the files that changed."""
        before = {file.key: file for file in self._manifest.files}
        for key in DOCUMENTS_OF_FILES:
            if key not in before:
                continue
            source = self._made.get(key) or self._files.path(release_key(self._manifest.version, key))
            text = source.read_text("utf-8")
            renewed = text
            for changed, file in new.items():
                renewed = _with_file(renewed, before[changed], file)
            if renewed != text:
                (folder / key).parent.mkdir(parents=True, exist_ok=True)
                (folder / key).write_text(renewed, "utf-8")
                self._made[key] = folder / key
                new[key] = File(key, len(renewed.encode()), digest(renewed.encode()))

    def _manifest_of(self, new: dict[str, File], note: ErasureNote) -> Manifest:
        def of(file: File) -> File:
            made = new.get(file.key)
            renewed = replace(file, bytes=made.bytes, sha256=made.sha256) if made else file
            is_counted = renewed.row_count is not None and file.key in self._rows
            return replace(renewed, row_count=self._rows[file.key]) if is_counted else renewed

        def more(file: File) -> int:  # the index of words alone has other rows when texts change
            before = parquet.row_count(self._files.path(release_key(self._manifest.version, file.key)))
            return self._rows.get(file.key, before) - before

        def tables(described: tuple[TableFiles, ...]) -> tuple[TableFiles, ...]:
            return tuple(
                replace(
                    table,
                    files=tuple(map(of, table.files)),
                    row_count=table.row_count + sum(map(more, table.files)),
                )
                for table in described
            )

        old = self._manifest
        files = [of(file) for file in old.files if file.key != SUMS]
        sums = "".join(f"{file.sha256}  {file.key}\n" for file in files).encode()
        self._files.store.put(self._staged(note, SUMS), sums)
        checks = text_without(self._person, "checks.json", bytes(old.checks).decode())
        return replace(
            old,
            tables=tables(old.tables),
            marts=tables(old.marts),
            files=(*files, File(SUMS, len(sums), digest(sums))),
            checks=msgspec.Raw(checks.encode()),
            erasures=(*old.erasures, note),
        )

    def _stage(self, manifest: Manifest, note: ErasureNote) -> Plan:
        store, version = self._files.store, manifest.version
        for key, path in self._made.items():
            store.delete(staged := self._staged(note, key))
            store.put_file_new(staged, path)
        before = digest(store.read(release_key(version, MANIFEST)))
        plan = Plan(before, manifest, (*self._made, SUMS), tuple(self._cells))
        store.put(plan_key(note.name[:8], version), encode(plan))
        return plan

    def _staged(self, note: ErasureNote, key: str) -> str:
        return stage_key(note.name[:8], self._manifest.version, key)


def _with_file(text: str, before: File, after: File) -> str:
    """A document with the hash of a file, and its length near that, replaced by the new ones."""
    length = rf'("key": ?"{re.escape(before.key)}", ?"bytes": ?){before.bytes}\b'
    text = re.sub(length, rf"\g<1>{after.bytes}", text)
    if (place := text.find(before.sha256)) < 0:
        return text
    start, end = max(place - NEAR, 0), place + NEAR
    near = re.sub(rf"(?<![\w.]){before.bytes}(?![\w.])", str(after.bytes), text[start:end], count=1)
    return _with_file(text[:start] + near.replace(before.sha256, after.sha256) + text[end:], before, after)
