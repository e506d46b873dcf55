"""JSON as pages hold it, sound or broken: plain values, the elements of an array, and what is wrong with a text."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from transforms.readers.json_paths import LARGEST

PLAIN = msgspec.json.Decoder()
KEYS = msgspec.json.Decoder(dict[str, msgspec.Raw])

# A JSON text nested deeper than the interpreter's stack is as broken as one that ends too early.
BROKEN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
MARKS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{},"]', re.DOTALL)  # possessive: no text takes it long
MOST_ITEMS = 100_000  # the longest list seen has 50 (docs/source.md §1)
REPR = b'"{'  # an item that is a string which holds the repr of a Python dict


def plain_values(texts: Iterable[bytes]) -> list[object]:
    """JSON texts as plain values; those that are none are left out (they are rejected where they stand).

    So are those beyond LARGEST, all together.
    """
    values, size = [], 0
    for text in texts:
        size += len(text)
        if size > LARGEST:
            break
        try:
            values.append(PLAIN.decode(text))
        except BROKEN:
            continue
    return values


def around(text: bytes, name: str) -> list[object]:
    """The object that holds the items under `name`, without them."""
    return [value | {name: []} for value in plain_values([text]) if isinstance(value, dict)]


def elements_of(array: bytes) -> list[bytes] | None:
    """The elements of a JSON array as they stand there, however broken each may be inside.

    None where the bytes are no array, where its brackets or quotes do not pair, or where it has too many elements.

    >>> elements_of(b'[{"a": [1, "],"]}, nonsense]')
    [b'{"a": [1, "],"]}', b'nonsense']
    """
    array = array.strip()
    depth, start, elements = 0, 1, list[bytes]()
    for found in MARKS.finditer(array) if array[:1] == b"[" else ():
        mark = found[0]
        depth += (mark in (b"[", b"{")) - (mark in (b"]", b"}"))
        if (mark == b"," and depth == 1) or depth == 0:
            elements.append(array[start : found.start()].strip())
            start = found.end()
        if mark == b'"' or depth == 0 or len(elements) > MOST_ITEMS:
            break
    if depth or start != len(array) or array[-1:] != b"]":
        return None
    return [] if elements == [b""] else elements


def keys_of(text: bytes) -> list[str]:
    """The keys of a JSON object; none where the text is no object."""
    try:
        return list(KEYS.decode(text))
    except BROKEN:
        return []


def rule_of(error: Exception, raw: bytes = b"") -> str:
    if raw.startswith(REPR):
        return "python_repr"
    if isinstance(error, msgspec.ValidationError):
        return "item_type"
    if isinstance(error, UnicodeDecodeError):
        return "invalid_utf8"
    return "malformed_json"


def detail_of(error: Exception, raw: bytes = b"") -> str:
    """The decoder's own words; for the one malformation known by sight, what it is."""
    if raw.startswith(REPR):
        return "a string that holds the repr of a Python dict, in place of an object"
    if isinstance(error, RecursionError):
        return "JSON nested too deeply"
    return str(error)
