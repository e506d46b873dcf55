"""The release as catalogues of data read it: `croissant.json` and `dcat.jsonld`.

Croissant 1.1 is of MLCommons; DCAT 3 (W3C), here in JSON-LD, is for portals of open data.

In both a distribution is a file of Parquet. DCAT's addresses are relative to the document; no reader fetches a context.
"""

import json
from pathlib import Path
from typing import Any, Final

import polars as pl

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
    pattern_of,
)
from warehouse.release.latest import PAGE
from warehouse.release.manifest import File, TableFiles
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


def croissant(edition: Edition) -> bytes:
    """Every table and mart as records, and where its files are.

    The manifest has each file with its hash, schemas have more of each column.

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
            "license": list(dict.fromkeys(one.licence_url for one in origins(table for table, _ in edition.parts))),
            "creator": {"@type": "sc:Organization", "name": NAME},
            "keywords": list(KEYWORDS),
            "citeAs": f"@misc{{{NAME}, title = {{{NAME}, release {edition.version}}}, "
            f"year = {{{edition.released_on.year}}}}}",
            "distribution": [distribution(table, files) for table, files in edition.parts],
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


def distribution(table: Table, files: TableFiles) -> dict[str, Any]:
    """A file, or the pattern of all files of a table that is cut."""
    if len(files.files) > 1:
        return {
            "@type": "cr:FileSet",
            "@id": table.name,
            "name": table.name,
            "encodingFormat": PARQUET,
            "includes": [pattern_of(files)],
        }
    [first] = files.files
    return {
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


DCAT: Final = "dcat.jsonld"
DCAT_CONTEXT: Final = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "spdx": "http://spdx.org/rdf/terms#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "types": "https://www.iana.org/assignments/media-types/application/",
    "dcat:landingPage": {"@id": "dcat:landingPage", "@type": "@id"},
    "dct:issued": {"@id": "dct:issued", "@type": "xsd:date"},
    "dct:source": {"@id": "dct:source", "@type": "@id"},
    # Short names for what stands in each of some hundred files
    "is": "@type",
    "File": "dcat:Distribution",
    "Sum": "spdx:Checksum",
    "sha256": "spdx:checksumAlgorithm_sha256",
    "parquet": f"types:{MEDIA_TYPE.removeprefix('application/')}",
    "title": "dct:title",
    "sum": "spdx:checksum",
    "licence": {"@id": "dct:license", "@type": "@id"},
    "url": {"@id": "dcat:downloadURL", "@type": "@id"},
    "media": {"@id": "dcat:mediaType", "@type": "@vocab"},
    "bytes": {"@id": "dcat:byteSize", "@type": "xsd:nonNegativeInteger"},
    "by": {"@id": "spdx:algorithm", "@type": "@vocab"},
    "hash": {"@id": "spdx:checksumValue", "@type": "xsd:hexBinary"},
}


def dcat(edition: Edition) -> bytes:
    """The release, and every Parquet file with its size and hash."""
    return as_json(
        {
            "@context": DCAT_CONTEXT,
            "@id": "",
            "@type": "dcat:Dataset",
            "dct:title": TITLE,
            "dct:description": DESCRIPTION,
            "dct:identifier": edition.version,
            "dcat:version": edition.version,
            "dct:issued": str(edition.released_on),
            "dct:creator": {"@type": "foaf:Agent", "foaf:name": f"{NAME} contributors"},
            "dct:source": SOURCE_URL,
            "dct:rights": {"@id": LICENCES, "@type": "dct:RightsStatement"},
            "dcat:keyword": list(KEYWORDS),
            "dcat:landingPage": PAGE,
            "dcat:distribution": [file_record(table, file) for table, files in edition.parts for file in files.files],
        }
    )


def file_record(table: Table, file: File) -> dict[str, Any]:
    """The record of one file, with a licence if all columns of the table share one; else the dataset's rights hold."""
    named = [origin.licence_url for origin in origins([table])]
    return {
        "is": "File",
        "title": table.name,
        **({"licence": named[0]} if len(named) == 1 else {}),
        "url": file.key,
        "media": "parquet",
        "bytes": file.bytes,
        "sum": {"is": "Sum", "by": "sha256", "hash": file.sha256},
    }
