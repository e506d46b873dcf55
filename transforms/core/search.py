"""The tables behind search and similar papers: words, terms with their papers, vectors, neighbours.

The index entries of a text depend on the text and the rules of this version (`MODEL`) alone, so that nothing is made
again for a text that a release has. Counts and neighbours are updated by the texts that were added and removed.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from transforms.search.embeddings import Encode, rounded
from transforms.search.rare_words import RareWords
from transforms.search.terms import counted, listed, postings_in, rarities, terms_of, words_in
from transforms.search.vectors import Pairs, basis, matrix_of, nearest, squares, vectors_of
from warehouse.schema.core.search import (
    SEARCH_BASIS,
    SEARCH_LISTS,
    SEARCH_RARITIES,
    SEARCH_TERMS,
    SEARCH_VECTORS,
    SEARCH_WORDS,
    SIMILAR_PAPERS,
)
from warehouse.schema.places import COHORT
from warehouse.schema.search_rules import (
    COUNT_MOST,
    EMBEDDED_DIMENSIONS,
    EMBEDDER,
    HASH_DIGITS,
    MODEL,
    SIMILAR_LEAST,
)

TEXT = ("paper_id", "text_sha256")
PLACED = ("paper_id", "cohort", "place")


class HeldIndex(NamedTuple):
    """What a release has of the index of some cohorts, and the texts of papers that may differ now, as they were."""

    papers: pl.DataFrame
    paper_texts: pl.DataFrame
    search_lists: pl.DataFrame
    search_vectors: pl.DataFrame


Texts: TypeAlias = Sequence[pl.DataFrame]  # titles and abstracts


def cohorts_that_differ(now: Texts, then: Texts) -> tuple[str, ...]:
    """The cohorts of papers of which a title or an abstract came, went or changed."""
    one, other = (_titled(*side) for side in (now, then))
    on = one.columns
    sides = (one.join(other, on=on, how="anti", nulls_equal=True), other.join(one, on=on, how="anti", nulls_equal=True))
    return tuple(pl.concat(sides).select(COHORT).to_series().unique().sort())


TEXTS_AT_A_TIME = 1_000  # what bounds the memory, not the result


class IndexedCohorts(NamedTuple):
    """The index of all papers of some cohorts, and how many more of their papers have a word or a term than before."""

    search_vectors: pl.DataFrame
    search_lists: pl.DataFrame
    words: pl.DataFrame  # each with its term
    terms: pl.DataFrame


def index_cohorts(papers: pl.DataFrame, paper_texts: pl.DataFrame, known: HeldIndex) -> IndexedCohorts:
    """The index of whole cohorts. `known` has theirs as it was, and the texts it was made of, of the same papers."""
    texts, held, before = hashed(papers, paper_texts), known.search_vectors, _titled(known.papers, known.paper_texts)
    changed = held.join(before, on="paper_id", how="semi").join(texts, on=TEXT, how="anti")
    new = texts.join(held, on=TEXT, how="anti").sort("paper_id").with_row_index("text")
    gone = changed.select("paper_id").join(before, on="paper_id").with_row_index("text")
    words, counts = _counted(new, gone)
    made = [held.join(changed, on="paper_id", how="anti"), _vectors(counts, new)]
    ordered = pl.concat(made, how="diagonal_relaxed").with_columns(cohort=COHORT).sort("paper_id")
    vectors = ordered.with_columns(place=pl.int_range(pl.len(), dtype=pl.Int32).over("cohort"))
    said = counts.join(new.select("text", "paper_id"), on="text")
    postings = said.select("paper_id", "term", pl.col("count").clip(upper_bound=COUNT_MOST).cast(pl.Int32))
    lists, terms = _lists(known, vectors, gone["paper_id"], postings)
    return IndexedCohorts(SEARCH_VECTORS.conform(vectors), lists, words, terms)


def tables_of_all(words: pl.DataFrame, terms: pl.DataFrame, paper_count: int) -> dict[str, pl.DataFrame]:
    """The tables of words and terms, of the counts that a release has and those that cohorts add or take away."""
    is_there = pl.col("paper_count") > 0
    words = words.group_by("word").agg(pl.col("term").first(), pl.col("paper_count").sum()).filter(is_there)
    terms = terms.group_by("term").agg(pl.col("paper_count").sum()).filter(is_there)
    rarity = rarities(terms["paper_count"].unique(), paper_count)
    tables = {
        SEARCH_WORDS: words,
        SEARCH_TERMS: terms,
        SEARCH_RARITIES: pl.DataFrame(list(rarity.items()), ["paper_count", "rarity"], orient="row"),
        SEARCH_BASIS: basis().join(terms, on="term", how="semi"),
    }
    return {table.name: table.conform(frame) for table, frame in tables.items()}


def _titled(papers: pl.DataFrame, paper_texts: pl.DataFrame) -> pl.DataFrame:
    titles, abstracts = papers.select("paper_id", "title"), paper_texts.select("paper_id", "abstract")
    return titles.join(abstracts, on="paper_id", how="left")


def hashed(papers: pl.DataFrame, paper_texts: pl.DataFrame) -> pl.DataFrame:
    """Each paper's texts and their hash."""
    texts = _titled(papers, paper_texts)
    both = texts.select(pl.concat_str("title", "abstract", separator="\n", ignore_nulls=True)).to_series()
    hashes = pl.Series([sha256(text.encode()).hexdigest()[:HASH_DIGITS] for text in both], dtype=pl.String)
    return texts.with_columns(text_sha256=hashes)


def _counted(new: pl.DataFrame, gone: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """How many more texts have each word, and how often each `term` is in each new `text`."""
    found = [words_in(part) for part in new.iter_slices(TEXTS_AT_A_TIME)] or [words_in(new)]
    changes = [pl.concat(found).select("word", paper_count=1), words_in(gone).select("word", paper_count=-1)]
    counts = pl.concat(changes).group_by("word").agg(pl.col("paper_count").cast(pl.Int64).sum())
    words = counts.with_columns(terms_of(counts["word"])).select("word", "term", "paper_count")
    said = (part.join(words, on="word").drop_nulls("term") for part in found)
    return words, pl.concat(part.group_by("text", "term").agg(pl.col("count").sum()) for part in said)


def _lists(
    known: HeldIndex, vectors: pl.DataFrame, gone: pl.Series, found: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The lists of every cohort and term, and how many more papers have each term.

    All are made anew: a paper that came or went moves the places of others, whether it has a term or not.
    """
    stays = postings_in(known.search_lists, known.search_vectors.select(PLACED))
    kept = stays.filter(~pl.col("paper_id").is_in(gone.implode()))
    made = listed(pl.concat([kept, found]), vectors.select(PLACED))
    return SEARCH_LISTS.conform(made), counted(known.search_lists, made)


def _vectors(counts: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    made = vectors_of(counts, new.height)
    vector = pl.Series(made, dtype=pl.Array(pl.Int8, made.shape[1])).arr.to_list()
    lengths = counts.group_by("text").agg(length=pl.col("count").sum())
    of = new.join(lengths, on="text", how="left").sort("text").select(*TEXT, pl.col("length").fill_null(0))
    return of.with_columns(model=pl.lit(MODEL), square=pl.Series(squares(made), dtype=pl.Int32), vector=vector)


def embedded(known: pl.DataFrame, vectors: pl.DataFrame, texts: pl.DataFrame, encode: Encode) -> pl.DataFrame:
    """A model's vector of each text, in the order of the papers."""
    held = known.filter(pl.col("model") == EMBEDDER).join(vectors, on=TEXT, how="semi")
    new = texts.join(held, on=TEXT, how="anti").sort("paper_id")
    said = new.select(pl.concat_str("title", "abstract", separator="\n", ignore_nulls=True)).to_series()
    made = rounded(encode(said.to_list())) if new.height else np.zeros((0, EMBEDDED_DIMENSIONS), np.int8)
    vector = pl.Series(made, dtype=pl.Array(pl.Int8, EMBEDDED_DIMENSIONS)).arr.to_list()
    square = pl.Series(squares(made), dtype=pl.Int32)
    found = new.select(*TEXT).with_columns(model=pl.lit(EMBEDDER), square=square, vector=vector)
    return pl.concat([held.select(found.columns), found]).sort("paper_id")


def similar(
    vectors: pl.DataFrame,
    embeddings: pl.DataFrame,
    lists: pl.LazyFrame,
    new: pl.Series,
    *,
    known: pl.LazyFrame | None = None,
) -> pl.DataFrame:
    """The papers most like each, in the order of their ids. `new` are papers with other texts than those `known`.

    `vectors` and `embeddings` have one row a paper, `lists` the terms of all, as the tables have them.

    A paper that lost one of its nearest is compared with all again.
    """
    ids = vectors["paper_id"]
    held, fresh = _kept(ids, new, SIMILAR_PAPERS.empty().lazy() if known is None else known)
    spaces = [matrix_of(vectors["vector"])]
    if embeddings.height:
        spaces.append(matrix_of(embeddings["vector"], EMBEDDED_DIMENSIONS))
    found = nearest(spaces, fresh, held, RareWords(lists, vectors, fresh).shared)
    found = found.where(found.score >= SIMILAR_LEAST)
    rank = 1 + np.arange(len(found.paper)) - np.searchsorted(found.paper, found.paper)
    columns = {"paper_id": ids[found.paper], "rank": rank, "other_paper_id": ids[found.other], "score": found.score}
    return pl.DataFrame(columns, SIMILAR_PAPERS.schema)  # in their order


def _kept(ids: pl.Series, new: pl.Series, known: pl.LazyFrame) -> tuple[Pairs, npt.NDArray[np.bool_]]:
    """The known pairs that stay, and which papers are compared with all. Of those known no rows are left in memory."""
    before = known.collect()
    places = pl.Enum(ids)  # a number each, in their order, and one more for papers that are gone
    numbers = (before[name].cast(places, strict=False).to_physical() for name in ("paper_id", "other_paper_id"))
    paper, other = (number.fill_null(len(ids)).cast(pl.Int64).to_numpy() for number in numbers)
    fresh = np.append(ids.is_in(new.implode()).to_numpy(), True)
    fresh[paper[fresh[other]]] = True
    held = Pairs(paper, other, before["score"].cast(pl.Int64).to_numpy()).where(~(fresh[paper] | fresh[other]))
    return held, fresh[:-1]
