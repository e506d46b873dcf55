"""A kept release without a person: first every file that changes is made and staged, then all are put in place.

What is staged lies under `erasing/<id>/` until the erasure is done, and a plan beside it, so that one that was
killed goes on with the same bytes. A file that is not what its manifest says is told, not written anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
import polars as pl
import pyarrow.parquet as pq
from msgspec import UNSET, Struct
from msgspec.structs import replace

from warehouse.archive.index import IndexEntry
from warehouse.erasing.pages import masked_json
from warehouse.erasing.person import Person
from warehouse.errors import Damaged
from warehouse.release import parquet
from warehouse.release.erasing.database_copy import Amend, copied, hits_in, rows_of
from warehouse.release.erasing.erasures import Cells
from warehouse.release.erasing.masking import masked_frame, words_in
from warehouse.release.latest import DATABASE, MANIFEST, release_key
from warehouse.release.manifest import ErasureNote, File, Manifest, TableFiles, decode, digest, encode
from warehouse.release.write import SUMS
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.tables import ALL_TABLES, schema_digest
from warehouse.store.local_files import LocalFiles, scratch, sha256
from warehouse.store.store import Store, read_if_there

STAGE: Final = "erasing"
NO_DATA: Final = re.compile(r"explore/[^/]+/.*|.*\.(?:gz|png|svg|wasm)")  # the explorer's own code, the same in each
TOLD: Final = ("croissant.json", "datapackage.json", "explore/tables.json", "explore/index.html")
NEAR: Final = 400  # characters around a hash, in which a document says how long the file is


class Plan(Struct, frozen=True):
    """What a release becomes: its manifest before and after, the files that are staged, the rows that change."""

    before: str
    manifest: Manifest
    keys: tuple[str, ...]
    cells: tuple[Cells, ...]


def amended(entries: list[IndexEntry]) -> Amend:
    """What the table of captures says of pages from which somebody was erased, by the index of the archive."""
    erased = [(one.capture_id, one.payload_sha256, one.payload_bytes) for one in entries if one.erased]
    schema = {"capture_id": pl.String, "payload_sha256": pl.String, "payload_bytes": pl.Int64}
    told = pl.DataFrame(erased, schema=schema, orient="row").unique("capture_id")

    def amend(table: str, frame: pl.DataFrame) -> pl.DataFrame:
        known = [name for name in told.columns if name in frame.columns]
        if table != CAPTURES.name or "capture_id" not in known:
            return frame
        casts = told.select(pl.col(name).cast(frame.schema[name]) for name in known)
        return frame.update(casts, on="capture_id", how="left")

    return amend


def planned(files: LocalFiles, manifest: Manifest, person: Person, note: ErasureNote, amend: Amend) -> Plan | None:
    """Make and stage what changes of a release; None where nothing does."""
    rewriter = _Rewriter(files, manifest, person, amend)
    return rewriter.plan(note)


def apply(store: Store, entry_id: str, plan: Plan) -> None:
    """Put what is staged in place; the manifest last."""
    version = plan.manifest.version
    for key in plan.keys:
        staged = read_if_there(store, stage_key(entry_id, version, key))
        if staged is not None:
            store.put(release_key(version, key), staged)
    store.put(release_key(version, MANIFEST), encode(plan.manifest))


def stage_key(entry_id: str, version: str, key: str) -> str:
    return f"{STAGE}/{entry_id}/{version}/{key}"


def plan_key(entry_id: str, version: str) -> str:
    return f"{STAGE}/{entry_id}/{version}.json"


def stored_plan(store: Store, entry_id: str, version: str) -> Plan | None:
    """The plan of an erasure that was killed, or goes on."""
    key = plan_key(entry_id, version)
    data = read_if_there(store, key)
    return decode(data, Plan, key) if data else None


class _Rewriter:
    """One release on its way; what is made lies in the files' folder of this machine first."""

    def __init__(self, files: LocalFiles, manifest: Manifest, person: Person, amend: Amend) -> None:
        self._files, self._manifest, self._person, self._amend = files, manifest, person, amend
        self._made: dict[str, Path] = {}
        self._cells: list[Cells] = []
        self._tables = {file.key: table for table in (*manifest.tables, *manifest.marts) for file in table.files}

    def plan(self, note: ErasureNote) -> Plan | None:
        with scratch() as folder:
            for file in self._manifest.files:
                self._rewrite(file, folder)
            if not self._made:
                return None
            new = {key: File(key, path.stat().st_size, sha256(path)) for key, path in self._made.items()}
            self._tell(new, folder)
            manifest = self._manifest_of(new, note)
            return self._stage(manifest, note)

    def _rewrite(self, file: File, folder: Path) -> None:
        if file.key == SUMS or NO_DATA.fullmatch(file.key):
            return
        source, target = self._files.path(release_key(self._manifest.version, file.key)), folder / file.key
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.key == DATABASE:
            is_changed = self._copy_database(source, target)
        elif file.key.endswith(".parquet"):
            is_changed = self._rewrite_table(file, source, target)
        else:
            is_changed = self._rewrite_text(source, target)
        if is_changed:
            self._require_sound(file)
            self._made[file.key] = target

    def _copy_database(self, source: Path, target: Path) -> bool:
        """The database is made anew wherever a table changed: what it has as rows it has as statistics, too."""
        if not self._made and not hits_in(source, self._person)[0]:
            return False
        told = {(cell.table, cell.column) for cell in self._cells}
        rows = rows_of(copied(source, target, self._person, self._amend))
        self._cells += [self._cell(*row) for row in rows if row[:2] not in told]
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

    def _tell(self, new: dict[str, File], folder: Path) -> None:
        """Put right what documents say of the files that changed: hashes, and how long they are."""
        before = {file.key: file for file in self._manifest.files}
        for key in TOLD:
            if key not in before:
                continue
            source = self._made.get(key) or self._files.path(release_key(self._manifest.version, key))
            text = source.read_text("utf-8")
            told = text
            for changed, file in new.items():
                told = _told(told, before[changed], file)
            if told != text:
                (folder / key).parent.mkdir(parents=True, exist_ok=True)
                (folder / key).write_text(told, "utf-8")
                self._made[key] = folder / key
                new[key] = File(key, len(told.encode()), digest(told.encode()))

    def _manifest_of(self, new: dict[str, File], note: ErasureNote) -> Manifest:
        def of(file: File) -> File:
            made = new.get(file.key)
            return replace(file, bytes=made.bytes, sha256=made.sha256) if made else file

        def tables(described: tuple[TableFiles, ...]) -> tuple[TableFiles, ...]:
            return tuple(replace(table, files=tuple(map(of, table.files))) for table in described)

        old = self._manifest
        files = [of(file) for file in old.files if file.key != SUMS]
        sums = "".join(f"{file.sha256}  {file.key}\n" for file in files).encode()
        self._files.store.put(self._staged(note, SUMS), sums)
        notes = () if old.erasures is UNSET else old.erasures
        checks = text_without(self._person, "checks.json", bytes(old.checks).decode())
        return replace(
            old,
            tables=tables(old.tables),
            marts=tables(old.marts),
            files=(*files, File(SUMS, len(sums), digest(sums))),
            checks=msgspec.Raw(checks.encode()),
            erasures=(*notes, note),
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


def text_without(person: Person, name: str, text: str) -> str:
    """A document, or a record, without the person."""
    if not person.is_in(text):
        return text
    return masked_json(person, text) if name.endswith(".json") else person.of_page(text)


def _told(text: str, before: File, after: File) -> str:
    """A document in which the hash of a file, and its length near that, are the new ones."""
    length = rf'("key": ?"{re.escape(before.key)}", ?"bytes": ?){before.bytes}\b'
    text = re.sub(length, rf"\g<1>{after.bytes}", text)
    if (place := text.find(before.sha256)) < 0:
        return text
    start, end = max(place - NEAR, 0), place + NEAR
    near = re.sub(rf"(?<![\w.]){before.bytes}(?![\w.])", str(after.bytes), text[start:end], count=1)
    return _told(text[:start] + near.replace(before.sha256, after.sha256) + text[end:], before, after)


def plans(store: Store, entry_id: str) -> Iterator[Plan]:
    """Every plan of an erasure, the oldest release first."""
    for key in store.list(f"{STAGE}/{entry_id}"):
        if key.count("/") == 2 and key.endswith(".json"):  # noqa: PLR2004 - beside the folders of releases
            yield decode(store.read(key), Plan, key)


class Places(Struct, frozen=True):
    """What a release holds of a person: by table and column the rows, by document its key; and words that stay."""

    cells: tuple[Cells, ...]
    keys: tuple[str, ...]
    words: int


def places_in(files: LocalFiles, manifest: Manifest, person: Person) -> Places:
    """Look through every file of a release, its texts as they are unpacked."""
    cells: dict[tuple[str, str], int] = {}
    keys, words = [], 0
    names = {file.key: table.name for table in (*manifest.tables, *manifest.marts) for file in table.files}
    for file in manifest.files:
        path = files.path(release_key(manifest.version, file.key))
        if file.key in names:
            masked, changed = masked_frame(person, pl.read_parquet(path))
            rows = [(names[file.key], column, count) for column, count in changed.items()]
            words += words_in(person, masked)
        elif file.key == DATABASE:
            found, _ = hits_in(path, person)
            rows = [row for row in rows_of(found) if row[:2] not in cells]
        elif NO_DATA.fullmatch(file.key):
            continue
        else:
            text, rows = path.read_bytes().decode("utf-8", "surrogateescape"), []
            masked_text = text_without(person, file.key, text)
            keys += [file.key] if masked_text != text else []
            words += person.words_in(masked_text)
            continue
        keys += [file.key] if rows else []
        for table, column, count in rows:
            cells[table, column] = cells.get((table, column), 0) + count
    told = tuple(Cells(manifest.version, *place, count) for place, count in sorted(cells.items()))
    return Places(told, tuple(keys), words)
