"""Scores of papers for a query. The SQL macros compute the same, step by step: the same papers in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import DamerauLevenshtein
from rapidfuzz.process import extract

from flows.find.arrays import Basis, Index, Numbers, Space, Words
from transforms.search.neighbours import cosines, mean, scaled
from warehouse.schema.search_rules import (
    BESIDE_TENTHS,
    CANDIDATES,
    EMBEDDED_TENTHS,
    FEWEST_LETTERS,
    LONG_WORD,
    MEANING_TENTHS,
    MOST_CORRECTED,
    QUERY_MOST,
)

Scores = npt.NDArray[np.float64]

MEANING: Final = MEANING_TENTHS / 10
BESIDE, EMBEDDED = BESIDE_TENTHS / 10, EMBEDDED_TENTHS / 10
PAPERS_AT_A_TIME: Final = 2**9  # what bounds the memory, not the result


def terms_for(words: Words, asked: Iterable[str]) -> Iterator[tuple[str, str | None, str | None]]:
    """Each word of a query, with the known word that it is read as, and the term of that; None where there is none."""
    distinct = list(dict.fromkeys(asked))
    for word in distinct:
        known: str | None = word
        if word not in words.terms:
            known = corrected_word(words, word) if len(distinct) <= MOST_CORRECTED else None
        yield word, known, words.terms[known] if known is not None else None


def corrected_word(words: Words, word: str) -> str | None:
    """The known word that an unknown one misspells: the nearest, then the one in most papers, then the first."""
    if len(word) < FEWEST_LETTERS or not (word.isascii() and word.isalpha()):
        return None
    most, candidates = 1 + (len(word) >= LONG_WORD), words.by_letter.get(word[0], [])
    near = extract(word, candidates, scorer=DamerauLevenshtein.distance, score_cutoff=most, limit=None)
    return min(near, key=lambda found: (found[1], -words.counts[found[0]], found[0]))[0] if near else None


def matches(index: Index, terms: Iterable[str]) -> Numbers:
    """The BM25 score of every paper for the terms, as exact integers."""
    scores = np.zeros(len(index.paper_ids), np.int64)
    for term in terms:
        numbers, points = index.postings.of(term)
        scores[numbers] += points
    return scores


def query_vector(basis: Basis, terms: Iterable[str]) -> Numbers:
    """The vector of a query: the sum of its terms' vectors."""
    places = [basis.places[term] for term in terms if term in basis.places]
    return scaled((basis.vectors[places] * basis.scale[places, None]).sum(axis=0), QUERY_MOST)


def nearness(space: Space, vector: Numbers, among: npt.NDArray[np.bool_]) -> Scores:
    """How near papers are to a vector, as a share of the nearest; 0 of one that points away, or is not `among` them."""
    numbers, near = np.flatnonzero(among), np.zeros(len(among))
    near[numbers] = np.maximum(products(space.papers[numbers], vector), 0.0) / space.lengths[numbers]
    return shares(near)


def products(papers: npt.NDArray[np.int8], vector: Numbers) -> Scores:
    """Dot products of the papers' vectors with one: of integers, which the floats hold exactly."""
    floats, blocks = vector.astype(np.float32), range(0, len(papers), PAPERS_AT_A_TIME)
    found = (papers[first : first + PAPERS_AT_A_TIME].astype(np.float32) @ floats for first in blocks)
    return np.concatenate([np.zeros(0), *found])


def candidates(points: Numbers, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The chosen papers whose meaning is scored: the CANDIDATES best by BM25, of equals the lower id first."""
    best = np.zeros(len(points), bool)
    best[best_first(points, chosen)[:CANDIDATES]] = True
    return best


def shares(scores: Scores | Numbers) -> Scores:
    """Each score as a share of the best."""
    best = scores.max(initial=0)
    return scores / best if best > 0 else np.zeros(len(scores))


def similarities(spaces: Sequence[Space], number: int) -> Numbers:
    """How much every paper is like one, as `similar_papers` has it; 0 of itself."""
    found = []
    for space in spaces:
        vector = space.papers[number].astype(np.int64)
        found.append(cosines(products(space.papers, vector), space.squares * space.squares[number]))
    scores = mean(found)
    scores[number] = 0
    return np.maximum(scores, 0)


def best_first(scores: Scores | Numbers, chosen: npt.NDArray[np.bool_]) -> Numbers:
    """The chosen papers by their score, of equals the lower id first."""
    numbers = np.flatnonzero(chosen)
    return numbers[np.argsort(-scores[numbers], kind="stable")]
