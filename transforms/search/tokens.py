"""The words of texts: in lower case, without accents; a hyphenated word is its parts, and these joined."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

import polars as pl

from warehouse.schema.search_rules import JOINER, LONGEST_WORD, POSSESSIVE, TITLE_TIMES, WORD

_WORD: Final = re.compile(WORD)
_JOINER: Final = re.compile(JOINER)
_POSSESSIVE: Final = re.compile(POSSESSIVE)


class Token(NamedTuple):
    """A word, or several that are joined, where it stands in a text."""

    start: int
    end: int
    words: tuple[str, ...]


def words_in(texts: pl.DataFrame) -> pl.DataFrame:
    """Each `word` of each text (`text`, its `title` and its `abstract` or null) with its `count`, titles twice."""
    fields = [
        texts.select("text", pl.col("title").alias("said"), pl.lit(TITLE_TIMES, pl.Int64).alias("count")),
        texts.select("text", pl.col("abstract").alias("said"), pl.lit(1, pl.Int64).alias("count")),
    ]
    tokens = pl.concat(fields).select("text", "count", folded(pl.col("said")).str.extract_all(WORD).alias("token"))
    counted = tokens.explode("token").drop_nulls("token").group_by("text", "token").agg(pl.col("count").sum())
    words = counted.join(_words(counted["token"].unique()), on="token")
    return words.group_by("text", "word").agg(pl.col("count").sum())


def folded(text: pl.Expr) -> pl.Expr:
    """A text in lower case without accents, as DuckDB's `lower(strip_accents(…))` does it; a final sigma is a sigma."""
    bare = text.str.normalize("NFD").str.replace_all(r"\p{M}", "").str.normalize("NFC")
    return bare.str.to_lowercase().str.replace_all("\u03c2", "\u03c3", literal=True)


def _words(tokens: pl.Series) -> pl.DataFrame:
    """`token`, and each `word` that it is; a word that is there twice counts twice."""
    bare = pl.col("token").str.replace(POSSESSIVE, "")
    parts = bare.str.replace_all(JOINER, "-").str.split("-")
    joined = pl.when(parts.list.len() > 1).then(pl.concat_list(parts.list.join(""))).otherwise(pl.lit([], parts_type()))
    words = tokens.to_frame("token").select("token", pl.concat_list(parts, joined).alias("word")).explode("word")
    return words.filter(pl.col("word").str.len_chars() <= LONGEST_WORD)


def parts_type() -> pl.List:
    return pl.List(pl.String())


def fold(text: str) -> str:
    """What `folded` makes of one text."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFD", text)
        bare = "".join(one for one in decomposed if not unicodedata.category(one).startswith("M"))
        text = unicodedata.normalize("NFC", bare)
    return text.lower().replace("\u03c2", "\u03c3")


def tokens_of(text: str) -> Iterator[Token]:
    """The tokens of one folded text in order."""
    for found in _WORD.finditer(text):
        bare = _POSSESSIVE.sub("", found[0])
        parts = _JOINER.split(bare)
        words = (*parts, "".join(parts)) if len(parts) > 1 else (bare,)
        yield Token(found.start(), found.end(), tuple(word for word in words if len(word) <= LONGEST_WORD))
