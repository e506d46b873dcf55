"""Blocking: only records that share a key, and are near each other in that block, are compared.

The keys are made of titles and abstracts without case, punctuation and LaTeX (docs/source.md §0, §7). Those of a record
depend on it alone (`records`), so that texts of old records are not read again. The cost stays near linear because a
record has few keys and is compared, in each block, with the first members and the next ones in order (sorted
neighbourhood, Hernández & Stolfo 1995), however large the block is.
"""

import numpy as np
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


def main_key(title: pl.Expr) -> pl.Expr:
    """Letters and digits of a folded title up to its subtitle; null where it has none."""
    main = title.str.replace(SUBTITLE, "")
    return pl.when(main != title).then(main.str.replace_all(NOT_SPOKEN, "").replace("", None))


def numbers(title: pl.Expr) -> pl.Expr:
    """The numbers of a folded title: part 2 is not part 3."""
    return title.str.extract_all(r"\p{N}+")


def shingles_of(texts: pl.Series) -> pl.DataFrame:
    """`text`, and the hashes of its pairs of adjacent words (2-shingles), each once."""
    said = texts.to_frame("text").with_row_index("number")
    words = said.select("number", word=pl.col("text").str.to_lowercase().str.extract_all(ABSTRACT_WORD)).explode("word")
    hashed = words.with_columns(pl.col("word").hash())
    both = pl.when(pl.col("number") == pl.col("number").shift(-1)).then(
        pl.struct("word", pl.col("word").shift(-1).alias("next")).hash()
    )
    shingles = hashed.select("number", both.alias("shingles")).drop_nulls()
    grouped = shingles.group_by("number").agg(pl.col("shingles").unique())
    return said.join(grouped, on="number").drop("number")


NEIGHBOURS = 12  # each member of a block is compared with so many that follow it in order
LEADERS = 3  # and with the first ones of its block: those with an abstract, where there are any
RAREST = 4  # words of a title, or of an abstract's head, that make keys: two at a time, so one wrong word does no harm
# Orders of a block in which texts, or titles, that begin alike are neighbours
BY_TEXT = ("has_usable_abstract", "beginning", "record")
BY_TITLE = ("near_hash", "record")


def candidates(index: pl.DataFrame, of: pl.DataFrame) -> pl.DataFrame:
    """Pairs `record` < `other` that could be one paper, at least one of them without an arXiv id.

    Here and below only blocks with a key of a record in `of` are looked at, and these whole.
    """
    # Two arXiv ids are never one paper, so a pair is worth comparing only if a side has none (docs/identity.md)
    wanted = index.with_columns(is_wanted=~pl.col("has_arxiv_id"))
    blocks = (
        _keys(wanted, "title_hash", BY_TEXT, of),
        _keys(wanted, "near_hash", BY_TEXT, of),
        _word_pairs(wanted, "title_words", BY_TITLE, of),
        _word_pairs(wanted, "abstract_words", BY_TEXT, of),
    )
    return pl.concat(_neighbours(block) for block in blocks).unique()


def lookalikes(index: pl.DataFrame, of: pl.DataFrame) -> pl.DataFrame:
    """Pairs `record` < `other` with a title or the beginning of an abstract in common, with arXiv ids or without."""
    return _sharing(index, of, "title_hash", "beginning")


def repeats(index: pl.DataFrame, of: pl.DataFrame) -> pl.DataFrame:
    """Pairs `record` < `other` whose abstracts have the second or third sentence in common, or the end.

    Three passages, because a repeated abstract often has one sentence changed; not the first, which many share.
    """
    return _sharing(index, of, "second_sentence", "third_sentence", "ending")


def within_papers(index: pl.DataFrame) -> pl.DataFrame:
    """Pairs `record` < `other` of one paper (column `paper_id`), at least one of them without an arXiv id."""
    wanted = index.with_columns(is_wanted=~pl.col("has_arxiv_id"))
    return pl.concat(_neighbours(_keys(wanted, "paper_id", order, index)) for order in (BY_TEXT, BY_TITLE)).unique()


def _sharing(index: pl.DataFrame, of: pl.DataFrame, *keys: str) -> pl.DataFrame:
    wanted = index.with_columns(is_wanted=pl.lit(True))
    pairs = pl.concat(_neighbours(_keys(wanted, key, BY_TEXT, of)) for key in keys).unique()
    paper = index.select("record", "has_arxiv_id", "paper_id")
    both = pairs.join(paper, on="record").join(paper, left_on="other", right_on="record", suffix="_other")
    is_one = pl.all_horizontal("has_arxiv_id", "has_arxiv_id_other") & (pl.col("paper_id") == pl.col("paper_id_other"))
    return both.filter(~is_one).select("record", "other")


def _keys(records: pl.DataFrame, key: str, order: tuple[str, ...], of: pl.DataFrame) -> pl.DataFrame:
    """Members of each block: records with the same key, in order."""
    members = records.join(of.select(key), on=key, how="semi").select("is_wanted", *order, key=key)
    return _shared(members, order)


def _word_pairs(records: pl.DataFrame, words: str, order: tuple[str, ...], of: pl.DataFrame) -> pl.DataFrame:
    """Members of each block: records with the same two words among their longest; of few words each one is a key."""
    found = _exploded(records, words)
    # Words that no wanted or no asked record has go before words are paired, as pairs are a square of the words
    for some in (records.filter("is_wanted"), of):
        found = found.join(_exploded(some, words), on="word", how="semi")
    asked = _paired_words(_exploded(of, words)).select("key")
    keyed = _paired_words(found).join(asked, on="key", how="semi")
    return _shared(keyed.join(records.select("is_wanted", *order), on="record"), order)


def _exploded(records: pl.DataFrame, words: str) -> pl.DataFrame:
    is_short = pl.col(words).list.len() < RAREST
    return records.select("record", word=words, is_short=is_short).explode("word").drop_nulls()


def _paired_words(words: pl.DataFrame) -> pl.DataFrame:
    pairs = words.join(words, on="record")
    is_key = (pl.col("word") < pl.col("word_right")) | (pl.col("is_short") & (pl.col("word") == pl.col("word_right")))
    key = pl.col("word").cast(pl.Int64) * 2**32 + pl.col("word_right")
    return pairs.filter(is_key).select("record", key.alias("key"))


def _shared(members: pl.DataFrame, order: tuple[str, ...]) -> pl.DataFrame:
    """The members of blocks that can give a pair with a wanted record."""
    counts = members.group_by("key").agg(pl.len(), pl.col("is_wanted").any().alias("any"))
    kept = counts.filter(pl.col("any"), pl.col("len") > 1).select("key")
    found = members.join(kept, on="key", how="semi")
    # Records with an abstract first: they lead their block, and every other member is compared with a leader
    descending = [False, *(name == "has_usable_abstract" for name in order)]
    return found.sort("key", *order, descending=descending, nulls_last=True)


def _neighbours(members: pl.DataFrame) -> pl.DataFrame:
    """The pairs to compare: each member with the next ones of its block, and with the first ones."""
    record, is_wanted = members["record"].to_numpy(), members["is_wanted"].to_numpy()
    block, row = members["key"].rle_id().to_numpy(), np.arange(members.height)
    begins = np.searchsorted(block, block)
    places = [row + step for step in range(1, NEIGHBOURS + 1)] + [begins + place for place in range(LEADERS)]
    one, other = np.tile(row, len(places)), np.concatenate(places)
    there = other < members.height
    one, other = one[there], other[there]
    is_pair = (block[one] == block[other]) & (is_wanted[one] | is_wanted[other])
    one, other = one[is_pair], other[is_pair]
    low, high = np.minimum(record[one], record[other]), np.maximum(record[one], record[other])
    pairs = pl.DataFrame({"record": low, "other": high}, dict.fromkeys(("record", "other"), members.schema["record"]))
    return pairs.filter(pl.col("record") < pl.col("other"))
