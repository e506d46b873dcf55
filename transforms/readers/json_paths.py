"""Which JSON paths pages have, of which types, how often: the source's schema as its pages show it.

Values of one path are counted together, over many items and pages, and never one by one: the walk over all values is
the dearest part of reading (`bench/read.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain, compress, repeat
from operator import is_not, itemgetter
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import fields

from transforms.readers.struct_columns import columns_of

JSON_TYPES: Final = {
    dict: "object",
    list: "array",
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
SCALARS: Final = {str, int, float, bool}
ITEM: Final = "[]"  # an item of a page; paths inside begin there (`paper.title`)
AROUND: Final = "$"  # what stands around the items (`$.periodType`)
OTHERS: Final = "*"  # everything beyond the limits below; a key that is called so is quoted
MOST_PATHS: Final = 500  # typed paths of one page; the richest seen has 75
DEEPEST: Final = 32  # levels that are looked into; the deepest seen is 4
KEY_LIMIT: Final = 100  # characters; the longest seen has 26
LARGEST: Final = 4 * 2**20  # bytes of a page whose values are looked at; plain values take up to 30 times the room
EXAMPLE_LIMIT: Final = 160  # characters


class Seen:
    """One path with one JSON type: how many values, in which items, and the first value's start as text.

    `holders` are sequences of items; paths that the same items hold share theirs, so that who counts items and pages
    need count each only once. Objects, arrays and null give no text.
    """

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
        """More values, in the order of their items, `value` the first. Of those that are first in one item the smaller
        is the example.
        """
        self.value_count += count
        self.holders.append(items)
        if self.first is None or items[0] <= self.first:
            text = value if isinstance(value, str) else repr(value).lower() if isinstance(value, int | float) else None
            example = text[:EXAMPLE_LIMIT] if text is not None else None
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
        kinds = set(map(type, values))
        for kind in kinds if len(kinds) == 1 else dict.fromkeys(map(type, values)):
            held, at = values, items
            if len(kinds) > 1:
                is_kind = [type(value) is kind for value in values]
                held, at = list(compress(values, is_kind)), list(compress(items, is_kind))
            counted = self._add(path, kind, len(held), held[0], at)
            if issubclass(kind, Struct):
                self._known(keys_of_form(kind), counted, held, at)
            elif kind is dict and depth < DEEPEST:
                self._objects(counted, held, at, depth + 1)
            elif kind is list and depth < DEEPEST and (inside := list(chain.from_iterable(held))):
                of = list(chain.from_iterable(map(repeat, at, map(len, held))))
                self.take(counted if counted == OTHERS else counted + ITEM, inside, of, depth + 1)

    def _add(self, path: str, kind: type, count: int, first: object, items: Sequence[int]) -> str:
        """More values of one path and type; returns the path under which they count."""
        name = JSON_TYPES.get(kind, "object")
        counted = path if (path, name) in self.seen or len(self.seen) < MOST_PATHS else OTHERS
        self.seen.setdefault((counted, name), Seen()).add(count, first, items)
        return counted

    def _known(self, keys: tuple[Key, ...], path: str, objects: Sequence[Struct], items: Sequence[int]) -> None:
        """What is inside objects of one form, key by key: absent keys are None."""
        prefix = "" if path == ITEM else f"{path}."
        for (name, kind), values in zip(keys, columns_of(objects, len(keys)), strict=True):
            held, at = values, items
            if absent := values.count(None):
                if absent == len(values):
                    continue
                is_there = list(map(is_not, values, repeat(None)))
                held, at = list(compress(values, is_there)), list(compress(items, is_there))
            if kind:
                self._add(prefix + name, kind, len(held), held[0], at)
            else:
                self.take(prefix + name, held, at)

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


Key = tuple[str, type | None]  # as the source has it, and the one type of its values, where it has no values inside


@cache
def keys_of_form(form: type[Struct]) -> tuple[Key, ...]:
    """The keys of a type of `known_items`, in the order of its fields."""
    kinds = [(key.encode_name, getattr(key.type, "__origin__", key.type)) for key in fields(form)]  # of Annotated too
    return tuple((name, kind if kind in SCALARS else None) for name, kind in kinds)
