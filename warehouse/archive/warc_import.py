"""Reading a WARC file that any tool may have made: nothing in it is trusted, one record at a time is in memory.

And a WACZ file, as ArchiveWeb.page and Browsertrix save: a zip file with WARC files in its folder `archive`. No name in
it becomes a path, and nothing of it is unpacked to a disk.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, Final, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipExtFile, ZipFile, ZipInfo

import msgspec
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from msgspec import Struct

from warehouse.archive.captured import UNNAMED, Capture, Limits, Notice, Refused, Revisit, shown
from warehouse.archive.http_message import GZIP_MAGIC, OverLimitError
from warehouse.archive.warc_read import HOLDING, capture_of, failure_of, is_failure, revisit_of
from warehouse.printable import counted

MAGIC: Final = b"WARC/"
PACKED: Final = (
    "it is packed, a PDF, or has pages encoded in it (MHTML, HAR), and no erasure could look into it; unpack it, or "
    "save the page as HTML, and land that"
)
# gzip, bzip2, xz, Zstandard, LZ4, 7-Zip, RAR, PDF; and a page saved as mail, with its letters encoded
PACKED_HEAD: Final = re.compile(
    rb"\x1f\x8b|BZh[1-9]1AY|\xfd7zXZ\0|\x28\xb5\x2f\xfd|\x04\x22M\x18|7z\xbc\xaf|Rar!\x1a\x07|%PDF-"
    rb"|(?i:(?:[\w-]++:[^\r\n]*+\r?\n(?:[ \t][^\r\n]*+\r?\n)*+)*?Content-Type:[ \t]*+multipart/)"
)
# An answer in a HAR file, which is an object; a text may speak of such
ENCODED_BODY: Final = re.compile(rb'\s*+\{.*?"encoding"\s*+:\s*+"base64"', re.DOTALL)
MAGIC_BYTES: Final = 4096
HEADER_ROOM: Final = 64 << 10  # an HTTP header, besides the page, in a record
UNPACKED_LIMITS: Final = "PAPERLAKE_INFLATED_BYTES and PAPERLAKE_INFLATED_RATIO"
SEGMENT: Final = "it is one segment of a page that was cut up, and paperlake joins none; land the page whole"
LONGEST_DIGEST: Final = 200  # SHA-512 in hex has 128
LENGTH: Final = re.compile(r"[0-9]{1,18}")
VIEW: Final = "urn:paperlake:view:"  # a page that `paperlake evidence` made, for people: it was not captured


def is_warc(head: bytes) -> bool:
    """Whether a file that begins with these bytes (some 4 KiB will do) is a WARC file, gzipped or not."""
    if head.startswith(GZIP_MAGIC):
        try:
            head = zlib.decompressobj(31).decompress(head, len(MAGIC))
        except zlib.error:
            return False
    return head.startswith(MAGIC)


def is_packed(page: bytes) -> bool:
    """Whether an erasure could not look into a page: it is packed, or encoded as mail is."""
    return bool(PACKED_HEAD.match(page, 0, MAGIC_BYTES) or ENCODED_BODY.match(page))


def read_warc(
    path: Path, limits: Limits, known: dict[str, str] | None = None
) -> Iterator[Capture | Revisit | Refused | Notice]:
    """Every `response` and `resource` record of a WARC file as a Capture, in the file's order, and our failed attempts.

    The payload is the page itself: transfer and content encoding are taken off. A record that its own digest, or its
    header, shows to be damaged is a Capture with `damage`. A `revisit` record is a Revisit where it names its page by
    SHA-256, as ours do, or as a page before it, in this file or in one read with the same `known` digests. Refused: a
    page that is packed or over the limit, any other revisit, a segment; and, as the last thing, the rest of a file that
    is cut short, garbled or inflates beyond the limit. Other records are counted in one Notice. Memory: one page, some
    three times over, and the digests of all.
    """
    with path.open("rb") as file:
        yield from _read_open(file, shown(str(path)), path.stat().st_size, limits, {} if known is None else known)


def _read_open(
    file: BufferedReader | ZipExtFile, name: str, size: int, limits: Limits, known: dict[str, str]
) -> Iterator[Capture | Revisit | Refused | Notice]:
    """The same of a file that is open, by the `name` that messages give it, and its `size` as it is stored."""
    reading = _Reading(name, limits, known)
    if file.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC):
        yield from reading.captures(_Inflated(file, limits.inflated_from(size)), unpacked=" of what it unpacks to")
    else:
        yield from reading.captures(file)


class _Reading:
    """One pass over a WARC file."""

    def __init__(self, name: str, limits: Limits, known: dict[str, str]) -> None:
        self._name, self._limits = name, limits
        self._passed: Counter[str] = Counter()
        self._known = known  # digest that a record states of its payload → the SHA-256

    def captures(
        self, stream: BinaryIO | ZipExtFile | _Inflated, unpacked: str = ""
    ) -> Iterator[Capture | Revisit | Refused | Notice]:
        at = 0
        try:
            for record in ArchiveIterator(stream, parse_http=False, stream_detect=False):
                at = record.stream_pos
                yield from self._record(record)
        except (OSError, EOFError, zlib.error) as error:
            where = f"beyond the record at byte {at:,}{unpacked}"
            yield Refused(self._name, f"it cannot be read {where}: {error}. What comes before it was read")
        if self._passed:
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self._passed.items()))
            text = f"{self._name}: passed over {counted(self._passed.total(), 'record')} without a page ({kinds})"
            yield Notice(text)

    def _record(self, record: WarcRecord) -> Iterator[Capture | Revisit | Refused]:
        stated = record.headers.get("Content-Length") or ""
        if not LENGTH.fullmatch(stated):  # FastWARC takes it for 0
            raise EOFError(f"its header is cut short, or its Content-Length ({shown(stated, 40)}) is no length")
        if record.headers.get("WARC-Segment-Number") is not None:
            yield Refused(self._record_name(record), SEGMENT)
            return
        is_view = (record.headers.get("WARC-Target-URI") or "").startswith(VIEW)
        if not is_view and (record.record_type & HOLDING or is_failure(record)):
            yield self._page(record)
            return
        _require_whole(record, record.reader.consume())
        if record.record_type != WarcRecordType.warcinfo:  # every file has that one, about itself
            self._passed["view" if is_view else str(record.record_type)] += 1

    def _page(self, record: WarcRecord) -> Capture | Revisit | Refused:
        limit, length = self._limits.payload_bytes, record.content_length
        if length > limit + HEADER_ROOM:
            return Refused(self._record_name(record), self._limits.page_too_large(length))
        block = record.reader.read()
        _require_whole(record, len(block))
        try:
            if record.record_type == WarcRecordType.revisit:
                found = revisit_of(record.headers, block, limit, self._known)
                return found or Refused(self._record_name(record), UNNAMED)
            if is_failure(record):
                return failure_of(record.headers, block)
            capture = capture_of(record.headers, block, limit)
        except OverLimitError:
            return Refused(self._record_name(record), self._limits.page_too_large())
        if is_packed(capture.payload):
            return Refused(self._record_name(record), "; ".join(filter(None, [capture.damage, PACKED])))
        stated = record.headers.get("WARC-Payload-Digest") or ""
        if capture.damage is None and len(stated) <= LONGEST_DIGEST:
            self._known[stated] = capture.payload_sha256
        return capture

    def _record_name(self, record: WarcRecord) -> str:
        return f"{self._name}: {shown(record.headers.get('WARC-Target-URI') or record.record_id or 'a record')}"


def _require_whole(record: WarcRecord, size: int) -> None:
    if size < record.content_length:
        raise EOFError(f"it ends after {size:,} of that record's {record.content_length:,} bytes")


class _Inflated(gzip.GzipFile):
    """The members of a gzip file as one stream; OSError once they have given more than `limit` bytes."""

    def __init__(self, file: BinaryIO | ZipExtFile, limit: int) -> None:
        super().__init__(fileobj=file, mode="rb")
        self._limit = limit

    def read(self, size: int | None = -1) -> bytes:
        data = self.read1(-1 if size is None else size)  # `read` would lose what comes before a fault
        if self.tell() > self._limit:
            raise OSError(f"it unpacks to more than {self._limit:,} bytes; {UNPACKED_LIMITS} set the limit")
        return data


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
                        yield from _read_open(file, named, entry.compress_size, limits, known)
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
