"""The papers most alike by their vectors, new ones against all: what is known of the others is kept.

Every cosine that counts is of integers: their products are exact in float32 in any order, and the root and the quotient
are IEEE's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from warehouse.schema.search_rules import SCORE_UNIT, SIMILAR_COUNT

Spaces: TypeAlias = Sequence[npt.NDArray[np.int8]]

CELLS: Final = 2**21  # of a block of scores: what bounds the memory, not the result
PAIRS: Final = 2**14  # whose exact scores are computed together: the same
GROUP: Final = 32  # columns of a block of which the highest is looked at first
# By how much a cosine in float32 may be over the exact score, in SCORE_UNIT: each of two is rounded down, and so is
# their mean; what float32 leaves out is a hundredth
SLACK: Final = 2.5


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
    """Of each fresh paper its nearest, and of each other the fresh ones that may be in its list.

    Which pairs may count is told by cosines in float32, SLACK too low; their exact scores are computed of these alone.
    """
    units = [_unit(vectors) for vectors in spaces]
    rows, kept = np.flatnonzero(fresh), np.flatnonzero(~fresh)
    entry = (np.maximum(worst[kept], 1) - SLACK).astype(np.float32)
    step = max(CELLS // max(len(fresh), 1), 1)
    for place in range(0, len(rows), step):
        part = rows[place : place + step]
        scores = np.asarray(sum(of[part] @ of.T for of in units), np.float32)
        scores *= np.float32(SCORE_UNIT / len(units))
        scores[np.arange(len(part)), part] = -SCORE_UNIT
        if len(kept):
            row, column = np.nonzero(scores[:, kept] >= entry)
            yield _exact(spaces, kept[column], part[row])
        row, column = np.nonzero(scores >= _floor(scores, most)[:, None])
        yield _best(_exact(spaces, part[row], column), most)


def _unit(vectors: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
    """Vectors of length 1; of zero, zero."""
    lengths = np.sqrt(np.maximum(squares(vectors), 1)).astype(np.float32)
    return np.asarray(vectors / lengths[:, None], np.float32)


def _floor(scores: npt.NDArray[np.float32], most: int) -> npt.NDArray[np.float32]:
    """Of each row what its best reach: so many of its groups of columns have one that does."""
    groups = scores.shape[1] // GROUP
    least = np.full(len(scores), 1 - SLACK, np.float32)
    if groups <= most:
        return least
    highest = scores[:, : groups * GROUP].reshape(len(scores), GROUP, groups).max(axis=1)
    return np.maximum(np.partition(highest, -most, axis=1)[:, -most] - np.float32(SLACK), least)


def _exact(spaces: Spaces, paper: npt.NDArray[np.intp], other: npt.NDArray[np.intp]) -> Pairs:
    """Pairs with their scores, as far as they are alike at all."""
    score = np.zeros(len(paper), np.int64)
    for first in range(0, len(paper), PAIRS):
        here = slice(first, first + PAIRS)
        score[here] = mean([_cosines_of(of[paper[here]], of[other[here]]) for of in spaces])
    return Pairs(paper, other, score).where(score > 0)


def _cosines_of(ones: npt.NDArray[np.int8], others: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    products = np.einsum("ij,ij->i", ones, others, dtype=np.float32)
    return cosines(products, squares(ones) * squares(others))


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
