"""Which records are compared at all: blocks of records that share a key, and neighbours within a block.

The cost stays near linear because a record has a few keys at most and is compared, in each block, with the first
members and the next ones in order (sorted neighbourhood, Hernández & Stolfo 1995), however large the block is.
"""

from __future__ import annotations

import polars as pl

NEIGHBOURS = 12  # of a block's members in order, each is compared with so many that follow it
LEADERS = 3  # and with the first ones of its block: those with an id and an abstract, where there are any
RAREST = 4  # words of a title, or of an abstract's head, that make keys: two at a time, so one wrong word does no harm
HEAD = 240  # characters of an abstract that are looked at; a truncated abstract has them too
SHORTEST = 3  # letters of a title's word that makes a key
PASSAGE = 40  # letters of an abstract that two papers share
ABSTRACT_WORD = r"\p{L}{5,}"


def candidates(records: pl.DataFrame) -> pl.DataFrame:
    """Pairs `record` < `other` that could be one paper, at least one of them without an arXiv id."""
    wanted = records.with_columns(is_wanted=pl.col("arxiv_id").is_null(), place=_title_place())
    title_words = pl.col("words").list.filter(pl.element().str.len_chars() >= SHORTEST)
    abstract_words = _head().fill_null("").str.extract_all(ABSTRACT_WORD)
    blocks = (
        _keys(wanted, pl.col("title_key"), "record"),
        _keys(wanted, pl.coalesce("main_key", "near_key"), "place"),
        _word_pairs(wanted, title_words, "place"),
        _word_pairs(wanted, abstract_words, "record"),
    )
    return pl.concat(_neighbours(block) for block in blocks).unique()


def lookalikes(records: pl.DataFrame) -> pl.DataFrame:
    """Pairs `record` < `other` that have a title or the beginning of an abstract in common, with ids or without."""
    return _sharing(records, pl.col("title_key"), _passage(_abstract().str.slice(0, HEAD)).str.slice(0, PASSAGE))


def repeats(records: pl.DataFrame) -> pl.DataFrame:
    """Pairs `record` < `other` whose abstracts have their second or third sentence in common, or their end.

    Three passages, because whoever repeats an abstract changes a sentence of it; not the first, which many share.
    """
    sentences = _abstract().str.splitn(". ", 4).struct
    begun = (_passage(sentences[place].str.slice(0, 2 * PASSAGE)).str.slice(0, PASSAGE) for place in (1, 2))
    return _sharing(records, *begun, _passage(_abstract().str.slice(-2 * PASSAGE)).str.tail(PASSAGE))


def within_papers(records: pl.DataFrame) -> pl.DataFrame:
    """Pairs `record` < `other` of one paper (column `paper_id`), at least one of them without an arXiv id."""
    wanted = records.with_columns(is_wanted=pl.col("arxiv_id").is_null(), place=_title_place())
    return pl.concat(_neighbours(_keys(wanted, pl.col("paper_id"), order)) for order in ("record", "place")).unique()


def _sharing(records: pl.DataFrame, *keys: pl.Expr) -> pl.DataFrame:
    wanted = records.with_columns(is_wanted=pl.lit(True))
    return pl.concat(_neighbours(_keys(wanted, key, "record")) for key in keys).unique()


def _abstract() -> pl.Expr:
    return pl.when(~pl.col("lacks_usable_abstract")).then(pl.col("abstract").str.to_lowercase())


def _passage(text: pl.Expr) -> pl.Expr:
    return text.str.replace_all(r"\P{L}", "").replace("", None)


def _title_place() -> pl.Expr:
    return pl.struct("near_key", "record").rank("ordinal").alias("place")


def _head() -> pl.Expr:
    return pl.col("abstract").str.slice(0, HEAD).str.to_lowercase()


def _keys(records: pl.DataFrame, key: pl.Expr, order: str) -> pl.DataFrame:
    """Members of each block: records with the same key, in order."""
    return _shared(records.select("record", "is_wanted", key.alias("key"), pl.col(order).alias("order")).drop_nulls())


def _word_pairs(records: pl.DataFrame, words: pl.Expr, order: str) -> pl.DataFrame:
    """Members of each block: records that have the same two words among their rarest."""
    said = records.select("record", "is_wanted", words.list.unique().alias("word")).explode("word").drop_nulls("word")
    counts = said.group_by("word").agg(pl.len(), pl.col("is_wanted").any())
    rare = counts.filter(pl.col("is_wanted"), pl.col("len") > 1).sort("len", "word").with_row_index("rarity")
    ranked = said.join(rare.select("word", "rarity"), on="word").select("record", "rarity").sort("record", "rarity")
    rarest = ranked.filter(pl.int_range(pl.len()).over("record") < RAREST)
    rarest = rarest.with_columns(is_short=pl.len().over("record") < RAREST)
    is_alone = pl.col("is_short") & (pl.col("rarity") == pl.col("rarity_right"))  # of few words each is a key
    pairs = rarest.join(rarest, on="record").filter((pl.col("rarity") < pl.col("rarity_right")) | is_alone)
    keyed = pairs.select("record", pl.struct("rarity", "rarity_right").alias("key"))
    key = (pl.col("key").struct[0].cast(pl.UInt64) * 2**32 + pl.col("key").struct[1]).alias("key")
    return _shared(
        keyed.select("record", key).join(
            records.select("record", "is_wanted", pl.col(order).alias("order")), on="record"
        )
    )


def _shared(members: pl.DataFrame) -> pl.DataFrame:
    """Blocks that can give a pair that is wanted."""
    counts = members.group_by("key").agg(pl.len(), pl.col("is_wanted").any().alias("any"))
    kept = counts.filter(pl.col("any"), pl.col("len") > 1).select("key")
    return members.join(kept, on="key", how="semi").sort("key", "order")


def _neighbours(members: pl.DataFrame) -> pl.DataFrame:
    """Each member with the next ones of its block, and with the first ones."""
    near = [
        members.select(
            "record",
            "is_wanted",
            pl.col("key") == pl.col("key").shift(-step),
            other=pl.col("record").shift(-step),
            wants=pl.col("is_wanted").shift(-step),
        ).filter("key", pl.col("is_wanted") | pl.col("wants"))
        for step in range(1, NEIGHBOURS + 1)
    ]
    first = members.group_by("key", maintain_order=True).head(LEADERS)
    leading = members.join(first, on="key", suffix="_first").filter(pl.col("is_wanted") | pl.col("is_wanted_first"))
    pairs = [*(frame.select("record", "other") for frame in near), leading.select("record", other="record_first")]
    low, high = pl.min_horizontal("record", "other"), pl.max_horizontal("record", "other")
    return pl.concat(pairs).select(low.alias("record"), high.alias("other")).filter(pl.col("record") < pl.col("other"))
