"""The search index of a release as arrays, loaded once for many queries."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from transforms.search.postings import weights
from warehouse.errors import NothingThere
from warehouse.schema.search_rules import DIMENSIONS, EMBEDDED_DIMENSIONS, FEWEST_LETTERS, letters

if TYPE_CHECKING:
    from warehouse.release.query import Database

POSTINGS_AT_A_TIME: Final = 2**16  # what bounds the memory, not the result
NUMBERS: Final = 32  # bits of a posting's key for the paper; those above are its term's place
Numbers = npt.NDArray[np.int64]

WORDS: Final = "SELECT word, term, paper_count FROM core.search_words"
TERMS: Final = """
SELECT term, rarity, paper_count FROM core.search_terms JOIN core.search_rarities USING (paper_count)
ORDER BY term
"""
LISTS: Final = "SELECT term, cohort, places, counts FROM core.search_lists ORDER BY term, cohort"
PLACES: Final = "SELECT cohort, place, length FROM core.search_vectors ORDER BY paper_id"
BASIS: Final = "SELECT term, scale, vector FROM core.search_basis"
PAPERS: Final = (
    f"SELECT paper_id, {letters('title')} AS letters "  # noqa: S608
    "FROM core.search_vectors JOIN core.papers USING (paper_id) ORDER BY paper_id"
)
VECTORS: Final = "SELECT square, vector FROM core.search_vectors ORDER BY paper_id"
EMBEDDINGS: Final = "SELECT square, vector FROM core.search_embeddings ORDER BY paper_id"
# An older release may have none, or one of another form
INDEX_COLUMNS: Final = 2
HAS_INDEX: Final = """
SELECT count(*) FROM duckdb_columns()
WHERE schema_name = 'core'
AND (table_name, column_name) IN (('search_lists', 'places'), ('search_embeddings', 'vector'))
"""


class Words(NamedTuple):
    """Every word with its term (None: a function word) and its number of papers; and plain words by first letter."""

    terms: dict[str, str | None]
    counts: dict[str, int]
    by_letter: dict[str, list[str]]


class Postings(NamedTuple):
    """The papers of every term, one term after the other: those of the term at place p begin at starts[p]."""

    places: dict[str, int]
    rarity: Numbers
    starts: Numbers
    numbers: npt.NDArray[np.int32]
    weights: npt.NDArray[np.int32]

    def of(self, term: str) -> tuple[npt.NDArray[np.int32], Numbers]:
        """The papers that have a term, and its points in each of them: rarity times weight."""
        place = self.places[term]
        here = slice(self.starts[place], self.starts[place + 1])
        return self.numbers[here], self.rarity[place] * self.weights[here]


class Space(NamedTuple):
    """The vectors of all papers, and the squares of their lengths; `lengths` are never 0."""

    papers: npt.NDArray[np.int8]
    squares: Numbers
    lengths: npt.NDArray[np.float64]


class Basis(NamedTuple):
    """The vectors of terms, each with its scale."""

    places: dict[str, int]
    scale: Numbers
    vectors: npt.NDArray[np.int8]


class Index(NamedTuple):
    """The whole index. A paper is known by its place in `paper_ids`, which are sorted.

    The first space is that of the basis; a semantic release has the one of its model too.
    """

    paper_ids: list[str]
    title_letters: list[str]
    words: Words
    postings: Postings
    basis: Basis
    spaces: tuple[Space, ...]


def load(database: Database) -> Index:
    """The index of a release; NothingThere where it has none."""
    [(count,)] = database.rows(HAS_INDEX).rows
    if count != INDEX_COLUMNS:
        raise NothingThere('the latest release has no index of its texts; "paperlake run" makes one that has')
    papers = _table(database, PAPERS)
    ids, title_letters = (papers[name].to_pylist() for name in ("paper_id", "letters"))
    spaces = (_space(database, VECTORS, DIMENSIONS), _space(database, EMBEDDINGS, EMBEDDED_DIMENSIONS))
    table = _table(database, BASIS)
    basis = Basis(_places(table), _numbers(table, "scale"), _flattened(table, "vector").reshape(-1, DIMENSIONS))
    known = tuple(space for space in spaces if len(space.papers) == len(ids))
    return Index(ids, title_letters, load_words(database), load_postings(database), basis, known)


def load_words(database: Database) -> Words:
    table = _table(database, WORDS)
    words, by_letter = table["word"].to_pylist(), defaultdict(list)
    for word in words:
        if len(word) >= FEWEST_LETTERS - 1 and word.isascii() and word.isalpha():
            by_letter[word[0]].append(word)
    terms, counts = table["term"].to_pylist(), table["paper_count"].to_pylist()
    return Words(dict(zip(words, terms, strict=True)), dict(zip(words, counts, strict=True)), dict(by_letter))


def load_postings(database: Database) -> Postings:
    table, lists = _table(database, TERMS), _table(database, LISTS)
    paper_counts = _numbers(table, "paper_count")
    papers = _table(database, PLACES)
    numbers, counts, lengths = _papers_of(papers, lists), _flattened(lists, "counts"), _numbers(papers, "length")
    keys = (np.repeat(np.arange(len(paper_counts)), paper_counts) << NUMBERS) + numbers
    if (np.diff(keys) < 0).any():  # ids of old archives, which are not in the order of their months
        order = np.argsort(keys, kind="stable")
        numbers, counts = numbers[order], counts[order]
    counted = np.zeros(len(counts), np.int32)
    for first in range(0, len(counts), POSTINGS_AT_A_TIME):
        here = slice(first, first + POSTINGS_AT_A_TIME)
        counted[here] = weights(counts[here].astype(np.int64), lengths[numbers[here]])
    starts = np.concatenate([[0], np.cumsum(paper_counts)])
    return Postings(_places(table), _numbers(table, "rarity"), starts, numbers, counted)


def _papers_of(papers: pa.Table, lists: pa.Table) -> npt.NDArray[np.int32]:
    """The paper of each posting, by its place among all `papers`, which are in the order of their ids."""
    named = papers["cohort"].to_pylist()
    cohorts = {cohort: number for number, cohort in enumerate(sorted(set(named)))}
    cohort = np.array([cohorts[one] for one in named], np.int64)
    order = np.lexsort((_numbers(papers, "place"), cohort))  # those of a cohort side by side, by their places
    first = np.searchsorted(cohort[order], np.arange(len(cohorts)))
    of = np.array([cohorts[one] for one in lists["cohort"].to_pylist()], np.int64)
    sizes = np.asarray(lists["places"].combine_chunks().value_lengths().to_numpy(zero_copy_only=False), np.int64)
    places = np.repeat(first[of], sizes) + _flattened(lists, "places")
    return np.asarray(order[places], np.int32)


def _space(database: Database, sql: str, dimensions: int) -> Space:
    papers = _table(database, sql)
    squares = _numbers(papers, "square")
    lengths = np.sqrt(np.maximum(squares, 1).astype(np.float64))
    return Space(_flattened(papers, "vector").reshape(-1, dimensions), squares, lengths)


def _table(database: Database, sql: str) -> pa.Table:
    with database.batches(sql) as (schema, batches):
        return pa.Table.from_batches(batches, schema).combine_chunks()


def _places(table: pa.Table) -> dict[str, int]:
    return {term: place for place, term in enumerate(table["term"].to_pylist())}


def _numbers(table: pa.Table, name: str) -> Numbers:
    return np.asarray(table[name].to_numpy(), np.int64)


def _flattened(table: pa.Table, name: str) -> npt.NDArray[Any]:
    """The values of a column of lists, one after the other."""
    return np.concatenate([np.zeros(0, np.int8), *(chunk.flatten().to_numpy() for chunk in table[name].chunks)])
