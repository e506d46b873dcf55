"""WARC records (ISO 28500): a capture as a record, and a record, ours or anyone's, as a capture.

A capture with an HTTP address and status is a `response` record with the header block of what is known of the answer
(status, Content-Type, ETag, and Content-Length of the payload); any other is a `resource` record, its status, if it has
one, in `Paperlake-Http-Status`. What the standard wants and nobody knows is filled in and said so: `Paperlake-Url:
unknown` beside a WARC-Target-URI of `urn:sha256:<payload digest>`, `Paperlake-Fetched-At: unknown` beside a WARC-Date
of the landing. `Paperlake-Damage` keeps `Capture.damage`, and `Paperlake-Final-Url` where a redirect led.
The payload in a record of ours is plain: its transfer and content encodings were taken off before it became a capture.
"""

from __future__ import annotations

import base64
import hashlib
import re
import uuid
from datetime import datetime
from http import HTTPStatus
from typing import Final

from fastwarc.stream_io import GzipWriter
from fastwarc.warc import HeaderMap, WarcRecord, WarcRecordType

from warehouse.capture import Capture, in_utc, instant_of
from warehouse.message import Message, header_text, parse_message

COMPRESSION_LEVEL: Final = 6  # 494 real pages: 0.3 s and 8.9 MB; level 9 takes twice as long and saves 0.6 %
RECORD_IDS: Final = uuid.uuid5(uuid.NAMESPACE_DNS, "record-ids.paperlake")
UNKNOWN: Final = "unknown"
PHRASES: Final = {status.value: status.phrase for status in HTTPStatus}
STATUS: Final = re.compile(r"[1-9][0-9]{2}")
DIGESTS: Final = {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}
URL_BYTES_LIMIT: Final = 8192  # FastWARC reads 32 KiB of headers a record
NOT_IN_A_URL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
NOT_ON_A_LINE: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
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
        return f"its HTTP status is {status}, which is none"
    if capture.fetched_at is not None and capture.fetched_at.tzinfo is not None:
        return "its fetch time bears a zone; it must be UTC without one"
    return None


def one_line(text: str | None, length: int) -> str | None:
    """Text fit for a header: control characters and runs of space become one space; None where nothing is left."""
    return NOT_ON_A_LINE.sub(" ", text or "").strip()[:length].strip() or None


def write_warcinfo(writer: GzipWriter, *, now: datetime, first: Capture) -> None:
    """The record a WARC file begins with; `first` is the capture that follows and makes its id unlike any other."""
    record = _begin(WarcRecordType.warcinfo, f"warcinfo {now.isoformat()} {first.capture_id}")
    record.headers["WARC-Date"] = utc_text(now)
    record.headers["Content-Type"] = "application/warc-fields"
    _end(record, WARCINFO, writer)


def write_record(writer: GzipWriter, capture: Capture, *, now: datetime) -> None:
    """One capture as a gzip member of its own; `now` (UTC) stands in for a fetch time that nobody knows."""
    is_http = _is_http(capture)
    record = _begin(WarcRecordType.response if is_http else WarcRecordType.resource, capture.capture_id)
    headers = record.headers
    headers["WARC-Target-URI"] = capture.url or f"urn:sha256:{capture.payload_sha256}"
    headers["WARC-Date"] = utc_text(capture.fetched_at or now)
    headers["WARC-Payload-Digest"] = f"sha256:{capture.payload_sha256}"
    content_type = one_line(capture.content_type, 200)
    if warc_type := "application/http; msgtype=response" if is_http else content_type:
        headers["Content-Type"] = warc_type
    for name, value in _extensions(capture).items():
        if value:
            headers[name] = value
    head = _http_head(capture, content_type) if is_http else b""
    _end(record, head + capture.payload, writer)


def capture_of(headers: HeaderMap, block: bytes, limit: int) -> Capture:
    """The capture that a `response` or `resource` record holds; OverLimitError where it has more than `limit` bytes.

    Whatever shows the record to be damaged (a digest that does not match, WARC-Truncated, an encoding that cannot be
    taken off) is told in `damage`. Own extension headers are honoured in any WARC, so that landing one lake's archive
    in another gives the same captures.
    """
    message = _message_of(headers, block, limit)
    cut = headers.get("WARC-Truncated")
    faults = (
        headers.get("Paperlake-Damage"),
        f"truncated: the WARC says {cut}" if cut else None,
        _digest_fault(headers.get("WARC-Block-Digest"), "block", block),
        _digest_fault(headers.get("WARC-Payload-Digest"), "payload", *message.bodies),
        message.fault,
    )
    return Capture(
        payload=message.bodies[-1],
        url=_url_of(headers),
        fetched_at=_fetched_at_of(headers),
        http_status=message.status,
        content_type=one_line(message.content_type, 200),
        final_url=one_line(headers.get("Paperlake-Final-Url"), URL_BYTES_LIMIT),
        etag=one_line(message.etag, 200),
        damage=one_line("; ".join(fault for fault in faults if fault), 1000),
    )


def utc_text(instant: datetime) -> str:
    """An instant as WARC-Date has it: `2024-03-13T06:15:08Z`, with microseconds only where there are some."""
    return f"{in_utc(instant).isoformat()}Z"


def _begin(kind: WarcRecordType, name: str) -> WarcRecord:
    record = WarcRecord()
    record.init_headers(kind, record_urn=f"uuid:{uuid.uuid5(RECORD_IDS, name)}".encode())
    return record


def _end(record: WarcRecord, block: bytes, writer: GzipWriter) -> None:
    record.set_bytes_content(block)
    record.write(writer, checksum_data=True)
    writer.finish()


def _is_http(capture: Capture) -> bool:
    """Other tools read an HTTP header only in the record of an HTTP address."""
    return capture.http_status is not None and (capture.url or "").lower().startswith(("http://", "https://"))


def _extensions(capture: Capture) -> dict[str, str | None]:
    return {
        "Paperlake-Url": UNKNOWN if capture.url is None else None,
        "Paperlake-Fetched-At": UNKNOWN if capture.fetched_at is None else None,
        "Paperlake-Http-Status": None if capture.http_status is None or _is_http(capture) else str(capture.http_status),
        "Paperlake-Final-Url": one_line(capture.final_url, URL_BYTES_LIMIT),
        "Paperlake-Damage": one_line(capture.damage, 1000),
    }


def _http_head(capture: Capture, content_type: str | None) -> bytes:
    phrase = PHRASES.get(capture.http_status or 0, "")
    told = {"Content-Type": content_type, "ETag": one_line(capture.etag, 200)}
    lines = "".join(f"{name}: {value}\r\n" for name, value in told.items() if value)
    return f"HTTP/1.1 {capture.http_status} {phrase}\r\n{lines}Content-Length: {len(capture.payload)}\r\n\r\n".encode()


def _message_of(headers: HeaderMap, block: bytes, limit: int) -> Message:
    content_type = header_text(headers.get_bytes(b"Content-Type"))
    is_answer = headers.get("WARC-Type") == "response"
    if is_answer and (block.startswith(b"HTTP/") or (content_type or "").lower().startswith("application/http")):
        return parse_message(block, limit)
    status = headers.get("Paperlake-Http-Status") or ""
    return Message((block,), int(status) if STATUS.fullmatch(status) else None, content_type)


def _url_of(headers: HeaderMap) -> str | None:
    if headers.get("Paperlake-Url") == UNKNOWN:
        return None
    url = header_text(headers.get_bytes(b"WARC-Target-URI"))
    # WARC 1.0 was read by some as wanting angle brackets around it.
    return url[1:-1] if url and url.startswith("<") and url.endswith(">") else url


def _fetched_at_of(headers: HeaderMap) -> datetime | None:
    if headers.get("Paperlake-Fetched-At") == UNKNOWN:
        return None
    try:
        return instant_of(headers.get("WARC-Date") or "")
    except ValueError:
        return None


def _digest_fault(stated: str | None, what: str, *candidates: bytes) -> str | None:
    """How a stated digest (`sha1:…`, in hex, base32 or base64) differs from that of every candidate; None if it fits.

    Tools disagree on whether the payload of a chunked or compressed answer is the body before or after decoding, so
    each stage is a candidate. A digest of an unknown kind cannot be checked, and is no fault.
    """
    algorithm, _, value = (stated or "").strip().partition(":")
    name = algorithm.lower().replace("-", "")
    if name not in DIGESTS:
        return None
    digests = [hashlib.new(name, data, usedforsecurity=False).digest() for data in candidates]
    if any(_is_same(value, digest) for digest in digests):
        return None
    actual = digests[-1].hex() if len(value) == len(digests[-1].hex()) else base64.b32encode(digests[-1]).decode()
    return f"digest: the WARC says {stated}, the {what} is {algorithm}:{actual}"


def _is_same(value: str, digest: bytes) -> bool:
    base32 = base64.b32encode(digest).decode().rstrip("=")
    base64s = {base64.b64encode(digest).decode(), base64.urlsafe_b64encode(digest).decode()}
    return value.lower() == digest.hex() or value.upper().rstrip("=") == base32 or value in base64s
