"""Which JSON paths pages have, of which types, how often: the source's schema as its pages show it.

Values of one path are counted together, over many items and pages, and never one by one: the walk over all values is
the dearest part of reading (`bench/read.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from operator import itemgetter
from typing import Any, Final

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


class Seen:
    """One path with one JSON type: how many values, in which items, and the first value's start as text."""

    __slots__ = ("example", "first", "items", "value_count")

    def __init__(self) -> None:
        self.value_count = 0
        self.items: set[int] = set()
        self.first: int | None = None
        self.example: str | None = None

    def add(self, values: Sequence[object], items: Sequence[int]) -> None:
        """More values, in the order of their items. Of values that are first in one item the smaller is the example."""
        self.value_count += len(values)
        self.items.update(items)
        if self.first is None or items[0] <= self.first:
            example = _text(values[0])
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

    @property
    def is_full(self) -> bool:
        return any((OTHERS, kind) in self.seen for kind in JSON_TYPES.values())

    def take(self, path: str, values: Sequence[Any], items: Sequence[int], depth: int = 0) -> None:
        """Count values of one path, and what is inside them. `items` numbers, in order, the items that hold them."""
        kinds = list(map(type, values))
        for kind in dict.fromkeys(kinds):
            if kinds.count(kind) == len(kinds):
                held, at = values, items
            else:
                held = [value for value, found in zip(values, kinds, strict=True) if found is kind]
                at = [item for item, found in zip(items, kinds, strict=True) if found is kind]
            counted = self._count(path, JSON_TYPES[kind], held, at)
            if kind is dict and depth < DEEPEST:
                self._objects(counted, held, at, depth + 1)
            elif kind is list and depth < DEEPEST:
                self._arrays(counted, held, at, depth + 1)

    def _count(self, path: str, json_type: str, values: Sequence[Any], items: Sequence[int]) -> str:
        """The path that the values count under."""
        if (path, json_type) not in self.seen:
            if len(self.seen) >= MOST_PATHS:
                path = OTHERS
            self.seen.setdefault((path, json_type), Seen())
        self.seen[path, json_type].add(values, items)
        return path

    def _objects(self, path: str, objects: Sequence[dict[str, Any]], items: Sequence[int], depth: int) -> None:
        keys = list(dict.fromkeys(chain.from_iterable(objects)))
        for key in keys[:MOST_PATHS]:
            self.take(_joined(path, key), *_held(key, objects, items), depth)
        if beyond := set(keys[MOST_PATHS:]):
            pairs = zip(objects, items, strict=True)
            rest = [(value[key], item) for value, item in pairs for key in value if key in beyond]
            self.take(OTHERS, [value for value, _ in rest], [item for _, item in rest], depth)

    def _arrays(self, path: str, arrays: Sequence[list[Any]], items: Sequence[int], depth: int) -> None:
        values = list(chain.from_iterable(arrays))
        if values:
            at = list(chain.from_iterable(map(repeat, items, map(len, arrays))))
            self.take(path if path == OTHERS else path + ITEM, values, at, depth)


def _held(key: str, objects: Sequence[dict[str, Any]], items: Sequence[int]) -> tuple[Sequence[object], Sequence[int]]:
    """The values under a key, and the items that hold them."""
    try:
        return list(map(itemgetter(key), objects)), items
    except KeyError:
        pairs = [(value[key], item) for value, item in zip(objects, items, strict=True) if key in value]
        values, at = zip(*pairs, strict=True)
        return values, at


def _joined(path: str, key: str) -> str:
    if path == OTHERS:
        return OTHERS
    is_plain = key.isascii() and key.isidentifier() and len(key) <= KEY_LIMIT
    name = key if is_plain else ascii(key[:KEY_LIMIT])[:KEY_LIMIT]
    return name if path == ITEM else f"{path}.{name}"


def _text(value: object) -> str | None:
    """The start of a value; none of objects, arrays and null."""
    if isinstance(value, str):
        return value[:EXAMPLE_LIMIT]
    if isinstance(value, int | float):
        return repr(value).lower()[:EXAMPLE_LIMIT]
    return None
