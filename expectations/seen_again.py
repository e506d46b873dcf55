"""Guards on papers that a new page shows again: each page is compared with the pages before it.

Those may be pages of the same build, so that a build of many days finds what a build of each day would have found. A
page of many papers is judged by itself, since among all new rows its faults could be too small a share.
"""

from functools import partial
from typing import Final, NamedTuple

import polars as pl
import polars.selectors as cs

from expectations.checks import BUT_FEW, FEWEST, Dimension, Finding, Guard
from expectations.comparison import HOURS_OPEN, LISTED_BY_API, Comparison
from expectations.report import PageFault
from warehouse.schema.shared import ONE_LOOK

NEEDED: Final = frozenset({"captures", "sightings", "papers", "daily_listings"})  # tables
SWAPPED: Final = 2  # papers with another paper's own value: no title stands under two ids (docs/source.md §6)
FALLEN: Final = 0.2  # share of the papers of a page
FAR_FALLEN: Final = 2, 0.8, 2  # upvotes, times what it had, papers: one may lose them, as people take votes back
ONE_FALLEN: Final = 4, 0.7  # upvotes, times what it had: more than people take back from one paper
RISEN: Final = 20  # times what it was
RISEN_LISTED: Final = 4  # times, of a list that had been open for OPEN_LONG
OPEN_LONG: Final = 3  # hours; before that a list has few upvotes, which multiply quickly
ALIKE: Final = 3, 0.1  # times the page's median growth, share of its papers
HELD: Final = 0.5  # share of the papers of which two looks say the same
RESTING: Final = 1.1  # times, the median growth of a list whose upvotes are counted already
OUTGROWN: Final = 1.95, 0.08, 2  # times that growth, share of the papers of such a list, papers
ONE_OUTGROWN: Final = 5, 5  # times that growth, of one paper that had so many upvotes already
DAMPED, DAMPED_LISTED, DAMPED_RESTING = 10, 5, 3  # upvotes added to both sides of a ratio: the newest papers have none
GREW: Final = {"upvote_count": 1.5, "comment_count": 1.1, "github_star_count": 1.1}  # times, on honest pages
COUNTS: Final = {"upvote_count": "upvotes", "comment_count": "comments", "github_star_count": "stars"}


class KeptColumn(NamedTuple):
    """A column whose value rarely changes, and the share of a page's papers that may have another value.

    A value that `is_own` is one paper's alone: no two papers may have exchanged it. One that `is_steady` does not
    disappear from the API's lists either.
    """

    column: str
    rule: str
    words: str
    evidence: str
    share: float = 0.1
    is_own: bool = False
    is_steady: bool = False
    dimension: Dimension = "accuracy"


# The evidence: of the 49 papers that real pages show again, how many of those with a value both times have another one
KEPT: Final = (
    KeptColumn("title", "titles_kept", "another title", "0 of 49 papers seen again", 0.05, is_own=True),
    KeptColumn("abstract", "abstracts_kept", "another abstract", "0 of 49", 0.2, is_own=True),
    KeptColumn("authors", "authors_kept", "other authors", "0 of 49", 0.2),
    KeptColumn("published_on", "dates_kept", "another published_on", "0 of 49"),
    KeptColumn("discussion_id", "discussions_kept", "another discussion", "0 of 24", is_own=True),
    KeptColumn("submitter_login", "submitters_kept", "another submitter", "1 of 35: a paper that was submitted again"),
    KeptColumn("organization_login", "organizations_kept", "another organization", "0 of 12", is_steady=True),
    KeptColumn(
        "organization_name", "organization_names_kept", "an organization of another name", "0 of 12", is_steady=True
    ),
    KeptColumn("github_url", "repositories_kept", "another repository", "0 of 11", is_own=True),
    KeptColumn(
        "project_url",
        "project_pages_kept",
        "another project page",
        "1 of 11: a paper that was submitted again",
        is_own=True,
    ),
    KeptColumn("media_urls", "media_kept", "other pictures and films", "0 of 2", 0.2),
    KeptColumn("ai_summary", "ai_summaries_kept", "another AI summary", "0 of 23", is_own=True),
    KeptColumn("keywords", "keywords_kept", "other keywords", "0 of 23", is_own=True),
    KeptColumn(
        "listed_on",
        "list_days_kept",
        "another list day",
        "1 of 22 papers of a list, at most: 4 of 10,049 papers were submitted again (docs/source.md §6)",
        0.2,
        dimension="consistency",
    ),
)


def kept(one: KeptColumn, tables: Comparison) -> Finding:
    """Papers with a value that no page gave before; so a good day passes after a bad one that was accepted."""
    known_at, observed_at = pl.col("known_at"), pl.col("observed_at")
    has_value = pl.col(one.column).is_not_null()
    had_value = pl.when(has_value).then(observed_at).min().over("paper_id") < observed_at
    shown = (
        tables.shown(one.column)
        .with_columns(
            is_known=pl.when(has_value).then(known_at).min().over("paper_id") < observed_at,
            is_gone=LISTED_BY_API & had_value & one.is_steady,
            is_another=known_at.min().over("paper_id", one.column) >= observed_at,
            is_of_another=known_at.min().over(one.column) < observed_at,
            is_shown_again=known_at.min().over("paper_id") < observed_at,
        )
        .filter("is_new")
    )
    again = shown.filter("is_known", has_value | pl.col("is_gone"))
    found = Finding(f"papers seen again have {one.words}", again.height)
    odd = odd_rows(again, pl.col("is_another"), one.share)
    if odd.is_empty() and one.is_own:
        again = shown.filter("is_shown_again", has_value)
        found = Finding(f"papers seen again have {one.words}, that of another paper", again.height)
        odd = odd_rows(again, pl.col("is_another") & pl.col("is_of_another"), 0.0, SWAPPED)
    others = tables.shown(one.column).filter(has_value).rename({one.column: "said"})
    is_other = pl.col("said").ne_missing(pl.col(one.column))
    return against(found.fail(odd), odd, others, is_other)


def rarely_falls(name: str, tables: Comparison) -> Finding:
    again = _counted_again(name, tables)
    found = Finding(f"papers seen again have lost {COUNTS[name]}", again.height)
    return _by_count(found, odd_rows(again, pl.col(name) < pl.col("last"), FALLEN), tables, name)


def upvotes_never_collapse(tables: Comparison) -> Finding:
    lost, left, fewest = FAR_FALLEN
    one_lost, one_left = ONE_FALLEN
    again = _counted_again("upvote_count", tables)
    count, last = pl.col("upvote_count"), pl.col("last")
    found = Finding("papers seen again have lost a fifth of their upvotes", again.height)
    is_odd = (last - count >= lost) & (count < left * last)
    is_far = (last - count >= one_lost) & (count < one_left * last)
    return _by_count(found, odd_rows(again, _several(is_odd, 0.0, fewest) | is_far, 0.0, 1), tables, "upvote_count")


def rises_slowly(name: str, tables: Comparison) -> Finding:
    """Papers seen again with a count many times the highest that it was."""
    again = _counted_again(name, tables)
    meaning = f"papers seen again have over {RISEN} times the {COUNTS[name]} of before, as a median"
    found = Finding(meaning, again.height)
    return _by_count(found, odd_rows(again, _growth(name, DAMPED) > RISEN, 0.5), tables)


def listed_rise_slowly(tables: Comparison) -> Finding:
    """Papers whose upvotes multiplied, on a daily list that had been open for some hours when it was seen before."""
    again = _counted_again("upvote_count", tables).filter(pl.col("hours_open_before") >= OPEN_LONG)
    found = Finding(f"a list's papers have over {RISEN_LISTED} times the upvotes of before, as a median", again.height)
    return _by_count(found, odd_rows(again, _growth("upvote_count", DAMPED_LISTED) > RISEN_LISTED, 0.5), tables)


def listed_rise_alike(tables: Comparison) -> Finding:
    """Papers of a daily list whose upvotes grew far more than those of its other papers, however young the list was."""
    times, share = ALIKE
    again = _counted_again("upvote_count", tables).drop_nulls("listed_on")
    found = Finding(f"a list's papers grew over {times} times as much in upvotes as its median", again.height)
    growth = _growth("upvote_count", DAMPED_LISTED)
    usual = pl.max_horizontal(growth.median().over("page"), 1.0)
    return _by_count(found, odd_rows(again, growth > times * usual, share), tables)


def resting_lists_rest(tables: Comparison) -> Finding:
    """Papers of a daily list whose upvotes multiplied while those of the others hardly grew."""
    times, share, fewest = OUTGROWN
    one_times, had = ONE_OUTGROWN
    again = _counted_again("upvote_count", tables).drop_nulls("listed_on")
    found = Finding(f"papers grew over {times} times as much in upvotes as the rest of their list", again.height)
    growth = _growth("upvote_count", DAMPED_RESTING)
    usual = pl.max_horizontal(growth.median().over("page"), 1.0)
    is_odd = (usual <= RESTING) & (growth > times * usual)
    is_far = (usual <= RESTING) & (growth > one_times * usual) & (pl.col("last") >= had)
    return _by_count(found, odd_rows(again, _several(is_odd, share, fewest) | is_far, 0.0, 1), tables)


def _several(is_odd: pl.Expr, limit: float, fewest: int) -> pl.Expr:
    """Whether a row is odd, and so many of its page are."""
    count, share = is_odd.sum().over("page"), is_odd.mean().over("page")
    return is_odd & (count >= fewest) & (share > limit)


def odd_on_a_page(found: Finding, rows: pl.DataFrame, is_odd: pl.Expr, limit: float, fewest: int = FEWEST) -> Finding:
    """Fails for each page of which more than this share of the rows are odd, and at least `fewest`."""
    return found.fail(odd_rows(rows, is_odd, limit, fewest))


def odd_rows(rows: pl.DataFrame, is_odd: pl.Expr, limit: float, fewest: int = FEWEST) -> pl.DataFrame:
    judged = rows.with_columns(is_odd=is_odd.fill_null(value=False))
    return judged.filter(_several(pl.col("is_odd"), limit, fewest))


def _by_count(found: Finding, odd: pl.DataFrame, tables: Comparison, fallen: str = "") -> Finding:
    """Fails for pages with rows whose count does not follow those of looks before; of one `fallen`, those with more."""
    # Counts change: each look says the same, that it was less
    others = tables.shown(*filter(None, [fallen])).with_columns(said=pl.lit(0))
    is_other = pl.col("observed_at_right") < pl.col("observed_at")
    if fallen:
        others, is_other = others.with_columns(had=fallen), is_other & (pl.col("had") > pl.col(fallen))
    return against(found.fail(odd), odd, others, is_other)


def against(found: Finding, odd: pl.DataFrame, others: pl.DataFrame, is_other: pl.Expr) -> Finding:
    """The finding with the page that each of its pages contradicts most.

    What that says is held if two looks, more than an hour apart, said it of half of the papers. `others` are the rows
    that `is_other` takes, for a paper, and what each `said`.
    """
    if odd.is_empty():
        return found
    names = ["paper_id", "capture_id", "observed_at", "said"]
    pairs = odd.join(others.select(*names, cs.by_name("had", require_all=False)), on="paper_id", suffix="_right")
    pairs = pairs.filter(is_other, pl.col("capture_id") != pl.col("capture_id_right"))
    at = pl.col("observed_at_right")
    said = pairs.group_by("capture_id", "paper_id", "said").agg(is_held=at.max() - at.min() > ONE_LOOK)
    papers = said.group_by("capture_id", "paper_id").agg(pl.col("is_held").any())
    held = papers.group_by("capture_id").agg(is_held=pl.col("is_held").mean() >= HELD)
    most = pairs.group_by("capture_id", "capture_id_right").len().sort("len", "capture_id_right", descending=True)
    pages = held.join(most.unique("capture_id", keep="first", maintain_order=True), on="capture_id").sort("capture_id")
    told = {
        row[0]: PageFault(*row)
        for row in pages.select(pl.col("capture_id", "capture_id_right").cast(pl.String), "is_held").iter_rows()
    }
    return found._replace(faults=tuple(told.get(one.capture_id, one) for one in found.faults))


def _counted_again(name: str, tables: Comparison) -> pl.DataFrame:
    """New rows of papers whose count an earlier page gave.

    Beside them the highest value `most`, the `last` one, and the hours that the row's list had been open then.
    """
    counted = tables.shown(name).drop_nulls(name).filter(pl.col("paper_id").is_duplicated())  # most are seen once
    earlier = counted.with_columns(
        most=pl.col(name).cum_max().shift().over("paper_id"),
        last=pl.col(name).shift().over("paper_id"),
        hours_open_before=HOURS_OPEN - pl.col("observed_at").diff().over("paper_id").dt.total_seconds() / 3600,
    )
    return earlier.filter("is_new", pl.col("most").is_not_null())


def _growth(name: str, damped: int) -> pl.Expr:
    return (pl.col(name) + damped) / (pl.col("most") + damped)


_guard = partial(Guard, table="papers", dimension="accuracy", needs=NEEDED, kind="pages")


def _fall_guard(name: str) -> Guard:
    return _guard(
        rule=f"{COUNTS[name]}_rarely_fall",
        promise=f"Of the papers that a page shows again, at most {FALLEN:.0%} have fewer {COUNTS[name]}{BUT_FEW}",
        check=partial(rarely_falls, name),
        evidence="0 of 49",
    )


def _kept_guard(one: KeptColumn) -> Guard:
    none = ", or none where the API lists them" if one.is_steady else ""
    own = f" Fewer than {SWAPPED} have what was another paper's." if one.is_own else ""
    return _guard(
        rule=one.rule,
        promise=f"Of the papers that a page shows again, at most {one.share:.0%} have {one.words}{none}{BUT_FEW}{own}",
        dimension=one.dimension,
        check=partial(kept, one),
        evidence=one.evidence,
    )


# A draft whose new pages break one of these is refused, unless a person says why it may pass
GUARDS: Final[tuple[Guard, ...]] = (
    *map(_kept_guard, KEPT),
    _fall_guard("upvote_count"),
    _guard(
        rule="upvotes_never_collapse",
        promise=f"Fewer than {FAR_FALLEN[2]} papers that a page shows again have lost {FAR_FALLEN[0]} upvotes and "
        f"a fifth of them; none has lost {ONE_FALLEN[0]} and {1 - ONE_FALLEN[1]:.0%}.",
        check=upvotes_never_collapse,
        evidence="0 of 49",
    ),
    _fall_guard("comment_count"),
    *(
        _guard(
            rule=f"{word}_rise_slowly",
            promise=f"Papers that a page shows again have at most {RISEN} times the {word} of before, as a median; "
            f"{DAMPED} are added to both{BUT_FEW}",
            check=partial(rises_slowly, name),
            evidence=f"at most {GREW[name]} times, on a page of three or more",
        )
        for name, word in COUNTS.items()
    ),
    _guard(
        rule="listed_upvotes_rise_slowly",
        promise=f"Papers of a list that had been open for {OPEN_LONG} hours when it was seen before have at most "
        f"{RISEN_LISTED} times the upvotes, as a median; {DAMPED_LISTED} are added to both{BUT_FEW}",
        check=listed_rise_slowly,
        evidence="at most 1.8 times",
    ),
    _guard(
        rule="listed_upvotes_rise_alike",
        promise=f"Of the papers of a list that is seen again, at most {ALIKE[1]:.0%} grew more than {ALIKE[0]} times "
        f"as much in upvotes as its median; {DAMPED_LISTED} are added to both{BUT_FEW}",
        check=listed_rise_alike,
        evidence="at most 1.4 times",
    ),
    _guard(
        rule="resting_lists_rest",
        promise=f"Where the upvotes of a list grew at most {RESTING} times as a median, at most {OUTGROWN[1]:.0%} of "
        f"its papers grew more than {OUTGROWN[0]} times as much; {DAMPED_RESTING} are added to both; fewer than "
        f"{OUTGROWN[2]} such rows are allowed, and none that had {ONE_OUTGROWN[1]} upvotes and grew {ONE_OUTGROWN[0]} "
        "times as much.",
        check=resting_lists_rest,
        evidence="at most 1.4 times",
    ),
)
