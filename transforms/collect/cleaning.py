"""Cleaning of text, the same for all layouts, as expressions over whole columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import polars as pl

from warehouse.schema.table import Cleaning, Column

UNEVEN_SPACE = r"[\s--[ ]]\s*| \s+"  # touches only what is not already a single space
# Whitespace but the space, in classes of at most ten: those the regex engine looks for as it does for literals
ODD_SPACES = (
    r"\n",
    r"[\t\x0b\x0c\r\x{85}\x{a0}]",
    r"[\x{1680}\x{2000}-\x{2008}]",
    r"[\x{2009}\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]",
)


def one_line(text: pl.Expr) -> pl.Expr:
    """Text with every run of whitespace one space, none at the ends; null where nothing is left."""
    return trimmed(text.str.replace_all(UNEVEN_SPACE, " "))


def one_long_line(text: pl.Expr) -> pl.Expr:
    """What `one_line` gives, 3 times sooner for abstracts and later for names (`bench/read.py`)."""
    for odd_space in ODD_SPACES:
        text = text.str.replace_all(odd_space, " ")
    return trimmed(text.str.replace_all("  +", " "))


def trimmed(text: pl.Expr) -> pl.Expr:
    """Text without whitespace at the ends; null where nothing is left."""
    return text.str.strip_chars().replace("", None)  # `when(bare != "").then(bare)` would strip, and collapse, twice


def address(text: pl.Expr) -> pl.Expr:
    """A URL as a browser takes it: without line ends and tabs wherever they stand (two of 2,879 have one)."""
    return trimmed(text.str.replace_all(r"[\t\n\r]", ""))


CLEANERS: Final[dict[Cleaning, Callable[[pl.Expr], pl.Expr]]] = {
    "line": one_line,
    "long_line": one_long_line,
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
    r"""What a text says: its letters and digits in lower case, whatever its wrapping, punctuation and LaTeX markup, and
    under whichever name it has an address of the Hub.

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
