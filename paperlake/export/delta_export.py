"""Exports releases as Delta tables, a version a release.

A table's files are those of the releases, as in the Iceberg export. A commit is put here by its number, whole and only
if there is none, so that of two exports one wins; deltalake reads the log back and makes its checkpoints.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from uuid import NAMESPACE_URL, uuid5

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import DeltaTable, Schema
from deltalake.exceptions import DeltaError

from flows.runtime.environment import utc_now
from flows.runtime.progress import track
from paperlake.export import releases_of
from paperlake.export.releases_of import MANIFEST_SHA256, VERSION, ExportedRelease, first_line
from warehouse.errors import Damaged, Superseded, UsageError
from warehouse.printable import counted
from warehouse.release import moves
from warehouse.release.latest import require_latest
from warehouse.release.manifest import Erratum, File, TableFiles
from warehouse.store.objects import S3Options
from warehouse.store.store import Store

Action = dict[str, dict[str, Any]]
Columns = list[dict[str, Any]]

LOG: Final = "_delta_log"
# Instants without zone are a feature of Delta's third reader and seventh writer
PROTOCOL: Final[Action] = {
    "protocol": {
        "minReaderVersion": 3,
        "minWriterVersion": 7,
        "readerFeatures": ["timestampNtz"],
        "writerFeatures": ["timestampNtz"],
    }
}


def columns_of(name: str, schema: pa.Schema) -> Columns:
    """The columns of a file of a table as Delta has them, each with its declared description."""
    docs = releases_of.column_docs(name)
    fields = (field.with_metadata({"comment": docs[field.name]} if field.name in docs else {}) for field in schema)
    columns: Columns = json.loads(Schema.from_arrow(pa.schema(fields)).to_json())["fields"]
    return columns


def widened(name: str, before: Columns, now: Columns) -> Columns:
    """The columns that a table had, in their order and as they are described now, and then the new ones.

    UsageError where one is of another type: a Delta table cannot follow that.
    """
    found = {column["name"]: column for column in now}
    for column in before:
        if (new := found.get(column["name"])) and new["type"] != column["type"]:
            raise UsageError(
                f"{name}.{column['name']} is of another type than before ({json.dumps(new['type'])}, was "
                f"{json.dumps(column['type'])}): Delta tables cannot follow that; export to another place"
            )
    there = {column["name"] for column in before}
    kept = [found.get(column["name"], column) for column in before]
    return kept + [column for column in now if column["name"] not in there]


def described(name: str, place: str, columns: Columns, properties: Mapping[str, str]) -> Action:
    """The action that declares a table: its columns and its properties."""
    return {
        "metaData": {
            "id": str(uuid5(NAMESPACE_URL, place)),
            "name": name,
            "description": properties.get("comment", ""),
            "format": {"provider": "parquet", "options": {}},
            "schemaString": json.dumps({"type": "struct", "fields": columns}),
            "partitionColumns": [],
            "configuration": {key: text for key, text in properties.items() if key != "comment"},
            "createdTime": 0,
        }
    }


def added(part: TableFiles, file: File, at: int) -> Action:
    rows = part.row_count if len(part.files) == 1 else file.row_count
    stats = {} if rows is None else {"stats": json.dumps({"numRecords": rows})}
    path = releases_of.data_key(file)
    add = {"path": path, "partitionValues": {}, "size": file.bytes, "modificationTime": at, "dataChange": True}
    return {"add": add | stats}


def removed(path: str, at: int) -> Action:
    return {"remove": {"path": path, "deletionTimestamp": at, "dataChange": True}}


def commit_info(release: ExportedRelease, at: int) -> Action:
    """The action that names the release of a commit; Spark shows the version as `userMetadata`."""
    info = {"timestamp": at, "operation": "WRITE", "operationParameters": {"mode": "Overwrite"}}
    return {"commitInfo": info | {"userMetadata": release.version} | release.properties()}


def encoded(actions: Iterable[Action]) -> bytes:
    return "".join(json.dumps(action, separators=(",", ":")) + "\n" for action in actions).encode()


def milliseconds(instant: datetime) -> int:
    """An instant in UTC, without zone, as Delta counts time."""
    return int(instant.replace(tzinfo=UTC).timestamp() * 1000)


CHECKPOINT: Final = 10  # commits; a reader begins at the last checkpoint and reads each commit after it


class DeltaTableState(NamedTuple):
    """A Delta table as its log describes it; `releases` are its commits' versions and manifest hashes, in order."""

    number: int
    files: frozenset[str]
    columns: Columns
    properties: dict[str, str]
    releases: dict[str, str]
    current: str


NO_TABLE: Final = DeltaTableState(-1, frozenset(), [], {}, {}, "")


class DeltaTarget(NamedTuple):
    """A place for Delta tables, a folder each."""

    store: Store
    options: dict[str, str]

    def place(self, name: str) -> str:
        return str(self.store.folder.resolve() / name) if self.store.folder else f"{self.store.url}/{name}"

    def open(self, name: str) -> DeltaTableState:
        """A table that has a log; Damaged where that cannot be read."""
        try:
            found = DeltaTable(self.place(name), storage_options=self.options)
        except DeltaError as error:
            fault = f"the log of {self.place(name)} is not what an export left there ({first_line(error)})"
            raise Damaged(f"{fault}; restore it from a copy, or export to another place") from error
        commits = [commit for commit in found.history() if VERSION in commit]  # the newest first
        described = found.metadata()
        return DeltaTableState(
            found.version(),
            frozenset(pa.table(found.get_add_actions())["path"].to_pylist()),
            json.loads(found.schema().to_json())["fields"],
            {"comment": described.description or ""} | dict(described.configuration),
            {commit[VERSION]: commit[MANIFEST_SHA256] for commit in reversed(commits)},
            commits[0][VERSION] if commits else "",
        )

    def commit(self, name: str, number: int, actions: Sequence[Action]) -> None:
        """Write a commit to the log; Superseded where another export came first."""
        if not self.store.put_new(f"{name}/{LOG}/{number:020}.json", encoded(actions)):
            raise Superseded(f"another export to {self.store.url} came first; run it again")
        if number and number % CHECKPOINT == 0:
            DeltaTable(self.place(name), storage_options=self.options).create_checkpoint()


def export_delta(lake: Store, place: Store, s3: S3Options, *, history: bool) -> str:
    """Bring the tables up to the latest release, following `latest` back and forth; returns a summary line."""
    require_latest(lake)
    past, target = moves.moves(lake), DeltaTarget(place, storage_options(s3))
    names = sorted({key.partition("/")[0] for key in place.list() if f"/{LOG}/" in key})
    tables = {name: target.open(name) for name in names}
    copied: list[File] = []
    exported = {name: table.releases for name, table in tables.items()}
    pending = releases_of.pending(lake, place, releases_of.BEGUN, past, exported, history=history)
    for release in pending:
        parts = release.parts(tables)
        for name, part in track(parts.items(), f"exporting {release.version}", len(parts)):
            table = tables.get(name, NO_TABLE)
            if release is not pending[-1] and release.version in table.releases:
                continue
            copied += releases_of.copy_files(lake, release, part.files, place, name)
            if actions := changes(target, table, release, part, past[-1].errata):
                target.commit(name, table.number + 1, actions)
                tables[name] = target.open(name)
    summary = f"release {past[-1].version} is in {place.url}: {counted(len(copied), 'file')} copied"
    return f"{summary} ({sum(file.bytes for file in copied) / 1e6:.1f} MB)"


def changes(
    target: DeltaTarget, table: DeltaTableState, release: ExportedRelease, part: TableFiles, errata: Sequence[Erratum]
) -> list[Action]:
    """The actions that make the table that of the release; none where it is already, with all its properties."""
    at, wanted = milliseconds(utc_now()), {releases_of.data_key(file): file for file in part.files}
    new = [key for key in wanted if key not in table.files]
    columns = table.columns
    if new:
        with target.store.open(f"{part.name}/{new[0]}") as file:
            schema = pq.read_schema(file)
        columns = widened(part.name, columns, columns_of(part.name, schema))
    properties = releases_of.table_properties(part.name) | releases_of.errata_properties(part.name, errata)
    is_unchanged = (columns, properties) == (table.columns, table.properties)
    if is_unchanged and release.version == table.current:
        return []
    return [
        commit_info(release, at),
        *([PROTOCOL] if table == NO_TABLE else []),
        *([] if is_unchanged else [described(part.name, target.place(part.name), columns, properties)]),
        *(removed(path, at) for path in sorted(table.files - wanted.keys())),
        *(added(part, wanted[key], at) for key in new),
    ]


def storage_options(s3: S3Options) -> dict[str, str]:
    """The options of deltalake for the bucket of these settings."""
    known = {
        "AWS_ENDPOINT_URL": s3.endpoint_url,
        "AWS_REGION": s3.region or "us-east-1",
        "AWS_ACCESS_KEY_ID": s3.access_key_id,
        "AWS_SECRET_ACCESS_KEY": s3.secret_access_key,
        "AWS_ALLOW_HTTP": "true" if (s3.endpoint_url or "").startswith("http:") else None,
    }
    return {key: text for key, text in known.items() if text}
