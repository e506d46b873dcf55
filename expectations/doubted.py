"""Guards on what a page says against itself: of how many of its items each doubt may be said (`sightings.doubts`)."""

from functools import partial
from typing import Final, NamedTuple

import polars as pl

from expectations.checks import Dimension, Finding, Guard
from expectations.comparison import Comparison
from expectations.seen_again import NEEDED, odd_on_a_page

NEVER: Final = 0.0, 1  # share of the papers of a page, papers: what no honest page shows
HARDLY: Final = 0.0, 2


class Doubt(NamedTuple):
    """A doubt, and the limit over which a page is refused.

    The limit is a share of the page's papers that have the column `of`, and at least so many papers.
    """

    name: str
    rule: str
    words: str
    evidence: str
    limit: tuple[float, int]
    of: str = "arxiv_id"
    dimension: Dimension = "consistency"


DOUBTS: Final = (
    Doubt("thumbnail", "thumbnails_fit", "a thumbnail of another id", "none of 7,741", NEVER),
    Doubt(
        "author_records",
        "records_fit",
        "authors whose records the Hub did not make together, or not with the discussion",
        "none of 7,742; those of authors within a second, the discussion's within 164",
        NEVER,
    ),
    Doubt(
        "author_order",
        "authors_in_order",
        "authors in another order than their records",
        "1 of 7,742",
        (0.2, 3),
    ),
    Doubt(
        "arxiv_id",
        "ids_in_time",
        "an arXiv id with a number that its month had not reached",
        "none: the id furthest ahead is of a day that begins 1.1 days later, at 34,000 a month",
        NEVER,
    ),
    Doubt("published_at", "moments_fit", "two moments of publishing", "none of 5,648", (0.1, 2), dimension="accuracy"),
    Doubt(
        "title", "titles_fit", "a title that fits another abstract better", "at most 25% of a page, 3 papers", (0.3, 3)
    ),
    Doubt(
        "ai_summary",
        "ai_summaries_fit",
        "an AI summary that fits another abstract better",
        "none of 4,692",
        (0.2, 2),
        "ai_summary",
    ),
    Doubt(
        "keywords", "keywords_fit", "keywords that fit another abstract better", "none of 5,025", (0.2, 2), "keywords"
    ),
    Doubt(
        "repository",
        "repositories_fit",
        "a repository that is named like nothing of the paper's",
        "23 of 2,413, at most 1 of a page",
        (0.34, 3),
        "github_url",
    ),
    Doubt(
        "title_markup",
        "titles_bare",
        "markup in the title",
        "none; `<think>` is a word",
        HARDLY,
        dimension="conformity",
    ),
    Doubt(
        "title_letters",
        "titles_of_one_script",
        "a title with letters that look Latin and are not, or that nobody sees",
        "none; one could be an author's own",
        HARDLY,
        dimension="conformity",
    ),
    Doubt(
        "abstract_cut",
        "abstracts_whole",
        "an abstract without the end of a sentence, or of fewer than 250 letters",
        "34 of 7,785, at most 14% of a page",
        (0.3, 3),
        dimension="completeness",
    ),
    Doubt(
        "abstract_of_two",
        "abstracts_of_one",
        "an abstract of over 1,950 letters, or with sentences of another one of the page and its own",
        "none; the longest has 1,923 letters",
        NEVER,
        dimension="uniqueness",
    ),
)


def doubted(one: Doubt, tables: Comparison) -> Finding:
    share, fewest = one.limit
    rows = tables.new_rows("doubts", one.of).filter(pl.col(one.of).is_not_null())
    found = Finding(f"papers of a page have {one.words}", rows.height)
    return odd_on_a_page(found, rows, pl.col("doubts").list.contains(one.name), share, fewest)


def titles_disguised(tables: Comparison) -> Finding:
    """Papers seen again with another title, which has letters that look Latin and are not."""
    known_at, observed_at = pl.col("known_at"), pl.col("observed_at")
    rows = tables.shown("title", "doubts").with_columns(
        is_known=known_at.min().over("paper_id") < observed_at,
        is_another=known_at.min().over("paper_id", "title") >= observed_at,
    )
    again = rows.filter("is_new", "is_known")
    found = Finding("papers seen again have letters in the title that look Latin and are not", again.height)
    return found.fail(again.filter("is_another", pl.col("doubts").list.contains("title_letters")))


def _promise(one: Doubt) -> str:
    share, fewest = one.limit
    if one.limit == NEVER:
        return f"No paper of a page has {one.words}."
    of_those = "" if one.of == "arxiv_id" else f" that have `{one.of}`"
    return f"Of the papers of a page{of_those}, at most {share:.0%} have {one.words}; fewer than {fewest} are allowed."


_guard = partial(Guard, needs=NEEDED, kind="pages")


GUARDS: Final[tuple[Guard, ...]] = (
    *(
        _guard(
            table="sightings",
            rule=one.rule,
            promise=_promise(one),
            dimension=one.dimension,
            check=partial(doubted, one),
            evidence=one.evidence,
        )
        for one in DOUBTS
    ),
    _guard(
        table="papers",
        rule="titles_undisguised",
        promise="No paper that a page shows again has another title with letters that look Latin and are not.",
        dimension="accuracy",
        check=titles_disguised,
        evidence="none",
    ),
)
