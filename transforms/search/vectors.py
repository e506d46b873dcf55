"""Vectors of texts, and the papers nearest to each by them.

A vector is made by latent semantic analysis, in integers: a frozen basis, summed over the terms of a text. The basis is
data of this package, made once by `bench/search_basis.py`: terms and integers, no text. So the vector of a text depends
on the text alone, and not on how floats are rounded.

New papers are compared with all, known pairs are kept. Every score is a cosine of integers: their products are exact in
float32 in any order, and root and quotient are IEEE's. Papers are compared tile by tile, each pair once, and only
scores that can still enter a list are taken from a tile. No tile can be skipped: the 20th nearest of a real paper has a
cosine of .4 to .5, and for none of 90 clusters does a bound show that all its papers are farther (bench/RESULTS.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import as_file, files
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from warehouse.schema import search_rules as rules

Spaces: TypeAlias = Sequence[npt.NDArray[np.int8]]
Numbers: TypeAlias = npt.NDArray[np.intp]
Shared: TypeAlias = Callable[[Numbers, Numbers], npt.NDArray[np.int64]]  # how many rare words each two papers share

ROWS: Final = 2**10  # of a tile of scores
TILE: Final = 2**20  # scores of a tile; bounds the memory, does not change the result
WIDEST: Final = 2**13  # columns of a tile, however few its rows are; of the papers there are vectors of floats
PAIRS: Final = 2**20  # that wait to be sorted into the lists, at least; bounds the memory too
GROUP: Final = 32  # columns of a tile of which only the highest score is looked at first
PAPER_BITS: Final = 24  # numbers for 16 million papers; with 14 bits of the score, a pair is one integer
# In SCORE_UNIT, how far a cosine in float32 may be below the exact score, which is rounded down
NEAR: Final = 0.1
# and how far above it: each of two cosines is rounded down, and so are their mean, what is for words, and the sum
SLACK: Final = 3.5


class Pairs(NamedTuple):
    """Pairs of similar papers, by number, with their scores in SCORE_UNIT."""

    paper: npt.NDArray[np.int64]
    other: npt.NDArray[np.int64]
    score: npt.NDArray[np.int64]

    def where(self, chosen: npt.NDArray[np.bool_]) -> Pairs:
        return Pairs(*(column[chosen] for column in self))


class _Side(NamedTuple):
    """Some papers: their numbers, and for each space their vectors and the squares of the vectors' lengths."""

    numbers: Numbers
    vectors: list[npt.NDArray[np.float32]]
    squares: list[npt.NDArray[np.int64]]


def nearest(
    spaces: Spaces,
    fresh: npt.NDArray[np.bool_],
    known: Pairs,
    shared: Shared,
    most: int = rules.SIMILAR_COUNT,
) -> Pairs:
    """The `most` nearest papers of each paper, the highest score first, of equal ones the lower number first.

    Each space has a vector of each paper; the score is the mean of the cosines in all spaces, and in part for rare
    words that are `shared`. `known` are the pairs among the papers that are not `fresh`, as this function returned
    them. A paper that lost one of its nearest must be `fresh`, without known pairs. Each fresh paper is compared with
    all.
    """
    lists, lengths = _Lists(known, len(fresh), most), [squares(of) for of in spaces]
    news, olds = np.flatnonzero(fresh), np.flatnonzero(~fresh)
    for first in range(0, len(news), ROWS):
        numbers, others = news[first : first + ROWS], np.concatenate([news[first + ROWS :], olds])
        ones = _side(spaces, lengths, numbers)
        lists.add(_alike(ones, ones, shared(numbers, numbers), lists.worst, most))
        step = min(TILE // len(numbers), WIDEST)
        for place in range(0, len(others), step):
            some = others[place : place + step]
            lists.add(_alike(ones, _side(spaces, lengths, some), shared(numbers, some), lists.worst, most))
    return lists.all()


class _Lists:
    """The best pairs of each paper so far; `worst` is the lowest score in a list that is full, else 0.

    A pair is packed into one integer, so that integers sort by paper, then by score downwards, then by number.
    """

    def __init__(self, known: Pairs, papers: int, most: int) -> None:
        self.worst = np.zeros(papers, np.int64)
        self._most, self._held = most, _packed(known)
        self._waiting: list[npt.NDArray[np.int64]] = []
        self._settle()

    def add(self, found: Iterator[Pairs]) -> None:
        self._waiting += map(_packed, found)
        if sum(map(len, self._waiting)) >= max(PAIRS, len(self._held)):
            self._settle()

    def all(self) -> Pairs:
        self._settle()
        return _unpacked(self._held)

    def _settle(self) -> None:
        found = np.concatenate([self._held[:0], *self._waiting])
        self._waiting = []
        found.sort()
        ordered = np.concatenate([self._held, found])
        ordered.sort(kind="stable")  # which merges two runs that are in order
        paper, most = _unpacked(ordered).paper, self._most
        self._held = np.concatenate([ordered[:most], ordered[most:][paper[most:] != paper[:-most]]])
        held = _unpacked(self._held)
        ends = held.paper[most - 1 :]
        last = most - 1 + np.flatnonzero(ends == held.paper[: len(ends)])
        self.worst[held.paper[last]] = held.score[last]


def _packed(pairs: Pairs) -> npt.NDArray[np.int64]:
    score_bits = rules.SCORE_UNIT.bit_length()
    return ((pairs.paper << score_bits | (rules.SCORE_UNIT - pairs.score)) << PAPER_BITS) | pairs.other


def _unpacked(packed: npt.NDArray[np.int64]) -> Pairs:
    score_bits = rules.SCORE_UNIT.bit_length()
    score = rules.SCORE_UNIT - (packed >> PAPER_BITS & (1 << score_bits) - 1)
    return Pairs(packed >> PAPER_BITS + score_bits, packed & (1 << PAPER_BITS) - 1, score)


def _side(spaces: Spaces, lengths: Sequence[npt.NDArray[np.int64]], numbers: Numbers) -> _Side:
    return _Side(numbers, [of[numbers].astype(np.float32) for of in spaces], [of[numbers] for of in lengths])


def _alike(
    ones: _Side, others: _Side, shared: npt.NDArray[np.int64], worst: npt.NDArray[np.int64], most: int
) -> Iterator[Pairs]:
    """The pairs of a tile that may enter a list of `ones`, and, if `others` is another side, those for its lists.

    Candidates are chosen by scores in float32; exact ones are computed for these alone.
    """
    products = [one @ other.T for one, other in zip(ones.vectors, others.vectors, strict=True)]
    scores = _scores(products, shared, ones, others)
    if ones is others:
        np.fill_diagonal(scores, -rules.SCORE_UNIT)
    low = _least(scores, worst[ones.numbers], most)[:, None]
    yield _exact(products, shared, ones, others, np.flatnonzero(scores >= low))
    if ones is not others:
        high = _least(scores.T, worst[others.numbers], most)
        found = _exact(products, shared, ones, others, np.flatnonzero(scores >= high))
        yield Pairs(found.other, found.paper, found.score)


def _exact(
    products: Sequence[npt.NDArray[np.float32]],
    shared: npt.NDArray[np.int64],
    ones: _Side,
    others: _Side,
    chosen: Numbers,
) -> Pairs:
    """The chosen pairs of a tile with their exact scores, if these are above 0."""
    row, column = np.divmod(chosen, len(others.numbers))
    norms = [one[row] * other[column] for one, other in zip(ones.squares, others.squares, strict=True)]
    meant = mean([cosines(product[row, column], norm) for product, norm in zip(products, norms, strict=True)])
    score = together(meant, shared[row, column])
    return Pairs(ones.numbers[row], others.numbers[column], score).where(score > 0)


def _scores(
    products: Sequence[npt.NDArray[np.float32]], shared: npt.NDArray[np.int64], ones: _Side, others: _Side
) -> npt.NDArray[np.float32]:
    """The scores of a tile, not rounded; a vector that is zero has a cosine of 0."""
    unit = rules.SCORE_UNIT * (10 - rules.SHARED_TENTHS) / 10 / len(products)
    meant = [product * (unit * _shares(rows))[:, None] for product, rows in zip(products, ones.squares, strict=True)]
    for of_space, columns in zip(meant, others.squares, strict=True):
        np.multiply(of_space, _shares(columns), out=of_space)
    scores = np.asarray(sum(meant[1:], meant[0]), np.float32)
    counts = np.arange(shared.max(initial=0) + 1)
    worded = (rules.SCORE_UNIT * rules.SHARED_TENTHS / 10 * counts / (counts + rules.SHARED_HALF)).astype(np.float32)
    np.add(scores, worded[shared], out=scores)
    return scores


def _shares(squared: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    return (1 / np.sqrt(np.maximum(squared, 1))).astype(np.float32)


def _least(scores: npt.NDArray[np.float32], worst: npt.NDArray[np.int64], most: int) -> npt.NDArray[np.float32]:
    """The lowest score of each row that may enter its list.

    That list's worst, or, if it is not full, a bound that `most` scores of the row reach, since so many groups of
    columns have one.
    """
    least = np.maximum(worst, 1).astype(np.float32) - np.float32(NEAR)
    groups = scores.shape[1] // GROUP
    if worst.all() or groups <= most:
        return least
    highest = scores[:, : groups * GROUP].reshape(len(scores), GROUP, groups).max(axis=1)
    return np.asarray(np.maximum(np.partition(highest, -most, axis=1)[:, -most] - np.float32(SLACK), least))


def mean(scores: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    """The mean of cosines, rounded down."""
    return np.asarray(np.sum(scores, axis=0) // len(scores), np.int64)


def together(meant: npt.NDArray[np.int64], shared: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How like papers are, in SCORE_UNIT: by a cosine, and by the rare words that they share, half at SHARED_HALF."""
    worded = rules.SCORE_UNIT * shared // (shared + rules.SHARED_HALF)
    return ((10 - rules.SHARED_TENTHS) * meant + rules.SHARED_TENTHS * worded) // 10


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
    return np.floor(products.astype(np.float64) * rules.SCORE_UNIT / lengths).astype(np.int64)


# The factor of a term by its count in a text: 8 (1 + ln count), rounded; higher counts have the last one
FREQUENCY: Final = (0, 8, 14, 17, 19, 21, 22, 24, 25, 26, 26, 27, 28, 29, 29, 30, 30)
TEXTS_AT_A_TIME: Final = 1_000  # bounds the memory, does not change the result


@cache
def basis() -> pl.DataFrame:
    """Every `term` that has a meaning, with its `scale` and its `vector` of small integers."""
    with as_file(files("transforms.search") / "basis.parquet") as path:
        return pl.read_parquet(path)


def vectors_of(counts: pl.DataFrame, texts: int) -> npt.NDArray[np.int8]:
    """The vectors of `texts` texts, numbered from 0, one row each: sums over terms, in integers up to VECTOR_MOST.

    `counts` has `text`, `term` and `count`. A text without any term of the basis has a zero vector. Sums are products
    of floats, which hold integers below 2^53 exactly and are nine times as fast as integers.
    """
    known = basis().join(counts, on="term", how="semi").with_row_index("place")
    found = counts.join(known.select("term", "place", "scale"), on="term").sort("text")
    times = np.array(FREQUENCY)[found["count"].clip(0, len(FREQUENCY) - 1).to_numpy()]
    factors, places = (times * found["scale"].to_numpy()).astype(float), found["place"].to_numpy()
    matrix = matrix_of(known["vector"]).astype(float)
    ends = np.searchsorted(found["text"].to_numpy(), np.arange(texts + 1))
    made = np.zeros((texts, rules.DIMENSIONS), np.int8)
    for first in range(0, texts, TEXTS_AT_A_TIME):
        spans = pairwise(ends[first : first + TEXTS_AT_A_TIME + 1])
        sums = [factors[start:end] @ matrix[places[start:end]] for start, end in spans]
        made[first : first + len(sums)] = scaled(np.array(sums).astype(np.int64), rules.VECTOR_MOST)
    return made


def matrix_of(vectors: pl.Series, dimensions: int = rules.DIMENSIONS) -> npt.NDArray[np.int8]:
    """A column of vectors as a matrix, one row each."""
    return vectors.explode(empty_as_null=False).to_numpy().astype(np.int8).reshape(len(vectors), dimensions)
