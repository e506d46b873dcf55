"""JSON as pages hold it, sound or broken: plain values, the elements of an array, what is wrong with a text, its paths.

Of the paths: which a page has, of which types, how often; the source's schema as its pages show it. Values of one path
are counted together, never one by one. Objects of a known form are counted where that is declared (`known_items`); this
is the walk over all others.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, repeat
from operator import itemgetter
from typing import Any, Final

import msgspec

JSON_TYPES: Final = {
    dict: "object",
    list: "array",
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
ITEM: Final = "[]"  # an item of a page; paths inside begin there (`paper.title`)
AROUND: Final = "$"  # what stands around the items (`$.periodType`)
OTHERS: Final = "*"  # everything beyond the limits below; a key that is called so is quoted
MOST_PATHS: Final = 500  # typed paths of one page; the richest seen has 75
DEEPEST: Final = 32  # levels that are looked into; the deepest seen is 4
KEY_LIMIT: Final = 100  # characters; the longest seen has 26
LARGEST: Final = 4 * 2**20  # bytes of a page whose values are looked at; plain values take up to 30 times the room
EXAMPLE_LIMIT: Final = 160  # characters

# A path, its JSON type, how many values it has, how many items hold one, and the start of the first value as text
Counted = tuple[str, str, int, int, str | None]


def example_of(value: object) -> str | None:
    """The start of a value as text; objects, arrays and null give none."""
    text = value if isinstance(value, str) else repr(value).lower() if isinstance(value, int | float) else None
    return text[:EXAMPLE_LIMIT] if text is not None else None


class Seen:
    """One path with one JSON type: how many values, in which items, and the first value's start as text."""

    __slots__ = ("example", "first", "holders", "value_count")

    def __init__(self) -> None:
        self.value_count = 0
        self.holders: list[Sequence[int]] = []
        self.first: int | None = None
        self.example: str | None = None

    @property
    def items(self) -> set[int]:
        return set(chain.from_iterable(self.holders))

    def add(self, count: int, value: object, items: Sequence[int]) -> None:
        """More values, in the order of their items, `value` the first.

        Of those that are first in one item the smaller is the example.
        """
        self.value_count += count
        self.holders.append(items)
        if self.first is None or items[0] <= self.first:
            example = example_of(value)
            is_tie = items[0] == self.first and self.example is not None and example is not None
            self.example = min(self.example, example) if is_tie else example  # type: ignore[type-var]
            self.first = items[0]


class JsonPaths:
    """The typed paths of some items; `seen` has them by path and name of the type.

    Beyond the first MOST_PATHS all count as OTHERS. Keys other than plain names are quoted, long ones cut.

    >>> paths = JsonPaths()
    >>> paths.take(ITEM, [{"paper": {"upvotes": 3}}, {"paper": None}], [0, 1])
    >>> [(path, kind, seen.value_count) for (path, kind), seen in paths.seen.items()][1:]
    [('paper', 'object', 1), ('paper.upvotes', 'integer', 1), ('paper', 'null', 1)]
    """

    def __init__(self) -> None:
        self.seen: dict[tuple[str, str], Seen] = {}

    def counted(self) -> Iterator[Counted]:
        for (path, json_type), seen in self.seen.items():
            yield path, json_type, seen.value_count, len(seen.items), seen.example

    def take(self, path: str, values: Sequence[Any], items: Sequence[int], depth: int = 0) -> None:
        """Count values of one path, and what is inside them. `items` numbers, in order, the items that hold them."""
        kinds = set(map(type, values))
        for kind in kinds if len(kinds) == 1 else dict.fromkeys(map(type, values)):
            held, at = values, items
            if len(kinds) > 1:
                is_kind = [type(value) is kind for value in values]
                held, at = list(compress(values, is_kind)), list(compress(items, is_kind))
            name = JSON_TYPES[kind]
            counted = path if (path, name) in self.seen or len(self.seen) < MOST_PATHS else OTHERS
            self.seen.setdefault((counted, name), Seen()).add(len(held), held[0], at)
            if kind is dict and depth < DEEPEST:
                self._objects(counted, held, at, depth + 1)
            elif kind is list and depth < DEEPEST and (inside := list(chain.from_iterable(held))):
                of = list(chain.from_iterable(map(repeat, at, map(len, held))))
                self.take(counted if counted == OTHERS else counted + ITEM, inside, of, depth + 1)

    def _objects(self, path: str, objects: Sequence[dict[str, Any]], items: Sequence[int], depth: int) -> None:
        keys = list(dict.fromkeys(chain.from_iterable(objects)))
        for key in keys[:MOST_PATHS]:
            try:
                held, at = list(map(itemgetter(key), objects)), items
            except KeyError:
                has_key = [key in value for value in objects]
                held, at = list(map(itemgetter(key), compress(objects, has_key))), list(compress(items, has_key))
            name = (
                key
                if key.isascii() and key.isidentifier() and len(key) <= KEY_LIMIT
                else ascii(key[:KEY_LIMIT])[:KEY_LIMIT]
            )
            self.take(path if path == OTHERS else name if path == ITEM else f"{path}.{name}", held, at, depth)
        if beyond := set(keys[MOST_PATHS:]):
            found = zip(objects, items, strict=True)
            rest = [(value[key], item) for value, item in found for key in value if key in beyond]
            self.take(OTHERS, [value for value, _ in rest], [item for _, item in rest], depth)


def walked(items: Sequence[object], around: Sequence[object], others: Sequence[None]) -> Iterable[Counted]:
    """The paths of a page's plain values: of its items, of what stands around them, and of what is not looked at."""
    paths, count = JsonPaths(), 0
    for path, values in ((ITEM, items), (AROUND, around), (OTHERS, others)):
        paths.take(path, values, range(count, count + len(values)))
        count += len(values)
    return paths.counted()


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


def fault_of(error: Exception, raw: bytes) -> tuple[str, str]:
    """The rule that bytes break whose decoding ended in this error, and what is wrong.

    Mostly in the decoder's own words, but not of bytes that are no UTF-8, of which each version of msgspec says
    something else.
    """
    if raw.startswith(REPR):
        return "python_repr", "a string that holds the repr of a Python dict, in place of an object"
    if isinstance(error, msgspec.ValidationError):
        return "item_type", str(error)
    if isinstance(error, RecursionError):
        return "malformed_json", "JSON nested too deeply"
    try:
        raw.decode()
    except UnicodeDecodeError as no_text:
        return "invalid_utf8", str(no_text)
    return "malformed_json", str(error)
