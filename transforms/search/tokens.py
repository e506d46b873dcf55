"""The words of texts: in lower case, without accents; a hyphenated word gives its parts, and the parts joined."""

from __future__ import annotations

from typing import Final

import polars as pl

from warehouse.schema.search_rules import JOINER, LONGEST_WORD, POSSESSIVE, TITLE_TIMES, WORD

MOST_WORDS: Final = 2**32


def words_in(texts: pl.DataFrame) -> pl.DataFrame:
    """Each `word` of each text (`text`, its `title` and its `abstract` or null) with its `count`, titles twice."""
    fields = [texts.select("text", said=field) for field in (*(["title"] * TITLE_TIMES), "abstract")]
    said = pl.col("said")
    is_ascii = said.str.len_bytes() == said.str.len_chars()  # 99 in 100 abstracts are: of these, lower case is all
    plain, others = pl.concat(fields).filter(is_ascii), pl.concat(fields).filter(~is_ascii)
    text = pl.concat([plain.with_columns(said.str.to_lowercase()), others.with_columns(folded(said))])
    found = text.select("text", token=said.str.extract_all(WORD)).explode("token").drop_nulls("token")
    words = _words(found["token"].unique())
    # A text and the number of a word are packed into one integer: sorted, equal ones are adjacent
    numbers = words.select(pl.col("word").unique()).with_row_index("number")
    numbered = found.join(words.join(numbers, on="word"), on="token")
    pairs = numbered.select(pl.col("text").cast(pl.UInt64) * MOST_WORDS + pl.col("number")).to_series()
    runs = pairs.sort().rle().struct.unnest()
    return runs.select(
        text=(pl.col("value") // MOST_WORDS).cast(pl.UInt32),
        word=numbers["word"].gather(runs["value"] % MOST_WORDS),
        count=pl.col("len").cast(pl.Int64),
    )


def folded(text: pl.Expr) -> pl.Expr:
    """A text in lower case without accents, as DuckDB's `lower(strip_accents(…))` does it; a final sigma is a sigma."""
    bare = text.str.normalize("NFD").str.replace_all(r"\p{M}", "").str.normalize("NFC")
    return bare.str.to_lowercase().str.replace_all("\u03c2", "\u03c3", literal=True)


def _words(tokens: pl.Series) -> pl.DataFrame:
    """`token`, and each `word` of it; a word that is in it twice counts twice."""
    token = pl.col("token")
    is_joined = token.str.contains(JOINER)  # one in four
    whole = tokens.to_frame("token").filter(~is_joined).with_columns(word=token)
    bare = tokens.to_frame("token").filter(is_joined).with_columns(bare=token.str.replace(POSSESSIVE, ""))
    parts = pl.col("bare").str.replace_all(JOINER, "-").str.split("-")
    none = pl.lit([], pl.List(pl.String()))
    joined = pl.when(parts.list.len() > 1).then(pl.concat_list(parts.list.join(""))).otherwise(none)
    words = bare.select("token", word=pl.concat_list(parts, joined)).explode("word")
    return pl.concat([whole, words]).filter(pl.col("word").str.len_chars() <= LONGEST_WORD)
