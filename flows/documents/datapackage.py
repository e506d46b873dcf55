"""`datapackage.json`: the release as a Frictionless data package (JSON only: no tool need read Parquet for it)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import polars as pl

from flows.documents.edition import DESCRIPTION, KEYWORDS, NAME, SOURCE_URL, TITLE, Edition, as_json, origins
from warehouse.release.manifest import TableFiles
from warehouse.schema.provenance import Origin
from warehouse.schema.table import Column, Table

TYPES: Final = {
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
    """A resource a table, with its schema, keys, references, limits and hashes, and the licence of each field."""
    held = {table.name for table, _ in edition.tables}
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
            "licenses": _licences(origins(table for table, _ in edition.tables)),
            "sources": [{"title": "Hugging Face Daily Papers", "path": SOURCE_URL}],
            "resources": [resource(table, files, held) for table, files in edition.tables],
        }
    )


def _licences(named: Iterable[Origin]) -> list[dict[str, str]]:
    return [{"name": one.licence, "path": one.licence_url, "title": f"{one.title}: {one.meaning}"} for one in named]


def resource(table: Table, files: TableFiles, held: set[str]) -> dict[str, Any]:
    """One table. Of several files, which the standard has no hashes for, each is described once more with its own."""
    described = [{"path": one.key, "bytes": one.bytes, "hash": f"sha256:{one.sha256}"} for one in files.files]
    return {
        "profile": "data-resource",
        "name": table.name,
        "title": table.grain,
        "description": table.answers,
        **(described[0] if len(described) == 1 else {"path": [one.key for one in files.files], "files": described}),
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "rowCount": files.row_count,
        "licenses": _licences(origins([table])),
        "schema": table_schema(table, held),
    }


def table_schema(table: Table, held: set[str]) -> dict[str, Any]:
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
        "type": TYPES[column.dtype.base_type()],
        "description": column.description,
        "constraints": {
            "required": not column.is_nullable,
            **{name: limit for name, limit in limits.items() if limit is not None},
        },
        **{name: words for name, words in more.items() if words},
        "origin": column.origin.name,
        "license": column.origin.licence,
    }
