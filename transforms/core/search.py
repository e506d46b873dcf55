"""The tables that search and similar papers answer from: words, terms with their papers, vectors, neighbours.

What a text is found by follows from it and the rules of this version (`MODEL`) alone, so that of a text that a release
holds nothing is made again. Counts and neighbours are brought up to date by what came and what went.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from transforms.search.embeddings import Encode, rounded
from transforms.search.neighbours import Pairs, nearest, squares
from transforms.search.posting_lists import grown
from transforms.search.postings import rarities
from transforms.search.spelling import terms_of
from transforms.search.tokens import words_in
from transforms.search.vectors import basis, matrix_of, vectors_of
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.core.search import (
    SEARCH_BASIS,
    SEARCH_EMBEDDINGS,
    SEARCH_TERMS,
    SEARCH_VECTORS,
    SEARCH_WORDS,
    SIMILAR_PAPERS,
)
from warehouse.schema.search_rules import COUNT_MOST, EMBEDDED_DIMENSIONS, EMBEDDER, HASH_DIGITS, MODEL

TEXT = ("paper_id", "text_sha256")


class IndexedTexts(NamedTuple):
    """What a release holds of these tables, and the texts that they were made of."""

    papers: pl.DataFrame
    paper_texts: pl.DataFrame
    search_words: pl.DataFrame
    search_terms: pl.DataFrame
    search_vectors: pl.DataFrame
    search_embeddings: pl.DataFrame
    similar_papers: pl.DataFrame

    @property
    def is_current(self) -> bool:
        """Whether this version of the rules made them."""
        return self.search_vectors["model"].unique().to_list() == [MODEL]


TEXTS_AT_A_TIME = 1_000  # what bounds the memory, not the result
OF_NOTHING = (PAPERS, PAPER_TEXTS, SEARCH_WORDS, SEARCH_TERMS, SEARCH_VECTORS, SEARCH_EMBEDDINGS, SIMILAR_PAPERS)


def search_tables(
    papers: pl.DataFrame,
    paper_texts: pl.DataFrame,
    known: IndexedTexts | None = None,
    encode: Encode | None = None,
) -> dict[str, pl.DataFrame]:
    """All tables of the index. Texts that `known` holds are not indexed again, if the same rules indexed them."""
    if known is None or not known.is_current:
        known = IndexedTexts(*(table.empty() for table in OF_NOTHING))
    texts, held = numbered(papers, paper_texts), known.search_vectors.rename({"paper_number": "number_before"})
    stays = texts.select("number", *TEXT).join(held, on=TEXT)
    new = texts.join(held, on=TEXT, how="anti").sort("number").with_row_index("text")
    gone = held.join(texts, on=TEXT, how="anti").join(_titled(known.papers, known.paper_texts), on="paper_id")
    found = pl.concat([words_in(part) for part in new.iter_slices(TEXTS_AT_A_TIME)] or [words_in(new)])
    words = _words(known.search_words, found, words_in(gone.with_row_index("text")))
    counts = found.join(words, on="word").drop_nulls("term").group_by("text", "term").agg(pl.col("count").sum())
    terms = _terms(known, stays, counts.join(new, on="text"), texts.height)
    vectors = pl.concat([stays, _vectors(counts, new)], how="diagonal_relaxed").sort("number")
    vectors = vectors.with_columns(paper_number="number")
    embeddings = embedded(known.search_embeddings, texts, encode)
    tables = {
        SEARCH_WORDS: words,
        SEARCH_TERMS: terms,
        SEARCH_BASIS: basis().join(terms, on="term", how="semi"),
        SEARCH_VECTORS: vectors,
        SEARCH_EMBEDDINGS: embeddings,
        SIMILAR_PAPERS: similar(known, vectors, embeddings, new["number"].to_numpy()),
    }
    return {table.name: table.conform(frame) for table, frame in tables.items()}


def _titled(papers: pl.DataFrame, paper_texts: pl.DataFrame) -> pl.DataFrame:
    titles, abstracts = papers.select("paper_id", "title"), paper_texts.select("paper_id", "abstract")
    return titles.join(abstracts, on="paper_id", how="left")


def numbered(papers: pl.DataFrame, paper_texts: pl.DataFrame) -> pl.DataFrame:
    """Each paper's texts and their hash; papers are numbered in the order of their ids."""
    texts = _titled(papers, paper_texts).sort("paper_id")
    both = texts.select(pl.concat_str("title", "abstract", separator="\n", ignore_nulls=True)).to_series()
    hashes = pl.Series([sha256(text.encode()).hexdigest()[:HASH_DIGITS] for text in both], dtype=pl.String)
    return texts.with_columns(number=pl.int_range(pl.len()), text_sha256=hashes)


def _words(known: pl.DataFrame, found: pl.DataFrame, lost: pl.DataFrame) -> pl.DataFrame:
    """Every word that a text has, with its term and in how many papers it is."""
    changes = [found.select("word", paper_count=pl.lit(1)), lost.select("word", paper_count=pl.lit(-1))]
    counts = pl.concat([known.select("word", "paper_count"), *changes], how="vertical_relaxed")
    words = counts.group_by("word").agg(pl.col("paper_count").sum()).filter(pl.col("paper_count") > 0)
    unknown = words.join(known, on="word", how="anti")["word"]
    terms = pl.DataFrame({"word": unknown, "term": pl.Series(list(terms_of(unknown)), dtype=pl.String)})
    return words.join(pl.concat([known.select("word", "term"), terms]), on="word")


def _terms(known: IndexedTexts, stays: pl.DataFrame, found: pl.DataFrame, paper_count: int) -> pl.DataFrame:
    """Every term with its papers, by their numbers, and how often it is in each."""
    number_now = np.full(known.search_vectors.height, -1)
    number_now[stays["number_before"].to_numpy()] = stays["number"].to_numpy()
    terms = grown(known.search_terms, number_now, found.with_columns(pl.col("count").clip(upper_bound=COUNT_MOST)))
    counted = terms.with_columns(paper_count=pl.col("paper_numbers").list.len().cast(pl.Int64))
    rarity = rarities(counted["paper_count"].unique(), paper_count)
    return counted.with_columns(rarity=pl.col("paper_count").replace_strict(rarity, return_dtype=pl.Int32))


def _vectors(counts: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    made = vectors_of(counts, new.height)
    vector = pl.Series(made, dtype=pl.Array(pl.Int8, made.shape[1])).arr.to_list()
    lengths = counts.group_by("text").agg(length=pl.col("count").sum())
    of = new.join(lengths, on="text", how="left").sort("text").select("number", *TEXT, pl.col("length").fill_null(0))
    return of.with_columns(model=pl.lit(MODEL), square=pl.Series(squares(made), dtype=pl.Int32), vector=vector)


def embedded(known: pl.DataFrame, texts: pl.DataFrame, encode: Encode | None) -> pl.DataFrame:
    """What a model makes of each text, in the order of the papers; nothing without a model."""
    if encode is None:
        return SEARCH_EMBEDDINGS.empty()
    held = known.filter(pl.col("model") == EMBEDDER).join(texts, on=TEXT, how="semi")
    new = texts.join(held, on=TEXT, how="anti").sort("number")
    said = new.select(pl.concat_str("title", "abstract", separator="\n", ignore_nulls=True)).to_series()
    made = rounded(encode(said.to_list())) if new.height else np.zeros((0, EMBEDDED_DIMENSIONS), np.int8)
    vector = pl.Series(made, dtype=pl.Array(pl.Int8, EMBEDDED_DIMENSIONS)).arr.to_list()
    square = pl.Series(squares(made), dtype=pl.Int32)
    found = new.select(*TEXT).with_columns(model=pl.lit(EMBEDDER), square=square, vector=vector)
    return pl.concat([held.select(found.columns), found]).sort("paper_id")


def similar(
    known: IndexedTexts, vectors: pl.DataFrame, embeddings: pl.DataFrame, new: npt.NDArray[np.int64]
) -> pl.DataFrame:
    """The nearest papers of each. A paper that lost one of its own is compared with all again.

    All are, where the release before had a model and this has none, or the other way round.
    """
    spaces, before = [matrix_of(vectors["vector"])], known.similar_papers
    if embeddings.height:
        spaces.append(matrix_of(embeddings["vector"], EMBEDDED_DIMENSIONS))
    if not embeddings["model"].unique().equals(known.search_embeddings["model"].unique()):
        before, new = SIMILAR_PAPERS.empty(), vectors["number"].to_numpy()
    ids = vectors["paper_id"]
    fresh = np.zeros(vectors.height, bool)
    fresh[new] = True
    stays = vectors.filter(~pl.Series(fresh)).select("paper_id", "number")
    others = stays.select(other_paper_id="paper_id", other="number")
    pairs = before.join(stays, on="paper_id").join(others, on="other_paper_id", how="left", maintain_order="left")
    fresh[pairs.filter(pl.col("other").is_null())["number"].unique().to_numpy()] = True
    kept = pairs.filter(~pl.any_horizontal(pl.col("number", "other").is_in(np.flatnonzero(fresh))))
    held = Pairs(*(kept[name].cast(pl.Int64).to_numpy() for name in ("number", "other", "score")))
    found = nearest(spaces, fresh, held)
    table = pl.DataFrame({"paper_id": ids[found.paper], "other_paper_id": ids[found.other], "score": found.score})
    return table.with_columns(rank=pl.int_range(1, pl.len() + 1).over("paper_id"))
