"""An HTTP answer as a WARC record holds it: its status, all its headers, and its body with the encodings taken off.

The headers are the source's words, and hostile: none can forge a line, and there are limits on their number and their
bytes. `Set-Cookie` is not kept: its value is the secret of a session.
Archivers differ in what they keep: some store the body as it came and some decoded under the old headers, so an
encoding is taken off only where the bytes have it. What cannot be taken off is a fault, and the body stays as it is.
"""

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from typing import Final, NamedTuple, TypeAlias

from fastwarc.stream_io import BrotliReader, ZstdReader

Headers: TypeAlias = tuple[tuple[str, str], ...]

ORIGINAL: Final = "X-Archive-Orig-"  # so the tools of web archives call a header that is not true of what is stored
OF_THE_WIRE: Final = frozenset({"content-encoding", "transfer-encoding", "content-length"})
SECRET: Final = frozenset({"set-cookie", "set-cookie2"})
NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
LINE: Final = re.compile(rb"(?m)^([!#$%&'*+.^_`|~0-9A-Za-z-]++)[ \t]*+:((?:[^\r\n]++|\r?+\n[ \t])*+)")
NOT_IN_A_VALUE: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
READ_BYTES: Final = 64 << 10  # of a head that anyone wrote
COUNT_LIMIT: Final = 200
BYTES_LIMIT: Final = 24 << 10  # tools that read our files with FastWARC take 32 KiB
PHRASES: Final = {status.value: status.phrase for status in HTTPStatus}


class Head(NamedTuple):
    """The HTTP head in a record, how many of the answer's own headers it begins with, and how many the answer had."""

    text: bytes
    kept_count: int
    given_count: int


def headers_of(wire: Iterable[tuple[bytes, bytes]]) -> Headers:
    """An answer's headers, in order and under their own names, each on one line; without cookies."""
    named = ((_own_name(header_text(name) or ""), _one_line(header_text(value) or "")) for name, value in wire)
    return tuple((name, value) for name, value in named if name.lower() not in SECRET)


def read_headers(head: bytes) -> Headers:
    """The headers of an untrusted HTTP head, a folded line as one; a line that is no header is skipped."""
    return headers_of((line[1], line[2]) for line in LINE.finditer(head[:READ_BYTES]))


def write_head(status: int, headers: Headers, known: dict[str, str | None], length: int | None) -> Head:
    """The head of a record: the answer's headers as far as they are kept, then ours.

    Of the `known` facts those are written that no kept header states. Encodings and length of the wire, which are not
    true of the payload as it is stored, are renamed; `length` is its own, None where the record is of an answer
    without one.
    """
    writable = (
        (f"{ORIGINAL}{name}" if name.lower() in OF_THE_WIRE else name, _one_line(value))
        for name, value in headers
        if NAME.fullmatch(name)
    )
    kept = list(_within_limits(writable))
    stated = {name.lower() for name, _ in kept}
    ours = {name: value for name, value in known.items() if value and name.lower() not in stated}
    if length is not None:
        ours["Content-Length"] = str(length)
    lines = "".join(f"{name}: {value}\r\n" for name, value in (*kept, *ours.items()))
    return Head(f"HTTP/1.1 {status} {PHRASES.get(status, '')}\r\n{lines}\r\n".encode(), len(kept), len(headers))


def header_text(value: bytes | None) -> str | None:
    """A header's value as text: UTF-8, as WARC says, or Latin-1, as old HTTP does; None where there is none."""
    if not value:
        return None
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _within_limits(headers: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    size = 0
    for count, (name, value) in enumerate(headers):
        size += len(f"{name}: {value}\r\n".encode())
        if count == COUNT_LIMIT or size > BYTES_LIMIT:
            return
        yield name, value


def _own_name(name: str) -> str:
    own = name[len(ORIGINAL) :]
    return own if name.lower().startswith(ORIGINAL.lower()) and own.lower() in OF_THE_WIRE else name


def _one_line(value: str) -> str:
    return NOT_IN_A_VALUE.sub(" ", value).strip(" \t")


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
    # Codings add up over repeated lines; of any other field the first one counts
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
    return body  # some archivers keep the old header with a body that is decoded already


def _gunzip(body: bytes, limit: int) -> bytes:
    """Every member, for a body may have several."""
    return _drained(gzip.GzipFile(fileobj=io.BytesIO(body)), limit) if body.startswith(GZIP_MAGIC) else body


def _undeflate(body: bytes, limit: int) -> bytes:
    """`deflate` is zlib by the standard, and bare deflate by habit."""
    try:
        return inflated(body, limit, wbits=15)
    except UndecodableError:
        return inflated(body, limit, wbits=-15)


def _drained(reader: BrotliReader | ZstdReader | gzip.GzipFile, limit: int) -> bytes:
    try:
        payload = reader.read(limit + 1)
    except (OSError, EOFError, zlib.error) as error:
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
