"""The input of an export: releases, the latest one last, their files, descriptions and errata."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, NamedTuple, TypeAlias

from flows.runtime.lake import is_lake, lake_around
from warehouse.errors import Damaged, UsageError
from warehouse.people.ledger import Ledger
from warehouse.release import moves
from warehouse.release.latest import erasures, manifest_of, release_key
from warehouse.release.manifest import Erratum, File, Latest, Manifest, Parent, TableFiles, decode, encode
from warehouse.schema.catalog import DECLARED
from warehouse.schema.ddl import about_column
from warehouse.schema.table import Table
from warehouse.store.local_files import local_files
from warehouse.store.opening import is_within
from warehouse.store.store import Store, read_if_there

OURS: Final = "paperlake."  # the prefix of our properties
VERSION: Final = f"{OURS}version"
MANIFEST_SHA256: Final = f"{OURS}manifest-sha256"
RETRACTED: Final = f"{OURS}retracted."
Versions: TypeAlias = Mapping[str, dict[str, str]]
BEGUN: Final = "exported.json"  # beside the tables: the releases of which files may be there, as a table has them


def require_no_lake(target: Store, lake: Store) -> None:
    """UsageError where tables are to go into a lake, of which each file has its owner."""
    if is_within(target, lake) or is_lake(target) or lake_around(target):
        raise UsageError(f"{target.url} is a lake, or is in one; name another place for the tables")


class ExportedRelease(NamedTuple):
    """A release, and the SHA-256 that its manifest has now."""

    manifest: Manifest
    sha256: str

    @property
    def version(self) -> str:
        return self.manifest.version

    @property
    def tables(self) -> dict[str, TableFiles]:
        """Core tables and stored marts; releases of an older paperlake have marts without files."""
        return {part.name: part for part in (*self.manifest.tables, *self.manifest.marts) if part.files}

    def parts(self, there: Iterable[str]) -> dict[str, TableFiles]:
        """Its tables and, without files, those that are there and that it lacks: of another release they have rows."""
        return {name: TableFiles(name, 0, ()) for name in there} | self.tables

    def properties(self) -> dict[str, str]:
        """The properties of a snapshot of the release."""
        parent = self.manifest.parent or Parent("", "")
        return {
            VERSION: self.version,
            MANIFEST_SHA256: self.sha256,
            f"{OURS}parent": parent.version,
            f"{OURS}parent-manifest-sha256": parent.manifest_sha256,
            f"{OURS}code-version": self.manifest.code_version,
            f"{OURS}schema-version": str(self.manifest.schema_version),
        }


def pending(  # noqa: PLR0913 - what an export is made of
    store: Store, target: Store, begun: str, past: Sequence[Latest], exported: Versions, *, history: bool
) -> list[ExportedRelease]:
    """The latest release and its ancestors back to one of which every table is `exported`, the oldest first.

    `exported` has each table's versions with their manifests' hashes. None is older than the first of them; where there
    is none, the latest alone, or all with `history`. One that a killed export began comes again: `begun` has those.
    """
    Ledger(store).require_quiet()
    exported = {**exported, begun: decode(read_if_there(target, begun) or b"{}", dict[str, str], begun)}
    hashes = hashes_now(store, target.url, past, exported.values())
    found = [ExportedRelease(manifest_of(store, past[-1]), hashes[past[-1].version])]
    first = min((moves.order_of(one) for versions in exported.values() for one in versions), default=None)
    while parent := found[-1].manifest.parent:
        is_older = not history if first is None else moves.order_of(parent.version) < first
        if is_older or moves.dropped(store, parent.version, past):
            break
        release = ExportedRelease(moves.published(store, parent.version, past), hashes[parent.version])
        if all(release.version in exported.get(name, ()) for name in release.tables):
            break
        found.append(release)
    target.put(begun, encode(exported[begun] | {one.version: one.sha256 for one in found}))
    return found[::-1]


def dropped(store: Store, past: Sequence[Latest], versions: Collection[str]) -> set[str]:
    """The versions among these that the lake has dropped, by one request."""
    kept = {PurePosixPath(key).stem for key in store.list(moves.DROPPED)}
    return kept.union(*(move.dropped for move in past)) & set(versions)


def hashes_now(store: Store, place: str, past: Sequence[Latest], tables: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The hash of each release's manifest after all erasures; UsageError where a table has another or none of these."""
    hashes = {move.version: move.manifest_sha256 for move in past}
    for erasure in erasures(store):
        now = {one.before: one.after for one in erasure.renewed}
        hashes = {version: now.get(sha256, sha256) for version, sha256 in hashes.items()}
    if others := sorted({pair for table in tables for pair in table.items()} - hashes.items()):
        raise UsageError(
            f"{place} has another release {others[0][0]} than the lake: it is of another lake, or from before "
            "an erasure; remove it with its catalog, and export to an empty place"
        )
    return hashes


def errata_properties(name: str, errata: Sequence[Erratum]) -> dict[str, str]:
    """A table's properties on retracted releases, of those that concern it."""
    return {
        f"{RETRACTED}{one.version}": f"{one.retracted_at}: {one.why} ({', '.join(one.affected) or 'all tables'})"
        for one in errata
        if not one.affected or name in {part.partition(":")[0] for part in one.affected}
    }


def table_properties(name: str) -> dict[str, str]:
    """A table's declaration as properties: what it answers, grain, key, units, licences; none if not declared any more.

    `comment` is where Spark and Trino look.
    """
    if (table := DECLARED.get(name)) is None:
        return {}
    units = {f"{OURS}unit.{column.name}": column.unit for column in table.columns if column.unit}
    return {
        "comment": f"{table.grain} {table.answers}",
        f"{OURS}layer": table.layer,
        f"{OURS}grain": table.grain,
        f"{OURS}key": ", ".join(table.key),
        f"{OURS}licences": ", ".join(sorted({column.origin.licence for column in table.columns})),
        **units,
    }


def column_docs(name: str) -> dict[str, str]:
    """The declared description of each column: meaning, unit, what null means, where it comes from."""
    table: Table | None = DECLARED.get(name)
    return {column.name: " ".join(about_column(column)) for column in table.columns} if table else {}


def data_key(file: File) -> str:
    """The key of a release's file in an exported table, by its hash: a file of several releases is there once."""
    return f"data/{file.sha256}.parquet"


def copy_files(
    lake: Store, release: ExportedRelease, files: Sequence[File], target: Store, folder: str
) -> Iterator[File]:
    """Copy files of a release into a folder of the target, each checked by its hash; yields those that were missing."""
    with local_files(lake) as local:  # removed after each table: the disk need not hold a release
        for file in files:
            if target.exists(key := f"{folder}/{data_key(file)}"):
                continue
            source = release_key(release.version, file.key)
            if local.sha256(source) != file.sha256:
                raise Damaged(f'{source} is not what was written; run "paperlake verify"')
            target.put_file_new(key, local.path(source))
            yield file


def first_line(error: Exception) -> str:
    """The message of a library's error, without its trace."""
    return str(error).strip().partition("\n")[0]
