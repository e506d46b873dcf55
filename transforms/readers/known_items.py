"""List items in the forms that the source has had: no key but these, each of its one type, none of them null.

A page that decodes as these needs no walk over its values: which paths it can have is known, and what is left is to
count. Any other page, one with a new key say, is read by the wider types of `hub_items`, and walked (`json_paths`).
"""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, cast, get_args, get_origin

from msgspec import NODEFAULT, Struct, defstruct, field
from msgspec.json import Decoder
from msgspec.structs import fields

from transforms.readers.hub_items import Count, Item, Organization, Paper, Person
from transforms.readers.reading import Account, Author

# The keys from which nothing is read, beside those that `hub_items` and `reading` declare
NOT_READ: Final[dict[type[Struct], dict[str, Any]]] = {
    Item: {"thumbnail": str},
    Paper: {},
    Author: {"_id": str, "statusLastChangedAt": str},
    Account: {"_id": str, "id": str, "fullname": str, "avatarUrl": str, "type": str, "isPro": bool},
    Person: {
        "_id": str,
        "avatarUrl": str,
        "type": str,
        "isPro": bool,
        "isHf": bool,
        "isHfAdmin": bool,
        "isMod": bool,
        "followerCount": Count,
        "isUserFollowing": bool,
    },
    Organization: {"_id": str, "avatar": str},
}


@cache
def known(form: type[Struct]) -> type[Struct]:
    """A form of `hub_items` with all of its keys. Null is of no type, so None says that a key is absent."""
    read = [(key.name, key.encode_name, _never_null(key.type), key.required) for key in fields(form)]
    others = [(f"{name}_", name, kind, False) for name, kind in NOT_READ[form].items()]
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


KNOWN_ITEMS: Final = cast("Decoder[list[Item]]", Decoder(list[known(Item)]))  # type: ignore[misc]
