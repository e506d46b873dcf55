"""Reading a WACZ file, as ArchiveWeb.page and Browsertrix save: a zip file with WARC files in its folder `archive`.

No name in it becomes a path, and nothing of it is unpacked to a disk.
"""

import hashlib
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipExtFile, ZipFile, ZipInfo

import msgspec
from msgspec import Struct

from warehouse.archive.captured import Capture, Limits, Notice, Refused, Revisit, shown
from warehouse.archive.warc_import import PACKED, UNPACKED_LIMITS, read_open_warc

ZIP_MAGIC: Final = b"PK\x03\x04"
WARC: Final = re.compile(r"archive/.+\.warc(\.gz)?", re.IGNORECASE | re.DOTALL)
OF_PAGES: Final = re.compile("archive/", re.IGNORECASE)
OTHER_NAME: Final = "it is named neither .warc nor .warc.gz, and its pages were not read; pack them so, and land that"
CONTENTS: Final = "datapackage.json"
ENCRYPTED: Final = 1  # a flag of an entry
# What zipfile raises of a file that is garbled, or of a kind that it does not know
FAULTS: Final = (OSError, EOFError, BadZipFile, zlib.error, NotImplementedError, ValueError, msgspec.MsgspecError)


class Resource(Struct, frozen=True):
    """A file of a WACZ file, and its hash: `sha256:…`."""

    path: str
    hash: str = ""


class Contents(Struct, frozen=True):
    """The list of a WACZ file's files, `datapackage.json`."""

    resources: list[Resource]


def read_wacz(path: Path, limits: Limits, known: dict[str, str]) -> Iterator[Capture | Revisit | Refused | Notice]:
    """What the WARC files of a WACZ file hold, as `read_warc` has it.

    Refused are those that have not the hash that is stated, those over the limits, and a zip file without any.
    """
    name = shown(str(path))
    try:
        with ZipFile(path) as package:
            names = package.namelist()
            if CONTENTS not in names or _is_odd(package.getinfo(CONTENTS)) or not any(map(WARC.fullmatch, names)):
                yield Refused(name, PACKED)
                return
            with package.open(CONTENTS) as file:
                contents = msgspec.json.decode(file.read(limits.payload_bytes), type=Contents)
            hashes = {one.path: one.hash for one in contents.resources}
            for entry in package.infolist():
                if WARC.fullmatch(entry.filename):
                    named = f"{name}: {shown(entry.filename)}"
                    if reason := _why_not(package, entry, hashes.get(entry.filename), limits):
                        yield Refused(named, reason)
                        continue
                    with cast("ZipExtFile", package.open(entry)) as file:
                        yield from read_open_warc(file, named, entry.compress_size, limits, known)
                elif OF_PAGES.match(entry.filename) and not entry.is_dir():
                    yield Refused(f"{name}: {shown(entry.filename)}", OTHER_NAME)
    except FAULTS as error:
        yield Refused(name, f"it cannot be read: {shown(str(error))}")


def _is_odd(entry: ZipInfo) -> bool:
    return bool(entry.flag_bits & ENCRYPTED) or entry.compress_type not in {ZIP_STORED, ZIP_DEFLATED}


def _why_not(package: ZipFile, entry: ZipInfo, stated: str | None, limits: Limits) -> str | None:
    """Why a WARC file is not read; it is unpacked once for its hash, and again to be read."""
    if _is_odd(entry):
        return "it is encrypted, or packed in an unusual way"
    if entry.compress_type == ZIP_DEFLATED and entry.file_size > limits.inflated_from(entry.compress_size):
        return f"it unpacks to {entry.file_size:,} bytes; {UNPACKED_LIMITS} set the limit"
    try:
        with cast("ZipExtFile", package.open(entry)) as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except FAULTS as error:
        return f"it cannot be read: {shown(str(error))}"
    return None if stated == f"sha256:{found}" else f"it does not have the SHA-256 that {CONTENTS} says"
