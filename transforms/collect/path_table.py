"""The paths of the source's fields, counted page by page: `schema_paths` of some captures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import chain, repeat
from typing import Any, Final, NamedTuple, Self

import polars as pl

from transforms.collect.cleaning import one_line
from transforms.core.schema_paths import UNDATED, merged
from transforms.readers.json_paths import AROUND, ITEM, LARGEST, OTHERS, JsonPaths
from transforms.readers.reading import Reading
from warehouse.schema.core.schema_paths import SCHEMA_PATHS
from warehouse.schema.table import CONTROL_CHARACTERS

EXAMPLE_LIMIT: Final = 80  # characters
# What may name, picture or quote a person gives no example; no more does a text that holds a whole object
PERSONAL: Final = r"(?i)author|user|submit|avatar|follow|comment|voter|publisher|people|person|owner|mail"
OBJECT_IN_TEXT: Final = r'^"?[\[{]'
BYTES_AT_A_TIME: Final = 2**20  # of pages whose values wait to be counted; more would leave the processor's cache


class JsonPage(NamedTuple):
    """The JSON of one page as plain values, and what of the page decides where its paths count."""

    reader: str
    list_kind: str
    era: str
    listed_on: date | None
    fetched_at: datetime | None
    capture_id: str
    items: Sequence[object]
    around: Sequence[object]
    payload_bytes: int

    @classmethod
    def of(cls, reading: Reading, fetched_at: datetime | None, capture_id: str, payload_bytes: int) -> Self:
        return cls(
            reader=reading.reader or "",
            list_kind=reading.list_kind or "",
            era=era_of(reading.listed_on, fetched_at),
            listed_on=reading.listed_on,
            fetched_at=fetched_at,
            capture_id=capture_id,
            items=reading.json_items,
            around=reading.json_around,
            payload_bytes=payload_bytes,
        )

    @property
    def order(self) -> tuple[bool, datetime | None, str]:
        """By fetch time, unknown ones last."""
        return (self.fetched_at is None, self.fetched_at or datetime.max, self.capture_id)  # noqa: DTZ901


class PathTable:
    """`schema_paths` in the making: pages are counted some at a time, and can go."""

    def __init__(self) -> None:
        self._waiting: list[JsonPage] = []
        self._waiting_bytes = 0
        self._rows: list[tuple[Any, ...]] = []

    def add(self, page: JsonPage) -> None:
        self._waiting.append(page)
        self._waiting_bytes += page.payload_bytes
        if self._waiting_bytes >= BYTES_AT_A_TIME:
            self._count()

    def frame(self) -> pl.DataFrame:
        """The table of these pages alone."""
        self._count()
        columns = dict(zip(SCHEMA_PATHS.column_names, zip(*self._rows, strict=True), strict=False))  # none of no rows
        rows = pl.DataFrame(columns, schema=SCHEMA_PATHS.schema)
        line = one_line(pl.col("example").str.replace_all(CONTROL_CHARACTERS, " ")).str.slice(0, EXAMPLE_LIMIT)
        path = pl.col("path")
        is_private = path.str.contains(PERSONAL) | path.is_in([ITEM, OTHERS]) | line.str.contains(OBJECT_IN_TEXT)
        return merged(rows.with_columns(example=pl.when(~is_private).then(line)))

    def _count(self) -> None:
        together: dict[tuple[Any, ...], list[JsonPage]] = defaultdict(list)
        for page in self._waiting:
            together[page[:3]].append(page)
        for pages in together.values():
            self._rows += _rows(sorted(pages, key=lambda page: page.order))
        self._waiting, self._waiting_bytes = [], 0


def era_of(listed_on: date | None, fetched_at: datetime | None) -> str:
    """The month of a list day, else of a fetch."""
    day = listed_on or fetched_at
    return day.isoformat()[:7] if day else UNDATED


def _rows(pages: Sequence[JsonPage]) -> Iterator[tuple[Any, ...]]:
    """Rows of `schema_paths` for pages that count together, in the order of their fetch.

    A page with too many paths must not take the places of others: then each is counted alone.
    """
    paths, page_of = JsonPaths(), list[int]()
    parts = (
        (ITEM, [page.items for page in pages]),
        (AROUND, [page.around for page in pages]),
        (OTHERS, [[None] * (page.payload_bytes > LARGEST) for page in pages]),
    )
    for path, held in parts:
        values = list(chain.from_iterable(held))
        numbers = range(len(page_of), len(page_of) + len(values))
        page_of += chain.from_iterable(map(repeat, range(len(pages)), map(len, held)))
        paths.take(path, values, numbers)
    if paths.is_full and len(pages) > 1:
        for page in pages:
            yield from _rows([page])
        return
    counted: dict[tuple[int, ...], tuple[Any, ...]] = {}  # by the sequences of items, which many paths share
    for (path, json_type), seen in paths.seen.items():
        holders = tuple(map(id, seen.holders))
        if holders not in counted:
            items = seen.items
            of = [pages[one] for one in sorted(set(map(page_of.__getitem__, items)))]
            known = (
                [page.listed_on for page in of if page.listed_on],
                [page.fetched_at for page in of if page.fetched_at],
            )
            ends = [pick(days, default=None) for days in known for pick in (min, max)]
            counted[holders] = of[0][:3], (len(items), *ends), of[0].capture_id
        group, facts, capture_id = counted[holders]
        yield (*group, path, json_type, seen.value_count, *facts, seen.example, capture_id)
