"""Objects of a far lake as files of this machine, for tools that read nothing else. Imports next to nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from warehouse.store.store import Store

PathOf: TypeAlias = Callable[[str], Path]  # where the object of a key lies on this machine

FETCHED_BYTES: Final = 32 << 20  # in memory at once; nearly every object comes with one request


def fetch(store: Store, key: str, path: Path) -> None:
    """Write an object to a file, in constant memory; no file where there is no object."""
    data = store.read_range(key, 0, FETCHED_BYTES)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        while file.write(data) == FETCHED_BYTES:
            data = store.read_range(key, file.tell(), FETCHED_BYTES)
