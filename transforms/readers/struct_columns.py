"""Many structs of one type as columns: all values of a field together, several times sooner than value by value."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple


def columns_of(structs: Sequence[Struct], width: int) -> list[list[Any]]:
    """The values of each of `width` fields, which is all that the type has.

    >>> from transforms.readers.reading import Account
    >>> columns_of([Account("ada"), Account("lin", "lin")], 2)
    [['ada', 'lin'], [None, 'lin']]
    """
    values = list(chain.from_iterable(map(astuple, structs)))
    return [values[place::width] for place in range(width)]
