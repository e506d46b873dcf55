"""One WARC file of the archive: made in memory, indexed, and read back record by record.

A file's name is the start of the SHA-256 of its bytes, and its index is a function of name and bytes, so whoever
indexes it (the run that wrote it, or the next one after a crash) writes the same index.
"""

from __future__ import annotations

import hashlib
import io
from datetime import datetime
from typing import Final, NamedTuple

import msgspec
from fastwarc.stream_io import GzipWriter
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from warehouse.capture import Capture
from warehouse.cdxj import IndexEntry, entry_of
from warehouse.errors import Damaged
from warehouse.message import OverLimitError, UndecodableError, inflated
from warehouse.warc import COMPRESSION_LEVEL, capture_of, write_record, write_warcinfo

SUFFIX: Final = ".warc.gz"
HEADER_SIZE: Final = 600  # WARC and HTTP headers of one record of ours, mostly
HEADER_ROOM: Final = 64 << 10  # and at most
ANY_SIZE: Final = 1 << 40  # what the archive holds was under its limit when it was landed
PAGES: Final = WarcRecordType.response | WarcRecordType.resource


class Packed(NamedTuple):
    """A finished WARC file."""

    filename: str
    data: bytes
    entries: list[IndexEntry]


class WarcFile:
    """A WARC file in the making, in memory. `now` (UTC) dates it, and its records without a fetch time.

    `size` is what it comes to before compression, nearly.
    """

    def __init__(self, now: datetime) -> None:
        self.size = 0
        self._now = now
        self._stream = io.BytesIO()
        self._writer = GzipWriter(self._stream, compression_level=COMPRESSION_LEVEL)

    def add(self, capture: Capture) -> None:
        """Append one capture that `unlandable` has nothing against."""
        if not self.size:
            write_warcinfo(self._writer, now=self._now, first=capture)
        write_record(self._writer, capture, now=self._now)
        self.size += len(capture.payload) + HEADER_SIZE

    def finish(self) -> Packed | None:
        """The whole file under its name, read back as anyone will read it; None where nothing was added."""
        data = self._stream.getvalue()
        return Packed(name_of(data), data, index_of(name_of(data), data)) if data else None


def name_of(data: bytes) -> str:
    """The name a WARC file of these bytes has in the archive."""
    return hashlib.sha256(data).hexdigest()[:32] + SUFFIX


def index_of(filename: str, data: bytes) -> list[IndexEntry]:
    """The index entries of a WARC file of the archive, in the order of its records; Damaged where it cannot be read."""
    try:
        records = [_indexed(record, filename) for record in ArchiveIterator(io.BytesIO(data), parse_http=False)]
    except (OSError, OverLimitError) as error:
        raise Damaged(f"the WARC file {filename} cannot be read: {error}") from error
    ends = [offset for offset, _ in records[1:]] + [len(data)]
    return [
        msgspec.structs.replace(entry, length=end - offset)
        for (offset, entry), end in zip(records, ends, strict=True)
        if entry is not None
    ]


def read_record(entry: IndexEntry, member: bytes) -> Capture:
    """The capture in one record's bytes; Damaged, saying where and what, unless all is as the index has it."""
    try:
        record = _only_record(inflated(member, entry.payload_bytes + HEADER_ROOM))
        capture = capture_of(record.headers, record.reader.read(), entry.payload_bytes)
    except OverLimitError as error:
        raise _damaged(entry, "it is longer than the index says") from error
    except (OSError, UndecodableError) as error:
        raise _damaged(entry, str(error)) from error
    if _entry(record, capture, entry.filename, entry.offset, len(member)) != entry:
        news = capture.damage if capture.damage != entry.damage else None
        raise _damaged(entry, news or "it is not the record that the index tells of")
    return capture


def _only_record(block: bytes) -> WarcRecord:
    record = next(iter(ArchiveIterator(io.BytesIO(block), parse_http=False, stream_detect=False)), None)
    if record is None:
        raise OSError("there is no record")
    return record


def _indexed(record: WarcRecord, filename: str) -> tuple[int, IndexEntry | None]:
    """A record's offset, and its entry (its length not known yet) where it is a page."""
    if not record.record_type & PAGES:
        return record.stream_pos, None
    capture = capture_of(record.headers, record.reader.read(), ANY_SIZE)
    return record.stream_pos, _entry(record, capture, filename, record.stream_pos, 0)


def _entry(record: WarcRecord, capture: Capture, filename: str, offset: int, length: int) -> IndexEntry:
    date = record.headers.get("WARC-Date") or ""
    return entry_of(capture, date=date, filename=filename, offset=offset, length=length)


def _damaged(entry: IndexEntry, detail: str) -> Damaged:
    where = f"capture {entry.capture_id} is damaged in raw/warc/{entry.filename} at byte {entry.offset}"
    return Damaged(f"{where}: {detail}; put back an undamaged copy of that file")
