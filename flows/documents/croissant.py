"""`croissant.json`: the release described for machine learning, as JSON-LD (Croissant 1.1 of MLCommons)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import polars as pl

from flows.documents.edition import DESCRIPTION, KEYWORDS, LICENCES, NAME, SOURCE_URL, Edition, as_json, origins
from warehouse.release.manifest import TableFiles
from warehouse.schema.ddl import instance
from warehouse.schema.table import Column, Table

# The standard's own context, which readers expect to the letter
CONTEXT: Final[dict[str, Any]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
TYPES: Final = {
    pl.String: "sc:Text",
    pl.Boolean: "sc:Boolean",
    pl.Int8: "sc:Integer",
    pl.Int32: "sc:Integer",
    pl.Int64: "sc:Integer",
    pl.Float64: "sc:Float",
    pl.Date: "sc:Date",
    pl.Datetime: "sc:DateTime",
}
PARQUET: Final = "application/x-parquet"


def croissant(edition: Edition) -> bytes:
    """Every Parquet file with its hash, and every table as records.

    References between tables are left out: readers take one as a request to join the two, and read both.
    """
    tables = [table for table, _ in edition.tables]
    return as_json(
        {
            "@context": CONTEXT,
            "@type": "sc:Dataset",
            "conformsTo": "http://mlcommons.org/croissant/1.1",
            "name": NAME,
            "description": f"{DESCRIPTION} Release {edition.version}; licences by column: {LICENCES}.",
            "version": semantic_version(edition.version),
            "datePublished": str(edition.released_on),
            "url": SOURCE_URL,
            "license": [origin.licence_url for origin in origins(tables)],
            "creator": {"@type": "sc:Organization", "name": NAME},
            "keywords": list(KEYWORDS),
            "citeAs": f"@misc{{{NAME}, title = {{{NAME}, release {edition.version}}}, "
            f"year = {{{edition.released_on.year}}}}}",
            "distribution": [part for table, files in edition.tables for part in distribution(table, files)],
            "recordSet": [record_set(table, files) for table, files in edition.tables],
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
    for file in files.files:
        yield {
            "@type": "cr:FileObject",
            "@id": file.key,
            "name": file.key,
            "contentUrl": file.key,
            "contentSize": f"{file.bytes} B",
            "encodingFormat": PARQUET,
            "sha256": file.sha256,
        }
    if len(files.files) > 1:
        yield {
            "@type": "cr:FileSet",
            "@id": table.name,
            "name": table.name,
            "description": f"All files of {table.name}.",
            "encodingFormat": PARQUET,
            "includes": [file.key for file in files.files],
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
    null = f" Null: {column.null}." if column.null else ""
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": _id(table, column.name),
        "name": column.name,
        "description": f"{column.description}{unit}{null} Licence: {column.origin.licence} ({column.origin.title}).",
    }
    if not isinstance(column.dtype, pl.List):
        return field | {"dataType": TYPES[column.dtype.base_type()], "source": source}
    field |= {"isArray": True, "arrayShape": "-1"}
    inner = instance(column.dtype.inner)
    if not isinstance(inner, pl.Struct):
        return field | {"dataType": TYPES[inner.base_type()], "source": source}
    return field | {"subField": [sub_field(table, column, part, source) for part in inner.fields]}


def sub_field(table: Table, column: Column, part: pl.Field, source: dict[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": _id(table, column.name, part.name),
        "name": part.name,
        "dataType": TYPES[instance(part.dtype).base_type()],
        "isArray": True,
        "arrayShape": "-1",
        "source": {**source, "transform": {"jsonPath": part.name}},
    }
