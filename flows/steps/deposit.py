"""Bundles a release for an archive: one file, the same bytes for the same release, written whole or not at all.

It is a BagIt bag (RFC 8493) in a zip file without compression: the files of the release, their hashes, and the metadata
that archives ask for. Every file is checked against the release's manifest while it is copied.
"""

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from msgspec.structs import replace

from flows.documents.edition import DESCRIPTION, KEYWORDS, LICENCES, NAME, SOURCE_URL, TITLE, as_json, origins
from flows.documents.rendering import render_text
from flows.runtime.progress import track
from warehouse.errors import Damaged, UsageError
from warehouse.people.ledger import Ledger
from warehouse.release import moves
from warehouse.release.latest import DATABASE, MANIFEST, SIGNATURE, release_key, require_latest, stored_manifest
from warehouse.release.made_again import kept_files
from warehouse.release.manifest import File, Manifest, digest, released_on
from warehouse.schema.catalog import ALL_TABLES
from warehouse.schema.provenance import Origin
from warehouse.store.local_files import whole_file
from warehouse.store.store import Store, read_if_there

DOI: Final = re.compile(r"10\.[0-9]{4,9}/[^\s\x00-\x1f]+")
FIRST: Final = (1980, 1, 1, 0, 0, 0)  # the earliest moment a zip file knows: no clock is asked
MODE: Final = 0o644 << 16
CHUNK_BYTES: Final = 1 << 20
BAG: Final = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"


def deposit(store: Store, version: str, path: Path, *, doi: str | None = None, publisher: str) -> int:
    """Write the bundle of a release, and return its size in bytes; a file at `path` is replaced once it is whole.

    NothingThere where there is no such release, or it was dropped, Damaged where a file is not what was published,
    UsageError where the release was retracted, the DOI is none, or nothing can be written there.
    """
    if doi is not None and not DOI.fullmatch(doi):
        raise UsageError(f"--doi {doi} is no DOI; one is like 10.5281/zenodo.1234567, without https://doi.org/")
    if erratum := require_latest(store).erratum(version):
        raise UsageError(f"release {version} was retracted {erratum.retracted_at}: {erratum.why}; deposit another one")
    Ledger(store).require_quiet()
    manifest = moves.published(store, version)
    with whole_file(path) as part, part.open("wb") as made:
        _write(made, store, manifest, doi, publisher)
        made.flush()
        os.fsync(made.fileno())
    return path.stat().st_size


def _write(made: BinaryIO, store: Store, manifest: Manifest, doi: str | None, publisher: str) -> None:
    """Write the payload first, each file checked by its hash; then the tag files."""
    stored = stored_manifest(store, manifest)
    manifest = replace(manifest, files=kept_files(store, manifest))
    ends = {MANIFEST: stored, SIGNATURE: read_if_there(store, release_key(manifest.version, SIGNATURE))}
    small = {key: data for key, data in ends.items() if data is not None}
    files = sorted(manifest.files, key=lambda file: file.key)
    with ZipFile(made, "w", ZIP_STORED) as bundle:
        for file in track(files, "copying", len(files)):
            _copy(bundle, store, manifest, file)
        for key, data in small.items():
            bundle.writestr(_entry(manifest, f"data/{key}", len(data)), data)
        payload = {file.key: file.sha256 for file in files} | {key: digest(data) for key, data in small.items()}
        size = sum(file.bytes for file in files) + sum(map(len, small.values()))
        tags = {
            "bagit.txt": BAG,
            "bag-info.txt": bag_info(manifest, doi, f"{size}.{len(payload)}"),
            "manifest-sha256.txt": _sums({f"data/{key}": sha256 for key, sha256 in payload.items()}),
            "README.md": readme(manifest, doi),
            LICENCES: store.read(release_key(manifest.version, LICENCES)),
            "metadata/datacite.json": datacite(manifest, digest(stored), doi, publisher),
        }
        tags["tagmanifest-sha256.txt"] = _sums({key: digest(data) for key, data in tags.items()})
        for key, data in tags.items():
            bundle.writestr(_entry(manifest, key, len(data)), data)


def _copy(bundle: ZipFile, store: Store, manifest: Manifest, file: File) -> None:
    """Copy a file of the release; Damaged where it is not what its manifest says."""
    found, entry = hashlib.sha256(), _entry(manifest, f"data/{file.key}", file.bytes)
    with store.open(release_key(manifest.version, file.key)) as source, bundle.open(entry, "w") as target:
        while chunk := source.read(CHUNK_BYTES):
            found.update(chunk)
            target.write(chunk)
    if found.hexdigest() != file.sha256:
        raise Damaged(f'{file.key} of release {manifest.version} is not what was published; run "paperlake verify"')


def _entry(manifest: Manifest, key: str, size: int) -> ZipInfo:
    """An entry of the zip file, the same on any system."""
    entry = ZipInfo(f"paperlake-{manifest.version}/{key}", FIRST)
    entry.create_system, entry.external_attr, entry.file_size = 3, MODE, size
    return entry


def _sums(sha256: Mapping[str, str]) -> bytes:
    return "".join(f"{sha256[key]}  {key}\n" for key in sorted(sha256)).encode()


KERNEL: Final = "http://datacite.org/schema/kernel-4"  # which every 4.x has
SPDX: Final = "https://spdx.org/licenses/"
FORMATS: Final = ("application/vnd.apache.parquet", "application/vnd.duckdb", "application/json", "text/html")


def datacite(manifest: Manifest, sha256: str, doi: str | None, publisher: str) -> bytes:
    """The release as DataCite describes a dataset, with its manifest's hash; without `doi` the archive adds one."""
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
                "description": f"SHA-256 of manifest.json: {sha256}. Licences differ from column to "
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
    return render_text(
        "words/deposit.md.j2",
        title=TITLE,
        description=DESCRIPTION,
        name=NAME,
        version=manifest.version,
        year=released_on(manifest.version).year,
        database=DATABASE,
        has_database=DATABASE in {file.key for file in manifest.files},
        licences=LICENCES,
        doi=doi,
    ).encode()


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
