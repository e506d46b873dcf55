"""`schema_paths`: the source's schema over time, and how it changed from one release to the next.

Every count is a sum and every first and last a minimum or maximum over disjoint captures: what a release knows and
what the captures since then show are merged into the table that all captures give.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import chain, repeat
from typing import Any, Final, NamedTuple

import polars as pl

from transforms.collect.cleaning import one_line
from transforms.readers.json_paths import AROUND, ITEM, LARGEST, OTHERS, JsonPaths
from warehouse.schema.core.schema_paths import SCHEMA_PATHS
from warehouse.schema.table import CONTROL_CHARACTERS

EXAMPLE_LIMIT: Final = 80  # characters
# What may name, picture or quote a person gives no example; no more does a text that holds a whole object
PERSONAL: Final = r"(?i)author|user|submit|avatar|follow|comment|voter|publisher|people|person|owner|mail"
OBJECT_IN_TEXT: Final = r'^"?[\[{]'

PATH: Final = ["reader", "path", "json_type"]
OFTEN: Final = 0.5  # share of the items of a month
ENOUGH: Final = 20  # items; a list day has 13 to 21 (docs/source.md §1)
UNDATED: Final = "undated"
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
        rows = pl.DataFrame(self._rows, schema=SCHEMA_PATHS.schema, orient="row")
        return merged(rows.with_columns(_example()))

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
    for (path, json_type), seen in paths.seen.items():
        of = [pages[number] for number in sorted(set(map(page_of.__getitem__, seen.items)))]
        days = [page.listed_on for page in of if page.listed_on]
        times = [page.fetched_at for page in of if page.fetched_at]
        ends = [pick(known, default=None) for known in (days, times) for pick in (min, max)]
        yield (*of[0][:3], path, json_type, seen.value_count, len(seen.items), *ends, seen.example, of[0].capture_id)


def merged(tables: pl.DataFrame) -> pl.DataFrame:
    """One table of several that count disjoint captures, end to end, whatever their order."""
    # nulls last: a known fetch time is before an unknown one
    in_time = tables.sort("first_seen_at", "capture_id", "example", nulls_last=True)
    grouped = in_time.group_by(SCHEMA_PATHS.key, maintain_order=True)
    return SCHEMA_PATHS.conform(
        grouped.agg(
            pl.col("value_count", "item_count").sum(),
            pl.col("first_listed_on", "first_seen_at").min(),
            pl.col("last_listed_on", "last_seen_at").max(),
            pl.col("example", "capture_id").first(),
        )
    )


def _example() -> pl.Expr:
    line = one_line(pl.col("example").str.replace_all(CONTROL_CHARACTERS, " ")).str.slice(0, EXAMPLE_LIMIT)
    path = pl.col("path")
    is_private = path.str.contains(PERSONAL) | path.is_in([ITEM, OTHERS]) | line.str.contains(OBJECT_IN_TEXT)
    return pl.when(~is_private).then(line).alias("example")


def drift(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """How the source changed between two releases: one row a `change`, `reader`, `path` and `json_type`.

    `new path`: no page before had it; `new type`: it had other types only; `vanished`: most items of the last month
    before had it, and of at least ENOUGH items since then none does. What a new reader shows is not a change of the
    source, and no more is anything where there was nothing before.
    """
    return pl.concat([new_paths(before, after), _vanished(before, after)])


def new_paths(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Paths and types that no page before had, with the first page that has it and an example."""
    known = after.join(before, on="reader", how="semi")
    new = known.join(before, on=PATH, how="anti").sort("first_seen_at", *SCHEMA_PATHS.key, nulls_last=True)
    found = new.group_by(PATH, maintain_order=True).agg(
        pl.col("item_count").sum(), pl.col("capture_id", "example").first()
    )
    paths = before.select(pl.struct("reader", "path").unique()).to_series()
    is_known = pl.struct("reader", "path").is_in(paths.implode())
    change = pl.when(is_known).then(pl.lit("new type")).otherwise(pl.lit("new path")).alias("change")
    return found.select(change, pl.all()).sort("change", *PATH)


LISTS: Final = ["reader", "list_kind"]


def _vanished(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Judged apart for each kind of list, from the last era on that was known before."""
    last_era = before.filter(pl.col("era") != UNDATED).group_by(LISTS).agg(pl.col("era").max().alias("last_era"))
    then, now = (
        table.join(last_era, on=LISTS).filter(pl.col("era") >= pl.col("last_era")) for table in (before, after)
    )
    paths = _items(then, "path").join(_items(now, "path"), on=[*LISTS, "path"], how="left", suffix="_now")
    lists = _items(then.filter(path=ITEM)).join(_items(now.filter(path=ITEM)), on=LISTS, suffix="_now")
    judged = paths.join(lists, on=LISTS, suffix="_of_list")
    was_often = pl.col("item_count") >= OFTEN * pl.col("item_count_of_list")
    enough_came = pl.col("item_count_now_of_list") - pl.col("item_count_of_list") >= ENOUGH
    none_since = pl.col("item_count_now").fill_null(0) <= pl.col("item_count")
    is_inside = ~pl.col("path").str.starts_with(AROUND)
    nothing = pl.lit(None, pl.String)
    return (
        judged.filter(was_often & enough_came & none_since & is_inside)
        .select(
            pl.lit("vanished").alias("change"),
            "reader",
            "path",
            nothing.alias("json_type"),
            "item_count",
            "capture_id",
            nothing.alias("example"),
        )
        .sort("reader", "path", "capture_id")
    )


def _items(table: pl.DataFrame, *by: str) -> pl.DataFrame:
    """Items of each kind of list, or of each of its paths, with a page that has them."""
    return table.group_by(*LISTS, *by).agg(pl.col("item_count").sum(), pl.col("capture_id").min())
