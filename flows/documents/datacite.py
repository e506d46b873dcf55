"""Describes a deposit for an archive: DataCite's metadata (4.6, as JSON), and a README for whoever unpacks it."""

from __future__ import annotations

from typing import Any, Final

from flows.documents.edition import DESCRIPTION, KEYWORDS, LICENCES, NAME, SOURCE_URL, TITLE, as_json, origins
from warehouse.release.manifest import Manifest, digest, encode, released_on
from warehouse.schema.origin import Origin
from warehouse.schema.tables import ALL_TABLES

KERNEL: Final = "http://datacite.org/schema/kernel-4"  # which every 4.x has
SPDX: Final = "https://spdx.org/licenses/"
FORMATS: Final = ("application/vnd.apache.parquet", "application/vnd.duckdb", "application/json", "text/html")


def datacite(manifest: Manifest, doi: str | None, publisher: str) -> bytes:
    """The release as DataCite describes a dataset; without `doi` the archive that registers it adds one."""
    days = sorted(day for table in manifest.tables for day in (table.first_on, table.last_on) if day)
    dates = [{"date": released_on(manifest.version).isoformat(), "dateType": "Issued"}]
    if days:
        listed = {"date": f"{days[0]}/{days[-1]}", "dateType": "Other"}
        dates.append({**listed, "dateInformation": "days of the daily lists in it"})
    document: dict[str, Any] = {
        **({"doi": doi} if doi else {}),
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Data lake release"},
        "creators": [{"name": f"{NAME} contributors", "nameType": "Organizational"}],
        "titles": [{"title": TITLE}, {"title": f"Release {manifest.version}", "titleType": "Subtitle"}],
        "publisher": {"name": publisher},
        "publicationYear": str(released_on(manifest.version).year),
        "subjects": [{"subject": word} for word in KEYWORDS],
        "dates": dates,
        "language": "en",
        "relatedIdentifiers": [
            {"relatedIdentifier": SOURCE_URL, "relatedIdentifierType": "URL", "relationType": "IsDerivedFrom"}
        ],
        "sizes": [f"{sum(file.bytes for file in manifest.files)} bytes", f"{len(manifest.files)} files"],
        "formats": list(FORMATS),
        "version": manifest.version,
        "rightsList": list(map(rights_of, origins(ALL_TABLES))),
        "descriptions": [
            {"description": DESCRIPTION, "descriptionType": "Abstract"},
            {
                "description": f"SHA-256 of manifest.json: {digest(encode(manifest))}. Licences differ from column to "
                f"column: {LICENCES}.",
                "descriptionType": "TechnicalInfo",
            },
        ],
        "schemaVersion": KERNEL,
    }
    return as_json(document)


def rights_of(origin: Origin) -> dict[str, str]:
    """The licence of an origin; one that SPDX does not list has no identifier."""
    rights = {"rights": f"{origin.licence} ({origin.title})", "rightsUri": origin.licence_url}
    if origin.licence.startswith("LicenseRef-"):
        return rights
    return rights | {"rightsIdentifier": origin.licence, "rightsIdentifierScheme": "SPDX", "schemeUri": SPDX}


def readme(manifest: Manifest, doi: str | None) -> bytes:
    """`README.md` of the bag: what is in it, how to check it, how to cite it."""
    address = f" https://doi.org/{doi}" if doi else ""
    return f"""# {TITLE}: release {manifest.version}

{DESCRIPTION}

`data/` is the release, file for file: begin with `data/README.md`, or open `data/index.html` in a browser. The tables
are Parquet, and all of them are in `data/paperlake.duckdb`. What each column means is in `data/DICTIONARY.md`; each
column has the licence of its origin ({LICENCES}).

This is a BagIt bag (RFC 8493): `sha256sum --check manifest-sha256.txt` in this folder says whether every file is what
was deposited. `metadata/datacite.json` describes it as DataCite does.

To cite it: {NAME} contributors ({released_on(manifest.version).year}). {TITLE}. Version {manifest.version}.{address}
""".encode()


def bag_info(manifest: Manifest, doi: str | None, payload: str) -> bytes:
    """`bag-info.txt`; `payload` is how many bytes and files the payload has, with a dot between them."""
    fields = {
        "Bagging-Date": released_on(manifest.version).isoformat(),
        "External-Description": f"{TITLE}: release {manifest.version}",
        "External-Identifier": doi or f"{NAME} {manifest.version}",
        "Payload-Oxum": payload,
        "Bag-Software-Agent": f"{NAME} {manifest.code_version}",
    }
    return "".join(f"{name}: {words}\n" for name, words in fields.items()).encode()
