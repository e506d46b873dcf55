"""Comparing records: how likely two are one paper, by evidence weighed field by field (Fellegi and Sunter, 1969).

Each field falls into a level, and each level has a weight in bits: log2 of how much more often pairs of one paper show
it than pairs of two. A field missing on either side has no weight. The sum, with `PRIOR`, is the log odds of a match.
"""

import polars as pl
from rapidfuzz.distance import Indel
from rapidfuzz.process import cpdist

from transforms.identity.blocking import HAS_ENOUGH_WORDS, shingles_of

MATCH = 0.5  # the score from which two records are one paper (the curve is in bench/RESULTS.md)
CHUNK = 50_000  # pairs compared at once, which bounds the memory and does not change the result
PRIOR = -6.0
CONTRADICTION = -30.0  # no evidence outweighs it

SAME_TITLE = 8.0
# Similarity of near titles: share of the letters that both have in the same order (Indel, rapidfuzz)
NEAR_TITLE = ((0.9, 3.0), (0.8, 1.0), (0.6, -4.0))
LEAST_TITLE = 0.6
# Similarity of the words that only one title has to those that only the other has: above SLIP they are misspellings
# (`atention`, `sourcecitations`), below UNLIKE (`Super`, `Ultra`) two works; if one side has none, words were dropped
SLIP, UNLIKE = 0.75, 0.65
MISSPELT_TITLE, LEAST_MISSPELT = 6.5, 0.85
OTHER_WORDS = -8.5
DROPPED_SUBTITLE = 2.0
OTHER_NUMBERS, LOST_NUMBER = -14.0, -5.0  # part 2 and part 3; a number that only one title has
# Agreement of abstracts: share of the shorter one's pairs of adjacent words that the other has too (containment of
# 2-shingles, Broder 1997)
ABSTRACT = ((0.97, 14.0), (0.85, 12.0), (0.6, 4.0), (0.3, -4.0), (0.0, CONTRADICTION))
DOUBTFUL = 0.6
WITH_SUMMARY = (("abstract", "ai_summary"), ("ai_summary", "abstract"), ("ai_summary", "ai_summary"))
FAMILY_NAMES = ((0.5, 6.0), (0.2, 0.0), (0.0, -8.0))
SAME_COUNT, OTHER_COUNT = 1.5, -3.0
DAYS = ((2, 4.0), (400, 0.0))  # the arXiv day and a page's may differ by a time zone, an inferred year by one
LONG_APART = -5.0

KEYS = ("title_key", "near_key", "main_key", "numbers", "words")
EVIDENCE = ("published_on", "author_count", "family_names")


def compared(records: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """Pairs with `is_same_title`, `title_similarity`, `agreement` and `score` from 0 to 1.

    `agreement` is null where a side has no usable abstract.
    Pairs whose titles are far from each other are left out, unless one is the other without its subtitle.
    """
    parts = [_compared(records, part) for part in _located(records, pairs).iter_slices(CHUNK)]
    return pl.concat(parts or [_compared(records, _located(records, pairs))])


def shared_abstracts(records: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """Pairs of two usable abstracts with their `agreement`, however far from each other the titles are."""
    located = _located(records, pairs)
    found = [_containment(records, part, "abstract", "abstract") for part in located.iter_slices(CHUNK)]
    return pl.concat(found or [_containment(records, located, "abstract", "abstract")])


def _located(records: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """Pairs with the row numbers of their records, so that a chunk costs the same however many records there are."""
    places = records.select("record").with_row_index("place")
    others = places.select(pl.col("record").alias("other"), pl.col("place").alias("other_place"))
    return pairs.select("record", "other").join(places, on="record").join(others, on="other").sort("record", "other")


def _compared(records: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    titled = _with_titles(_gather_pair(records, pairs, KEYS))
    near = titled.filter(pl.col("is_same_title") | pl.col("is_subtitle") | (pl.col("title_similarity") >= LEAST_TITLE))
    # Similarity of the words that only one of the titles has; null where one has no such word
    left, right = (
        near.select(pl.col(mine).list.set_difference(pl.col(others)).list.join("")).to_series()
        for mine, others in (("words", "words_right"), ("words_right", "words"))
    )
    near = near.with_columns(
        difference_similarity=pl.select(
            pl.when((left != "") & (right != "")).then(_similarity(left, right))
        ).to_series()
    )
    agreed = near.join(_agreements(records, near), on=("record", "other"), how="left")
    weight = PRIOR + title_weight() + _level(pl.col("agreement"), ABSTRACT) + evidence_weight()
    return _gather_pair(records, agreed, EVIDENCE).select(
        *("record", "other", "is_same_title", "title_similarity", "agreement"),
        score=1 / (1 + 2**-weight),
    )


def _gather_pair(records: pl.DataFrame, pairs: pl.DataFrame, columns: tuple[str, ...]) -> pl.DataFrame:
    """Pairs with columns of their first record, and of the other one with the suffix `_right`."""
    chosen = records.select(columns)
    right = chosen[pairs["other_place"]].rename(lambda name: f"{name}_right")
    return pl.concat([pairs, chosen[pairs["place"]], right], how="horizontal")


def _with_titles(pairs: pl.DataFrame) -> pl.DataFrame:
    is_same = (pl.col("title_key") == pl.col("title_key_right")) | (pl.col("near_key") == pl.col("near_key_right"))
    titled = pairs.with_columns(is_same_title=is_same)
    # Whether one title is the other without its subtitle: the main part of one against the whole of one without
    left = pl.when(pl.col("main_key_right").is_null()).then("main_key")
    right = pl.when(pl.col("main_key").is_null()).then("main_key_right")
    titled = titled.with_columns(
        main=pl.coalesce(left, right), whole=pl.when(left.is_null()).then("near_key").otherwise("near_key_right")
    )
    return titled.with_columns(
        _similarity(titled["near_key"], titled["near_key_right"]).alias("title_similarity"),
        is_subtitle=_similarity(titled["main"], titled["whole"]) >= NEAR_TITLE[0][0],
    )


def _similarity(left: pl.Series, right: pl.Series) -> pl.Series:
    """Normalised Indel similarity, row by row, from 0 to 1; 0 where one is missing or they are unlike."""
    found = cpdist(left.to_list(), right.to_list(), scorer=Indel.normalized_similarity, score_cutoff=UNLIKE, workers=-1)
    return pl.Series(found, dtype=pl.Float64)


def title_weight() -> pl.Expr:
    """The weight of two titles in bits, by letters, the words in which they differ, numbers and subtitles."""
    is_misspelt = (pl.col("title_similarity") >= LEAST_MISSPELT) & (pl.col("difference_similarity") >= SLIP)
    near = (
        pl.when(is_misspelt)
        .then(MISSPELT_TITLE)
        .when(pl.col("difference_similarity") < UNLIKE)
        .then(OTHER_WORDS)
        .otherwise(_level(pl.col("title_similarity"), NEAR_TITLE))
    )
    mine, other = pl.col("numbers"), pl.col("numbers_right")
    more, less = mine.list.set_difference(other).list.len() > 0, other.list.set_difference(mine).list.len() > 0
    numbered = pl.when(more & less).then(OTHER_NUMBERS).when(more | less).then(LOST_NUMBER).otherwise(0.0)
    by_letters = pl.when(pl.col("is_same_title")).then(SAME_TITLE).otherwise(near + numbered)
    return pl.when(pl.col("is_subtitle")).then(pl.max_horizontal(by_letters, DROPPED_SUBTITLE)).otherwise(by_letters)


def evidence_weight() -> pl.Expr:
    """The weight of authors and dates in bits; the number of authors counts only where a side does not name them."""
    names, others = pl.col("family_names"), pl.col("family_names_right")
    fewer = pl.min_horizontal(names.list.len(), others.list.len())
    named = pl.when(fewer > 0).then(names.list.set_intersection(others).list.len() / fewer)
    apart = (pl.col("author_count") - pl.col("author_count_right")).abs()
    counted = pl.when(apart == 0).then(SAME_COUNT).when(apart > 1).then(OTHER_COUNT).otherwise(0.0)
    days = (pl.col("published_on") - pl.col("published_on_right")).dt.total_days().abs()
    dated = pl.when(days <= DAYS[0][0]).then(DAYS[0][1]).when(days > DAYS[1][0]).then(LONG_APART).otherwise(0.0)
    return pl.when(named.is_null()).then(counted).otherwise(_level(named, FAMILY_NAMES)) + dated


def _level(value: pl.Expr, levels: tuple[tuple[float, float], ...]) -> pl.Expr:
    """The weight of the first level that a value reaches; 0 where it is missing."""
    weight = pl.lit(levels[-1][1])
    for least, bits in reversed(levels[:-1]):
        weight = pl.when(value >= least).then(bits).otherwise(weight)
    return pl.when(value.is_null()).then(0.0).otherwise(weight)


def _agreements(records: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """`agreement` of the abstracts of each pair; where they do not agree, that of an abstract and an AI summary.

    A trending page shows the AI summary in place of the abstract (docs/source.md §8): it contradicts nothing.
    """
    first = _containment(records, pairs, "abstract", "abstract")
    agrees = pl.col("agreement") >= DOUBTFUL
    # Only where abstracts do not agree: a summary is other text, so its agreement may add evidence, never take it away
    doubtful = pairs.filter("is_same_title").join(first.filter(agrees), on=("record", "other"), how="anti")
    looks = [_containment(records, doubtful, *fields).filter(agrees) for fields in WITH_SUMMARY]
    return pl.concat([first, *looks]).group_by("record", "other").agg(pl.col("agreement").max())


def _containment(records: pl.DataFrame, pairs: pl.DataFrame, left: str, right: str) -> pl.DataFrame:
    """`agreement`: the share of the shorter text's shingles that the other has; no row where a text has few words."""
    texts = (records[left].gather(pairs["place"]), records[right].gather(pairs["other_place"]))
    both = pairs.select("record", "other").with_columns(texts[0].alias("text"), texts[1].alias("text_right"))
    both = both.filter(pl.all_horizontal(pl.col("text", "text_right").str.contains(HAS_ENOUGH_WORDS)))
    same = both.filter(pl.col("text") == pl.col("text_right")).select("record", "other", agreement=pl.lit(1.0))
    differ = both.filter(pl.col("text") != pl.col("text_right"))
    shingles = shingles_of(pl.concat([differ["text"], differ["text_right"]]).unique())
    shingled = differ.join(shingles, on="text").join(shingles, left_on="text_right", right_on="text", suffix="_right")
    shared = pl.col("shingles").list.set_intersection("shingles_right").list.len()
    shorter = pl.min_horizontal(pl.col("shingles").list.len(), pl.col("shingles_right").list.len())
    return pl.concat([same, shingled.select("record", "other", agreement=shared / shorter)])
