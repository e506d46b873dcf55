"""Writing a release: its version is claimed, its files are put and read back, before `latest.json` may name it.

A release is `releases/<YYYY.MM.DD.N>/`. Its first object names the draft it is made from and so claims it, its last,
`manifest.json`, completes it: a publisher that was killed finds its claim and resumes. The number of
requests here does not grow with the number of releases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from itertools import count
from operator import attrgetter
from pathlib import Path
from shutil import copyfile
from typing import Final

import polars as pl
from msgspec import Raw, Struct
from msgspec.structs import replace

from warehouse.errors import Damaged, GateClosed, Superseded
from warehouse.release import about, database, parquet
from warehouse.release.cohort_files import stored_marts
from warehouse.release.draft import write_part
from warehouse.release.faults import file_faults, files_of, row_faults
from warehouse.release.latest import DATABASE, MANIFEST, latest, parent_of, release_key
from warehouse.release.manifest import Draft, File, Manifest, TableFiles, digest, encode, long_term, packed
from warehouse.release.parquet import Differing
from warehouse.release.schema_changes import kind_of
from warehouse.release.snapshot import Snapshot, contents, draft_key, locate, rows_that_differ
from warehouse.schema.catalog import CHANGES, CORE_TABLES, TABLES
from warehouse.schema.mart import Mart
from warehouse.store.local_files import scratch, sha256
from warehouse.store.store import Store, read_if_there

AT_ONCE: Final = 8  # requests in parallel: a small file's takes the bucket's latency
CLAIM: Final = "draft.json"
CLAIM_DAY: Final = "claimed_on"  # beside the draft: the day in the version of the release that it becomes
SUMS: Final = "SHA256SUMS"
KEYS: Final = {table.name: table.key for table in CORE_TABLES}
# The manifest so far, with marts, and what is known to differ from the parent, by table → the rows of `_changes`
Explain = Callable[[Manifest, Mapping[str, Differing]], pl.DataFrame]


class ClaimedBy(Struct, frozen=True):
    """Which draft a release is made from; without its hash in releases of an older paperlake, which kept all of it."""

    draft_id: str
    sha256: str = ""

    def is_of(self, draft: Draft) -> bool:
        return self.draft_id == draft.draft_id and self.sha256 in {"", claim_of(draft).sha256}


def claim_of(draft: Draft) -> ClaimedBy:
    return ClaimedBy(draft.draft_id, digest(encode(draft)))


def claim(store: Store, draft: Draft, today: date) -> str:
    """Claim the version that this draft becomes: the one it has, even by a racing process, or the next of the day.

    Whoever publishes a draft, today or later, starts from the day of the first who did, and tries the same numbers.
    Superseded where another release was published, GateClosed where the version is that of a retracted release.
    """
    key, claimed_on = draft_key(draft.draft_id, CLAIM_DAY), f"{today:%Y.%m.%d}".encode()
    day = claimed_on if store.put_new(key, claimed_on) else read_if_there(store, key)
    if day is None or draft.parent != parent_of(store):
        store.delete(key)  # whoever published has dropped the draft, perhaps before this was put there
        raise Superseded('another release became the latest since this draft was made; run "paperlake build" again')
    wanted = encode(claim_of(draft))
    claims = (
        (version, release_key(version, CLAIM))
        for version in versions(day.decode(), draft.parent.version if draft.parent else "")
    )
    version = next(version for version, key in claims if store.put_new(key, wanted) or store.read(key) == wanted)
    named = latest(store)
    if named and (erratum := named.erratum(version)):
        mend = f'mend what was wrong, or take it back with "paperlake retract {version} --undo --why WHY"'
        raise GateClosed(f"this is release {version} again, which was retracted: {erratum.why}; {mend}")
    return version


def versions(day: str, parent: str) -> Iterator[str]:
    """The versions that a release may take, in order: all later than its parent's, whose day may be the same."""
    parent_day, _, parent_number = parent.rpartition(".")
    first_day, first = max((day, 1), (parent_day, int(parent_number or 0) + 1))
    return (f"{first_day}.{number}" for number in count(first))


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
        """Put a document; whether it is new. In a local lake one that the parent has with the same bytes is linked, as
        are feeds in which nothing is new; in a bucket a copy would cost as much as a write.
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
            changed, known = None, dict[str, Differing]()
            if before := self._renewable():
                copyfile(before, made)
                of_core = self._differing()
                changed = database.renew(made, of_core, about_tables, database.parquet_bytes(paths))
                known = of_core | (changed or {})
            if changed is None:
                database.assemble(made, paths, about_tables)
            begun = self._begun(
                self._put_mart(folder, mart, rows) for mart, rows in stored_marts(made, self._parent, changed)
            )
            known_last = {TABLES.name: about.described_tables(begun)}
            if explain:
                known_last[CHANGES.name] = explain(begun, known)
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
            checks=self._checks,
            marts=tuple(marts),
            code_sha256=self._draft.code_sha256,
            decisions=self._draft.decisions,
            kind=self._kind,
            kept_until=long_term(self._version, self._draft.parent.version if self._draft.parent else None),
        )

    def _renewable(self) -> Path | None:
        """The parent's database, if this one's may be made from a copy of it: in one of another version of paperlake
        most rows would differ.
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
