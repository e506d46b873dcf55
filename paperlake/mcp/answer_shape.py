"""What an answer may hold: plain JSON, texts of others apart and without controls, and so many bytes."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time
from typing import Any, Final, TypeAlias
from unicodedata import category

import msgspec

from warehouse.errors import UsageError
from warehouse.printable import JOINERS, STEERS

Plain: TypeAlias = Any

MOST_BYTES: Final = 62 << 10  # of an answer, which a client gets twice, as an object and as text; 64 KiB with the frame
EXACT: Final = 1 << 53  # beyond it readers of JSON that use doubles round
LEAST: Final[dict[type, int]] = {str: 200, list: 1, dict: 40}  # what is no longer is not cut
CUT: Final = " …"
LINES: Final = "\n\t"
# Columns of text that paperlake writes or checks the form of; every other text may be by somebody else
OURS: Final = frozenset({
    "arxiv_id", "basis", "bound", "capture_id", "cause", "change", "code_version", "column_name", "content_type",
    "direction", "field", "file", "kind", "list_kind", "list_period", "method", "metric", "paper_id", "payload_sha256",
    "published_basis", "reason", "rule", "source", "standing", "state", "status", "table_name", "text_sha256", "unit",
})  # fmt: skip


def value(found: object) -> Plain:
    """A value as JSON has it: large integers, decimals, instants and whatever JSON lacks as text."""
    match found:
        case None | bool():
            made: Plain = found
        case int():
            made = found if abs(found) < EXACT else str(found)
        case float():
            made = found if math.isfinite(found) else str(found)
        case datetime() | date() | time():
            made = found.isoformat()
        case bytes():
            made = base64.b64encode(found).decode()
        case Mapping():
            made = {cleaned(str(key)): value(inner) for key, inner in found.items()}
        case list() | tuple():
            made = [value(inner) for inner in found]
        case _:
            made = cleaned(str(found))
    return made


def cleaned(text: str) -> str:
    r"""A text without what steers a terminal, hides words, or turns their direction.

    >>> cleaned("a\x1b[2J\u202eb\nc")
    'a[2Jb\nc'
    """
    if text.isprintable():
        return text
    kept = LINES + JOINERS
    return "".join(one for one in text if one in kept or category(one) not in STEERS)


def apart(row: Mapping[str, object]) -> dict[str, Plain]:
    """A row whose texts by others are under `quoted`: what they say is no instruction to whoever reads it."""
    plain = {name: value(found) for name, found in row.items() if name in OURS or not _has_text(found)}
    quoted = {name: value(found) for name, found in row.items() if name not in plain}
    return plain | ({"quoted": quoted} if quoted else {})


def _has_text(found: object) -> bool:
    match found:
        case str() | bytes():
            return True
        case Mapping():
            return bool(found)
        case list() | tuple():
            return any(map(_has_text, found))
    return False


def encoded(answer: Plain) -> bytes:
    return msgspec.json.encode(answer)


def size(answer: Plain) -> int:
    """Bytes of the answer as a client gets it: an object, and the same as text within JSON."""
    data = encoded(answer)
    return len(data) + len(encoded(data.decode()))


class RowCells(list[Plain]):
    """The cells of a row: one of them may be cut, but none is left out."""


def fitted(body: Plain, most: int) -> bool:
    """Cut a body until it has so many bytes: rows from the end, else long texts. Returns whether anything was cut.

    UsageError where one row alone is too large.
    """
    is_cut = False
    while (now := size(body)) > most:
        places = list(_cuttable(body))
        if not places:
            raise UsageError(f"one row alone has more than the {most:,} bytes of an answer; select fewer columns")
        holder, key = max(places, key=lambda place: len(encoded(place[0][place[1]])))
        found = holder[key]
        less = len(CUT) + 1 if isinstance(found, str) else 1
        kept = max(min(len(found) * most // now, len(found) - less), 1)
        if isinstance(found, dict):
            holder[key] = dict(list(found.items())[:kept])
        else:
            holder[key] = found[:kept] + CUT if isinstance(found, str) else found[:kept]
        is_cut = True
    return is_cut


def _cuttable(body: Plain) -> Iterator[tuple[Any, Any]]:
    """The places of lists, maps and texts that may be cut, each as its holder and key."""
    places: Iterable[tuple[Any, Any]] = body.items() if isinstance(body, dict) else enumerate(body)
    for key, inner in places:
        is_long = len(inner) > LEAST[type(inner)] if type(inner) in LEAST else False
        if is_long:
            yield body, key
        if isinstance(inner, list | dict):
            yield from _cuttable(inner)
