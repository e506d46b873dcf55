r"""Normalising titles and abstracts for comparison, without case, punctuation and LaTeX (docs/source.md §0, §7)."""

from __future__ import annotations

import polars as pl

from transforms.collect.cleaning import NOT_SPOKEN, letters

# LaTeX commands that change how letters look: one extractor keeps their name, another drops it with the backslash
LOOKS = r"\\?(?:text|math|operator)(?:bf|it|tt|rm|sf|sc|up|normal|bb|cal|frak|scr|name)\s*\{|\\(?:emph|mbox|text)\s*\{"
SUBTITLE = r"(?:[:?!]\s|\s[-\x{2013}\x{2014}]\s|\x{2014}).*"
ABSTRACT_WORD = r"\p{L}{2,}"  # digits and single letters are where LaTeX was: `2.61$\times$` and `2.61times`
HAS_ENOUGH_WORDS = (
    r"(?:\p{L}{2,}\P{L}+){3}\p{L}{2,}"  # an abstract of fewer words agrees with none and contradicts none
)


def title_key(title: pl.Expr) -> pl.Expr:
    r"""Letters and digits of a title, in lower case: `$\ell_p$` and `ell_p` agree; a title of only signs is kept."""
    return letters(title.str.normalize("NFKC").str.to_lowercase(), title)


def folded(title: pl.Expr) -> pl.Expr:
    r"""A title in lower case without accents and commands that change how letters look: `\texttt{D}ual` is `dual`."""
    bare = title.str.replace_all(LOOKS, "").str.replace_all(r"[{}]", "")
    return bare.str.normalize("NFKD").str.replace_all(r"\p{M}", "").str.to_lowercase()


def near_key(title: pl.Expr) -> pl.Expr:
    """Letters and digits of a folded title; a title of only signs is kept."""
    return letters(title, title)


def main_key(title: pl.Expr) -> pl.Expr:
    """Letters and digits of a folded title up to its subtitle; null where it has none."""
    main = title.str.replace(SUBTITLE, "")
    return pl.when(main != title).then(main.str.replace_all(NOT_SPOKEN, "").replace("", None))


def numbers(title: pl.Expr) -> pl.Expr:
    """The numbers of a folded title: part 2 is not part 3."""
    return title.str.extract_all(r"\p{N}+")


def title_words(title: pl.Expr) -> pl.Expr:
    """The words of a folded title in order."""
    return title.str.extract_all(r"[\p{L}\p{N}]+")


def abstract_words(abstract: pl.Expr) -> pl.Expr:
    """The words of an abstract in order, in lower case."""
    return abstract.str.to_lowercase().str.extract_all(ABSTRACT_WORD)


def shingles_of(texts: pl.Series) -> pl.DataFrame:
    """`text`, and the hashes of its pairs of adjacent words (2-shingles), each once."""
    said = texts.to_frame("text").with_row_index("number")
    words = said.select("number", abstract_words(pl.col("text")).alias("word")).explode("word")
    hashed = words.with_columns(pl.col("word").hash())
    both = pl.when(pl.col("number") == pl.col("number").shift(-1)).then(
        pl.struct("word", pl.col("word").shift(-1).alias("next")).hash()
    )
    shingles = hashed.select("number", both.alias("shingles")).drop_nulls()
    grouped = shingles.group_by("number").agg(pl.col("shingles").unique())
    return said.join(grouped, on="number").drop("number")
