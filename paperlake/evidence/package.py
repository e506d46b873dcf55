"""Writes evidence as a WACZ file: captured records, index, pages, certificate, and the lake's own files.

The same fact, moment and key give the same bytes. The certificate and the folder `lake/`, whose files have the names
that they have in the lake with `-` for `/`, stand beside the three folders of the format, and the data package lists
them: at most one folder deep, as py-wacz finds no others.
"""

import base64
import gzip
import json
from collections.abc import Mapping
from datetime import datetime
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from flows.steps.deposit import FIRST, MODE
from paperlake.evidence import check_evidence as checking
from paperlake.evidence.facts import Fact, has_roots, logged, page_proofs, plain, rank_certificate, tables_of
from paperlake.evidence.rereading import Rereading, record_facts, reread
from warehouse.archive.archive import Archive, CarriedFile
from warehouse.archive.captured import Capture
from warehouse.archive.warc_write import utc_text
from warehouse.errors import UsageError
from warehouse.people.ledger import Ledger
from warehouse.release.manifest import Manifest, digest
from warehouse.release.query import Database
from warehouse.release.snapshot import Snapshot

SOFTWARE: Final = "paperlake"


def certificate_of(
    release: Snapshot[Manifest], fact: Fact, found: Rereading, carried: CarriedFile, log: Mapping[str, Any]
) -> dict[str, Any]:
    """The certificate: the fact, its values with their rules, the pages, the release, and the proofs."""
    names = [entry.capture_id for entry in found.entries]
    proofs = page_proofs(release, names) if has_roots(release) else {}
    records = []
    for entry in found.entries:
        record, original = carried.records[entry.capture_id]
        places = {"record": record._asdict(), "original": original and original._asdict()}
        facts = record_facts(entry, found.layouts.get(entry.capture_id))
        records.append(facts | places | {"proof": proofs.get(entry.capture_id)})
    made = release.of
    certificate: dict[str, Any] = {
        "format": checking.FORMAT,
        "statement": "",
        "fact": {"kind": fact.kind, "table": fact.table.name, "key": plain(fact.key)},
        "values": list(found.values),
        "records": records,
        "release": {
            "version": made.version,
            "manifest_sha256": release.manifest_sha256,
            "code_version": made.code_version,
            "code_sha256": made.code_sha256,
            "schema_version": made.schema_version,
            "captures_sha256": made.captures_sha256,
        },
        "tables": tables_of(release, fact),
        "log": log,
        "rank": None,
        "how_to_check": checking.HOW_TO_CHECK.splitlines(),
        "not_proved": [checking.HUB_SIGNED_NOTHING],
    }
    if fact.kind == "listing" and proofs:
        certificate["rank"] = rank_certificate(release, fact.key["paper_id"], fact.key["listed_on"])
    return certificate | {"statement": checking.statement_of(certificate)}


def evidence_package(
    database: Database, release: Snapshot[Manifest], fact: Fact, *, now: datetime, key: Path | None = None
) -> bytes:
    """The WACZ file of a fact of a release; `now` (UTC) dates it, and with a `key` it is signed.

    NothingThere where the page behind it is not in the archive, Damaged where page, log or release are not sound.
    """
    store = release.files.store
    Ledger(store).require_quiet()
    archive, (log, of_lake) = Archive(store), logged(store, release.of)
    found = reread(database, archive, fact)
    carried = CarriedFile(archive, found.entries, now=now)
    release = Snapshot(release.of, release.files, digest(of_lake[f"releases/{release.of.version}/manifest.json"]))
    certificate = certificate_of(release, fact, found, carried, log)
    for record in checking.viewed(certificate):
        view = checking.view_page(certificate, record)
        at = datetime.fromisoformat(checking.stamp_of(record)).replace(tzinfo=None)
        carried.add(
            Capture(payload=view, url=checking.VIEW + record["capture_id"], fetched_at=at, content_type="text/html")
        )
    files = {
        checking.WARC: carried.data,
        **_indexes(carried.data),
        checking.PAGES: checking.pages_of(certificate),
        checking.CERTIFICATE: _as_json(certificate),
        **{f"lake/{name.replace('/', '-')}": data for name, data in of_lake.items()},
    }
    software = f"{SOFTWARE} {version('paperlake')}"
    files[checking.PACKAGE] = _as_json(checking.package_of(certificate, files, utc_text(now), software))
    files[checking.DIGEST] = _as_json(_digest(files[checking.PACKAGE], now, key))
    return _zipped(files)


def _indexes(warc: bytes) -> dict[str, bytes]:
    """The index of a WARC file, compressed, and the index of that, as replayers look for them."""
    lines = sorted(checking.index_line(member) for member in checking.members_of(warc) if member.offset)
    packed = gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0)
    return {checking.INDEX: packed, checking.INDEX_OF_INDEX: checking.index_of_index(packed, lines)}


def _digest(package: bytes, now: datetime, key: Path | None) -> dict[str, Any]:
    stated = f"sha256:{digest(package)}"
    plainly = {"path": checking.PACKAGE, "hash": stated}
    if key is None:
        return plainly
    public, signature = signed(key, stated.encode())
    about = {"hash": stated, "created": utc_text(now), "software": SOFTWARE, "version": version("paperlake")}
    texts = {name: base64.b64encode(data).decode() for name, data in (("signature", signature), ("publicKey", public))}
    return plainly | {"signedData": about | texts}


def signed(key: Path, data: bytes) -> tuple[bytes, bytes]:
    """The public key in DER, and the signature of the data as wacz-auth wants it: ECDSA, r and s one after the other.

    UsageError where the key cannot be read, has a passphrase, or is of another kind.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    try:
        text = key.expanduser().read_bytes()
        is_ssh = text.startswith(b"-----BEGIN OPENSSH")
        private = (serialization.load_ssh_private_key if is_ssh else serialization.load_pem_private_key)(text, None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise UsageError(f"--key {key} cannot be read as a private key without a passphrase: {error}") from error
    if not isinstance(private, ec.EllipticCurvePrivateKey) or private.curve.name not in {"secp256r1", "secp384r1"}:
        make = f'ssh-keygen -t ecdsa -b 384 -N "" -f {key}'
        raise UsageError(f"--key {key} is no ECDSA key of 256 or 384 bits, which WACZ asks for; make one: {make}")
    made = private.sign(data, ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
    size = (private.curve.key_size + 7) // 8
    signature = b"".join(one.to_bytes(size, "big") for one in utils.decode_dss_signature(made))
    spki = serialization.PublicFormat.SubjectPublicKeyInfo
    return private.public_key().public_bytes(serialization.Encoding.DER, spki), signature


def _as_json(document: Mapping[str, Any]) -> bytes:
    return (json.dumps(document, indent=1, ensure_ascii=True) + "\n").encode()


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """The files as a zip file, the same on any system; what is compressed already is stored."""
    made = BytesIO()
    with ZipFile(made, "w") as package:
        for name, data in files.items():
            entry = ZipInfo(name, FIRST)
            entry.create_system, entry.external_attr = 3, MODE
            kind = ZIP_STORED if name.endswith((".gz", ".sig")) else ZIP_DEFLATED
            package.writestr(entry, data, compress_type=kind)
    return made.getvalue()
