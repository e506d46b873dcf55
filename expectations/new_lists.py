"""Guards on what a new page shows, of papers seen before or not: its days, its order, how high its counts are."""

from datetime import timedelta
from functools import partial
from typing import Final

import polars as pl

from expectations.checks import BUT_FEW, FEWEST, Finding, Guard
from expectations.comparison import HOURS_OPEN, LISTED_BY_API, Comparison
from expectations.seen_again import NEEDED, OPEN_LONG, odd_on_a_page

EARLY: Final = 1  # hours before a list opens: clocks differ
LATE: Final = 60, 0.25  # days from arXiv to the list, share of the papers of a page
BEFORE_ID: Final = 180, 0.1  # days before the month of the arXiv id, share of the papers of a page
RISING: Final = 2, 0.1  # papers, share of a list
BEFORE_MONTH: Final = 0.6  # share of the papers of a page
OUTER: Final = ["outer_title", "outer_abstract", "outer_organization_login", "outer_submitter_login"]
OTHERWISE: Final = 3, 0.25  # papers, share of a page
SHORT: Final = 5  # papers; of a shorter list nothing is concluded
# What more than this share of a list's papers do not have at once: the most of a real list are 33, 67 and 31 %
FEW: Final = {
    "zeros": ("no upvotes", 0.45, pl.col("upvote_count") == 0),
    "ones": ("at most one upvote", 0.8, pl.col("upvote_count") <= 1),
    "comments": ("more comments than upvotes", 0.45, pl.col("comment_count") > pl.col("upvote_count")),
}
ROUND: Final = 5, 0.6  # counts that end in 0, share of those that are not 0
ID_MONTH: Final = pl.concat_str(pl.lit("20"), pl.col("arxiv_id").str.extract(r"^([0-9]{4})\.")).str.to_date(
    "%Y%m", strict=False
)
IS_DAILY: Final = pl.col("listed_on").is_not_null()


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
    """Papers of a page that share one text; one repository only on a day's list: of a month several may have one."""
    rows = tables.new_rows(name).drop_nulls(name)
    rows = rows.filter(list_kind="daily") if name == "github_url" else rows
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


def dates_in_month(tables: Comparison) -> Finding:
    """Papers published before the month of their arXiv id: so are those of its first days, and none of its last ten."""
    rows = tables.new_rows("arxiv_id", "published_on").drop_nulls(["arxiv_id", "published_on"])
    found = Finding("published_on lies before the month of the arXiv id", rows.height)
    return odd_on_a_page(found, rows, pl.col("published_on") < ID_MONTH, BEFORE_MONTH)


def places_agree(tables: Comparison) -> Finding:
    """Papers of which the outer object of an item says otherwise than the inner one."""
    fewest, share = OTHERWISE
    rows = tables.new_rows(*OUTER)
    found = Finding("two places of an item say otherwise", rows.height)
    return odd_on_a_page(found, rows, pl.any_horizontal(pl.col(OUTER).is_not_null()), share, fewest)


def upvotes_there(name: str, tables: Comparison) -> Finding:
    words, share, is_odd = FEW[name]
    rows = tables.new_rows("upvote_count", "comment_count").filter(LISTED_BY_API, HOURS_OPEN >= OPEN_LONG)
    rows = rows.drop_nulls("upvote_count").filter(pl.len().over("page") >= SHORT)
    return odd_on_a_page(Finding(f"papers of a list have {words}", rows.height), rows, is_odd, share)


_guard = partial(Guard, table="sightings", needs=NEEDED, kind="pages")


GUARDS: Final[tuple[Guard, ...]] = (
    _guard(
        rule="lists_open",
        promise=f"No paper is on the list of a day that opens more than {EARLY} hour after the page was fetched.",
        dimension="consistency",
        check=lists_open,
        evidence="the earliest of 469 looks came 1.8 hours after its list had opened",
    ),
    _guard(
        rule="listed_soon",
        promise=f"Of the papers of a list, at most {LATE[1]:.0%} are listed more than {LATE[0]} days after "
        f"published_on{BUT_FEW}",
        dimension="accuracy",
        check=listed_soon,
        evidence="10 of 7,755 papers, at most 2 of a list; 21 after more than 30 days, the last after 136",
    ),
    _guard(
        rule="dates_fit_ids",
        promise=f"Of the papers of a page, at most {BEFORE_ID[1]:.0%} have a published_on more than {BEFORE_ID[0]} "
        f"days before the month in their arXiv id{BUT_FEW}",
        dimension="accuracy",
        check=dates_fit_ids,
        evidence="at most 83 days before it, in 7,785",
    ),
    *(
        _guard(
            rule=rule,
            promise=f"Fewer than {FEWEST} papers of {where} have the same {name}.",
            dimension="uniqueness",
            check=partial(texts_differ, name),
            evidence=evidence,
        )
        for name, rule, where, evidence in (
            ("title", "titles_differ", "a page", "no title stands under two ids"),
            ("abstract", "abstracts_differ", "a page", "one stands under two ids"),
            ("github_url", "repositories_differ", "a day's list", "no repository stands under two ids of a page"),
        )
    ),
    _guard(
        rule="lists_in_order",
        promise=f"Of the papers of a list of the API, at most {RISING[1]:.0%} have more upvotes than one above; "
        f"fewer than {RISING[0]} are allowed.",
        dimension="consistency",
        check=lists_in_order,
        evidence="none in 469 answers",
    ),
    _guard(
        rule="upvotes_exact",
        promise=f"Of the upvotes of a list that are not 0, at most {ROUND[1]:.0%} end in 0; fewer than {ROUND[0]} are "
        "allowed.",
        dimension="accuracy",
        check=upvotes_exact,
        evidence="6 % of all; at most 33 % of a list that has 5 of them",
    ),
    *(
        _guard(
            rule=rule,
            promise=f"Of the papers of a list of the API that has {SHORT} or more and was open for "
            f"{OPEN_LONG} hours, at most {FEW[name][1]:.0%} have "
            f"{FEW[name][0]}{BUT_FEW}",
            dimension="accuracy",
            check=partial(upvotes_there, name),
            evidence=evidence,
        )
        for name, rule, evidence in (
            ("zeros", "upvotes_there", "at most 33%"),
            ("ones", "upvotes_spread", "at most 67%"),
            ("comments", "comments_fewer", "at most 31%"),
        )
    ),
    _guard(
        rule="dates_in_month",
        promise=f"Of the papers of a page, at most {BEFORE_MONTH:.0%} have a published_on before the month of their "
        f"arXiv id{BUT_FEW}",
        dimension="accuracy",
        check=dates_in_month,
        evidence="at most 50%, in the first days of a month",
    ),
    _guard(
        rule="places_agree",
        promise=f"Of at most {OTHERWISE[1]:.0%} of the papers of a page, the outer object of the item says otherwise "
        f"than the inner one{BUT_FEW}",
        dimension="consistency",
        check=places_agree,
        evidence="another title in 19 of 2,891, at most 2 of a page",
    ),
)
