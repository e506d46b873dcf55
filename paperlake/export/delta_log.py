"""The actions of a commit to a Delta table's log: JSON, one a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

import pyarrow as pa

from paperlake.export import releases_of
from paperlake.export.releases_of import ExportedRelease
from warehouse.errors import UsageError
from warehouse.release.manifest import File, TableFiles

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
TYPES: Final[dict[pa.DataType, str]] = {
    pa.string(): "string",
    pa.bool_(): "boolean",
    pa.int8(): "byte",
    pa.int32(): "integer",
    pa.int64(): "long",
    pa.float64(): "double",
    pa.date32(): "date",
    pa.timestamp("us"): "timestamp_ntz",
}


def type_name(dtype: pa.DataType) -> str | dict[str, Any]:
    """A type of a release's Parquet as Delta has it.

    >>> type_name(pa.list_(pa.int8()))
    {'type': 'array', 'elementType': 'byte', 'containsNull': True}
    """
    if pa.types.is_list(dtype):
        return {"type": "array", "elementType": type_name(dtype.value_type), "containsNull": True}
    if pa.types.is_struct(dtype):
        return {"type": "struct", "fields": columns_of(dtype, {})}
    return TYPES[dtype]


def columns_of(fields: Iterable[pa.Field], docs: Mapping[str, str]) -> Columns:
    """The columns of a file, each with its declared description."""
    return [
        {
            "name": field.name,
            "type": type_name(field.type),
            "nullable": True,
            "metadata": {"comment": docs[field.name]} if field.name in docs else {},
        }
        for field in fields
    ]


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
