"""All headers of an HTTP answer: as a Capture keeps them, and as the head of a WARC record holds them.

They are the source's words, and hostile: none can forge a line, and there are limits on their number and their bytes.
`Set-Cookie` is not kept: its value is the secret of a session.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Final, NamedTuple, TypeAlias

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
        if NAME.fullmatch(name) and name.lower() not in SECRET
    )
    kept = list(_within_limits(writable))
    stated = {name.lower() for name, _ in kept}
    ours = {name: value for name, value in known.items() if value and name.lower() not in stated}
    if length is not None:
        ours["Content-Length"] = str(length)
    lines = "".join(f"{name}: {value}\r\n" for name, value in (*kept, *ours.items()))
    given_count = sum(name.lower() not in SECRET for name, _ in headers)
    return Head(f"HTTP/1.1 {status} {PHRASES.get(status, '')}\r\n{lines}\r\n".encode(), len(kept), given_count)


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
