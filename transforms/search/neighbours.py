"""The papers most alike by their vectors, new ones against all: what is known of the others is kept.

Every cosine is of integers: their products are exact in float32 in any order, and the root and the quotient are IEEE's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from warehouse.schema.search_rules import SCORE_UNIT, SIMILAR_COUNT

Spaces: TypeAlias = Sequence[npt.NDArray[np.int8]]

CELLS: Final = 2**21  # of a block of scores: what bounds the memory, not the result


class Pairs(NamedTuple):
    """Each paper with one like it, by their numbers, and how much alike they are."""

    paper: npt.NDArray[np.int64]
    other: npt.NDArray[np.int64]
    score: npt.NDArray[np.int64]

    def where(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Pairs:
        return Pairs(*(column[chosen] for column in self))


def nearest(spaces: Spaces, fresh: npt.NDArray[np.bool_], known: Pairs, most: int = SIMILAR_COUNT) -> Pairs:
    """At most so many papers like each, the most alike first, of equals the one of the lower number.

    Each space has a vector of each paper; alike is the mean of the cosines in all of them.
    `known` are the pairs among the papers that are not `fresh`, as this function gave them: of a paper that lost one of
    its own they must not be given, and it must be among the fresh.
    """
    worst = np.zeros(len(fresh), np.int64)  # what a paper's list, if it is full, asks of one that enters it
    lengths = np.bincount(known.paper, minlength=len(fresh))
    least = np.full(len(fresh), SCORE_UNIT + 1)
    np.minimum.at(least, known.paper, known.score)
    worst[lengths >= most] = least[lengths >= most]
    found = [known, *_candidates(spaces, fresh, worst, most)]
    return _best(Pairs(*(np.concatenate(columns) for columns in zip(*found, strict=True))), most)


def _candidates(
    spaces: Spaces, fresh: npt.NDArray[np.bool_], worst: npt.NDArray[np.int64], most: int
) -> Iterator[Pairs]:
    """Of each fresh paper its nearest, and of each other the fresh ones that may be in its list."""
    floats = [(vectors.astype(np.float32), squares(vectors)) for vectors in spaces]
    rows = np.flatnonzero(fresh)
    step = max(CELLS // max(len(fresh), 1), 1)
    for place in range(0, len(rows), step):
        part = rows[place : place + step]
        scores = mean([cosines(of[part] @ of.T, norms[part, None] * norms) for of, norms in floats])
        scores[np.arange(len(part)), part] = 0
        kept = np.flatnonzero(~fresh)
        row, column = np.nonzero((scores[:, kept] > 0) & (scores[:, kept] >= worst[kept]))
        yield Pairs(kept[column], part[row], scores[row, kept[column]])
        if scores.shape[1] > most:  # all that reach the last of the best
            floor = np.partition(scores, -most, axis=1)[:, -most, None]
            scores = np.where(scores >= floor, scores, 0)
        row, column = np.nonzero(scores > 0)
        yield _best(Pairs(part[row], column, scores[row, column]), most)


def _best(pairs: Pairs, most: int) -> Pairs:
    order = np.lexsort((pairs.other, -pairs.score, pairs.paper))
    ordered = pairs.where(order)
    starts = np.searchsorted(ordered.paper, ordered.paper)
    return ordered.where(np.arange(len(order)) - starts < most)


def mean(scores: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    """The mean of cosines, rounded down."""
    return np.asarray(np.sum(scores, axis=0) // len(scores), np.int64)


def scaled(sums: npt.NDArray[np.int64], most: int) -> npt.NDArray[np.int64]:
    """Each row times `most` over its largest magnitude, rounded to integers, halves away from zero."""
    largest = np.maximum(np.abs(sums).max(axis=-1, keepdims=True), 1)
    return np.asarray(np.sign(sums) * ((2 * np.abs(sums) * most + largest) // (2 * largest)), np.int64)


def squares(vectors: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """The square of each vector's length."""
    return np.asarray(np.einsum("ij,ij->i", vectors, vectors, dtype=np.int64), np.int64)


def cosines(
    products: npt.NDArray[np.float32] | npt.NDArray[np.float64], norms: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Cosines in SCORE_UNIT, rounded down; 0 where a vector is zero. `norms` are products of squares of lengths."""
    lengths = np.sqrt(np.maximum(norms, 1).astype(np.float64))
    return np.floor(products.astype(np.float64) * SCORE_UNIT / lengths).astype(np.int64)
