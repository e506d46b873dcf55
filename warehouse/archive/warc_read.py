"""Reading WARC records, ours or anyone's, as captures; `warc_write` describes ours."""

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from fastwarc.warc import HeaderMap, WarcRecord, WarcRecordType

from warehouse.archive.captured import ERASED, REASON_LENGTH, Capture, Revisit, instant_of, one_line
from warehouse.archive.http_message import Message, header_text, parse_message, read_headers
from warehouse.archive.warc_write import STATUS, UNKNOWN, URL_BYTES_LIMIT, is_http

HOLDING: Final = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.revisit
SHA256: Final = re.compile(r"sha256:([0-9a-f]{64})")
DIGESTS: Final = {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}
OWN_COUNT: Final = re.compile(r"([0-9]{1,4})( of [0-9]{1,9})?")


def is_failure(record: WarcRecord) -> bool:
    """Whether a record is one of ours of an attempt that failed."""
    return record.record_type == WarcRecordType.metadata and record.headers.get("Paperlake-Capture") == "failed"


def capture_of(headers: HeaderMap, block: bytes, limit: int) -> Capture:
    """The capture that a `response` or `resource` record holds; OverLimitError where it has more than `limit` bytes.

    Whatever shows the record to be damaged (a digest that does not match, WARC-Truncated, an encoding that cannot be
    taken off) is said in `damage`. Own extension headers are honoured in any WARC, so that landing one lake's archive
    in another gives the same captures. Of a `revisit` it is the capture without its payload.
    """
    message = _message_of(headers, block, limit)
    cut = headers.get("WARC-Truncated")
    is_revisit = headers.get("WARC-Type") == "revisit"
    faults = (
        headers.get("Paperlake-Damage"),
        f"truncated: the WARC says {cut}" if cut else None,
        _digest_fault(headers.get("WARC-Block-Digest"), "block", block),
        None if is_revisit else _digest_fault(headers.get("WARC-Payload-Digest"), "payload", *message.bodies),
        message.fault,
    )
    own_count = None  # of the headers, the answer's own: in a record of ours they stand before those we filled in
    if (stated := headers.get("Paperlake-Http-Headers")) is not None:
        found = OWN_COUNT.fullmatch(stated)
        own_count = int(found[1]) if found else 0
    return Capture(
        payload=message.bodies[-1],
        url=_url_of(headers),
        fetched_at=_fetched_at_of(headers),
        http_status=message.status,
        content_type=one_line(message.content_type, 200),
        final_url=one_line(headers.get("Paperlake-Final-Url"), URL_BYTES_LIMIT),
        etag=one_line(message.etag, 200),
        headers=message.headers[:own_count],
        damage=one_line("; ".join(fault for fault in faults if fault), 1000),
        erased=_erased_of(headers),
    )


def revisit_of(headers: HeaderMap, block: bytes, limit: int, known: Mapping[str, str]) -> Revisit | None:
    """The Revisit in a `revisit` record; None where it is of no HTTP answer, or its payload is not known.

    Known is a digest that is SHA-256, or among those by which records before it state their payloads: `known` has these
    with the SHA-256 of each.
    """
    stated = headers.get("WARC-Payload-Digest") or ""
    digest = SHA256.fullmatch(stated)
    sha256 = digest[1] if digest else stated and known.get(stated)
    capture = replace(capture_of(headers, block, limit), payload=b"")
    return Revisit(capture, sha256) if sha256 and is_http(capture) else None


def failure_of(headers: HeaderMap, block: bytes) -> Capture:
    """The failed attempt that a `metadata` record of ours describes."""
    fields = {name.lower(): value for name, value in read_headers(block)}
    status = fields.get("http-status", "")
    faults = (
        headers.get("Paperlake-Damage"),
        _digest_fault(headers.get("WARC-Block-Digest"), "block", block),
    )
    return Capture(
        payload=b"",
        url=_url_of(headers),
        fetched_at=_fetched_at_of(headers),
        http_status=int(status) if STATUS.fullmatch(status) else None,
        final_url=one_line(headers.get("Paperlake-Final-Url"), URL_BYTES_LIMIT),
        damage=one_line("; ".join(fault for fault in faults if fault), 1000),
        failure=one_line(fields.get("failure"), REASON_LENGTH) or UNKNOWN,
        erased=_erased_of(headers),
    )


def _erased_of(headers: HeaderMap) -> str | None:
    """The note in a record of ours on the erasure of a person; None where there is none."""
    erased = one_line(header_text(headers.get_bytes(b"Paperlake-Erased")), REASON_LENGTH)
    return erased if erased and ERASED.fullmatch(erased) else None


def _message_of(headers: HeaderMap, block: bytes, limit: int) -> Message:
    content_type = header_text(headers.get_bytes(b"Content-Type"))
    is_answer = headers.get("WARC-Type") in ("response", "revisit")
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
    for digest in digests:
        base32 = base64.b32encode(digest).decode().rstrip("=")
        base64s = {base64.b64encode(digest).decode(), base64.urlsafe_b64encode(digest).decode()}
        if value.lower() == digest.hex() or value.upper().rstrip("=") == base32 or value in base64s:
            return None
    actual = digests[-1].hex() if len(value) == len(digests[-1].hex()) else base64.b32encode(digests[-1]).decode()
    return f"digest: the WARC says {stated}, the {what} is {algorithm}:{actual}"
