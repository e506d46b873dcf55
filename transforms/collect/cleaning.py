"""Cleaning, the same for all layouts, as expressions over whole columns: texts, and the dates of an item.

Of the dates, the source's instants are parsed, and each is given what it may be trusted with (docs/source.md §5).
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

import polars as pl

from warehouse.schema.daily_lists import NEW_YORK
from warehouse.schema.table import Cleaning, Column

UNEVEN_SPACE = r"[\s--[ ]]\s*| \s+"  # touches only what is not already a single space


def one_line(text: pl.Expr) -> pl.Expr:
    """Text with every run of whitespace one space, none at the ends; null where nothing is left."""
    return trimmed(text.str.replace_all(UNEVEN_SPACE, " "))


def trimmed(text: pl.Expr) -> pl.Expr:
    """Text without whitespace at the ends; null where nothing is left."""
    return text.str.strip_chars().replace("", None)  # `when(bare != "").then(bare)` would strip, and collapse, twice


def address(text: pl.Expr) -> pl.Expr:
    """A URL as a browser takes it: without line ends and tabs wherever they stand (two of 2,879 have one)."""
    return trimmed(text.str.replace_all(r"[\t\n\r]", ""))


CLEANERS: Final[dict[Cleaning, Callable[[pl.Expr], pl.Expr]]] = {
    "line": one_line,
    "trim": trimmed,
    "url": address,
}


def cleaned(column: Column, text: pl.Expr | None = None) -> pl.Expr:
    """Text of the source as its column declares it; by default the frame's column of that name."""
    return CLEANERS[column.cleaning](pl.col(column.name) if text is None else text)


NOT_SPOKEN = r"[^\p{L}\p{N}]"  # all that is no letter and no digit
# LaTeX that says how text looks, not what it says. Its backslash is often lost: `texttt{D}ual`, `{scriptsize ..}`
# (docs/source.md §7)
TYPEFACE = (
    r"(?:\\|\b)(?:text(?:bf|it|sc|tt|rm|sf|sl|normal)?|math(?:bf|it|rm|sf|tt|cal|bb|frak)|emph|mbox|underline)\s*\{"
    r"|\\(?:rm|bf|it|tt|sc|sf|em|small|large)\b|[\\{]\\?(?:tiny|scriptsize|footnotesize)\b"
)

# The Hub's host and those of mirrors, which put theirs in its place wherever it stands (docs/source.md §8)
HUB_HOST = r"\b(?:huggingface|hf(?:-mirror)?)(?:\.[a-z][a-z0-9-]*)+"


def content_key(text: pl.Expr) -> pl.Expr:
    r"""What a text says: its letters and digits in lower case.

    Whatever its wrapping, punctuation and LaTeX markup, and under whichever name it has an address of the Hub.

    `$\textit{Slow} 2.6$\times$` and `Slow 2.6times` agree. A text of nothing but signs is its own key.
    """
    bare = (
        text.str.replace_all(TYPEFACE, "")
        .str.replace_all(HUB_HOST, "huggingface")
        .str.normalize("NFKC")
        .str.to_lowercase()
    )
    return letters(bare, text)


def letters(text: pl.Expr, otherwise: pl.Expr) -> pl.Expr:
    """The letters and digits of a text; of one that has none, something else."""
    return pl.coalesce(text.str.replace_all(NOT_SPOKEN, "").replace("", None), otherwise)


INSTANTS: Final = ("published", "submitted", "listed")
# The one form of 27,183 instants (docs/source.md §5), read 4 x faster than any
INSTANT_FORMAT = "%Y-%m-%dT%H:%M:%S.%3fZ"
ANY_FORMAT = "%Y-%m-%dT%H:%M:%S%.f%#z"  # any fraction, `Z` or an offset

# What the outer publishedAt meant depends on when the page was fetched (docs/source.md §5.1)
# From 2024-06-12 to 2024-11-28 it is 1.5 h before the time in the record's own id (1,253 of 1,733 listings; the other
# records were made earlier), summer and winter, and 422 stand before their list had opened
EARLY_SINCE = datetime(2024, 6, 12)
EARLY_BY = timedelta(hours=1, minutes=30)
WALL_CLOCK_SINCE = datetime(2024, 11, 29)
MEANINGLESS_SINCE = datetime(2025, 3, 11)


def dates_of_items() -> dict[str, pl.Expr]:
    """The three dates, each from the place that may be trusted with it; the instants are columns `…_instant`."""
    published, listed = pl.col("published_instant"), pl.col("listed_instant").dt.date()
    observed_at = pl.col("observed_at")
    return {
        "published_on": pl.coalesce(published.dt.date(), "published_on"),
        "published_basis": pl.when(published.is_not_null()).then(pl.lit("stated")).otherwise("published_basis"),
        "published_at": unless_midnight(published),
        "submitted_at": submitted_at(pl.col("submitted_instant"), observed_at),
        "submitted_basis": submitted_basis(observed_at),
        "listed_on": pl.coalesce("page_listed_on", listed),
        "listed_basis": pl.coalesce("page_listed_basis", pl.when(listed.is_not_null()).then(pl.lit("item"))),
    }


def instant(text: pl.Expr) -> pl.Expr:
    """The source's instants as UTC without zone; null where the text is none."""
    usual = text.str.to_datetime(INSTANT_FORMAT, time_unit="us", strict=False)
    others = pl.when(usual.is_null()).then(text).str.to_datetime(ANY_FORMAT, time_unit="us", strict=False)
    return pl.coalesce(usual, others.dt.replace_time_zone(None))


def unless_midnight(moment: pl.Expr) -> pl.Expr:
    """Null where only the day is known: since 2026-04-03 the source cuts instants to midnight (docs/source.md §3)."""
    return pl.when(moment.dt.time() != pl.time(0)).then(moment)


def submitted_at(given: pl.Expr, observed_at: pl.Expr) -> pl.Expr:
    """When a paper was submitted to Daily: as stated at first, then early, then New York wall clock, then no more."""
    wall_clock = given.dt.replace_time_zone(NEW_YORK.key, ambiguous="earliest", non_existent="null")
    in_utc = wall_clock.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    return (
        pl.when(observed_at < EARLY_SINCE)
        .then(given)
        .when(observed_at < WALL_CLOCK_SINCE)
        .then(given + EARLY_BY)
        .when(observed_at < MEANINGLESS_SINCE)
        .then(in_utc)
    )


def submitted_basis(observed_at: pl.Expr) -> pl.Expr:
    return (
        pl.when(observed_at < EARLY_SINCE)
        .then(pl.lit("stated"))
        .when(observed_at < MEANINGLESS_SINCE)
        .then(pl.lit("inferred"))
    )
