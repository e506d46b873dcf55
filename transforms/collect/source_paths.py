"""`schema_paths`: the source's schema as its pages show it, page by page, over time, and from one release to the next.

Every count is a sum, and every first and last a minimum or maximum, over disjoint captures: merging a release's table
with that of the captures since then gives the table of all captures.
"""

from collections.abc import Sequence
from datetime import date, datetime
from operator import attrgetter
from typing import Any, Final, NamedTuple

import polars as pl
from msgspec import Struct

from transforms.collect.cleaning import one_line
from transforms.readers.json_values import AROUND, ITEM, LARGEST, OTHERS, walked
from transforms.readers.known_items import KnownPaths
from transforms.readers.reading import Reading
from warehouse.schema.core.captures import SCHEMA_PATHS
from warehouse.schema.table import CONTROL_CHARACTERS

PATH: Final = ["reader", "path", "json_type"]
LISTS: Final = ["reader", "list_kind"]
OFTEN: Final = 0.5  # share of the items of a month
ENOUGH: Final = 20  # items; a list day has 13 to 21 (docs/source.md §1)
UNDATED: Final = "undated"
NEVER: Final = datetime(1, 1, 1)  # for pages whose fetch time is unknown


def merged(tables: pl.DataFrame) -> pl.DataFrame:
    """One table, merged from concatenated tables of disjoint captures, in whatever order."""
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


def drift(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """How the source changed between two releases: one row per `change`, `reader`, `path` and `json_type`.

    `new path`: no page before had it; `new type`: it had other types only; `vanished`: most items of the last month
    before had it, and of at least ENOUGH items since then none does. Pages of a reader that the earlier release did
    not have are no change of the source.
    """
    return pl.concat([new_paths(before, after), vanished(before, after)])


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


def vanished(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Paths that most items had and none has any more, for each kind of list separately, from its last era on."""
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
    """The number of items of each kind of list, or of each of its paths, with a page that has them."""
    return table.group_by(*LISTS, *by).agg(pl.col("item_count").sum(), pl.col("capture_id").min())


EXAMPLE_LIMIT: Final = 80  # characters
# What may name, picture or quote a person gives no example; no more does a text that holds a whole object
PERSONAL: Final = (
    r"(?i)author|user|submit|avatar|follow|comment|voter|publisher|people|person|owner|mail"
    r"|login|handle|nick|display_?name|profile|member|contact|phone|creator|contributor|curat|review|editor|moderator"
    r"|(?:add|lik|react|recommend|invit|claim)edBy\b(?:\[|\.)"
)
OBJECT_IN_TEXT: Final = r'^"?[\[{]'
OF_PATH: Final = ("path", "json_type", "value_count", "item_count", "example")
OF_PAGES: Final = ("first_listed_on", "last_listed_on", "first_seen_at", "last_seen_at", "capture_id")
ROW: Final = {name: SCHEMA_PATHS.schema[name] for name in ("reader", "list_kind", "era", *OF_PATH, *OF_PAGES)}


class CountedPage(NamedTuple):
    """A page of an era, and its items where they are of a known form."""

    listed_on: date | None
    fetched_at: datetime | None
    capture_id: str
    items: Sequence[Struct] = ()

    @property
    def in_time(self) -> tuple[bool, datetime, str]:
        """A known fetch time is before an unknown one."""
        return self.fetched_at is None, self.fetched_at or NEVER, self.capture_id


class PathTable:
    """`schema_paths` in the making: known items are counted an era at once, any other page by itself, and can go."""

    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self._known: dict[tuple[str, str, str], list[CountedPage]] = {}

    def add(self, reading: Reading, fetched_at: datetime | None, capture_id: str, payload_bytes: int) -> None:
        era = (reading.reader or "", reading.list_kind or "", era_of(reading.listed_on, fetched_at))
        page, items = CountedPage(reading.listed_on, fetched_at, capture_id), reading.json_items
        if items and isinstance(items[0], Struct):  # needs no look around it and no limit of size
            self._known.setdefault(era, []).append(page._replace(items=items))
        else:
            days = days_of([page])
            counted = walked(items, reading.json_around, [None] * (payload_bytes > LARGEST))
            self._rows += [(*era, *path, *days) for path in counted]

    def frame(self) -> pl.DataFrame:
        """The table of these pages alone."""
        for era, pages in self._known.items():
            pages.sort(key=attrgetter("in_time"))
            found = KnownPaths([page.items for page in pages]).found
            days = {places: days_of([pages[place] for place in places]) for places in {places for _, places in found}}
            self._rows += [(*era, *path, *days[places]) for path, places in found]
        rows = pl.DataFrame(dict(zip(ROW, zip(*self._rows, strict=True), strict=False)), schema=ROW)
        line = one_line(pl.col("example").str.replace_all(CONTROL_CHARACTERS, " ")).str.slice(0, EXAMPLE_LIMIT)
        path = pl.col("path")
        is_private = path.str.contains(PERSONAL) | path.is_in([ITEM, OTHERS]) | line.str.contains(OBJECT_IN_TEXT)
        return merged(rows).with_columns(example=pl.when(~is_private).then(line))


def days_of(pages: Sequence[CountedPage]) -> tuple[date | str | None, ...]:
    """The first and last days of some pages, then the first and last times, then the first page, as OF_PAGES."""
    days = [page.listed_on for page in pages if page.listed_on]
    times = [page.fetched_at for page in pages if page.fetched_at]
    span = (min(days, default=None), max(days, default=None), min(times, default=None), max(times, default=None))
    return (*span, pages[0].capture_id)


def era_of(listed_on: date | None, fetched_at: datetime | None) -> str:
    """The month of a list day, else of a fetch."""
    day = listed_on or fetched_at
    return day.isoformat()[:7] if day else UNDATED
