"""Exports releases as Iceberg tables, a snapshot and a tag a release, in a SQL catalog.

A table's files are those of the releases, byte for byte, each copied once and named by its hash: so a table lasts
longer than a release that is dropped, and what it holds can be checked against the manifest. They bear no field ids;
the table's name mapping tells readers which column is which, and no column ever leaves the schema. Each commit is one
table's: the schema, a snapshot that takes away the files that only the parent has and adds those that only the release
has, and its tag come to be at once or not at all.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import CommitFailedException, ResolveError, ValidationError
from pyiceberg.io.pyarrow import parquet_file_to_data_file
from pyiceberg.manifest import DataFile
from pyiceberg.table import Table, TableProperties, Transaction
from pyiceberg.table.snapshots import Snapshot
from pyiceberg.table.update.snapshot import ExpireSnapshots, ManageSnapshots
from pyiceberg.utils.datetime import millis_to_datetime
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from flows.runtime.environment import utc_now
from flows.runtime.lake import short_name
from flows.runtime.progress import track
from paperlake.export import releases_of
from paperlake.export.releases_of import MANIFEST_SHA256, OURS, RETRACTED, VERSION, ExportedRelease, first_line
from warehouse.errors import Damaged, StoreFailed, Superseded, UsageError
from warehouse.printable import counted
from warehouse.release import moves
from warehouse.release.latest import require_latest
from warehouse.release.manifest import File, Latest, TableFiles
from warehouse.schema.catalog import DECLARED
from warehouse.store.local import NEXT_STEPS
from warehouse.store.objects import S3Options
from warehouse.store.opening import open_store
from warehouse.store.store import Store, read_if_there

KEPT_METADATA: Final = 10  # a table's metadata is a file a commit, and names all snapshots: more are not kept


class IcebergTable:
    """A table of a catalog."""

    def __init__(self, name: str, table: Table) -> None:
        self.name, self._table = name, table

    @property
    def snapshots(self) -> dict[str, Snapshot]:
        """The snapshots that the table has after the last commit, by the version of their release."""
        return {_property(snapshot, VERSION): snapshot for snapshot in self._table.snapshots()}

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

    def settle(self, latest: str, errata: Mapping[str, str], dropped: Collection[str]) -> tuple[int, list[str]]:
        """Make `latest` the current snapshot, record errata, drop snapshots; no commit where nothing changes.

        Returns how many snapshots of dropped releases were removed, and the files that only they had.
        """
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
        return len(going), files

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

    def _only_of(self, going: Iterable[Snapshot]) -> list[str]:
        """Files, manifests and lists that no other snapshot names."""
        ids = {snapshot.snapshot_id for snapshot in going}
        named: dict[bool, set[str]] = {True: set(), False: set()}
        for snapshot in self._table.snapshots() if ids else ():
            found = named[snapshot.snapshot_id in ids]
            found.update([snapshot.manifest_list, *self._files(snapshot)])
            found.update(manifest.manifest_path for manifest in snapshot.manifests(self._table.io))
        return sorted(named[True] - named[False])


def documented(name: str, schema: pa.Schema) -> pa.Schema:
    """The columns of a file, each with its declared description where Iceberg looks for it."""
    docs = releases_of.column_docs(name)
    return pa.schema(
        field.with_metadata({"doc": docs[field.name]}) if field.name in docs else field for field in schema
    )


def new_properties(name: str, columns: Iterable[str]) -> dict[str, str]:
    """The properties of a new table: of which columns to keep ranges, how much metadata to keep."""
    table = DECLARED.get(name)
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


CATALOG: Final = "catalog.sqlite"
NAMESPACE: Final = re.compile(r"[A-Za-z]\w*", re.ASCII)
CATALOG_FAILED: Final = "the catalog failed ({}); mend that, or name another by --catalog, and run the export again"
MOST_BACK: Final = timedelta(minutes=1)  # by which engines let the log of a table's changes go back
HINT: Final = "metadata/version-hint.text"  # by which DuckDB finds a table without a catalog


class IcebergTarget(NamedTuple):
    """A warehouse and its catalog; `place` is the warehouse as Iceberg names it."""

    store: Store
    place: str
    catalog: SqlCatalog
    namespace: str

    def tables(self) -> dict[str, IcebergTable]:
        """The tables of the namespace, by name."""
        return {name: self.open(name) for _, name in sorted(self.catalog.list_tables(self.namespace))}

    def open(self, name: str) -> IcebergTable:
        """A table; UsageError where the clock is behind its last change: no engine reads a log that goes back."""
        table = self.catalog.load_table((self.namespace, name))
        if (at := millis_to_datetime(table.metadata.last_updated_ms)) > utc_now() + MOST_BACK:
            fault = f"{self.folder(name)} was changed at {at:%Y-%m-%d %H:%M} UTC, in the future"
            raise UsageError(f"{fault}; set this machine's clock (NTP), or export to another place")
        return IcebergTable(name, table)

    def make(self, part: TableFiles) -> IcebergTable:
        """Create a table without a snapshot, with the columns of its files."""
        with self.store.open(f"{self.folder(part.name)}/{releases_of.data_key(part.files[0])}") as file:
            schema = documented(part.name, pq.read_schema(file))
        location = f"{self.place}/{self.folder(part.name)}"
        properties = new_properties(part.name, schema)
        made = self.catalog.create_table((self.namespace, part.name), schema, location, properties=properties)
        return IcebergTable(part.name, made)

    def folder(self, name: str) -> str:
        return f"{self.namespace}/{name}"


@contextmanager
def open_target(url: str, catalog: str | None, namespace: str, s3: S3Options, state: Path) -> Iterator[IcebergTarget]:
    """Open a warehouse. Without a catalog's URL, the catalog is a file in it, or for a bucket in PAPERLAKE_STATE."""
    store = open_store(url, s3)
    if not NAMESPACE.fullmatch(namespace):
        raise UsageError(f"--namespace {namespace!r} is no namespace; one has letters, digits and underscores")
    if catalog is None:
        file = store.folder / CATALOG if store.folder else state / f"iceberg-{short_name(store.url)}.sqlite"
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreFailed(f"could not make {file.parent}: {error.strerror}; name another folder") from error
        catalog = f"sqlite:///{file.resolve()}"
    place = f"file://{store.folder.resolve()}" if store.folder else store.url
    keys = {
        "s3.endpoint": s3.endpoint_url,
        "s3.region": s3.region or ("us-east-1" if s3.endpoint_url else None),  # without one pyiceberg asks Amazon
        "s3.access-key-id": s3.access_key_id,
        "s3.secret-access-key": s3.secret_access_key,
    }
    try:
        made = SqlCatalog(
            "paperlake", uri=catalog, warehouse=place, **{key: text for key, text in keys.items() if text}
        )
    except (ArgumentError, ImportError) as error:
        raise UsageError(f"--catalog: {error}; SQLAlchemy's URLs look like sqlite:////srv/catalog.sqlite") from error
    except SQLAlchemyError as error:
        raise StoreFailed(CATALOG_FAILED.format(first_line(error))) from error
    with made, _translate_errors(store):
        made.create_namespace_if_not_exists(namespace)
        yield IcebergTarget(store, place, made, namespace)


@contextmanager
def _translate_errors(store: Store) -> Iterator[None]:
    """Raise the errors of Iceberg, of the catalog and of the store as errors of paperlake."""
    try:
        yield
    except CommitFailedException as error:
        raise Superseded(f"another export to {store.url} came first; run it again") from error
    except SQLAlchemyError as error:
        raise StoreFailed(CATALOG_FAILED.format(first_line(error))) from error
    except (ValidationError, FileNotFoundError) as error:
        fault = f"{store.url} is not what an export left there ({first_line(error)})"
        raise Damaged(f"{fault}; restore it from a copy, or export to another place") from error
    except OSError as error:
        step = NEXT_STEPS.get(error.errno or 0, f"{first_line(error)}; run it again")
        raise StoreFailed(f"{store.url} could not be read or written: {step}") from error


def export_iceberg(lake: Store, target: IcebergTarget, *, history: bool) -> str:
    """Bring the tables up to the latest release; returns a summary line.

    An export that was killed is gone on with: a table that has a release's snapshot keeps it, the others get theirs.
    """
    require_latest(lake)
    past, tables = moves.moves(lake), target.tables()
    copied: list[File] = []
    exported = {name: table.releases for name, table in tables.items()}
    begun = target.folder(releases_of.BEGUN)
    for release in releases_of.pending(lake, target.store, begun, past, exported, history=history):
        parts = release.parts(tables)
        for name, part in track(parts.items(), f"exporting {release.version}", len(parts)):
            if name in tables and release.version in tables[name].snapshots:
                continue
            copied += releases_of.copy_files(lake, release, part.files, target.store, target.folder(name))
            tables[name] = tables[name] if name in tables else target.make(part)
            tables[name].add(release, part)
    gone = settle(lake, target, tables, past)
    size = f"{counted(len(copied), 'file')} copied ({sum(file.bytes for file in copied) / 1e6:.1f} MB)"
    removed = f"{counted(gone, 'snapshot')} of dropped releases removed"
    return f"release {past[-1].version} is in {target.store.url}: {size}, {removed}"


def settle(lake: Store, target: IcebergTarget, tables: dict[str, IcebergTable], past: Sequence[Latest]) -> int:
    """Follow `latest`, record retractions, and remove dropped releases; returns how many snapshots were removed."""
    versions = set[str]().union(*(table.snapshots for table in tables.values()))
    dropped = releases_of.dropped(lake, past, versions)
    count = 0
    for name, table in tables.items():
        removed, files = table.settle(past[-1].version, releases_of.errata_properties(name, past[-1].errata), dropped)
        target.store.delete_all(path.removeprefix(f"{target.place}/") for path in files)
        count += removed
        hint = table.hint.encode()
        if read_if_there(target.store, key := f"{target.folder(name)}/{HINT}") != hint:
            target.store.put(key, hint)
    return count
