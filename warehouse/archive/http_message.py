"""An HTTP answer as a WARC record holds it: its status, and its body with transfer and content encoding taken off.

Archivers differ in what they keep: some store the body as it came and some decoded under the old headers, so an
encoding is taken off only where the bytes have it. What cannot be taken off is a fault, and the body stays as it is.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable
from typing import Final, NamedTuple

from fastwarc.stream_io import BrotliReader, ZstdReader

from warehouse.archive.http_head import Headers, header_text, read_headers

# These read untrusted bytes: possessive quantifiers, which never backtrack, keep the time linear.
HEAD: Final = re.compile(rb"HTTP/[\d.]++ ++(\d{3})(?![^ \r\n])[^\r\n]*+\r?+\n((?:[^\r\n]++\r?+\n)*+)\r?+\n")
HEAD_END: Final = re.compile(rb"\n\r?\n")
HEAD_BYTES: Final = 64 << 10  # servers and clients take 8 to 64 KiB
CHUNK: Final = re.compile(rb"(?:\r?\n)?([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
GZIP_MAGIC: Final = b"\x1f\x8b"
ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
CODINGS_LIMIT: Final = 4  # no server stacks more; each one costs a limit's worth of work


class OverLimitError(Exception):
    """More bytes than the limit allows; nothing beyond it was read."""


class UndecodableError(Exception):
    """The bytes are not in the encoding their header names."""


class Message(NamedTuple):
    """An HTTP answer: `bodies` are the stages of decoding, from the stored body to the payload; `fault` is an error."""

    bodies: tuple[bytes, ...]
    status: int | None = None
    content_type: str | None = None
    fault: str | None = None
    etag: str | None = None
    headers: Headers = ()


def parse_message(block: bytes, limit: int) -> Message:
    """Read the block of a `response` record; OverLimitError where the payload has more than `limit` bytes."""
    if len(block) > HEAD_BYTES and HEAD_END.search(block, 0, HEAD_BYTES) is None:
        return Message((block,), fault=f"http: the header of the answer has more than {HEAD_BYTES:,} bytes")
    head = HEAD.match(block, 0, HEAD_BYTES)
    if head is None:
        return Message((block,), fault="http: the record does not begin with the header of an HTTP answer")
    bodies, fault = [block[head.end() :]], None
    try:
        for decode in _decoders(head[2]):
            bodies.append(decode(bodies[-1], limit))
    except UndecodableError as error:
        fault = str(error)
    if len(bodies[-1]) > limit:
        raise OverLimitError
    content_type, etag = (header_text(_field(head[2], name)) for name in (b"content-type", b"etag"))
    return Message(tuple(bodies), int(head[1]), content_type, fault, etag, read_headers(head[2]))


def inflated(data: bytes, limit: int, wbits: int = 31) -> bytes:
    """One gzip member (or, by `wbits`, one zlib or deflate stream), whole, with nothing after it.

    OverLimitError beyond `limit` bytes; UndecodableError where the bytes are not that.
    """
    stream = zlib.decompressobj(wbits)
    try:
        inflated = stream.decompress(data, limit + 1)
    except zlib.error as error:
        raise UndecodableError(f"gzip: {error}") from error
    if len(inflated) > limit:
        raise OverLimitError
    if not stream.eof:
        raise UndecodableError("gzip: the bytes end too early")
    if stream.unused_data:
        raise UndecodableError("gzip: there are bytes after its end")
    return inflated


def _field(head: bytes, name: bytes) -> bytes:
    values = [value.strip(b" \t") for value in re.findall(rb"(?im)^" + name + rb"[ \t]*+:([^\r\n]*+)", head)]
    return b",".join(values) if name.endswith(b"-encoding") else b"".join(values[:1])


def _decoders(head: bytes) -> list[Callable[[bytes, int], bytes]]:
    transfer, content = _codings(head, b"transfer-encoding"), _codings(head, b"content-encoding")
    codings = [*reversed(transfer), *reversed(content)]
    unknown = [coding for coding in codings if coding not in DECODERS]
    if unknown or len(codings) > CODINGS_LIMIT:
        named = ", ".join(unknown or codings)[:80]
        raise UndecodableError(f"http: the body is encoded in a way that cannot be taken off ({named})")
    return [DECODERS[coding] for coding in codings]


def _codings(head: bytes, name: bytes) -> list[str]:
    names = [coding.strip().lower() for coding in _field(head, name).decode("latin-1").split(",")]
    return [coding for coding in names if coding not in ("", "identity")]


def _dechunk(body: bytes, _limit: int) -> bytes:
    payload, at = bytearray(), 0
    while chunk := CHUNK.match(body, at):
        size = int(chunk[1], 16)
        if size == 0:
            return bytes(payload)
        at = chunk.end() + size
        payload += body[chunk.end() : at]
    if at:
        raise UndecodableError("http: the chunked body ends too early")
    return body


def _gunzip(body: bytes, limit: int) -> bytes:
    return inflated(body, limit) if body.startswith(GZIP_MAGIC) else body


def _undeflate(body: bytes, limit: int) -> bytes:
    """`deflate` is zlib by the standard, and bare deflate by habit."""
    try:
        return inflated(body, limit, wbits=15)
    except UndecodableError:
        return inflated(body, limit, wbits=-15)


def _drained(reader: BrotliReader | ZstdReader, limit: int) -> bytes:
    try:
        payload = reader.read(limit + 1)
    except OSError as error:
        raise UndecodableError(f"http: {error}") from error
    if len(payload) > limit:
        raise OverLimitError
    return payload


DECODERS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "chunked": _dechunk,
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _undeflate,
    "br": lambda body, limit: _drained(BrotliReader(io.BytesIO(body)), limit),
    "zstd": lambda body, limit: _drained(ZstdReader(io.BytesIO(body)), limit) if body.startswith(ZSTD_MAGIC) else body,
}
