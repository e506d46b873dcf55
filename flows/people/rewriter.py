"""Rewriting a kept release without a person: every file that changes is made anew and staged.

A release of this paperlake is built again, of the captures that it has, as they are in the archive now: so its tables
are to the byte those of a build from raw. What older code made cannot be made again: each value is masked in its place.
A file that is not what its manifest says is reported, not rewritten under a hash that says it is right.
"""

import json
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from operator import attrgetter
from pathlib import Path
from typing import Final

import msgspec
import polars as pl
import pyarrow.parquet as pq
from msgspec.structs import replace

from flows.documents.catalogues import DCAT, croissant, dcat
from flows.documents.contract import datapackage
from flows.documents.edition import edition_of
from flows.documents.roots import ROOTS, roots
from flows.documents.site_files import ENDS, FOLDER, file_ends
from flows.people.staged import LISTS, Manifests, Plan, plan_key, stage_key
from flows.people.whereabouts import OF_WORDS, Places, masked_decisions, text_without
from flows.steps.corrections_file import STATUS, something_corrected
from flows.steps.make_draft import remake
from warehouse.archive.index import IndexEntry
from warehouse.changes.row_steps import INDEX as CHANGES_INDEX
from warehouse.changes.row_steps import described, rows_key, without_rows
from warehouse.errors import Damaged
from warehouse.people.masked_tables import about_frames, copied, masked_frame
from warehouse.people.person import Person
from warehouse.release import about, database, parquet
from warehouse.release.cohort_files import marts_of
from warehouse.release.draft import write_part
from warehouse.release.latest import DATABASE, MANIFEST, release_key
from warehouse.release.made_again import SCRIPT, about_files, about_key, can_be_made, kept_files, make_again, parts_of
from warehouse.release.manifest import Draft, ErasureNote, File, Manifest, TableFiles, digest, encode, packed
from warehouse.release.query import opened
from warehouse.release.schema_changes import changed_tables
from warehouse.release.snapshot import Snapshot, contents, locate
from warehouse.release.write import SUMS, files_of
from warehouse.schema.catalog import ABOUT_TABLES, ALL_TABLES, CHANGES, COLUMNS, DECLARED, FILE, TABLES, schema_digest
from warehouse.schema.core.attached import PAPER_AUTHORS
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.ddl import qualified
from warehouse.schema.mart import Mart
from warehouse.store.local_files import LocalFiles, sha256

ABOUT: Final = frozenset(about_key(table) for table in ABOUT_TABLES if table is not FILE)


@dataclass
class Rewriter:
    """Rewrites one release: files are made in a folder on this machine first, then staged in the lake.

    `apart` writes databases in a process that never read what is erased: what DuckDB leaves free in a block is as
    memory had it, and this process has read the person's rows.
    """

    files: LocalFiles
    manifest: Manifest
    person: Person
    entries: Sequence[IndexEntry]
    folder: Path
    apart: Executor
    found: Places
    follows_another: bool = False  # that held something of the person
    made: dict[str, Path] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)

    def plan(self, note: ErasureNote) -> Plan | None:
        """Rewrite and stage what holds something of the person; None where nothing does."""
        for file in kept_files(self.files.store, self.manifest):
            key = release_key(self.manifest.version, file.key)
            if self.files.sha256(key) != file.sha256:
                raise Damaged(f"{key} is not what its manifest says; restore it from a copy, and erase again")
        found, changed = self.found, self._digests()
        tables = {file.key for file in files_of(described(self.manifest).values())} | {DATABASE, *ABOUT}
        after = self.manifest
        # A database that was renewed from one which held the person has deleted rows in blocks that DuckDB left free
        is_renewed = self.follows_another and self._has_database
        if is_renewed or not changed.is_empty() or not tables.isdisjoint(found.keys):
            release = Snapshot(self.manifest, self.files)
            is_of_this_code = self.manifest.code_version == version("paperlake")
            as_declared = is_of_this_code and not changed_tables(release)
            draft = rebuilt(release, self.entries, self.person) if as_declared else None
            after = self._rebuilt(draft) if draft else self._masked(changed)
            self._renew_roots(after)
        if after is not self.manifest or not ENDS.isdisjoint(found.keys):
            self._renew_ends(after)
        rows = {rows_key(name) for name in described(self.manifest)}
        for key in (key for key in found.keys if key not in tables | rows | ENDS | {MANIFEST}):
            text = self._path(key).read_bytes().decode("utf-8", "surrogateescape")
            self._put(key, text_without(self.person, key, text).encode("utf-8", "surrogateescape"))
        self._drop_rows(after)
        if not (self.made or MANIFEST in found.keys):
            return None
        self._renew_lists(after)
        return self._stage(self._with_hashes(after, note), note)

    def _digests(self) -> pl.DataFrame:
        """The new sizes and digests of rewritten pages, for the table of captures."""
        names = ("capture_id", "payload_sha256", "payload_bytes")
        rows = [(one.capture_id, one.payload_sha256, one.payload_bytes) for one in self.entries if one.erased]
        now = pl.DataFrame(rows, schema=dict.fromkeys(names[:2], pl.String) | {names[2]: pl.Int64}, orient="row")
        held = Snapshot(self.manifest, self.files).select(CAPTURES, names)
        return now.join(held, on=names, how="anti").join(held, on="capture_id", how="semi").unique("capture_id")

    def _rebuilt(self, draft: Draft) -> Manifest:
        """The release as this paperlake makes it of the archive as it is now; its files are made, not staged."""
        for file in files_of(draft.tables):
            if file.key not in draft.kept:
                self.made[file.key] = self.files.path(locate(draft, file.key))
        after = replace(self.manifest, tables=draft.tables)
        target = self.folder / DATABASE
        paths = {table.name: [self._path(file.key) for file in table.files] for table in after.tables}
        self.apart.submit(database.assemble, target, paths, self._about_tables(after)).result()
        marts = tuple(self._mart(mart, rows.frame) for mart, rows in marts_of(target))
        after = replace(after, marts=marts)
        edition, had = edition_of(draft, after.version, marts), {file.key for file in self.manifest.files}
        lists = {"croissant.json": croissant(edition), "datapackage.json": datapackage(edition), DCAT: dcat(edition)}
        for key, data in lists.items():
            if key in had:
                self._put(key, data)
        # An example is a value without its row, which alone may say that it is of another of that name
        with opened(target) as renewed:
            found = COLUMNS.conform(pl.DataFrame(renewed.arrow(f"FROM {qualified(COLUMNS)}")))
        columns, _ = masked_frame(self.person, COLUMNS.name, found)
        frames = {TABLES.name: about.described_tables(after), COLUMNS.name: columns}
        described = partial(database.put_about, frames=frames)
        self.apart.submit(database.in_database, target, described).result()
        with opened(target) as renewed:
            for key, data in about_files(renewed).items() if had.issuperset(ABOUT) else ():
                if data != self._path(key).read_bytes():
                    self._put(key, data)
        if self._has_database:
            self.made[DATABASE] = target
        return after

    @property
    def _has_database(self) -> bool:
        """Whether the database is kept; else it is made of the tables when somebody asks for it."""
        return self.files.store.is_kept(release_key(self.manifest.version, DATABASE))

    def _about_tables(self, after: Manifest) -> dict[str, pl.DataFrame]:
        """The tables about the release without the person: of an older paperlake only the database has them.

        Where words left the index of search, keys that had them leave the changes since the release before.
        """
        if ABOUT.issubset(file.key for file in self.manifest.files):
            made = about_frames(lambda table: pl.read_parquet(self._path(about_key(table))), self.person)
        else:
            with opened(self._path(DATABASE)) as stored:
                made = about_frames(lambda table: pl.DataFrame(stored.arrow(f"FROM {qualified(table)}")), self.person)
        was, now = described(self.manifest), described(after)
        if not self.person.authorship and all(contents(was.get(one)) == contents(now.get(one)) for one in OF_WORDS):
            return made
        of_index = pl.col("table_name").is_in([table.name for table in ALL_TABLES if table.of_search])
        keys = pl.when(of_index).then(pl.lit([], pl.List(pl.String))).otherwise("keys").alias("keys")
        return made | {CHANGES.name: made[CHANGES.name].with_columns(keys)}

    def _mart(self, mart: Mart, frame: pl.DataFrame) -> TableFiles:
        files = []
        before = {file.key: file for table in self.manifest.marts for file in table.files}
        for part in parquet.parts(mart, frame):
            file = write_part(self.folder, part)
            if before.get(part.key) != file:
                self.made[part.key] = self.folder / part.key
            files.append(file)
        in_order = tuple(sorted(files, key=attrgetter("key")))
        return TableFiles(mart.name, frame.height, in_order, cohort_rows=mart.cohort_rows)

    def _masked(self, changed: pl.DataFrame) -> Manifest:
        """The release with every value masked in its tables and its database, which keep their rows and files."""
        for table in described(self.manifest).values():
            for file in table.files:
                if file.key in self.found.keys or (table.name == CAPTURES.name and not changed.is_empty()):
                    self._mask_table(table, file.key, changed)
        for key in ABOUT.intersection(self.found.keys):
            self._mask_table(TableFiles(Path(key).stem, 0, ()), key, changed)
        if self._has_database:
            self.made[DATABASE] = self._masked_database(changed)
        files = {key: File(key, path.stat().st_size, sha256(path)) for key, path in self.made.items()}

        def renewed(tables: tuple[TableFiles, ...]) -> tuple[TableFiles, ...]:
            return tuple(replace(one, files=tuple(_with_new_hash(file, files) for file in one.files)) for one in tables)

        return replace(self.manifest, tables=renewed(self.manifest.tables), marts=renewed(self.manifest.marts))

    def _drop_rows(self, after: Manifest) -> None:
        """Drop the rows of steps that hold the person, and those that no longer lead to what a table is now.

        Whoever follows the releases takes these tables whole.
        """
        was, now = described(self.manifest), described(after)
        names = {name for name in now if contents(was.get(name)) != contents(now[name])}
        names |= {name for name in now if rows_key(name) in self.found.keys}
        listed = {file.key for file in self.manifest.files}
        self.dropped = {rows_key(name) for name in names} & listed
        self.dropped |= set() if self._has_database else {DATABASE}
        if names and CHANGES_INDEX in listed:
            self._put(CHANGES_INDEX, without_rows(self._path(CHANGES_INDEX).read_bytes(), after, names))

    def _masked_database(self, changed: pl.DataFrame) -> Path:
        """The database of masked tables: always anew, as its statistics hold values too."""
        target = self.folder / DATABASE
        if can_be_made(file.key for file in self.manifest.files):
            parts = {name: [self._path(file.key) for file in of] for name, of in parts_of(self.manifest).items()}
            self.apart.submit(make_again, target, self._path(SCRIPT).read_text("utf-8"), parts).result()
        else:  # of an older paperlake: what its tables are it alone says
            copied(self._path(DATABASE), target, self.person, changed, database.LAYOUT)
        return target

    def _mask_table(self, held: TableFiles, key: str, changed: pl.DataFrame) -> None:
        frame = pl.read_parquet(self._path(key))
        masked, _ = masked_frame(self.person, held.name, frame)
        masked = masked.update(changed, on="capture_id") if held.name == CAPTURES.name else masked
        target = self._target(key)
        table = DECLARED.get(held.name)
        if table is not None and held.schema_sha256 == schema_digest(table):
            parquet.Part(table, key, table.conform(masked)).write(target)
        else:
            pq.write_table(masked.to_arrow(compat_level=parquet.OLDEST), target, compression="zstd")
        self.made[key] = target

    def _renew_roots(self, after: Manifest) -> None:
        """The roots of the trees, of pages as they are now; a release of an older paperlake has none."""
        if ROOTS in {file.key for file in self.manifest.files}:
            paths = {table.name: [self._path(file.key) for file in table.files] for table in after.tables}
            renewed = roots(lambda name, columns: pl.scan_parquet(paths[name]).select(columns))
            if renewed != self._path(ROOTS).read_bytes():
                self._put(ROOTS, renewed)

    def _renew_ends(self, after: Manifest) -> None:
        """Renew the footers that the explorer reads; a release of an older paperlake has none."""
        listed = {file.key for file in self.manifest.files}
        for name, data in file_ends(described(after).values(), self._path).items():
            if (key := f"{FOLDER}/{name}") in listed and data != self._path(key).read_bytes():
                self._put(key, data)

    def _renew_lists(self, after: Manifest) -> None:
        """Documents that list files with their hashes and sizes list the new ones."""
        listing = [file.key for file in self.manifest.files if file.key in LISTS] if after != self.manifest else []
        for key in listing:
            before = self._path(key).read_bytes().decode()
            if (renewed := LISTS[key](before, Manifests(self.manifest, after))) != before:
                self._put(key, renewed.encode())

    def _with_hashes(self, after: Manifest, note: ErasureNote) -> Manifest:
        of_tables = {file.key for file in files_of(described(self.manifest).values())}
        others = [file for file in self.manifest.files if file.key not in {*of_tables, SUMS, *self.dropped}]
        new = {key: File(key, path.stat().st_size, sha256(path)) for key, path in self.made.items()}
        files = (*files_of(after.tables), *files_of(after.marts), *(_with_new_hash(file, new) for file in others))
        sums = "".join(f"{file.sha256}  {file.key}\n" for file in files).encode()
        self._put(SUMS, sums)
        checks = text_without(self.person, "checks.json", bytes(after.checks).decode())
        return replace(
            after,
            files=(*files, File(SUMS, len(sums), digest(sums))),
            checks=msgspec.Raw(checks.encode()),
            decisions=masked_decisions(self.person, after.decisions),
            erasures=(*after.erasures, note),
        )

    def _stage(self, manifest: Manifest, note: ErasureNote) -> Plan:
        store, entry_id = self.files.store, note.name[:8]
        for key, path in self.made.items():
            store.delete(staged := stage_key(entry_id, manifest.version, key))
            store.put_file_new(staged, path)
        before = digest(store.read(release_key(manifest.version, MANIFEST)))
        gone = {file.key for file in self.manifest.files} - {file.key for file in manifest.files}
        plan = Plan(before, manifest, tuple(self.made), self.found.cells, tuple(sorted(gone)))
        store.put(stage_key(entry_id, manifest.version, MANIFEST), packed(manifest))
        store.put(plan_key(entry_id, manifest.version), encode(plan))
        return plan

    def _put(self, key: str, data: bytes) -> None:
        self.made[key] = self._target(key)
        self.made[key].write_bytes(data)

    def _target(self, key: str) -> Path:
        target = self.folder / key
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def _path(self, key: str) -> Path:
        """A file on this machine: the new one where it was made, else the release's."""
        return self.made.get(key) or self.files.path(release_key(self.manifest.version, key))


def _with_new_hash(file: File, new: dict[str, File]) -> File:
    """The file with the size and hash that it has now."""
    made = new.get(file.key)
    return replace(file, bytes=made.bytes, sha256=made.sha256) if made else file


def rebuilt(release: Snapshot[Manifest], entries: Sequence[IndexEntry], person: Person) -> Draft | None:
    """A draft that differs from the release in what was erased, and lies in the lake; None where nothing differs.

    Nor is there one where raw lacks pages of the release, as in a copy of releases alone.
    """
    held = set(release.select(CAPTURES, ["capture_id"])["capture_id"])
    if not held.issubset(one.capture_id for one in entries):
        return None
    erased = [one.capture_id for one in entries if one.erased and one.capture_id in held]
    corrections = corrections_left(person, release)
    decisions = masked_decisions(person, release.of.decisions)
    return remake(release.files, release, erased, corrections, decisions=decisions)


def their_claims(person: Person, release: Snapshot[Manifest]) -> list[str]:
    """The rows of printed authors with an account of theirs, in a release that has corrections."""
    held = release.read(CORRECTIONS)
    if held.is_empty():
        return []
    authors = release.read(PAPER_AUTHORS).drop_nulls("login").select(*PAPER_AUTHORS.key, "login")
    rows = [(json.dumps({"paper_id": one, "position": str(place)}), of) for one, place, of in authors.iter_rows()]
    rows += held.filter(column_name="login").select("row_key", "value_seen").drop_nulls().rows()
    return [row_key for row_key, login in rows if person.is_login(login)]


def corrections_left(person: Person, release: Snapshot[Manifest]) -> pl.DataFrame:
    """The corrections of a release, with the person masked.

    Without those of accounts of theirs beside printed names, where the pages have nothing any more that is to be
    corrected.
    """
    is_of_theirs = pl.col("row_key").is_in(their_claims(person, release)) & (pl.col("column_name") == STATUS)
    held = release.read(CORRECTIONS).drop("capture_id").filter(~is_of_theirs)
    return something_corrected(masked_frame(person, CORRECTIONS.name, held)[0])
