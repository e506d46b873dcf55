"""Writing captures as WARC records (ISO 28500); `warc_read` reads them back.

A capture with an HTTP address and status is a `response` record under the head of the answer: all its headers, or what
is known of them. `Paperlake-Http-Headers` says how many of the head's lines are the answer's own (`17`, or `17 of 19`
where some were not fit to be kept, or `unknown`). Where the archive has the same bytes of the same address, or the
source said 304, the record is a `revisit` and says where those bytes lie. An attempt that failed is a `metadata`
record, anything else a `resource` record, its status, if it has one, in `Paperlake-Http-Status`. What the standard
wants and nobody knows is filled in and said so: `Paperlake-Url: unknown` with a WARC-Target-URI of `urn:sha256:
<payload digest>`, `Paperlake-Fetched-At: unknown` with a WARC-Date of the landing. `Paperlake-Damage` keeps
`Capture.damage`, and `Paperlake-Final-Url` where a redirect led. `Paperlake-Erased` has the id of a capture from which
a person was taken, when, and under which rule.
The payload in a record of ours is plain: its transfer and content encodings were taken off before it became a capture.
"""

import io
import re
import uuid
from datetime import datetime
from typing import Final

from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType

from warehouse.archive.captured import NOT_MODIFIED, Capture, identify, in_utc, one_line, reason_text
from warehouse.archive.http_message import write_head
from warehouse.archive.index import IndexEntry

COMPRESSION_LEVEL: Final = 6  # 494 real pages: 0.3 s and 8.9 MB; level 9 takes twice as long and saves 0.6 %
RECORD_IDS: Final = uuid.uuid5(uuid.NAMESPACE_DNS, "record-ids.paperlake")
UNKNOWN: Final = "unknown"
STATUS: Final = re.compile(r"[1-9][0-9]{2}")
URL_BYTES_LIMIT: Final = 8192  # FastWARC reads 32 KiB of headers a record
NOT_IN_A_URL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
FIELDS: Final = "application/warc-fields"
PROFILES: Final = "http://netpreserve.org/warc/1.1/revisit/"
WARCINFO: Final = (
    b"software: paperlake\r\nformat: WARC File Format 1.1\r\n"
    b"conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"
)


def unlandable(capture: Capture) -> str | None:
    """Why a capture cannot be a record that reads back as the same capture; None where it can.

    An address is part of what a capture is, so a hostile one (it could forge headers) is refused, not mended.
    """
    url, status = capture.url, capture.http_status
    if url is not None and (not url or url != url.strip() or NOT_IN_A_URL.search(url) or url.startswith("<")):
        return "its address is empty, or holds control characters, spaces at its ends or a `<` before it"
    if url is not None and len(url.encode()) > URL_BYTES_LIMIT:
        return f"its address is longer than {URL_BYTES_LIMIT:,} bytes"
    if status is not None and not STATUS.fullmatch(str(status)):
        return f"its HTTP status is {status}, which is not a valid one"
    if capture.fetched_at is not None and capture.fetched_at.tzinfo is not None:
        return "its fetch time bears a zone; it must be UTC without one"
    if capture.failure is not None and capture.payload:
        return "it is said to have failed, and has a page"
    return None


def is_http(capture: Capture) -> bool:
    """Whether an HTTP head is kept: other tools read one only in the record of an HTTP address."""
    return capture.http_status is not None and (capture.url or "").lower().startswith(("http://", "https://"))


def id_of(capture: Capture, original: IndexEntry | None) -> str:
    """A capture's id, the same whether its payload is in its own record or in the original's."""
    if original is None or capture.erased:
        return capture.capture_id
    return identify(capture.url, capture.fetched_at, original.payload_sha256)


def warcinfo(*, now: datetime, first_id: str) -> bytes:
    """The record a WARC file begins with; the id of the capture that follows makes its own unlike any other."""
    record = _begin(WarcRecordType.warcinfo, f"warcinfo {now.isoformat()} {first_id}")
    record.headers["WARC-Date"] = utc_text(now)
    record.headers["Content-Type"] = FIELDS
    return _member(record, WARCINFO)


def record_of(capture: Capture, *, now: datetime, original: IndexEntry | None = None) -> bytes:
    """The record of one capture, a gzip member of its own; `now` (UTC) stands in for an unknown fetch time.

    With an `original`, the record that has the payload already, it is a revisit without one.
    """
    if capture.failure is not None:
        record = _begin_capture(WarcRecordType.metadata, capture, now)
        _set(record, {"Content-Type": FIELDS, "Paperlake-Capture": "failed"})
        status = "" if capture.http_status is None else f"http-status: {capture.http_status}\r\n"
        return _member(record, f"failure: {reason_text(capture.failure)}\r\n{status}".encode())
    if is_http(capture):
        return _answer(capture, original, now)
    record = _begin_capture(WarcRecordType.resource, capture, now)
    _set(record, {"Content-Type": one_line(capture.content_type, 200)})
    return _member(record, capture.payload)


def utc_text(instant: datetime) -> str:
    """An instant as WARC-Date has it: `2024-03-13T06:15:08Z`, with microseconds only where there are some."""
    return f"{in_utc(instant).isoformat()}Z"


def _answer(capture: Capture, original: IndexEntry | None, now: datetime) -> bytes:
    kind = WarcRecordType.revisit if original else WarcRecordType.response
    record = _begin_capture(kind, capture, now, original)
    known = {"Content-Type": one_line(capture.content_type, 200), "ETag": one_line(capture.etag, 200)}
    is_new = not (original and capture.http_status == NOT_MODIFIED)
    length = (original.payload_bytes if original else len(capture.payload)) if is_new else None
    head = write_head(capture.http_status or 0, capture.headers, known, length)
    count = str(head.kept_count) if head.kept_count == head.given_count else f"{head.kept_count} of {head.given_count}"
    _set(
        record,
        {
            "Content-Type": "application/http; msgtype=response",
            "Paperlake-Http-Headers": count if head.given_count else UNKNOWN,
        },
    )
    if original:
        _set(record, _revisit_headers(original, is_new=is_new))
    return _member(record, head.text if original else head.text + capture.payload)


def _revisit_headers(original: IndexEntry, *, is_new: bool) -> dict[str, str | None]:
    """The headers that the standard wants of a revisit, and where the original lies, partly by Heritrix' names."""
    return {
        "WARC-Profile": PROFILES + ("identical-payload-digest" if is_new else "server-not-modified"),
        "WARC-Refers-To": f"<urn:uuid:{_uuid(original.capture_id)}>",
        "WARC-Refers-To-Target-URI": original.url,
        "WARC-Refers-To-Date": original.date,
        "WARC-Refers-To-Filename": original.filename,
        "WARC-Refers-To-File-Offset": str(original.offset),
        # The standard has no length; with it the page is one range read
        "Paperlake-Refers-To-Length": str(original.length),
        "Paperlake-Payload-Bytes": str(original.payload_bytes),
    }


def _begin_capture(
    kind: WarcRecordType, capture: Capture, now: datetime, original: IndexEntry | None = None
) -> WarcRecord:
    """The headers that all records of captures have."""
    record = _begin(kind, id_of(capture, original))
    sha256 = original.payload_sha256 if original else capture.payload_sha256
    is_known_elsewhere = capture.http_status is None or is_http(capture) or capture.failure is not None
    _set(
        record,
        {
            "WARC-Target-URI": capture.url or f"urn:sha256:{sha256}",
            "WARC-Date": utc_text(capture.fetched_at or now),
            "WARC-Payload-Digest": None if capture.failure is not None else f"sha256:{sha256}",
            "Paperlake-Url": UNKNOWN if capture.url is None else None,
            "Paperlake-Fetched-At": UNKNOWN if capture.fetched_at is None else None,
            "Paperlake-Http-Status": None if is_known_elsewhere else str(capture.http_status),
            "Paperlake-Final-Url": one_line(capture.final_url, URL_BYTES_LIMIT),
            "Paperlake-Damage": one_line(capture.damage, 1000),
            "Paperlake-Erased": one_line(capture.erased, 1000),
        },
    )
    return record


def _set(record: WarcRecord, headers: dict[str, str | None]) -> None:
    for name, value in headers.items():
        if value:
            record.headers[name] = value


def _begin(kind: WarcRecordType, name: str) -> WarcRecord:
    record = WarcRecord()
    record.init_headers(kind, record_urn=f"uuid:{_uuid(name)}".encode())
    return record


def _uuid(name: str) -> uuid.UUID:
    return uuid.uuid5(RECORD_IDS, name)


def _member(record: WarcRecord, block: bytes) -> bytes:
    record.set_bytes_content(block)
    stream = io.BytesIO()
    writer = GzipWriter(stream, compression_level=COMPRESSION_LEVEL)
    record.write(writer, checksum_data=True)
    writer.finish()
    return stream.getvalue()
