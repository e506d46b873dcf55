"""What a release says of each column: `datapackage.json` and `contract.yaml`.

The first is a Frictionless data package of JSON only, as no tool need read Parquet for it; the second is what consumers
may rely on (ODCS 3.1), and the gate checks each promise in it.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import polars as pl
import yaml

from expectations.checks import Dimension
from expectations.gate import GUARDS
from flows.documents.edition import (
    DESCRIPTION,
    KEYWORDS,
    LICENCES,
    MEDIA_TYPE,
    NAME,
    SOURCE_URL,
    TITLE,
    Edition,
    as_json,
    origins,
)
from warehouse.release.latest import DATABASE
from warehouse.release.manifest import TableFiles
from warehouse.schema.ddl import instance, qualified, quoted, type_of
from warehouse.schema.table import LEAVES_AFTER, Column, Table

FRICTIONLESS_TYPES: Final = {
    pl.String: "string",
    pl.Boolean: "boolean",
    pl.Int8: "integer",
    pl.Int32: "integer",
    pl.Int64: "integer",
    pl.Float64: "number",
    pl.Date: "date",
    pl.Datetime: "datetime",
    pl.List: "array",
}


def datapackage(edition: Edition) -> bytes:
    """A resource a table and a mart. Schemas are files of their own, which releases share."""
    return as_json(
        {
            "profile": "data-package",
            "name": NAME,
            "id": f"{NAME}-{edition.version}",
            "title": TITLE,
            "description": DESCRIPTION,
            "version": edition.version,
            "created": f"{edition.released_on}T00:00:00Z",
            "keywords": list(KEYWORDS),
            "licenses": [
                {"name": one.licence, "path": one.licence_url, "title": f"{one.title}: {one.meaning}"}
                for one in origins(table for table, _ in edition.parts)
            ],
            "sources": [{"title": "Hugging Face Daily Papers", "path": SOURCE_URL}],
            "resources": [resource(table, files) for table, files in edition.parts],
        }
    )


def schemas(edition: Edition) -> dict[str, bytes]:
    """The schema of each table and mart: columns with limits and licences, keys, references."""
    return {schema_key(table): as_json(table_schema(table, edition)) for table, _ in edition.parts}


def schema_key(table: Table) -> str:
    return f"schemas/{table.name}.json"


def resource(table: Table, files: TableFiles) -> dict[str, Any]:
    """One table. For several files the standard has no hashes: those are in the manifest."""
    described = [{"path": one.key, "bytes": one.bytes, "hash": f"sha256:{one.sha256}"} for one in files.files]
    return {
        "profile": "data-resource",
        "name": table.name,
        "title": table.grain,
        "description": table.answers,
        **(described[0] if len(described) == 1 else {"path": [one.key for one in files.files]}),
        "format": "parquet",
        "mediatype": MEDIA_TYPE,
        "rowCount": files.row_count,
        "licenses": [{"name": one.licence} for one in origins([table])],  # the package has their addresses
        "schema": schema_key(table),
    }


def table_schema(table: Table, edition: Edition) -> dict[str, Any]:
    held = {table.name for table, _ in edition.parts}
    return {
        "fields": [field(column) for column in table.columns],
        "primaryKey": list(table.key),
        "foreignKeys": [
            {"fields": [column], "reference": {"resource": target.split(".")[0], "fields": [target.split(".")[1]]}}
            for column, target in table.references.items()
            if target.split(".")[0] in held
        ],
    }


def field(column: Column) -> dict[str, Any]:
    more = {
        "unit": column.unit,
        "nullMeaning": column.null,
        "source": column.source_in_words,
        "since": str(column.since or ""),
    }
    return {
        "name": column.name,
        "type": FRICTIONLESS_TYPES[column.dtype.base_type()],
        "description": column.description,
        "constraints": {
            "required": not column.is_nullable,
            **limits_of(column),
            **({"enum": list(column.allowed)} if column.allowed else {}),
        },
        **{name: words for name, words in more.items() if words},
        "origin": column.origin.name,
        "license": column.origin.licence,
    }


def limits_of(column: Column) -> dict[str, Any]:
    """The limits of a column's values, as JSON Schema names them."""
    limits = {"minimum": column.minimum, "maximum": column.maximum, "maxLength": column.max_length}
    return {name: limit for name, limit in (limits | {"pattern": column.pattern}).items() if limit is not None}


TYPES: Final = FRICTIONLESS_TYPES | {pl.Datetime: "timestamp", pl.Struct: "object"}


def contract(edition: Edition) -> bytes:
    """The tables and marts with their keys, types and limits, the promises of the gate, and how fresh a release is."""
    tables = tuple(table for table, _ in edition.parts)
    return "".join(
        [as_yaml(_head(edition.schema_version)), schema_of(tables), as_yaml(_promises(edition, tables))]
    ).encode()


def as_yaml(document: dict[str, Any]) -> str:
    """YAML in the order given; long texts stay on one line, so that nothing folds differently elsewhere."""
    return yaml.dump(document, Dumper=_PlainYaml, sort_keys=False, allow_unicode=True, width=100_000)


class _PlainYaml(yaml.CSafeDumper):
    """YAML without references: what stands twice is written twice."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True


@cache  # to write YAML of this length takes a third of a second
def schema_of(tables: tuple[Table, ...]) -> str:
    """The part of a contract that says what its tables are."""
    return as_yaml({"schema": [schema_object(table) for table in tables]})


def _head(schema_version: int) -> dict[str, Any]:
    return {
        "apiVersion": "v3.1.0",
        "kind": "DataContract",
        "id": NAME,
        "name": NAME,
        "version": str(schema_version),  # a contract is the same from release to release
        "status": "active",
        "description": {
            "purpose": DESCRIPTION,
            "usage": "The files of a release never change. Columns and types stay the same "
            f"while the schema version does ({schema_version}); a column is removed {LEAVES_AFTER.days} days "
            "after it was deprecated at the earliest. A check that failed and was accepted is listed in NOTES.md with "
            "the reason.",
            "limitations": f"Licences differ from column to column ({LICENCES}). Counts are as of the fetch time.",
        },
        # Not the Parquet: a path has one form for all tables, and some are a file, some a folder (datapackage.json)
        "servers": [{"server": "database", "type": "duckdb", "database": DATABASE, "schema": "main"}],
    }


def _promises(edition: Edition, tables: tuple[Table, ...]) -> dict[str, Any]:
    return {
        "slaProperties": [
            {
                "property": "latency",
                "value": 0,
                "unit": "d",
                "element": f"{guard.table}.{guard.column}",
                "description": guard.promise,
            }
            for guard in GUARDS
            if guard.dimension == "timeliness"
        ],
        "customProperties": [
            {"property": "schemaVersion", "value": edition.schema_version},
            {"property": "licences", "value": {one.name: one.licence_url for one in origins(tables)}},
        ],
    }


def schema_object(table: Table) -> dict[str, Any]:
    """One table. A mart follows from the core tables: the gate does not check it, and nothing is promised of it."""
    guarded = [
        {
            "name": guard.rule,
            "type": "text",
            "description": guard.promise,
            "dimension": guard.dimension,
            "severity": "error",
        }
        for guard in GUARDS
        if guard.table == table.name
    ]
    return {
        "name": table.name,
        "physicalName": table.name,
        "physicalType": "table",
        "description": table.answers,
        "dataGranularityDescription": table.grain,
        "properties": [schema_property(table, column) for column in table.columns],
        "quality": [*declared_quality(table), *guarded] if table.layer == "core" else [],
    }


def schema_property(table: Table, column: Column) -> dict[str, Any]:
    about: dict[str, Any] = {"name": column.name, **logical_type(column.dtype), "description": column.description}
    about["required"] = not column.is_nullable
    if column.name in table.key:
        about |= {"primaryKey": True, "primaryKeyPosition": table.key.index(column.name) + 1}
    of_instant = {"timezone": False, "defaultTimezone": "Etc/UTC"} if column.dtype.base_type() == pl.Datetime else {}
    if options := limits_of(column) | of_instant:
        about["logicalTypeOptions"] = options
    if target := table.references.get(column.name):
        about["relationships"] = [{"type": "foreignKey", "to": target}]
    if column.allowed and table.layer == "core":
        about["quality"] = [_library(f"{column.name}_allowed", "invalidValues", validValues=list(column.allowed))]
    more = {"origin": column.origin.name, "licence": column.origin.licence, "source": column.source_in_words}
    more |= {"unit": column.unit, "nullMeaning": column.null, "since": str(column.since or "")}
    if column.deprecated:
        more |= {"deprecatedIn": column.deprecated.deprecated_in, "leavesOn": str(column.deprecated.leaves_on)}
    return about | {"customProperties": [{"property": name, "value": words} for name, words in more.items() if words]}


def logical_type(dtype: pl.DataType) -> dict[str, Any]:
    about: dict[str, Any] = {"logicalType": TYPES[dtype.base_type()], "physicalType": type_of(dtype)}
    if isinstance(dtype, pl.List):
        about["items"] = logical_type(instance(dtype.inner))
    if isinstance(dtype, pl.Struct):
        about["properties"] = [{"name": part.name, **logical_type(instance(part.dtype))} for part in dtype.fields]
    return about


def declared_quality(table: Table) -> Iterator[dict[str, Any]]:
    """What the declaration of the table itself demands, as queries that a machine can run again."""
    yield _library("key_unique", "duplicateValues", "uniqueness", properties=list(table.key))
    for rule in table.rules:
        yield _sql(rule.name, f"No row with {rule.meaning}.", f"NOT ({rule.sql})", table)
    for column, target in table.references.items():
        other, key = target.split(".")
        lost = f"{quoted(column)} NOT IN (SELECT {quoted(key)} FROM core.{quoted(other)})"  # noqa: S608
        yield _sql(f"{column}_in_{other}", f"Each {column} is in {target}.", lost, table)


def _library(name: str, metric: str, dimension: Dimension = "conformity", **arguments: object) -> dict[str, Any]:
    about = {"name": name, "type": "library", "metric": metric, "arguments": arguments}
    return about | {"mustBe": 0, "dimension": dimension, "severity": "error"}


def _sql(name: str, meaning: str, broken: str, table: Table) -> dict[str, Any]:
    query = f"SELECT count(*) FROM {qualified(table)} WHERE {broken}"  # noqa: S608
    about = {"name": name, "type": "sql", "description": meaning, "query": query}
    return about | {"mustBe": 0, "dimension": "consistency", "severity": "error"}
