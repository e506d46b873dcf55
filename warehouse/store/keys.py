"""What names an object of a lake: the same rule in every store, so that a lake can be copied from one to another."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from warehouse.errors import UsageError

Keys: TypeAlias = list[str]  # inside a store, `list` is the method

TEMPORARY: Final = ".tmp"  # the local store writes there; no object may lie in it anywhere
NOT_IN_A_KEY: Final = re.compile(r"[\x00-\x1f\x7f\\]")


def parts_of(key: str) -> Keys:
    """The parts of a key between its slashes; UsageError for a key that is none."""
    parts = key.split("/")
    if {"", ".", ".."} & set(parts) or NOT_IN_A_KEY.search(key) or parts[0] == TEMPORARY:
        raise UsageError(f"{key!r} is not a key of a lake; keys look like raw/warc/x.warc.gz")
    return parts
