"""The paths of the source's fields, counted page by page: `schema_paths` of some captures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any, Final

import polars as pl
from msgspec import Struct

from transforms.collect.cleaning import one_line
from transforms.core.schema_paths import UNDATED, merged
from transforms.readers.json_paths import ITEM, LARGEST, OTHERS, Counted, walked
from transforms.readers.known_items import counted_items
from transforms.readers.reading import Reading
from warehouse.schema.core.schema_paths import SCHEMA_PATHS
from warehouse.schema.table import CONTROL_CHARACTERS

EXAMPLE_LIMIT: Final = 80  # characters
# What may name, picture or quote a person gives no example; no more does a text that holds a whole object
PERSONAL: Final = r"(?i)author|user|submit|avatar|follow|comment|voter|publisher|people|person|owner|mail"
OBJECT_IN_TEXT: Final = r'^"?[\[{]'
OF_PAGE: Final = (
    "reader",
    "list_kind",
    "era",
    "first_listed_on",
    "last_listed_on",
    "first_seen_at",
    "last_seen_at",
    "capture_id",
)
OF_PATH: Final = ("path", "json_type", "value_count", "item_count", "example")


class PathTable:
    """`schema_paths` in the making: each page is counted by itself, and can go."""

    def __init__(self) -> None:
        self._pages: list[tuple[Any, ...]] = []
        self._page_of: list[int] = []
        self._counted: list[Counted] = []

    def add(self, reading: Reading, fetched_at: datetime | None, capture_id: str, payload_bytes: int) -> None:
        counted = list(counted_of(reading, payload_bytes))
        self._page_of += [len(self._pages)] * len(counted)
        self._counted += counted
        days = (reading.listed_on, reading.listed_on, fetched_at, fetched_at)
        era = era_of(reading.listed_on, fetched_at)
        self._pages.append((reading.reader or "", reading.list_kind or "", era, *days, capture_id))

    def frame(self) -> pl.DataFrame:
        """The table of these pages alone."""
        rows = _frame(OF_PAGE, self._pages)[self._page_of].hstack(_frame(OF_PATH, self._counted))
        line = one_line(pl.col("example").str.replace_all(CONTROL_CHARACTERS, " ")).str.slice(0, EXAMPLE_LIMIT)
        path = pl.col("path")
        is_private = path.str.contains(PERSONAL) | path.is_in([ITEM, OTHERS]) | line.str.contains(OBJECT_IN_TEXT)
        return merged(rows).with_columns(example=pl.when(~is_private).then(line))


def counted_of(reading: Reading, payload_bytes: int) -> Iterable[Counted]:
    """The paths of one page. A list of items of a known form has nothing around it, and is no larger than LARGEST."""
    items = reading.json_items
    if items and isinstance(items[0], Struct):
        return counted_items(items)
    return walked(items, reading.json_around, [None] * (payload_bytes > LARGEST))


def _frame(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> pl.DataFrame:
    """Columns of `schema_paths`; of no rows, none the less."""
    columns = dict(zip(names, zip(*rows, strict=True), strict=False))
    return pl.DataFrame(columns, schema={name: SCHEMA_PATHS.schema[name] for name in names})


def era_of(listed_on: date | None, fetched_at: datetime | None) -> str:
    """The month of a list day, else of a fetch."""
    day = listed_on or fetched_at
    return day.isoformat()[:7] if day else UNDATED
