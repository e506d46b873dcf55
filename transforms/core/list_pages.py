"""The captured pages of daily lists, and how complete each list is: the input of `coverage`."""

from typing import Final

import polars as pl

from transforms.collect.read_page import READERS
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.daily_lists import EARLY, closed_at

LIMIT: Final = 50  # items of an API answer whose address asks for no limit (docs/source.md §1)
EMPTY: Final = "empty answer"
UNDATED: Final = "fetched at an unknown time"
TRUNCATED: Final = "truncated at the limit"
LACKING: Final = "a page of it is lacking"
SHOWS: Final = "the Hub shows the list of {} instead"

# The readers of daily lists, and their source. Saved texts are no source: they lack ids, and may be cut
OF_SOURCE: Final = {
    reader.name: reader.source
    for reader in READERS
    if reader.is_list and reader.source in COVERAGE.column("source").allowed
}
READ: Final = ("read", "partial", "empty")  # states of a capture that shows a list
MISSING, IS_EMPTY, PARTIAL, COMPLETE = range(4)  # the rank of a day's best list
STATES: Final = ("missing", "empty", "partial", "complete")  # by rank
LIST: Final = ("source", "day")
SERIES: Final = (*LIST, "limit")  # pages of one list that follow each other by their `p=`
IN_TIME: Final = ("fetched_at", "capture_id")  # an unknown time counts as the earliest
NUMBER: Final = r"[0-9]{1,9}"


def pages_of_lists(captures: pl.DataFrame) -> pl.DataFrame:
    """The captures of daily lists by `day`; one that shows another day than was asked for counts for both days."""
    is_whole = ~pl.col("url").str.contains(r"[?&]submitter=").fill_null(False)  # not one submitter's part
    is_page = (pl.col("list_kind") == "daily") & pl.col("reader").is_in(list(OF_SOURCE)).fill_null(True) & is_whole
    is_api = pl.col("url").str.contains("/api/", literal=True)
    daily = captures.filter(is_page).with_columns(
        source=pl.coalesce(of_reader(), pl.when(is_api).then(pl.lit("api")).otherwise(pl.lit("html"))),
        is_list=pl.col("state").is_in(READ),
        asked_on=pl.coalesce(_asked_parameter("date", "[0-9-]{10}").str.to_date("%Y-%m-%d", strict=False), "listed_on"),
        limit=_asked_parameter("limit", NUMBER).cast(pl.Int64),
        place=_asked_parameter("p", NUMBER).cast(pl.Int64).fill_null(0),
    )
    shown = daily.filter("is_list").with_columns(day="listed_on", is_elsewhere=False)
    others = daily.filter(~pl.col("is_list") | (pl.col("listed_on") != pl.col("asked_on")))
    pages = pl.concat([shown, others.with_columns(day="asked_on", is_elsewhere=True)])
    return pages.with_columns(is_late=pl.col("fetched_at") >= closed_at(pl.col("day")))


def of_reader() -> pl.Expr:
    """The source of a reader's lists; null for a reader of other pages."""
    return pl.col("reader").replace_strict(OF_SOURCE, default=None, return_dtype=pl.String)


def _asked_parameter(name: str, pattern: str) -> pl.Expr:
    """The value of a parameter in the address, or in its path (`/papers/date/2026-10-02`)."""
    return pl.col("url").str.extract(rf"[?&/]{name}[=/]({pattern})")


def whole_lists(pages: pl.DataFrame) -> pl.DataFrame:
    """Each fetched list, judged by the best capture of each of its pages, up to the first page that is not full."""
    is_end = (pl.col("state") == "empty") & (pl.col("place") > 0)  # after a full page
    is_good = pl.col("is_late").fill_null(False) & ((pl.col("state") == "read") | is_end)
    # A later answer that is worse, or empty, does not take the place of a complete one
    best = pages.sort(is_good, pl.col("item_count") > 0, *IN_TIME, nulls_last=False)
    best = best.unique([*SERIES, "place"], keep="last").sort(*SERIES, "place")
    most = pl.when(source="api").then(pl.col("limit").fill_null(LIMIT))
    is_full = (pl.col("item_count") == most).fill_null(False)
    ended = (~is_full).cast(pl.Int32).cum_sum() - (~is_full).cast(pl.Int32)  # how many pages before it were not full
    series = best.with_columns(
        is_full=is_full, ended=ended.over(SERIES), is_next=(pl.col("place") == pl.int_range(pl.len())).over(SERIES)
    )
    found = (
        series.filter(ended=0)
        .group_by(SERIES, maintain_order=True)
        .agg(
            pl.col("capture_id").first(),
            pl.col("fetched_at").max(),
            pl.col("item_count").sum(),
            fault().filter(pl.col("state") == "partial").first().alias("fault"),
            (~pl.col("is_next")).any().alias("is_lacking"),
            pl.col("is_full").last(),
            (~pl.col("is_late")).any().alias("is_early"),
            pl.col("is_late").is_null().any().alias("is_undated"),
        )
    )
    return _judged(found, pl.when(item_count=0).then(pl.lit(EMPTY)))


def lists_of_other_days(pages: pl.DataFrame) -> pl.DataFrame:
    """An empty list for each day that was asked for, where the page shows the list of another day."""
    times = {"is_early": ~pl.col("is_late").fill_null(True), "is_undated": pl.col("is_late").is_null()}
    none = pl.lit(0, pl.Int32)
    return _judged(
        pages.with_columns(**times, item_count=none, fault=other_day_shown(), is_lacking=False, is_full=False)
    )


def other_day_shown() -> pl.Expr:
    return pl.format(SHOWS, pl.col("listed_on").dt.to_string())


def _judged(lists: pl.DataFrame, *faults: pl.Expr) -> pl.DataFrame:
    """Lists with their rank and, unless they are complete, the reason in words."""
    words = {"is_lacking": LACKING, "is_full": TRUNCATED, "is_early": EARLY, "is_undated": UNDATED}
    reasons = [*faults, pl.col("fault"), *(pl.when(name).then(pl.lit(text)) for name, text in words.items())]
    reason = pl.concat_str(reasons, separator="; ", ignore_nulls=True)
    rank = pl.when(item_count=0).then(IS_EMPTY).when(reason == "").then(COMPLETE).otherwise(PARTIAL)
    return lists.select(*LIST, *IN_TIME, "item_count", rank=rank, fault=pl.when(reason != "").then(reason))


def fault() -> pl.Expr:
    """The fault of a page, in the same words for the same fault, however many items have it."""
    in_quarantine = pl.when(pl.col("reader").is_not_null()).then("first_detail")
    is_failure = pl.col("state").is_in(["failed", "error"])
    return pl.coalesce(
        pl.when(state="set_aside").then(pl.format("set aside: {}", "reason")),
        pl.format("items in quarantine: {}", in_quarantine),
        pl.format("{}: {}", pl.when(is_failure).then(pl.lit("failed")).otherwise(pl.lit("not read")), "reason"),
    )
