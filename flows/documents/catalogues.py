"""The release as catalogues of data read it: `croissant.json` (Croissant 1.1 of MLCommons) and `datapackage.json`.

The latter is a Frictionless data package, of JSON only: no tool need read Parquet for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import polars as pl

from flows.documents.edition import (
    DESCRIPTION,
    KEYWORDS,
    LICENCES,
    NAME,
    SOURCE_URL,
    TITLE,
    Edition,
    as_json,
    origins,
    pattern_of,
)
from warehouse.release.manifest import TableFiles
from warehouse.schema.ddl import instance
from warehouse.schema.table import Column, Table

CONTEXT: Final = Path(__file__).with_name("croissant_context.json")  # the standard's own, expected to the letter
CROISSANT_TYPES: Final = {
    pl.String: "sc:Text",
    pl.Boolean: "sc:Boolean",
    pl.Int8: "sc:Integer",
    pl.Int32: "sc:Integer",
    pl.Int64: "sc:Integer",
    pl.Float64: "sc:Float",
    pl.Date: "sc:Date",
    pl.Datetime: "sc:DateTime",
}
PARQUET: Final = "application/x-parquet"  # the name that readers of Croissant know
MEDIA_TYPE: Final = "application/vnd.apache.parquet"


def croissant(edition: Edition) -> bytes:
    """Every table and mart as records, and where its files are; the manifest has each with its hash. Schemas have more
    of each column.

    References between tables are left out: readers take one as a request to join the two, and read both.
    """
    return as_json(
        {
            "@context": json.loads(CONTEXT.read_bytes()),
            "@type": "sc:Dataset",
            "conformsTo": "http://mlcommons.org/croissant/1.1",
            "name": NAME,
            "description": f"{DESCRIPTION} Release {edition.version}; licences by column: {LICENCES}.",
            "version": semantic_version(edition.version),
            "datePublished": str(edition.released_on),
            "url": SOURCE_URL,
            "license": [origin.licence_url for origin in origins(table for table, _ in edition.parts)],
            "creator": {"@type": "sc:Organization", "name": NAME},
            "keywords": list(KEYWORDS),
            "citeAs": f"@misc{{{NAME}, title = {{{NAME}, release {edition.version}}}, "
            f"year = {{{edition.released_on.year}}}}}",
            "distribution": [part for table, files in edition.parts for part in distribution(table, files)],
            "recordSet": [record_set(table, files) for table, files in edition.parts],
        }
    )


def semantic_version(version: str) -> str:
    """The version as Croissant wants it, without leading zeros: a fourth number is a build of the third.

    >>> semantic_version("2026.01.05.2")
    '2026.1.5+2'
    """
    year, month, day, number = version.split(".")
    return f"{year}.{int(month)}.{int(day)}+{number}"


def distribution(table: Table, files: TableFiles) -> Iterator[dict[str, Any]]:
    """A file, or the pattern of all files of a table that is cut."""
    if len(files.files) > 1:
        yield {
            "@type": "cr:FileSet",
            "@id": table.name,
            "name": table.name,
            "encodingFormat": PARQUET,
            "includes": [pattern_of(files)],
        }
        return
    [first] = files.files
    yield {
        "@type": "cr:FileObject",
        "@id": first.key,
        "name": first.key,
        "contentUrl": first.key,
        "contentSize": f"{first.bytes} B",
        "encodingFormat": PARQUET,
        "sha256": first.sha256,
    }


def record_set(table: Table, files: TableFiles) -> dict[str, Any]:
    place = {"fileSet": {"@id": table.name}} if len(files.files) > 1 else {"fileObject": {"@id": files.files[0].key}}
    return {
        "@type": "cr:RecordSet",
        "@id": f"records/{table.name}",
        "name": table.name,
        "description": f"{table.grain} {table.answers}",
        "key": [{"@id": _id(table, name)} for name in table.key],
        "field": [make_field(table, column, place) for column in table.columns],
    }


def _id(table: Table, *names: str) -> str:
    return "/".join(["records", table.name, *names])


def make_field(table: Table, column: Column, place: dict[str, Any]) -> dict[str, Any]:
    source = {**place, "extract": {"column": column.name}}
    unit = f" Unit: {column.unit}." if column.unit else ""
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": _id(table, column.name),
        "name": column.name,
        "description": f"{column.description}{unit}",
    }
    if not isinstance(column.dtype, pl.List):
        return field | {"dataType": CROISSANT_TYPES[column.dtype.base_type()], "source": source}
    field |= {"isArray": True, "arrayShape": "-1"}
    inner = instance(column.dtype.inner)
    if not isinstance(inner, pl.Struct):
        return field | {"dataType": CROISSANT_TYPES[inner.base_type()], "source": source}
    return field | {"subField": [sub_field(table, column, part, source) for part in inner.fields]}


def sub_field(table: Table, column: Column, part: pl.Field, source: dict[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": _id(table, column.name, part.name),
        "name": part.name,
        "dataType": CROISSANT_TYPES[instance(part.dtype).base_type()],
        "isArray": True,
        "arrayShape": "-1",
        "source": {**source, "transform": {"jsonPath": part.name}},
    }


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
    limits: dict[str, Any] = {
        "minimum": column.minimum,
        "maximum": column.maximum,
        "maxLength": column.max_length,
        "pattern": column.pattern,
        "enum": list(column.allowed) or None,
    }
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
            **{name: limit for name, limit in limits.items() if limit is not None},
        },
        **{name: words for name, words in more.items() if words},
        "origin": column.origin.name,
        "license": column.origin.licence,
    }
