"""Writing a release: claimed, put in place whole and read back, before `latest.json` may name it.

A release is `releases/<YYYY.MM.DD.N>/`. It is claimed by its first object, the draft it is made from, and complete
with its last, `manifest.json`: a publisher that was killed finds its claim and goes on where it stopped. Nothing here
asks for more objects, or lists more of them, when there are more releases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from itertools import count
from operator import attrgetter
from pathlib import Path
from shutil import copyfile
from typing import Final

import polars as pl
from msgspec.structs import replace

from warehouse.errors import Damaged, GateClosed, Superseded
from warehouse.release import about, database, parquet
from warehouse.release.changes.cells import Unlike
from warehouse.release.cohorts.mart_files import stored_marts
from warehouse.release.cohorts.renewal import Renewed
from warehouse.release.cohorts.replaced import Changed
from warehouse.release.draft import write_part
from warehouse.release.faults import file_faults, files_of, row_faults
from warehouse.release.latest import DATABASE, MANIFEST, latest, parent_of, release_key
from warehouse.release.manifest import Draft, File, Manifest, Parent, TableFiles, digest, encode, long_term
from warehouse.release.schema_changes import kind_of
from warehouse.release.snapshot import Snapshot, draft_key, locate
from warehouse.schema.about_tables import TABLES
from warehouse.schema.changes.causes import CHANGES
from warehouse.schema.mart import Mart
from warehouse.store.local_files import scratch, sha256
from warehouse.store.store import Store, read_if_there

AT_ONCE: Final = 8  # small files on their way to a bucket: each waits for its answer
CLAIM: Final = "draft.json"
CLAIM_DAY: Final = "claimed_on"  # with the draft: the day in the name of the release that it becomes
SUMS: Final = "SHA256SUMS"
# A release as far as it goes, its marts among it, and which rows are unlike its parent's, where known → `_changes`
Explain = Callable[[Manifest, Mapping[str, Unlike] | None], pl.DataFrame]


def claim(store: Store, draft: Draft, today: date) -> str:
    """The version that this draft becomes: the one it has claimed, here or in a racing process, or the day's next.

    Whoever publishes a draft, today or later, starts from the day of the first who did, and tries the same numbers.
    GateClosed where it is that of a release that was retracted.
    """
    key, claimed_on = draft_key(draft.draft_id, CLAIM_DAY), f"{today:%Y.%m.%d}".encode()
    day = claimed_on if store.put_new(key, claimed_on) else read_if_there(store, key)
    if day is None or draft.parent != parent_of(store):
        store.delete(key)  # whoever published has dropped the draft, perhaps before this was put there
        raise Superseded('another release was published since this draft was made; run "paperlake build" again')
    wanted = encode(draft)
    claims = ((version, release_key(version, CLAIM)) for version in _versions(day.decode(), draft.parent))
    version = next(version for version, key in claims if store.put_new(key, wanted) or store.read(key) == wanted)
    named = latest(store)
    if named and (erratum := named.erratum(version)):
        mend = f'mend what was wrong, or take it back with "paperlake retract {version} --undo --why WHY"'
        raise GateClosed(f"this is release {version} again, which was retracted: {erratum.why}; {mend}")
    return version


def _versions(day: str, parent: Parent | None) -> Iterator[str]:
    """What a release may be called, in order: later than its parent, whose day may be the same."""
    parent_day, _, parent_number = parent.version.rpartition(".") if parent else ("", "", "0")
    first_day, first = max((day, 1), (parent_day, int(parent_number) + 1))
    return (f"{first_day}.{number}" for number in count(first))


class ReleaseWriter:
    """Writes the release of one version, from a draft. What is there already, it leaves as it is."""

    def __init__(self, draft: Snapshot[Draft], version: str) -> None:
        self._draft, self._version, self._files = draft.of, version, draft.files
        follows = draft.parent()
        self._kind = kind_of(draft.of, follows.of if follows else None)
        self._parent = follows if self._store.folder else None
        self._before = frozenset(self._parent.of.files) if self._parent else frozenset()

    def write_tables(self, about_tables: about.Frames, explain: Explain | None = None) -> Manifest:
        """Put every table in place, the database made of them, and its marts; read all back.

        Returns the manifest as far as it goes: from here on the release's own tables are read, which no other publisher
        drops as it may the draft's. `about_tables` are those of the database on the release itself
        (warehouse/release/about.py); what it has of why it differs from the one before, it has of `explain`.
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
        """Put what is said of the tables beside them, and read it back, once; the manifest last."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            is_new = dict(zip(documents, pool.map(self._put_document, documents, documents.values()), strict=True))
        written = {key: digest(documents[key]) for key in documents if is_new[key]}
        written |= {CLAIM: digest(encode(self._draft))}
        with ThreadPoolExecutor(AT_ONCE) as pool:
            others = list(pool.map(self._read_back, sorted([*documents, CLAIM, DATABASE])))
        self._require(file.key for file in others if written.get(file.key, file.sha256) != file.sha256)
        files = (*files_of(begun.tables), *files_of(begun.marts), *others)
        sums = "".join(f"{file.sha256}  {file.key}\n" for file in files)  # what `sha256sum --check` reads
        manifest = replace(begun, files=(*files, self._put_last(SUMS, sums.encode())))
        self._put_last(MANIFEST, encode(manifest))
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
        """Whether it was not there. On this machine one that the parent has with the same bytes is linked, as are feeds
        in which nothing is new; in a bucket a copy would cost as much.
        """
        same = File(key, len(data), digest(data))
        if self._parent and same in self._before and self._parent.has(same):
            return self._store.copy_new(locate(self._parent.of, key), self._key(key))
        return self._store.put_new(self._key(key), data)

    def _put_database(self, about_tables: about.Frames, explain: Explain | None) -> tuple[str | None, Manifest]:
        """Assemble the database from the release's own Parquet, and put its marts there as Parquet too.

        Returns the database's hash, None where one was there already, and the manifest as far as it goes.
        """
        with scratch() as folder:
            made, unlike = folder / DATABASE, None
            paths = {
                table.name: [self._files.path(self._key(file.key)) for file in table.files]
                for table in self._draft.tables
            }
            unlike = None
            if before := self._renewable(paths):
                copyfile(before, made)
                unlike = database.renew(made, self._changed(), about_tables)
            else:
                database.assemble(made, paths, about_tables)
            begun = self._begun(
                self._put_mart(folder, mart, rows) for mart, rows in stored_marts(made, self._parent, unlike)
            )
            known_last = {TABLES.name: about.described_tables(begun)}
            if explain:
                known_last[CHANGES.name] = explain(begun, unlike)
            database.put_about(made, known_last)
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
            checks=self._draft.report,
            marts=tuple(marts),
            code_sha256=self._draft.code_sha256,
            kind=self._kind,
            kept_until=long_term(self._version, self._draft.parent.version if self._draft.parent else None),
        )

    def _renewable(self, paths: Mapping[str, Sequence[Path]]) -> Path | None:
        """The database of the release before, if that of this one may be made of a copy of it: another paperlake made
        other rows of most tables.
        """
        if self._parent is None or self._parent.of.code_version != self._draft.code_version:
            return None
        if _forms(self._parent.of.tables) != _forms(self._draft.tables):
            return None
        after = files_of(self._draft.tables)
        needed = [file for file in files_of(self._parent.of.tables) if file not in after]
        needed += [file for file in self._parent.of.files if file.key == DATABASE]
        if not all(map(self._parent.has, needed)):
            return None
        path = self._parent.path(DATABASE)
        return path if database.may_be_renewed(path, database.parquet_bytes(paths)) else None

    def _changed(self) -> dict[str, Changed]:
        """Of each table of which the release before has other files, those that differ."""
        assert self._parent is not None
        found = {}
        for table in self._draft.tables:
            before = self._parent.tables[table.name].files
            gone = [self._parent.path(file.key) for file in before if file not in table.files]
            new = [self._files.path(self._key(file.key)) for file in table.files if file not in before]
            if gone or new:
                found[table.name] = Changed(gone, new)
        return found

    def _put_mart(self, folder: Path, mart: Mart, rows: Renewed) -> TableFiles:
        """The same rows are the same bytes, so that a file that was there already must be this one."""
        for file in rows.passed:
            assert self._parent is not None
            self._store.copy_new(locate(self._parent.of, file.key), self._key(file.key))
        made = [write_part(folder, part) for part in parquet.parts(mart, *rows)]
        for file in made:
            self._store.put_file_new(self._key(file.key), folder / file.key)
        files = tuple(sorted((*rows.passed, *made), key=attrgetter("key")))
        return TableFiles(mart.name, sum(file.row_count or 0 for file in files), files, cohort_rows=mart.cohort_rows)

    def _put_last(self, key: str, data: bytes) -> File:
        """A file that follows from the others: there may be the same one already, and no other."""
        self._store.put_new(self._key(key), data)
        self._require([key] if self._store.read(self._key(key)) != data else [])
        return File(key, len(data), digest(data))

    def _require(self, faults: Iterable[str]) -> None:
        if lines := list(faults):
            head = f"release {self._version} did not read back as written, latest was not moved:"
            raise Damaged("\n".join([head, *lines]))


def _forms(tables: Iterable[TableFiles]) -> dict[str, str]:
    """Which tables there are, and of which columns and revisions."""
    return {table.name: table.schema_sha256 for table in tables}
