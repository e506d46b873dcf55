"""List items in the forms that the source has had: no key but these, each of its one type, none of them null.

A page that decodes as these needs no walk over its values: which paths it can have is known, and what is left is to
count, field by field. Any other page, one with a new key say, is read by the wider types of `hub_items`, and walked
(`json_values`).
"""

from collections.abc import Sequence
from functools import cache
from itertools import chain, compress, count, repeat
from operator import is_not
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, Union, cast, get_args, get_origin

from msgspec import NODEFAULT, Struct, defstruct, field
from msgspec.json import Decoder
from msgspec.structs import fields

from transforms.readers.hub_items import HubCount, HubItem, HubPaper, HubPerson, Organization
from transforms.readers.json_values import ITEM, JSON_TYPES, Counted, example_of
from transforms.readers.reading import Account, Author, columns_of

# The keys from which nothing is read, beside those that `hub_items` and `reading` declare; and the types of those that
# are read if they have them, and else left
NOT_READ: Final[dict[type[Struct], dict[str, Any]]] = {
    HubItem: {"thumbnail": str},
    HubPaper: {},
    Author: {"_id": str, "statusLastChangedAt": str},
    Account: {"_id": str, "id": str, "fullname": str, "avatarUrl": str, "type": str, "isPro": bool},
    HubPerson: {
        "_id": str,
        "avatarUrl": str,
        "type": str,
        "isPro": bool,
        "isHf": bool,
        "isHfAdmin": bool,
        "isMod": bool,
        "followerCount": HubCount,
        "isUserFollowing": bool,
    },
    Organization: {"_id": str, "avatar": str},
}


@cache
def known(form: type[Struct]) -> type[Struct]:
    """A form of `hub_items` with all of its keys. Null is of no type, so None says that a key is absent."""
    kinds = NOT_READ[form]
    names = [key.encode_name for key in fields(form)]
    read = [
        (key.name, key.encode_name, kinds.get(key.encode_name, _never_null(key.type)), key.required)
        for key in fields(form)
    ]
    others = [(f"{name}_", name, kind, False) for name, kind in kinds.items() if name not in names]
    keys = [
        (name, kind, field(name=as_source, default=NODEFAULT if is_required else None))
        for name, as_source, kind, is_required in (*read, *others)
    ]
    name = f"Known{form.__name__}"
    return defstruct(name, keys, bases=(form,), forbid_unknown_fields=True, kw_only=True, gc=False)


def _never_null(kind: Any) -> Any:  # noqa: ANN401 - a type, as `fields` has it
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(_never_null(one) for one in get_args(kind) if one is not NoneType)]  # noqa: UP007
    if get_origin(kind) is list:
        return list[_never_null(get_args(kind)[0])]  # type: ignore[misc]
    return known(kind) if kind in NOT_READ else kind


KNOWN_ITEMS: Final = cast("Decoder[list[HubItem]]", Decoder(list[known(HubItem)]))  # type: ignore[misc]


class ItemKey(NamedTuple):
    """A key of a form: its path, its JSON type, and the same of the values that are inside, where there are any."""

    path: str
    json_type: str
    element: str | None
    form: type[Struct] | None


@cache
def keys_of(form: type[Struct], prefix: str) -> tuple[ItemKey, ...]:
    """The keys of a known form under a path, in the order of its fields."""
    keys = []
    for key in fields(form):
        kind = getattr(key.type, "__origin__", key.type)  # of a list, and of what is Annotated
        inner = get_args(key.type)[0] if kind is list else kind
        form_inside = inner if issubclass(inner, Struct) else None
        element = JSON_TYPES.get(inner, "object") if kind is list else None
        keys.append(ItemKey(prefix + key.encode_name, JSON_TYPES.get(kind, "object"), element, form_inside))
    return tuple(keys)


class Holders(NamedTuple):
    """The items that hold some values: their numbers, one a value; how many they are; the pages that they are of."""

    items: Sequence[int]
    item_count: int
    pages: tuple[int, ...]


class KnownPaths:
    """The paths of the items of some pages, all of one known form; `found` has each with the pages that have it."""

    def __init__(self, pages: Sequence[Sequence[Struct]]) -> None:
        self.found: list[tuple[Counted, tuple[int, ...]]] = []
        self._page_of = list(chain.from_iterable(map(repeat, count(), map(len, pages))))
        items = list(chain.from_iterable(pages))
        at = self._held_by(range(len(items)))
        self._add(ITEM, "object", items, at)
        self._take(keys_of(type(items[0]), ""), items, at)

    def _take(self, keys: Sequence[ItemKey], objects: Sequence[Struct], holders: Holders) -> None:
        """Count what is inside objects of one form."""
        for key, values in zip(keys, columns_of(objects, len(keys)), strict=True):
            held = values if all(values) else [value for value in values if value is not None]
            if not held:
                continue
            at, path = holders, key.path
            if len(held) < len(values):
                at = self._held_by(list(compress(holders.items, map(is_not, values, repeat(None)))))
            self._add(path, key.json_type, held, at)
            if key.element:
                at = at if all(held) else self._held_by(list(compress(at.items, held)))
                at = at._replace(items=list(chain.from_iterable(map(repeat, at.items, map(len, filter(None, held))))))
                held, path = list(chain.from_iterable(held)), path + ITEM
                self._add(path, key.element, held, at)
            if key.form and held:
                self._take(keys_of(key.form, f"{path}."), held, at)

    def _held_by(self, items: Sequence[int]) -> Holders:
        distinct = set(items)
        return Holders(items, len(distinct), tuple(sorted({self._page_of[item] for item in distinct})))

    def _add(self, path: str, json_type: str, held: Sequence[object], at: Holders) -> None:
        if held:
            self.found.append(((path, json_type, len(held), at.item_count, example_of(held[0])), at.pages))
