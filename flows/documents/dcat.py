"""`dcat.jsonld`: the release as portals of open data read it, a dataset of DCAT 3 (W3C) in JSON-LD.

A distribution is a Parquet file. Addresses are relative to the document; no reader has to fetch a context.
"""

from __future__ import annotations

from typing import Any, Final

from flows.documents.catalogues import MEDIA_TYPE
from flows.documents.edition import DESCRIPTION, KEYWORDS, LICENCES, NAME, SOURCE_URL, TITLE, Edition, as_json, origins
from warehouse.release.latest import PAGE
from warehouse.release.manifest import File
from warehouse.schema.table import Table

DCAT: Final = "dcat.jsonld"
CONTEXT: Final = {
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
            "@context": CONTEXT,
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
            "dcat:distribution": [distribution(table, file) for table, files in edition.parts for file in files.files],
        }
    )


def distribution(table: Table, file: File) -> dict[str, Any]:
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
