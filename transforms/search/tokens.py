"""The words of texts: in lower case, without accents; a hyphenated word is its parts, and these joined."""

from __future__ import annotations

import polars as pl

from warehouse.schema.search_rules import JOINER, LONGEST_WORD, POSSESSIVE, TITLE_TIMES, WORD


def words_in(texts: pl.DataFrame) -> pl.DataFrame:
    """Each `word` of each text (`text`, its `title` and its `abstract` or null) with its `count`, titles twice."""
    parts = [
        texts.select("text", pl.col("title").alias("said"), pl.lit(TITLE_TIMES, pl.Int64).alias("count")),
        texts.select("text", pl.col("abstract").alias("said"), pl.lit(1, pl.Int64).alias("count")),
    ]
    said = pl.col("said")
    is_ascii = said.str.len_bytes() == said.str.len_chars()  # 99 in 100 abstracts are: of these, lower case is all
    fields = pl.concat(parts)
    plain, others = fields.filter(is_ascii), fields.filter(~is_ascii)
    text = pl.concat([plain.with_columns(said.str.to_lowercase()), others.with_columns(folded(said))])
    tokens = text.select("text", "count", said.str.extract_all(WORD).alias("token"))
    found = tokens.explode("token").drop_nulls("token")
    words = found.join(_words(found["token"].unique()), on="token").select("text", "word", "count")
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
