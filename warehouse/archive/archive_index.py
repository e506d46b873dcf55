"""The archive's index in the lake: one object a month of landing. A capture is landed when its line stands there.

It changes by compare-and-swap alone, so that of runs that land at one moment none loses a line; its bytes are those of
its lines, sorted, whatever the order they came in.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from warehouse.archive import cdxj
from warehouse.archive.cdxj import IndexEntry
from warehouse.archive.warc_file import landing_month
from warehouse.errors import StoreFailed
from warehouse.store.store import Store, read_if_there

INDEXES: Final = "raw/index/"
SUFFIX: Final = ".cdxj"
TRIES: Final = 100  # each one that fails is a run that landed something at that moment


def recent_months(now: datetime) -> tuple[str, str]:
    """The month before and this one: where a run that was killed may have left a file without its lines."""
    return landing_month(now.replace(day=1) - timedelta(days=1)), landing_month(now)


def index_key(month: str) -> str:
    """Where the index of a month is."""
    return f"{INDEXES}{month}{SUFFIX}"


def months_in(store: Store) -> list[str]:
    """The months that have an index."""
    keys = (key.removeprefix(INDEXES) for key in store.list(INDEXES))
    return [key.removesuffix(SUFFIX) for key in keys if key.endswith(SUFFIX)]


def read_all(store: Store) -> list[IndexEntry]:
    """Every line of every month, by file and offset; Damaged where one cannot be read."""
    keys = [index_key(month) for month in months_in(store)]
    return [entry for key in keys for entry in cdxj.parse(store.read(key), key)]


def add(store: Store, month: str, entries: Iterable[IndexEntry]) -> None:
    """Put the lines of a file that is stored into its month's index, once."""
    key, lines = index_key(month), cdxj.lines_of(entries)
    for _ in range(TRIES):
        stored = read_if_there(store, key)
        merged = cdxj.merge(stored or b"", lines)
        if merged == stored or store.swap(key, merged, stored):
            return
    raise StoreFailed(f"other runs changed {key} in {store.url} {TRIES} times over; run again when they are done")
