"""The tables behind search and similar papers: words, terms with their papers, vectors, neighbours.

The index entries of a text depend on the text and the rules of this version (`MODEL`) alone, so that nothing is made
again for a text that a release has. Counts and neighbours are updated by the texts that were added and removed.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from transforms.search.embeddings import Encode, rounded
from transforms.search.neighbours import Pairs, nearest, squares
from transforms.search.posting_lists import counted, listed, postings_in
from transforms.search.postings import rarities
from transforms.search.spelling import terms_of
from transforms.search.tokens import words_in
from transforms.search.vectors import basis, matrix_of, vectors_of
from warehouse.release.cohorts.places import COHORT
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.core.search import (
    SEARCH_BASIS,
    SEARCH_EMBEDDINGS,
    SEARCH_LISTS,
    SEARCH_RARITIES,
    SEARCH_TERMS,
    SEARCH_VECTORS,
    SEARCH_WORDS,
    SIMILAR_PAPERS,
)
from warehouse.schema.search_rules import COUNT_MOST, EMBEDDED_DIMENSIONS, EMBEDDER, HASH_DIGITS, MODEL

TEXT = ("paper_id", "text_sha256")
PLACED = ("paper_id", "cohort", "place")


class IndexedTexts(NamedTuple):
    """A release's tables of the index, and the texts it had of papers whose texts may differ now."""

    papers: pl.DataFrame
    paper_texts: pl.DataFrame
    search_words: pl.DataFrame
    search_terms: pl.DataFrame
    search_lists: pl.DataFrame
    search_vectors: pl.DataFrame
    search_embeddings: pl.DataFrame
    similar_papers: pl.DataFrame

    @property
    def is_current(self) -> bool:
        """Whether this version of the rules made the index."""
        return self.search_vectors["model"].unique().to_list() == [MODEL]


TEXTS_AT_A_TIME = 1_000  # what bounds the memory, not the result
OF_NOTHING = (
    *(PAPERS, PAPER_TEXTS, SEARCH_WORDS, SEARCH_TERMS, SEARCH_LISTS),
    *(SEARCH_VECTORS, SEARCH_EMBEDDINGS, SIMILAR_PAPERS),
)


def search_tables(
    papers: pl.DataFrame,
    paper_texts: pl.DataFrame,
    known: IndexedTexts | None = None,
    encode: Encode | None = None,
) -> dict[str, pl.DataFrame]:
    """All tables of the index. Texts that `known` has are not indexed again, if the same rules indexed them.

    `papers` and `known.papers` need only have papers whose texts may differ: all others keep their entries.
    """
    if known is None or not known.is_current:
        known = IndexedTexts(*(table.empty() for table in OF_NOTHING))
    texts, held, before = hashed(papers, paper_texts), known.search_vectors, _titled(known.papers, known.paper_texts)
    changed = held.join(before, on="paper_id", how="semi").join(texts, on=TEXT, how="anti")
    new = texts.join(held, on=TEXT, how="anti").sort("paper_id").with_row_index("text")
    gone = changed.select("paper_id").join(before, on="paper_id").with_row_index("text")
    words, counts = _counted(known.search_words, new, gone)
    made = [held.join(changed, on="paper_id", how="anti"), _vectors(counts, new)]
    vectors = _placed(pl.concat(made, how="diagonal_relaxed"))
    lists, terms = _lists(known, vectors, gone["paper_id"], _postings(counts, new))
    embeddings = embedded(known.search_embeddings, vectors, texts, encode)
    tables = {
        SEARCH_LISTS: lists,
        SEARCH_VECTORS: vectors,
        SEARCH_EMBEDDINGS: embeddings,
        SIMILAR_PAPERS: similar(known, vectors, embeddings, new["paper_id"]),
    }
    made_of_cohorts = {table.name: table.conform(frame) for table, frame in tables.items()}
    return made_of_cohorts | _of_terms(words, terms, vectors.height)


class IndexedCohorts(NamedTuple):
    """The index of all papers of some cohorts: rows of their own, and counts that add up over cohorts."""

    search_vectors: pl.DataFrame
    search_lists: pl.DataFrame
    words: pl.DataFrame  # each with its term, and the number of these papers that have it


def index_cohorts(papers: pl.DataFrame, paper_texts: pl.DataFrame) -> IndexedCohorts:
    """The index of whole cohorts, made from nothing."""
    new = hashed(papers, paper_texts).sort("paper_id").with_row_index("text")
    words, counts = _counted(SEARCH_WORDS.empty(), new, new.clear())
    vectors = _placed(_vectors(counts, new))
    lists = listed(_postings(counts, new), vectors.select(*PLACED))
    return IndexedCohorts(SEARCH_VECTORS.conform(vectors), SEARCH_LISTS.conform(lists), words)


def tables_of_all(words: pl.DataFrame, lists: pl.DataFrame, paper_count: int) -> dict[str, pl.DataFrame]:
    """The tables of words and terms from those of all cohorts; `lists` has `term` and its `paper_count` in each."""
    words = words.group_by("word").agg(pl.col("term").first(), pl.col("paper_count").sum())
    terms = lists.group_by("term").agg(pl.col("paper_count").sum())
    return _of_terms(words, terms, paper_count)


def _of_terms(words: pl.DataFrame, terms: pl.DataFrame, paper_count: int) -> dict[str, pl.DataFrame]:
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


def _placed(vectors: pl.DataFrame) -> pl.DataFrame:
    """All papers in the order of their ids, each with its place in its cohort."""
    ordered = vectors.with_columns(cohort=COHORT).sort("paper_id")
    return ordered.with_columns(place=pl.int_range(pl.len(), dtype=pl.Int32).over("cohort"))


def _counted(known: pl.DataFrame, new: pl.DataFrame, gone: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The table of words, and how often each `term` is in each new `text`."""
    found = [words_in(part) for part in new.iter_slices(TEXTS_AT_A_TIME)] or [words_in(new)]
    words = _words(known, pl.concat(found), words_in(gone))
    said = (part.join(words, on="word").drop_nulls("term") for part in found)
    return words, pl.concat(part.group_by("text", "term").agg(pl.col("count").sum()) for part in said)


def _words(known: pl.DataFrame, found: pl.DataFrame, lost: pl.DataFrame) -> pl.DataFrame:
    """Every word of any text, with its term and the number of papers that have it."""
    changes = [found.select("word", paper_count=pl.lit(1)), lost.select("word", paper_count=pl.lit(-1))]
    counts = pl.concat([known.select("word", "paper_count"), *changes], how="vertical_relaxed")
    words = counts.group_by("word").agg(pl.col("paper_count").sum()).filter(pl.col("paper_count") > 0)
    unknown = words.join(known, on="word", how="anti")["word"]
    terms = pl.DataFrame({"word": unknown, "term": pl.Series(list(terms_of(unknown)), dtype=pl.String)})
    return words.join(pl.concat([known.select("word", "term"), terms]), on="word")


def _lists(
    known: IndexedTexts, vectors: pl.DataFrame, gone: pl.Series, found: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The lists of every cohort and term, and the number of papers that have each term.

    Only lists of cohorts with a removed or an added paper are made anew.
    """
    moved = pl.concat([gone, found["paper_id"]]).unique().to_frame("paper_id").select(cohort=COHORT).unique()
    touched = known.search_lists.join(moved, on="cohort", how="semi")
    stays = postings_in(touched, known.search_vectors.select(PLACED)).filter(~pl.col("paper_id").is_in(gone.implode()))
    made = listed(pl.concat([stays, found]), vectors.select(PLACED))
    others = known.search_lists.join(moved, on="cohort", how="anti")
    lists = pl.concat([SEARCH_LISTS.conform(others), SEARCH_LISTS.conform(made)])
    return lists, counted(known.search_terms, touched, made)


def _postings(counts: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    of = counts.join(new.select("text", "paper_id"), on="text")
    return of.select("paper_id", "term", pl.col("count").clip(upper_bound=COUNT_MOST).cast(pl.Int32))


def _vectors(counts: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    made = vectors_of(counts, new.height)
    vector = pl.Series(made, dtype=pl.Array(pl.Int8, made.shape[1])).arr.to_list()
    lengths = counts.group_by("text").agg(length=pl.col("count").sum())
    of = new.join(lengths, on="text", how="left").sort("text").select(*TEXT, pl.col("length").fill_null(0))
    return of.with_columns(model=pl.lit(MODEL), square=pl.Series(squares(made), dtype=pl.Int32), vector=vector)


def embedded(known: pl.DataFrame, vectors: pl.DataFrame, texts: pl.DataFrame, encode: Encode | None) -> pl.DataFrame:
    """A model's vector of each text, in the order of the papers; empty without a model."""
    if encode is None:
        return SEARCH_EMBEDDINGS.empty()
    held = known.filter(pl.col("model") == EMBEDDER).join(vectors, on=TEXT, how="semi")
    new = texts.join(held, on=TEXT, how="anti").sort("paper_id")
    said = new.select(pl.concat_str("title", "abstract", separator="\n", ignore_nulls=True)).to_series()
    made = rounded(encode(said.to_list())) if new.height else np.zeros((0, EMBEDDED_DIMENSIONS), np.int8)
    vector = pl.Series(made, dtype=pl.Array(pl.Int8, EMBEDDED_DIMENSIONS)).arr.to_list()
    square = pl.Series(squares(made), dtype=pl.Int32)
    found = new.select(*TEXT).with_columns(model=pl.lit(EMBEDDER), square=square, vector=vector)
    return pl.concat([held.select(found.columns), found]).sort("paper_id")


def similar(known: IndexedTexts, vectors: pl.DataFrame, embeddings: pl.DataFrame, new: pl.Series) -> pl.DataFrame:
    """The nearest papers of each. A paper that lost one of its nearest is compared with all again.

    All papers are, if the previous release had a model and this one has none, or the other way round.
    """
    before = known.similar_papers
    if not embeddings["model"].unique().equals(known.search_embeddings["model"].unique()):
        before, new = SIMILAR_PAPERS.empty(), vectors["paper_id"]
    ids = vectors["paper_id"]
    places = pl.Enum(ids)  # a number each, in their order, and one more for papers that are gone
    numbers = (before[name].cast(places, strict=False).to_physical() for name in ("paper_id", "other_paper_id"))
    paper, other = (number.fill_null(len(ids)).cast(pl.Int64).to_numpy() for number in numbers)
    fresh = np.append(ids.is_in(new.implode()).to_numpy(), True)
    fresh[paper[fresh[other]]] = True
    held = Pairs(paper, other, before["score"].cast(pl.Int64).to_numpy()).where(~(fresh[paper] | fresh[other]))
    return _similar(vectors, embeddings, fresh[:-1], held)


def similar_to_all(vectors: pl.DataFrame, embeddings: pl.DataFrame) -> pl.DataFrame:
    """The nearest papers of each, where nothing is known yet; `vectors` are in the order of their papers."""
    none = np.zeros(0, np.int64)
    return SIMILAR_PAPERS.conform(_similar(vectors, embeddings, np.ones(vectors.height, bool), Pairs(none, none, none)))


def _similar(
    vectors: pl.DataFrame, embeddings: pl.DataFrame, fresh: npt.NDArray[np.bool_], known: Pairs
) -> pl.DataFrame:
    ids, spaces = vectors["paper_id"], [matrix_of(vectors["vector"])]
    if embeddings.height:
        spaces.append(matrix_of(embeddings["vector"], EMBEDDED_DIMENSIONS))
    found = nearest(spaces, fresh, known)
    rank = 1 + np.arange(len(found.paper)) - np.searchsorted(found.paper, found.paper)
    return pl.DataFrame(
        {"paper_id": ids[found.paper], "other_paper_id": ids[found.other], "score": found.score, "rank": rank}
    )
