"""Guards on new lists beside those of the 60 days before: how high their counts are, who submitted their papers.

Lists are compared that were fetched when they had been open about as long: they were fetched at 17 UTC in 2024, and at
8 UTC since.
"""

from datetime import timedelta
from functools import partial
from typing import Final

import polars as pl

from expectations.checks import Finding, Guard
from expectations.comparison import HOURS_OPEN, LISTED_BY_API, Comparison
from expectations.new_lists import SHORT
from expectations.seen_again import NEEDED

COMPARED: Final = timedelta(days=60), 5  # how far back those lists may be, how many there must be
AS_OLD: Final = 2  # lists are compared if neither had been open more than so many times as long as the other
USUAL: Final = 4  # times the level of earlier lists
RARELY: Final = 10  # times under that level: one real list, of a day when the Hub was down, has a ninth
LONG: Final = 10  # papers; in a shorter list a single paper decides the level
SILENT: Final = 0.6  # share of papers without a comment, above what is usual: real lists are at most 0.41 above it
ALONE: Final = 0.8  # share of papers of one submitter, above their usual one: real lists are at most 0.74 above it
LOOKS: Final = (
    *("capture_id", "source", "list_kind", "listed_on", "observed_at"),
    *("upvote_count", "comment_count", "submitter_login"),
)
LIST: Final = ("listed_on", "capture_id")
DAY: Final = pl.col("listed_on")
SUBMITTER: Final = pl.col("submitter_login")
# Of the rows of a page. The level of upvotes is the squared mean of square roots, which neither one high count nor many
# zeros dominate
LEVEL: Final = pl.col("upvote_count").sqrt().mean().pow(2)
SILENCE: Final = (pl.col("comment_count") == 0).mean()
MOST: Final = SUBMITTER.drop_nulls().mode(maintain_order=True).sort().first()


def upvotes_as_usual(tables: Comparison) -> Finding:
    """New lists whose upvotes, when first fetched, are far above or below those of earlier lists at the same age."""
    usual = beside_earlier(tables, LEVEL, LONG)
    level, before = pl.col("level"), pl.col("usual")
    found = Finding(f"a new list has over {USUAL} times the usual upvotes, or under a {RARELY}th of them", usual.height)
    return found.fail(usual.filter((level > USUAL * before) | (level * RARELY < before)), LIST)


def comments_as_usual(tables: Comparison) -> Finding:
    usual = beside_earlier(tables, SILENCE, SHORT)
    found = Finding("a new list lacks the comments that are usual", usual.height)
    return found.fail(usual.filter(pl.col("level") > pl.col("usual") + SILENT), LIST)


def submitters_as_usual(tables: Comparison) -> Finding:
    """New lists that one person submitted nearly alone, who submitted few papers of earlier lists."""
    rows = _rows(tables).drop_nulls("submitter_login")
    lists = rows.group_by(LIST).agg(pl.len(), who=MOST, share=(SUBMITTER == MOST).mean()).collect()
    new = lists.filter(pl.col("len") >= SHORT, pl.col("share") > ALONE).join(
        tables.new_pages, on="capture_id", how="semi"
    )
    earlier = rows.select(DAY.alias("day"), SUBMITTER).collect()
    pairs = new.join_where(earlier, pl.col("day") < DAY, pl.col("day") >= DAY - COMPARED[0])
    usual = pairs.group_by(*LIST, "share").agg(days=pl.col("day").n_unique(), usual=(pl.col("who") == SUBMITTER).mean())
    alone = usual.filter(pl.col("days") >= COMPARED[1], pl.col("share") > pl.col("usual") + ALONE).sort(LIST)
    return Finding("one person submitted a new list, unlike before", lists.height).fail(alone, LIST)


def _rows(tables: Comparison) -> pl.LazyFrame:
    """The rows of the new lists, and of those of the days before them."""
    new_days = tables.new_rows().filter(LISTED_BY_API)
    first, last = new_days.select(DAY.min() - COMPARED[0], last=DAY.max()).row(0)
    return tables.whole("sightings", LOOKS).filter(LISTED_BY_API, DAY.is_between(first, last))


def beside_earlier(tables: Comparison, level: pl.Expr, fewest: int) -> pl.DataFrame:
    """First looks at new lists of enough papers: a level, and the median one of earlier lists that were as old."""
    lists = first_looks(_rows(tables), level, fewest).collect()
    new = lists.join(tables.new_pages, on="capture_id", how="semi")
    hours = pl.col("hours"), pl.col("hours_before")
    pairs = new.join_where(
        lists.select(pl.col("listed_on", "hours", "level").name.suffix("_before")),
        pl.col("listed_on_before") < DAY,
        pl.col("listed_on_before") >= DAY - COMPARED[0],
        hours[0] <= AS_OLD * hours[1],
        hours[1] <= AS_OLD * hours[0],
    )
    usual = pairs.group_by(*LIST, "level").agg(pl.len(), usual=pl.col("level_before").median())
    return usual.filter(pl.col("len") >= COMPARED[1]).sort(LIST)


def first_looks(rows: pl.LazyFrame, level: pl.Expr, fewest: int) -> pl.LazyFrame:
    """The first page of each list day that has enough papers: how long its list was open, and a level of its counts."""
    known = rows.drop_nulls(["listed_on", "observed_at", "upvote_count", "comment_count"])
    pages = known.group_by("listed_on", "observed_at", "capture_id").agg(pl.len(), level=level)
    in_time = pages.filter(pl.col("len") >= fewest).sort("observed_at", "capture_id")
    return in_time.unique("listed_on", keep="first").with_columns(hours=HOURS_OPEN)


_guard = partial(Guard, table="sightings", dimension="accuracy", needs=NEEDED, kind="pages")
OF_FEWER: Final = f"; of fewer than {COMPARED[1]} such lists nothing is concluded."
BEFORE: Final = f"the lists of the {COMPARED[0].days} days before"


GUARDS: Final[tuple[Guard, ...]] = (
    _guard(
        rule="upvotes_as_usual",
        promise=f"A new list of {LONG} papers or more has at most {USUAL} times the level of upvotes that {BEFORE} had "
        f"when they were as old, as a median, and at least a {RARELY}th{OF_FEWER}",
        check=upvotes_as_usual,
        evidence="0.1 to 2.6 times, in 363 lists; with all upvotes times ten 344 of them would be over it",
    ),
    _guard(
        rule="comments_as_usual",
        promise=f"The share of papers without a comment, of a new list of {SHORT} or more, is at most {SILENT:.0%} "
        f"above that of {BEFORE} when they were as old, as a median{OF_FEWER}",
        check=comments_as_usual,
        evidence="at most 41% above it, in 464 lists",
    ),
    _guard(
        rule="submitters_as_usual",
        promise=f"The share of one submitter, of a new list of {SHORT} papers or more, is at most {ALONE:.0%} above "
        f"what they had in {BEFORE}{OF_FEWER}",
        check=submitters_as_usual,
        evidence="at most 74% above it: one person submitted ten of ten papers, and a quarter of those before",
    ),
)
