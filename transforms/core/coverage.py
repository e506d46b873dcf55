"""`coverage`: which daily lists the lake has, from which source, and why any is incomplete or missing.

Of registries of DOIs and of GitHub: on which days they were asked, and whether answers were read.
"""

from datetime import date, datetime
from typing import Final

import polars as pl
from msgspec import Struct

from transforms.collect.collect import rejections
from transforms.core.harvests import harvest_coverage
from transforms.core.list_pages import (
    IN_TIME,
    IS_EMPTY,
    LIST,
    MISSING,
    PARTIAL,
    STATES,
    fault,
    lists_of_other_days,
    of_reader,
    other_day_shown,
    pages_of_lists,
    whole_lists,
)
from warehouse.schema.columns import URL_LIMIT
from warehouse.schema.core.attached import STARS
from warehouse.schema.core.captures import IS_TAKEN
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.core.works import REGISTRIES
from warehouse.schema.daily_lists import (
    DAY,
    FIRST_DAY,
    LAST_DAY,
    NEVER_FETCHED,
    OUTCOMES,
    SATURDAY,
    UNEXPECTED,
    closed_at,
    day_open_at,
)

NONE_KNOWN: Final = "the registry knows none of the DOIs that were asked for"
NONE_THERE: Final = "none of the repositories that were asked for is there for anybody"
GONE: Final = (404, 410, 451)  # of a repository: it is no more, or not for anybody


def asked_coverage(captures: pl.DataFrame, works: pl.DataFrame, until: date) -> pl.DataFrame:
    """Rows of `coverage` of registries of DOIs and of GitHub: each day to `until` on which one of them was asked.

    None is expected on any day.
    """
    fetched_at, is_read = pl.col("fetched_at"), pl.col("is_read")
    days = (
        _answers(captures, works)
        .filter(fetched_at.dt.date() <= until)
        .sort("fetched_at", "capture_id")
        .group_by(source="list_kind", listed_on=fetched_at.dt.date())
        .agg(
            fetch_count=is_read.sum(),
            failure_count=(~is_read).sum(),
            work_count=pl.col("work_count").sum(),
            paper_count=pl.col("known_count").sum(),
            first_fetched_at=fetched_at.filter(is_read).min(),
            last_fetched_at=fetched_at.filter(is_read).max(),
            capture_id=pl.col("capture_id").filter(is_read).first(),
            failure=pl.col("reason").filter(~is_read).last(),
        )
    )
    is_missing, is_empty, has_failed = (
        pl.col("fetch_count") == 0,
        pl.col("paper_count") == 0,
        pl.col("failure_count") > 0,
    )
    state = pl.when(is_missing).then(pl.lit("missing")).when(is_empty).then(pl.lit("empty"))
    none = pl.when(source=STARS).then(pl.lit(NONE_THERE)).otherwise(pl.lit(NONE_KNOWN))
    reasons = pl.concat_str(
        pl.when(~is_missing & is_empty).then(none),
        pl.when(has_failed).then(pl.format("failed: {}", "failure")),
        separator="; ",
        ignore_nulls=True,
    ).str.slice(0, URL_LIMIT)
    return COVERAGE.conform(
        days.with_columns(
            is_expected=pl.lit(value=False),
            state=state.when(has_failed).then(pl.lit("partial")).otherwise(pl.lit("complete")),
            reason=pl.when(reasons != "").then(reasons),
            item_count=pl.when(~is_missing).then("work_count"),
            paper_count=pl.when(~is_missing).then("paper_count"),
        )
    )


def _answers(captures: pl.DataFrame, works: pl.DataFrame) -> pl.DataFrame:
    """The pages of registries and of GitHub: whether each was read, of how many works, and how many it knows."""
    asked = captures.filter(pl.col("fetched_at").is_not_null(), pl.col("list_kind").is_in((*REGISTRIES, STARS)))
    told = works.group_by("capture_id").agg(work_count=pl.len(), known_count=(pl.col("answer") == "known").sum())
    of_stars, is_whole = pl.col("list_kind") == STARS, pl.col("state").is_in(("read", "partial"))
    is_read = pl.col("work_count").is_not_null() | (pl.col("state") == "read")
    is_read |= of_stars & (is_whole | pl.col("http_status").is_in(GONE))
    return asked.join(told, on="capture_id", how="left").with_columns(
        work_count=pl.when(of_stars).then(is_read.cast(pl.UInt32)).otherwise("work_count"),
        known_count=pl.when(of_stars).then(is_whole.cast(pl.UInt32)).otherwise("known_count"),
        is_read=is_read,
    )


NOT_ASKED: Final = "asked only where the API's list is empty"
WEEKEND: Final = "no list on a weekend"


def papers_of_lists(captures: pl.DataFrame, sightings: pl.DataFrame) -> pl.DataFrame:
    """`source`, `day`, `paper_count`: the number of papers on the daily lists; counts of disjoint papers add up."""
    # The source is that of the reader, as for the lists: that of a mirror's page is `copy`
    readers = captures.select("capture_id", source=of_reader())
    daily = sightings.filter(list_kind="daily").drop("source").join(readers, on="capture_id")
    daily = daily.rename({"listed_on": "day"})
    return daily.group_by(LIST).agg(paper_count=pl.col("paper_id").n_unique())


def coverage_of(  # noqa: PLR0913 - what a lake has of each source
    captures: pl.DataFrame,
    papers: pl.DataFrame,
    quarantine: pl.DataFrame,
    *,
    looks: pl.DataFrame,
    changes: pl.DataFrame,
    works: pl.DataFrame,
) -> pl.DataFrame:
    """The table `coverage`.

    `papers` is the result of `papers_of_lists`, `looks` and `changes` are those at arXiv, `works` has rows of
    `published_works`.
    """
    pages = pages_of_lists(captures.join(rejections(quarantine).drop("rejected_count"), on="capture_id", how="left"))
    answers = pages.filter("is_list")
    lists = answers.filter(~pl.col("is_elsewhere"))
    judged = pl.concat([whole_lists(lists), lists_of_other_days(answers.filter("is_elsewhere"))])
    best = judged.sort("rank", *IN_TIME, nulls_last=False).unique(LIST, keep="last").drop("fetched_at")
    fetched_at = pl.col("fetched_at")
    fetches = answers.group_by(LIST).agg(
        fetch_count=pl.len(), first_fetched_at=fetched_at.min(), last_fetched_at=fetched_at.max()
    )
    failed = pages.filter(~pl.col("is_list")).sort(*IN_TIME, nulls_last=False)
    failures = failed.group_by(LIST).agg(failure_count=pl.len(), failure=fault().last())
    counts = papers.group_by(LIST).agg(pl.col("paper_count").sum())
    rows = _calendar(captures, lists)
    for known in (best, fetches, failures, counts, _quiet(answers)):
        rows = rows.join(known, on=[name for name in LIST if name in known.columns], how="left")
    has_papers = (pl.col("rank") == IS_EMPTY) & (pl.col("paper_count") > 0)  # on a page beyond a gap in the list
    rank = pl.when(has_papers).then(PARTIAL).otherwise(pl.col("rank").fill_null(MISSING))
    of_hub = COVERAGE.conform(rows.with_columns(rank=rank).with_columns(**_columns()))
    if of_hub.is_empty():
        return of_hub
    until = of_hub["listed_on"][-1]
    of_others = harvest_coverage(captures, looks, changes, until), asked_coverage(captures, works, until)
    return COVERAGE.conform(pl.concat([of_hub, *of_others]))


def _calendar(captures: pl.DataFrame, lists: pl.DataFrame) -> pl.DataFrame:
    """Every source and day that `coverage` has a row for."""
    known_at = captures.filter(pl.col("fetched_at").is_between(FIRST_DAY, LAST_DAY))
    fetched_at = known_at.filter(IS_TAKEN)["fetched_at"].max()
    # The day of a page that is set aside lacks, with the reason; whether the page or its time is false is not known
    aside = known_at.filter(~IS_TAKEN).select("listed_on", "fetched_at").drop_nulls()
    # Saved pages have a list day too, and often no fetch time
    listed_on = lists.filter(pl.col("day") < LAST_DAY, pl.col("item_count") > 0)["day"].max()
    known = [day_open_at(fetched_at)] if isinstance(fetched_at, datetime) else []
    known += [listed_on] if isinstance(listed_on, date) else []
    known += [min(day, day_open_at(at)) for day, at in aside.iter_rows()]
    days = pl.date_range(FIRST_DAY, max(known, default=FIRST_DAY - DAY), eager=True).alias("day")
    return pl.DataFrame({"source": ["api", "html"]}).join(days.to_frame(), how="cross")


def _quiet(answers: pl.DataFrame) -> pl.DataFrame:
    """Days without a list: when they were over, the list page showed an earlier day's (docs/source.md §1)."""
    is_over = pl.col("fetched_at") >= closed_at(pl.col("day"))
    shows_earlier = pl.col("is_elsewhere") & is_over & (pl.col("listed_on") < pl.col("day"))
    last = answers.filter(shows_earlier, source="html").sort(*IN_TIME).unique("day", keep="last")
    return last.select("day", quiet=other_day_shown())


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
        # Not of `html`, which is asked only where the API's list is empty; and no longer where a page shows that a day
        # which is over has no list: an empty answer alone proves nothing
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


def outcome() -> pl.Expr:
    """The name of what became of each list, from the columns of `coverage`."""
    state, reason = pl.col("state"), pl.col("reason")
    is_of = {UNEXPECTED.name: ~pl.col("is_expected") & (state == UNEXPECTED.state)}
    is_of |= {one.name: (state == one.state) & (reason == one.reason) for one in OUTCOMES if one.reason}
    is_of |= {one.name: state == one.state for one in OUTCOMES if one.reason is None}
    return pl.coalesce(pl.when(is_it).then(pl.lit(name)) for name, is_it in is_of.items())


def outcome_counts(days: pl.DataFrame) -> dict[str, int]:
    """Expected days by outcome, the best first."""
    found = dict(days.filter("is_expected").group_by(outcome()).len().iter_rows())
    return {one.name: found.get(one.name, 0) for one in OUTCOMES}


def gaps(days: pl.DataFrame) -> tuple[Gap, ...]:
    """Runs of expected days of which more is missing than what came late: the longest first, then the latest."""
    is_gap = ~outcome().is_in(["complete", "early"])
    runs = days.with_columns(run=pl.struct(is_gap, "state", "reason").rle_id()).filter(is_gap)
    found = runs.group_by("run").agg(
        pl.col("listed_on").min().alias("first_on"),
        pl.col("listed_on").max().alias("last_on"),
        pl.len().alias("day_count"),
        pl.col("state", "reason").first(),
    )
    ordered = found.sort("day_count", "first_on", descending=True).drop("run")
    return tuple(Gap(*row) for row in ordered.iter_rows())
