"""One Iceberg table: its snapshots of releases, adding one, and following later moves, retractions and drops."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.exceptions import ResolveError, ValidationError
from pyiceberg.io.pyarrow import parquet_file_to_data_file
from pyiceberg.manifest import DataFile
from pyiceberg.table import Table, TableProperties, Transaction
from pyiceberg.table.snapshots import Snapshot
from pyiceberg.table.update.snapshot import ExpireSnapshots, ManageSnapshots

from paperlake.export import releases_of
from paperlake.export.releases_of import MANIFEST_SHA256, OURS, RETRACTED, VERSION, ExportedRelease
from warehouse.errors import UsageError
from warehouse.release.manifest import TableFiles

KEPT_METADATA: Final = 10  # a table's metadata is a file a commit, and names all snapshots: more are not kept


class Gone(NamedTuple):
    """How many snapshots of dropped releases were removed, and the files that only they had."""

    snapshots: int = 0
    files: tuple[str, ...] = ()


class IcebergTable:
    """A table of a catalog, with its snapshots by the version of their release."""

    def __init__(self, name: str, table: Table) -> None:
        self.name, self._table = name, table
        self._read()

    def _read(self) -> None:
        """Read the snapshots that the table has after the last commit."""
        self.snapshots = {_property(snapshot, VERSION): snapshot for snapshot in self._table.snapshots()}

    @property
    def releases(self) -> dict[str, str]:
        """The versions that the table has, with the hashes of their manifests."""
        return {version: _property(snapshot, MANIFEST_SHA256) for version, snapshot in self.snapshots.items()}

    @property
    def hint(self) -> str:
        """The name of the newest metadata, as `version-hint.text` has it."""
        return PurePosixPath(self._table.metadata_location).name.removesuffix(".metadata.json")

    def add(self, release: ExportedRelease, part: TableFiles) -> None:
        """Add a snapshot of a release, in one commit, on top of that of its parent where the table has it."""
        transaction = self._table.transaction()
        parent = release.manifest.parent
        self._go_to(transaction, self.snapshots.get(parent.version) if parent else None)
        there = self._files(transaction.table_metadata.current_snapshot())
        wanted = [f"{self._table.location()}/{releases_of.data_key(file)}" for file in part.files]
        new = [path for path in wanted if path not in there]
        if transaction.table_metadata.name_mapping() is None:
            mapping = transaction.table_metadata.schema().name_mapping.model_dump_json()
            transaction.set_properties({TableProperties.DEFAULT_NAME_MAPPING: mapping})
        if new:
            self._widen(transaction, new[0], release)
        update = transaction.update_snapshot(snapshot_properties=release.properties()).overwrite()
        with update:
            for path in there.keys() - set(wanted):
                update.delete_data_file(there[path])
            for path in new:
                update.append_data_file(parquet_file_to_data_file(self._table.io, transaction.table_metadata, path))
        ManageSnapshots(transaction).create_tag(update.snapshot_id, release.version).commit()
        transaction.set_properties(releases_of.table_properties(self.name))
        transaction.commit_transaction()
        self._read()

    def settle(self, latest: str, errata: Mapping[str, str], dropped: Collection[str]) -> Gone:
        """Make `latest` the current snapshot, record errata, drop snapshots; no commit where nothing changes."""
        going = [self.snapshots[version] for version in sorted(dropped & self.snapshots.keys())]
        transaction = self._table.transaction()
        self._go_to(transaction, self.snapshots.get(latest))
        standing = {key: text for key, text in self._table.properties.items() if key.startswith(RETRACTED)}
        if standing != errata:
            transaction.remove_properties(*(standing.keys() - errata.keys()))
            transaction.set_properties(dict(errata))
        for snapshot in going:
            ManageSnapshots(transaction).remove_tag(_property(snapshot, VERSION)).commit()
        if going:
            ExpireSnapshots(transaction).by_ids([snapshot.snapshot_id for snapshot in going]).commit()
        files = self._only_of(going)
        transaction.commit_transaction()
        self._read()
        return Gone(len(going), files)

    def _go_to(self, transaction: Transaction, snapshot: Snapshot | None) -> None:
        if snapshot and transaction.table_metadata.current_snapshot_id != snapshot.snapshot_id:
            ManageSnapshots(transaction).set_current_snapshot(snapshot.snapshot_id).commit()

    def _widen(self, transaction: Transaction, path: str, release: ExportedRelease) -> None:
        """Add the columns that the table lacks, with the descriptions of today."""
        with self._table.io.new_input(path).open() as file:
            schema = documented(self.name, pq.read_schema(file))
        try:
            with transaction.update_schema() as update:
                update.union_by_name(schema)
        except (ResolveError, ValidationError, ValueError) as error:
            raise UsageError(
                f"{self.name} of release {release.version} has a column of another type than before ({error}): "
                "Iceberg tables cannot follow that; export to another place"
            ) from error

    def _files(self, snapshot: Snapshot | None) -> dict[str, DataFile]:
        """The data files of a snapshot by their paths."""
        io = self._table.io
        manifests = snapshot.manifests(io) if snapshot else []
        entries = (entry for manifest in manifests for entry in manifest.fetch_manifest_entry(io))
        return {entry.data_file.file_path: entry.data_file for entry in entries}

    def _only_of(self, going: Iterable[Snapshot]) -> tuple[str, ...]:
        """Files, manifests and lists that no other snapshot names."""
        ids = {snapshot.snapshot_id for snapshot in going}
        named: dict[bool, set[str]] = {True: set(), False: set()}
        for snapshot in self._table.snapshots() if ids else ():
            found = named[snapshot.snapshot_id in ids]
            found.update([snapshot.manifest_list, *self._files(snapshot)])
            found.update(manifest.manifest_path for manifest in snapshot.manifests(self._table.io))
        return tuple(sorted(named[True] - named[False]))


def documented(name: str, schema: pa.Schema) -> pa.Schema:
    """The columns of a file, each with its declared description where Iceberg looks for it."""
    docs = releases_of.column_docs(name)
    return pa.schema(
        field.with_metadata({"doc": docs[field.name]}) if field.name in docs else field for field in schema
    )


def new_properties(name: str, columns: Iterable[str]) -> dict[str, str]:
    """The properties of a new table: of which columns to keep ranges, how much metadata to keep."""
    table = releases_of.DECLARED.get(name)
    order = (table.order or table.key) if table else ()
    return {
        "write.metadata.metrics.default": "none",  # the files have ranges of what their rows are found by
        **{f"write.metadata.metrics.column.{column}": "truncate(16)" for column in order if column in columns},
        "write.metadata.delete-after-commit.enabled": "true",
        "write.metadata.previous-versions-max": str(KEPT_METADATA),
        "commit.retry.num-retries": "0",  # of two exports at once one starts anew, from what the other has made
        f"{OURS}made-by": "paperlake export iceberg",
    }


def _property(snapshot: Snapshot, key: str) -> str:
    return str(snapshot.summary.additional_properties.get(key, "")) if snapshot.summary else ""
