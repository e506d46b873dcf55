"""Exports releases as Iceberg tables, a snapshot and a tag a release, in a SQL catalog.

A table's files are those of the releases, byte for byte, each copied once and named by its hash: so a table lasts
longer than a release that is dropped, and what it holds can be checked against the manifest. They bear no field ids;
the table's name mapping tells readers which column is which, and no column ever leaves the schema. Each commit is one
table's: the schema, a snapshot that takes away the files that only the parent has and adds those that only the release
has, and its tag come to be at once or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import CommitFailedException, ValidationError
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from flows.runtime.lake import short_name
from flows.runtime.progress import track
from paperlake.export import releases_of
from paperlake.export.iceberg_table import IcebergTable, documented, new_properties
from paperlake.export.releases_of import first_line
from warehouse.errors import Damaged, StoreFailed, Superseded, UsageError
from warehouse.release import moves
from warehouse.release.latest import require_latest
from warehouse.release.manifest import File, Latest, TableFiles
from warehouse.store.local import NEXT_STEPS
from warehouse.store.opening import open_store
from warehouse.store.store import S3Options, Store, read_if_there

CATALOG: Final = "catalog.sqlite"
NAMESPACE: Final = re.compile(r"[A-Za-z]\w*", re.ASCII)
CATALOG_FAILED: Final = "the catalog failed ({}); mend that, or name another by --catalog, and run the export again"
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
        return IcebergTable(name, self.catalog.load_table((self.namespace, name)))

    def make(self, part: TableFiles) -> IcebergTable:
        """Create a table without a snapshot, with the columns of its files."""
        with self.store.open(f"{self.folder(part.name)}/{releases_of.data_key(part.files[0])}") as file:
            schema = documented(part.name, pq.read_schema(file))
        location = f"{self.place}/{self.folder(part.name)}"
        properties = new_properties(part.name, schema)
        self.catalog.create_table((self.namespace, part.name), schema, location, properties=properties)
        return self.open(part.name)

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
        "s3.region": s3.region,
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
    with _translate_errors(store):
        made.create_namespace_if_not_exists(namespace)
        yield IcebergTarget(store, place, made, namespace)
        made.close()


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
    releases_of.require_same_lake(target.store.url, past, (table.releases for table in tables.values()))
    copied: list[File] = []
    exported = {name: table.snapshots for name, table in tables.items()}
    for release in releases_of.pending(lake, past, exported, history=history):
        parts = release.tables
        for name, part in track(parts.items(), f"exporting {release.version}", len(parts)):
            if name in tables and release.version in tables[name].snapshots:
                continue
            copied += releases_of.copy_files(lake, release, part.files, target.store, target.folder(name))
            tables[name] = tables[name] if name in tables else target.make(part)
            tables[name].add(release, part)
    gone = settle(lake, target, tables, past)
    summary = f"release {past[-1].version} is in {target.store.url}: {len(copied)} files copied"
    return (
        f"{summary} ({sum(file.bytes for file in copied) / 1e6:.1f} MB), {gone} snapshots of dropped releases removed"
    )


def settle(lake: Store, target: IcebergTarget, tables: dict[str, IcebergTable], past: Sequence[Latest]) -> int:
    """Follow `latest`, record retractions, and remove dropped releases; returns how many snapshots were removed."""
    versions = set[str]().union(*(table.snapshots for table in tables.values()))
    dropped = releases_of.dropped(lake, past, versions)
    count = 0
    for name, table in tables.items():
        gone = table.settle(past[-1].version, releases_of.errata_properties(name, past[-1].errata), dropped)
        for path in gone.files:
            target.store.delete(path.removeprefix(f"{target.place}/"))
        count += gone.snapshots
        hint = table.hint.encode()
        if read_if_there(target.store, key := f"{target.folder(name)}/{HINT}") != hint:
            target.store.put(key, hint)
    return count
