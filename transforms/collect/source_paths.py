"""`schema_paths`: the source's schema over time, and how it changed from one release to the next.

Every count is a sum, and every first and last a minimum or maximum, over disjoint captures: merging a release's table
with that of the captures since then gives the table of all captures.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from transforms.readers.json_paths import AROUND, ITEM
from warehouse.schema.core.schema_paths import SCHEMA_PATHS

PATH: Final = ["reader", "path", "json_type"]
LISTS: Final = ["reader", "list_kind"]
OFTEN: Final = 0.5  # share of the items of a month
ENOUGH: Final = 20  # items; a list day has 13 to 21 (docs/source.md §1)
UNDATED: Final = "undated"


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
