"""Guards on what a new page shows, of papers seen before or not: its days, its order, how high its counts are.

New lists are compared with earlier ones that were fetched when they had been open about as long: lists were fetched at
17 UTC in 2024, and at 8 UTC since.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Final

import polars as pl

from expectations.checks import BUT_FEW, FEWEST, Finding, Guard
from expectations.comparison import HOURS_OPEN, LISTED_BY_API, Comparison
from expectations.seen_again import NEEDED, odd_on_a_page

EARLY: Final = 1  # hours before a list opens: clocks differ
LATE: Final = 60, 0.25  # days from arXiv to the list, share of the papers of a page
BEFORE_ID: Final = 180, 0.1  # days before the month of the arXiv id, share of the papers of a page
RISING: Final = 2, 0.1  # papers, share of a list
ROUND: Final = 5, 0.6  # counts that end in 0, share of those that are not 0
USUAL: Final = 4  # times the level of earlier lists
COMPARED: Final = timedelta(days=60), 5  # how far back those lists may be, how many there must be
LONG: Final = 10  # papers; in a shorter list a single paper decides the level
AS_OLD: Final = 2  # lists are compared if neither had been open more than so many times as long as the other
ID_MONTH: Final = pl.concat_str(pl.lit("20"), pl.col("arxiv_id").str.extract(r"^([0-9]{4})\.")).str.to_date(
    "%Y%m", strict=False
)
IS_DAILY: Final = pl.col("listed_on").is_not_null()
LOOKS: Final = ("capture_id", "source", "list_kind", "listed_on", "observed_at", "upvote_count")


def lists_open(tables: Comparison) -> Finding:
    """Papers on the list of a day that opens only after the page was fetched."""
    rows = tables.new_rows().filter(IS_DAILY)
    found = Finding("papers are on the list of a day that was yet to come", rows.height)
    return found.fail(rows.filter(pl.lit(-EARLY) > HOURS_OPEN), ("listed_on", "paper_id", "capture_id"))


def listed_soon(tables: Comparison) -> Finding:
    days, share = LATE
    rows = tables.new_rows("published_on").filter(IS_DAILY).drop_nulls("published_on")
    found = Finding(f"papers are listed over {days} days after published_on", rows.height)
    return odd_on_a_page(found, rows, pl.col("listed_on") - pl.col("published_on") > timedelta(days), share)


def dates_fit_ids(tables: Comparison) -> Finding:
    """Papers published long before the month of their arXiv id, which does not shift when all dates of a page do."""
    days, share = BEFORE_ID
    rows = tables.new_rows("arxiv_id", "published_on").drop_nulls(["arxiv_id", "published_on"])
    found = Finding(f"published_on lies over {days} days before the month of the arXiv id", rows.height)
    return odd_on_a_page(found, rows, ID_MONTH - pl.col("published_on") > timedelta(days), share)


def texts_differ(name: str, tables: Comparison) -> Finding:
    """Papers of a page that share one text."""
    rows = tables.new_rows(name).drop_nulls(name)
    found = Finding(f"{FEWEST} papers or more of a page have the same {name}", rows.height)
    return found.fail(rows.filter(pl.col("paper_id").n_unique().over("page", name) >= FEWEST))


def lists_in_order(tables: Comparison) -> Finding:
    fewest, share = RISING
    rows = tables.new_rows("position", "upvote_count").filter(LISTED_BY_API).sort("page", "position")
    found = Finding("papers have more upvotes than one above", rows.height)
    fewest_above = pl.col("upvote_count").cum_min().shift().over("page")
    return odd_on_a_page(found, rows, pl.col("upvote_count") > fewest_above, share, fewest)


def upvotes_exact(tables: Comparison) -> Finding:
    fewest, share = ROUND
    rows = tables.new_rows("upvote_count").filter(IS_DAILY, pl.col("upvote_count") > 0)
    found = Finding("upvotes end in 0, as if they were rounded or multiplied", rows.height)
    return odd_on_a_page(found, rows, pl.col("upvote_count") % 10 == 0, share, fewest)


def upvotes_as_usual(tables: Comparison) -> Finding:
    """New lists whose upvotes, when first fetched, are far above those of earlier lists at the same age."""
    back, fewest = COMPARED
    new_days, day = tables.new_rows().filter(LISTED_BY_API), pl.col("listed_on")
    first, last = new_days.select(day.min() - back, last=day.max()).row(0)
    rows = tables.whole("sightings", LOOKS).filter(LISTED_BY_API, day.is_between(first, last))
    lists = first_looks(rows).collect()
    new = lists.join(tables.new_pages, on="capture_id", how="semi")
    hours = pl.col("hours"), pl.col("hours_before")
    pairs = new.join_where(
        lists.select(pl.col("listed_on", "hours", "level").name.suffix("_before")),
        pl.col("listed_on_before") < pl.col("listed_on"),
        pl.col("listed_on_before") >= pl.col("listed_on") - back,
        hours[0] <= AS_OLD * hours[1],
        hours[1] <= AS_OLD * hours[0],
    )
    usual = pairs.group_by("listed_on", "capture_id", "level").agg(pl.col("level_before").median(), pl.len())
    high = usual.filter(pl.col("len") >= fewest, pl.col("level") > USUAL * pl.col("level_before")).sort("listed_on")
    found = Finding(f"a new list has over {USUAL} times the upvotes that are usual", new.height)
    return found.fail(high, ("listed_on", "capture_id"))


def first_looks(rows: pl.LazyFrame) -> pl.LazyFrame:
    """The first page of each list day that has enough papers: how long its list was open, and its level of upvotes.

    The level is the squared mean of square roots, which neither one high count nor many zeros dominate.
    """
    known = rows.select("capture_id", "listed_on", "observed_at", "upvote_count").drop_nulls()
    pages = known.group_by("listed_on", "observed_at", "capture_id").agg(
        pl.len(), level=pl.col("upvote_count").sqrt().mean().pow(2)
    )
    in_time = pages.filter(pl.col("len") >= LONG).sort("observed_at", "capture_id")
    return in_time.unique("listed_on", keep="first").with_columns(hours=HOURS_OPEN)


_guard = partial(Guard, needs=NEEDED, kind="pages", judges="page")


GUARDS: Final[tuple[Guard, ...]] = (
    _guard(
        table="sightings",
        rule="lists_open",
        promise=f"No paper is on the list of a day that opens more than {EARLY} hour after the page was fetched.",
        dimension="consistency",
        check=lists_open,
        evidence="the earliest of 469 looks came 1.8 hours after its list had opened",
    ),
    _guard(
        table="sightings",
        rule="listed_soon",
        promise=f"Of the papers of a list, at most {LATE[1]:.0%} are listed more than {LATE[0]} days after "
        f"published_on{BUT_FEW}",
        dimension="accuracy",
        check=listed_soon,
        evidence="10 of 7,755 papers, at most 2 of a list; 21 after more than 30 days, the last after 136",
    ),
    _guard(
        table="sightings",
        rule="dates_fit_ids",
        promise=f"Of the papers of a page, at most {BEFORE_ID[1]:.0%} have a published_on more than {BEFORE_ID[0]} "
        f"days before the month in their arXiv id{BUT_FEW}",
        dimension="accuracy",
        check=dates_fit_ids,
        evidence="at most 83 days before it, in 7,785",
    ),
    *(
        _guard(
            table="sightings",
            rule=f"{name}s_differ",
            promise=f"Fewer than {FEWEST} papers of a page have the same {name}.",
            dimension="uniqueness",
            check=partial(texts_differ, name),
            evidence=evidence,
        )
        for name, evidence in (("title", "no title stands under two ids"), ("abstract", "one stands under two ids"))
    ),
    _guard(
        table="sightings",
        rule="lists_in_order",
        promise=f"Of the papers of a list of the API, at most {RISING[1]:.0%} have more upvotes than one above; "
        f"fewer than {RISING[0]} are allowed.",
        dimension="consistency",
        check=lists_in_order,
        evidence="none in 469 answers",
    ),
    _guard(
        table="sightings",
        rule="upvotes_exact",
        promise=f"Of the upvotes of a list that are not 0, at most {ROUND[1]:.0%} end in 0; fewer than {ROUND[0]} are "
        "allowed.",
        dimension="accuracy",
        check=upvotes_exact,
        evidence="6 % of all; at most 33 % of a list that has 5 of them",
    ),
    _guard(
        table="sightings",
        rule="upvotes_as_usual",
        promise=f"A new list of {LONG} papers or more has at most {USUAL} times the level of upvotes that the lists of "
        f"the {COMPARED[0].days} days before had when they were as old, as a median; of fewer than {COMPARED[1]} such "
        "lists nothing is concluded.",
        dimension="accuracy",
        check=upvotes_as_usual,
        evidence="0.2 to 2.6 times, in 349 lists; with all upvotes times ten 344 of them would be over it",
    ),
)
