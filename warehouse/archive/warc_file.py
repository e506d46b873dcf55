"""One WARC file of the archive: made in memory, indexed, and read back record by record.

A file's name is its month and the start of the SHA-256 of its bytes, and its lines in the index are a function of name
and bytes, so whoever indexes it (the run that wrote it, or the next one after a crash) writes the same lines.
"""

import hashlib
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

import msgspec
from fastwarc.warc import ArchiveIterator, HeaderMap, WarcRecord, WarcRecordType

from warehouse.archive.captured import Capture, identify
from warehouse.archive.http_message import OverLimitError, UndecodableError, inflated
from warehouse.archive.index import IndexEntry, Place, entry_of, landing_month
from warehouse.archive.warc_read import HOLDING, capture_of, failure_of, is_failure
from warehouse.archive.warc_write import id_of, record_of, warcinfo
from warehouse.errors import Damaged

SUFFIX: Final = ".warc.gz"
HEADER_SIZE: Final = 600  # bytes of the WARC and HTTP headers of one record of ours, typically
HEADER_ROOM: Final = 64 << 10  # and at most
ANY_SIZE: Final = 1 << 40  # what the archive holds was under its limit when it was landed
NUMBER: Final = re.compile(r"[0-9]{1,18}")


class Packed(NamedTuple):
    """A finished WARC file."""

    filename: str
    data: bytes
    entries: list[IndexEntry]


class WarcFile:
    """A WARC file that is being filled, in memory. `now` (UTC) dates it, and its records without a fetch time.

    `size` is about its size in bytes before compression.
    """

    def __init__(self, now: datetime) -> None:
        self.size = 0
        self._now = now
        self._members = list[bytes]()

    def add(self, capture: Capture, original: IndexEntry | None = None) -> None:
        """Append one capture that `unlandable` does not refuse; as a revisit where `original` has its payload."""
        if not self.size:
            self._members.append(warcinfo(now=self._now, first_id=id_of(capture, original)))
        self._members.append(record_of(capture, now=self._now, original=original))
        self.size += HEADER_SIZE + (0 if original else len(capture.payload))

    def finish(self) -> Packed | None:
        """The whole file under its name, read back as anyone will read it; None where nothing was added."""
        if not self.size:
            return None
        data = b"".join(self._members)
        filename = name_of(data, landing_month(self._now))
        return Packed(filename, data, index_of(filename, data))


def name_of(data: bytes, month: str) -> str:
    """The name a WARC file of these bytes, landed in that month, has in the archive."""
    return f"{month}/{hashlib.sha256(data).hexdigest()[:32]}{SUFFIX}"


def month_of(filename: str) -> str:
    """The month in a file's name; empty for a name that no file of the archive has."""
    return filename.rpartition("/")[0]


def index_of(filename: str, data: bytes) -> list[IndexEntry]:
    """The index entries of a WARC file of the archive, in the order of its records; Damaged where it cannot be read."""
    return [entry for entry, _ in records_of(filename, data)]


def records_of(filename: str, data: bytes) -> Iterator[tuple[IndexEntry, Capture]]:
    """Each capture in a WARC file of the archive, with its index entry; of a revisit, without its payload."""
    last: tuple[IndexEntry, Capture] | None = None

    def ended(end: int) -> Iterator[tuple[IndexEntry, Capture]]:
        if last:
            entry, capture = last
            yield msgspec.structs.replace(entry, length=end - entry.offset), capture

    try:
        for record in ArchiveIterator(io.BytesIO(data), parse_http=False):
            yield from ended(record.stream_pos)
            is_page = record.record_type & HOLDING or is_failure(record)
            capture = capture_in(record, ANY_SIZE) if is_page else None
            last = (_entry(record, capture, filename, record.stream_pos, 0), capture) if capture else None
    except (OSError, OverLimitError) as error:
        raise Damaged(f"the WARC file {filename} cannot be read: {error}") from error
    yield from ended(len(data))


def read_record(entry: IndexEntry, member: bytes, original: bytes | None = None) -> Capture:
    """The capture in one record's bytes; Damaged, saying where and what, unless it is as the index says.

    For a revisit, `original` are the bytes of the record that has its payload.
    """
    record, capture = _read(entry, Place(entry.filename, entry.offset, entry.length), member)
    if _entry(record, capture, entry.filename, entry.offset, len(member)) != entry:
        news = capture.damage if capture.damage != entry.damage else None
        raise _damaged(entry, news or "it is not the record that the index describes")
    return replace(capture, payload=payload_of(entry, original)) if entry.original else capture


def payload_of(revisit: IndexEntry, original: bytes | None) -> bytes:
    """The payload of a revisit, which lies in another record; Damaged where that does not have it."""
    assert revisit.original is not None
    _, capture = _read(revisit, revisit.original, original or b"")
    if capture.payload_sha256 != revisit.payload_sha256:
        raise _damaged(revisit, capture.damage or "its payload is not there", revisit.original)
    return capture.payload


def _read(entry: IndexEntry, place: Place, member: bytes) -> tuple[WarcRecord, Capture]:
    try:
        record = only_record(inflated(member, entry.payload_bytes + HEADER_ROOM))
        return record, capture_in(record, entry.payload_bytes)
    except OverLimitError as error:
        raise _damaged(entry, "it is longer than the index says", place) from error
    except (OSError, UndecodableError) as error:
        raise _damaged(entry, str(error), place) from error


def only_record(block: bytes) -> WarcRecord:
    """The record that a gzip member of the archive unpacks to; OSError where it is none."""
    record = next(iter(ArchiveIterator(io.BytesIO(block), parse_http=False, stream_detect=False)), None)
    if record is None:
        raise OSError("there is no record")
    return record


def capture_in(record: WarcRecord, limit: int) -> Capture:
    """The capture that a record of ours holds; of a revisit, without its payload."""
    block = record.reader.read()
    return failure_of(record.headers, block) if is_failure(record) else capture_of(record.headers, block, limit)


def _entry(record: WarcRecord, capture: Capture, filename: str, offset: int, length: int) -> IndexEntry:
    """The index entry of a record; that of a revisit has the digest and size of its payload, and where that lies."""
    headers, date = record.headers, record.headers.get("WARC-Date") or ""
    entry = entry_of(capture, date=date, filename=filename, offset=offset, length=length)
    if record.record_type != WarcRecordType.revisit:
        return entry
    digest = headers.get("WARC-Payload-Digest") or ""
    sha256 = digest.removeprefix("sha256:")
    return msgspec.structs.replace(
        entry,
        digest=digest,
        capture_id=capture.capture_id if capture.erased else identify(capture.url, capture.fetched_at, sha256),
        payload_bytes=_number(headers, "Paperlake-Payload-Bytes"),
        orig_filename=headers.get("WARC-Refers-To-Filename"),
        orig_offset=_number(headers, "WARC-Refers-To-File-Offset"),
        orig_length=_number(headers, "Paperlake-Refers-To-Length"),
    )


def _number(headers: HeaderMap, name: str) -> int:
    value = headers.get(name) or ""
    return int(value) if NUMBER.fullmatch(value) else 0


def _damaged(entry: IndexEntry, detail: str, place: Place | None = None) -> Damaged:
    filename, offset, _ = place or (entry.filename, entry.offset, entry.length)
    where = f"capture {entry.capture_id} is damaged in raw/warc/{filename} at byte {offset}"
    return Damaged(f"{where}: {detail}; put back an undamaged copy of that file")
