"""`coverage`: which daily lists the lake has, from which source, and why any is incomplete or missing."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

import polars as pl
from msgspec import Struct

from transforms.collect.collect import rejections
from transforms.readers import READERS
from warehouse.schema.columns import URL_LIMIT
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.list_days import DAY, FIRST_DAY, LAST_DAY, NEW_YORK, ROLLOVER, SATURDAY, day_open_at

LIMIT: Final = 50  # items of an API answer whose address asks for no limit (docs/source.md §1)
NEVER_FETCHED: Final = "never fetched"
NOT_ASKED: Final = "asked only where the API's list is empty"
WEEKEND: Final = "no list on a weekend"
EMPTY: Final = "empty answer"
EARLY: Final = "fetched before the list was closed"  # 8 to 28 % of the papers come later (docs/source.md §6)
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
STATES: Final = ("missing", "empty", "partial", "complete")
LIST: Final = ("source", "day")
SERIES: Final = (*LIST, "limit")  # pages of one list that follow each other by their `p=`
IN_TIME: Final = ("fetched_at", "capture_id")  # an unknown time counts as the earliest
NUMBER: Final = r"[0-9]{1,9}"


def coverage(captures: pl.DataFrame, sightings: pl.DataFrame, quarantine: pl.DataFrame) -> pl.DataFrame:
    """One row a source and calendar day, until the day whose list was open when the lake last fetched anything.

    What was asked of a later day is no row: no list of it can be lacking yet.
    """
    pages = _pages(captures.join(rejections(quarantine).drop("rejected_count"), on="capture_id", how="left"))
    answers = pages.filter("is_list")
    lists = answers.filter(~pl.col("is_elsewhere"))
    judged = pl.concat([_whole_lists(lists), _of_other_days(answers.filter("is_elsewhere"))])
    best = judged.sort("rank", *IN_TIME, nulls_last=False).unique(LIST, keep="last").drop("fetched_at")
    fetched_at = pl.col("fetched_at")
    fetches = answers.group_by(LIST).agg(
        fetch_count=pl.len(), first_fetched_at=fetched_at.min(), last_fetched_at=fetched_at.max()
    )
    failed = pages.filter(~pl.col("is_list")).sort(*IN_TIME, nulls_last=False)
    failures = failed.group_by(LIST).agg(failure_count=pl.len(), failure=_fault().last())
    daily = sightings.filter(list_kind="daily").select("source", "paper_id", day="listed_on")
    papers = daily.group_by(LIST).agg(paper_count=pl.col("paper_id").n_unique())
    rows = _calendar(captures, lists)
    for known in (best, fetches, failures, papers, _quiet(answers)):
        rows = rows.join(known, on=[name for name in LIST if name in known.columns], how="left")
    has_papers = (pl.col("rank") == IS_EMPTY) & (pl.col("paper_count") > 0)  # on a page that nothing leads to
    rank = pl.when(has_papers).then(PARTIAL).otherwise(pl.col("rank").fill_null(MISSING))
    return COVERAGE.conform(rows.with_columns(rank=rank).with_columns(**_columns()))


def _pages(captures: pl.DataFrame) -> pl.DataFrame:
    """The captures of daily lists, each for its `day`; one that shows another day than it was asked for, for both."""
    is_whole = ~pl.col("url").str.contains(r"[?&]submitter=").fill_null(False)  # else one person's part of the list
    is_page = (pl.col("list_kind") == "daily") & pl.col("reader").is_in(list(OF_SOURCE)).fill_null(True) & is_whole
    of_reader = pl.col("reader").replace_strict(OF_SOURCE, default=None, return_dtype=pl.String)
    is_api = pl.col("url").str.contains("/api/", literal=True)
    daily = captures.filter(is_page).with_columns(
        source=pl.coalesce(of_reader, pl.when(is_api).then(pl.lit("api")).otherwise(pl.lit("html"))),
        is_list=pl.col("state").is_in(READ),
        asked_on=pl.coalesce(_asked("date", "[0-9-]{10}").str.to_date("%Y-%m-%d", strict=False), "listed_on"),
        limit=_asked("limit", NUMBER).cast(pl.Int64),
        place=_asked("p", NUMBER).cast(pl.Int64).fill_null(0),
    )
    shown = daily.filter("is_list").with_columns(day="listed_on", is_elsewhere=False)
    others = daily.filter(~pl.col("is_list") | (pl.col("listed_on") != pl.col("asked_on")))
    pages = pl.concat([shown, others.with_columns(day="asked_on", is_elsewhere=True)])
    return pages.with_columns(is_late=pl.col("fetched_at") >= closed_at(pl.col("day")))


def closed_at(day: pl.Expr) -> pl.Expr:
    """When the list of a day is closed, UTC: `closes_at` for a column."""
    return _ended_at(day.dt.add_business_days(1, roll="backward").dt.offset_by("-1d"))


def _asked(name: str, pattern: str) -> pl.Expr:
    """What the address asks for by a parameter of this name, or in its path (`/papers/date/2026-10-02`)."""
    return pl.col("url").str.extract(rf"[?&/]{name}[=/]({pattern})")


def _ended_at(day: pl.Expr) -> pl.Expr:
    """When nothing more can be submitted for a day, UTC."""
    evening = day.dt.combine(ROLLOVER).dt.replace_time_zone(NEW_YORK.key)
    return evening.dt.convert_time_zone("UTC").dt.replace_time_zone(None)


def _calendar(captures: pl.DataFrame, lists: pl.DataFrame) -> pl.DataFrame:
    """Every source and day of which the lake can speak."""
    fetched_at = captures.filter(pl.col("fetched_at").is_between(FIRST_DAY, LAST_DAY))["fetched_at"].max()
    listed_on = lists.filter(pl.col("day") < LAST_DAY, pl.col("item_count") > 0)["day"].max()
    known = [day_open_at(fetched_at)] if isinstance(fetched_at, datetime) else []
    known += [listed_on] if isinstance(listed_on, date) else []
    days = pl.date_range(FIRST_DAY, max(known, default=FIRST_DAY - DAY), eager=True).alias("day")
    return pl.DataFrame({"source": ["api", "html"]}).join(days.to_frame(), how="cross")


def _whole_lists(pages: pl.DataFrame) -> pl.DataFrame:
    """Each list that was fetched, judged by the best capture of each of its pages, as far as they follow each other."""
    is_end = (pl.col("state") == "empty") & (pl.col("place") > 0)  # after a full page
    is_good = pl.col("is_late").fill_null(False) & ((pl.col("state") == "read") | is_end)
    best = pages.sort(is_good, pl.col("item_count") > 0, *IN_TIME, nulls_last=False)
    best = best.unique([*SERIES, "place"], keep="last").sort(*SERIES, "place")
    most = pl.when(source="api").then(pl.col("limit").fill_null(LIMIT))
    is_full = (pl.col("item_count") == most).fill_null(False)
    ended = (~is_full).cast(pl.Int32).cum_sum() - (~is_full).cast(pl.Int32)  # how many pages before it were not full
    series = best.with_columns(
        is_full=is_full, ended=ended.over(SERIES), is_next=(pl.col("place") == pl.int_range(pl.len())).over(SERIES)
    )
    of_list = series.filter(ended=0).group_by(SERIES, maintain_order=True)
    return _judged(of_list.agg(*_found()), pl.when(item_count=0).then(pl.lit(EMPTY)))


def _found() -> list[pl.Expr]:
    """Of the pages of one list, in order: what there is, and what is wrong with it."""
    return [
        pl.col("capture_id").first(),
        pl.col("fetched_at").max(),
        pl.col("item_count").sum(),
        _fault().filter(pl.col("state") == "partial").first().alias("fault"),
        (~pl.col("is_next")).any().alias("is_lacking"),
        pl.col("is_full").last(),
        (~pl.col("is_late")).any().alias("is_early"),
        pl.col("is_late").is_null().any().alias("is_undated"),
    ]


def _of_other_days(pages: pl.DataFrame) -> pl.DataFrame:
    """Pages that show the list of another day than was asked for: there is none of that day."""
    times = {"is_early": ~pl.col("is_late").fill_null(True), "is_undated": pl.col("is_late").is_null()}
    none = pl.lit(0, pl.Int32)
    return _judged(pages.with_columns(**times, item_count=none, fault=_shows(), is_lacking=False, is_full=False))


def _shows() -> pl.Expr:
    return pl.format(SHOWS, pl.col("listed_on").dt.to_string())


def _judged(lists: pl.DataFrame, *faults: pl.Expr) -> pl.DataFrame:
    """Lists with their rank and, unless they are complete, the reason in words."""
    words = {"is_lacking": LACKING, "is_full": TRUNCATED, "is_early": EARLY, "is_undated": UNDATED}
    reasons = [*faults, pl.col("fault"), *(pl.when(name).then(pl.lit(text)) for name, text in words.items())]
    reason = pl.concat_str(reasons, separator="; ", ignore_nulls=True)
    rank = pl.when(item_count=0).then(IS_EMPTY).when(reason == "").then(COMPLETE).otherwise(PARTIAL)
    return lists.select(*LIST, *IN_TIME, "item_count", rank=rank, fault=pl.when(reason != "").then(reason))


def _fault() -> pl.Expr:
    """What is wrong with a page, the same words for the same fault, however many items it has."""
    in_quarantine = pl.when(pl.col("reader").is_not_null()).then("first_detail")
    is_failure = pl.col("state").is_in(["failed", "error"])
    return pl.coalesce(
        pl.format("items in quarantine: {}", in_quarantine),
        pl.format("{}: {}", pl.when(is_failure).then(pl.lit("failed")).otherwise(pl.lit("not read")), "reason"),
    )


def _quiet(answers: pl.DataFrame) -> pl.DataFrame:
    """Days without a list: asked for when they were over, the list page showed an earlier one (docs/source.md §1)."""
    is_over = pl.col("fetched_at") >= _ended_at(pl.col("day"))
    shows_earlier = pl.col("is_elsewhere") & is_over & (pl.col("listed_on") < pl.col("day"))
    last = answers.filter(shows_earlier).sort(*IN_TIME).unique("day", keep="last")
    return last.select("day", quiet=_shows())


def _columns() -> dict[str, pl.Expr]:
    """The columns of a row, given the rank of its list."""
    rank, is_weekday = pl.col("rank"), pl.col("day").dt.weekday() <= SATURDAY  # Polars counts days from 1
    is_there = rank >= PARTIAL
    reason = (
        pl.when(is_there)
        .then("fault")
        .when(~is_weekday)
        .then(pl.lit(WEEKEND))
        .otherwise(pl.coalesce("quiet", "fault", "failure", pl.when(source="html").then(pl.lit(NOT_ASKED))))
    )
    never = pl.when(~is_there & reason.is_null()).then(pl.lit(NEVER_FETCHED))
    return {
        "listed_on": pl.col("day"),
        "is_expected": (pl.col("source") == "api") & is_weekday & (is_there | pl.col("quiet").is_null()),
        "state": rank.replace_strict(range(len(STATES)), STATES),
        "reason": pl.coalesce(reason, never).str.slice(0, URL_LIMIT),
        "fetch_count": pl.col("fetch_count").fill_null(0),
        "failure_count": pl.col("failure_count").fill_null(0),
        "paper_count": pl.when(rank > MISSING).then(pl.col("paper_count").fill_null(0)),
    }


class Gap(Struct, frozen=True):
    """Consecutive expected list days with the same state and reason."""

    first_on: date
    last_on: date
    day_count: int
    state: str
    reason: str


def gaps(days: pl.DataFrame) -> tuple[Gap, ...]:
    """Runs of expected days that are not complete: the longest first, then the latest."""
    runs = days.with_columns(run=pl.struct("state", "reason").rle_id()).filter(pl.col("state") != "complete")
    found = runs.group_by("run").agg(
        pl.col("listed_on").min().alias("first_on"),
        pl.col("listed_on").max().alias("last_on"),
        pl.len().alias("day_count"),
        pl.col("state", "reason").first(),
    )
    ordered = found.sort("day_count", "first_on", descending=True).drop("run")
    return tuple(Gap(*row) for row in ordered.iter_rows())
