"""Which papers of a large lake are compared: those of near cells, not each with all; and their rare words.

A cell is a frozen centre with the papers nearer to it than to any other. Two papers are compared if one's cell is near
to the other: of a cosine at least half of that of its own cell. That follows from the two vectors alone, so that the
lists do not depend on what was there first, nor on the number of threads. Products are of integers, exact in float32;
root and quotient are IEEE's. Of the nearest of real papers 98 of 100 are found (bench/RESULTS.md).

Besides the meaning of their words, rare words make two papers alike. A word is rare if the basis does not say that it
is common: that is frozen, so that what two papers share follows from their two texts alone, whatever came before or
beside them.
"""

from collections.abc import Iterator
from functools import cache
from importlib.resources import as_file, files
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from transforms.search.vectors import ROWS, Block, Numbers, basis, each_with_all, matrix_of, squares
from warehouse.schema.search_rules import CELLS

PAPERS: Final = 2**13  # at a time; bounds the memory


@cache
def centres() -> npt.NDArray[np.int8]:
    """The centre of each cell, made once by `bench/search_cells.py`: integers, as of a paper's vector."""
    with as_file(files("transforms.search") / "cells.parquet") as path:
        return matrix_of(pl.read_parquet(path)["centre"])


def blocks_of_cells(vectors: npt.NDArray[np.int8], fresh: npt.NDArray[np.bool_]) -> Iterator[Block]:
    """The pairs to compare, all with a `fresh` paper, as blocks for `nearest`; some pairs come twice.

    Pairs within cells come first: they fill the lists with near papers, so that few of the others enter.
    """
    homes, near = _placed(vectors)
    for cell in range(CELLS):
        members = np.flatnonzero(homes == cell)
        yield from each_with_all(members[fresh[members]], members[~fresh[members]])
    for cell in range(CELLS):
        members = np.flatnonzero(homes == cell)
        is_visitor = (near[:, cell >> 3] >> (7 - (cell & 7)) & 1).astype(bool) & (homes != cell)
        yield from _strips(members[fresh[members]], np.flatnonzero(is_visitor))
        yield from _strips(np.flatnonzero(is_visitor & fresh), members[~fresh[members]])


def _strips(ones: Numbers, others: Numbers) -> Iterator[Block]:
    for first in range(0, len(ones), ROWS):
        yield ones[first : first + ROWS], others


def _placed(vectors: npt.NDArray[np.int8]) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint8]]:
    """The cell of each paper, and a bit for each cell that is near to it; if the vector is zero, all are."""
    lengths = np.sqrt(squares(centres()).astype(np.float64))
    across = centres().T.astype(np.float32)
    homes, near = np.zeros(len(vectors), np.int16), np.zeros((len(vectors), CELLS // 8), np.uint8)
    for first in range(0, len(vectors), PAPERS):
        some = slice(first, first + PAPERS)
        cosines = (vectors[some].astype(np.float32) @ across).astype(np.float64) / lengths
        homes[some] = cosines.argmax(axis=1)
        near[some] = np.packbits(cosines >= cosines.max(axis=1, keepdims=True) / 2, axis=1)
    return homes, near


OF_A_PAPER: Final = ("cohort", "place")


class RareWords:
    """The rare terms of each paper, as numbers: those of paper `n` from `ends[n]` to `ends[n + 1]`."""

    def __init__(self, lists: pl.LazyFrame, papers: pl.DataFrame, fresh: npt.NDArray[np.bool_]) -> None:
        """`lists` has `cohort`, `term` and `places`; `papers` has the cohort and place of each, in their order.

        Only what `fresh` papers share with any is asked for: other terms are left out, and those of one paper alone.
        """
        placed = papers.select(OF_A_PAPER, fresh=pl.Series(fresh)).with_row_index("number").sort(OF_A_PAPER)
        cohorts = placed.with_row_index("first").group_by("cohort").agg(pl.col("first").min(), pl.col("fresh").any())
        is_common = pl.col("term").is_in(basis().filter("is_common")["term"].implode())
        # a list, as by a column no row groups are passed over
        is_near = pl.col("cohort").is_in(cohorts.filter("fresh")["cohort"].to_list())
        near = lists.filter(is_near, ~is_common).collect().join(cohorts, on="cohort").explode("places")
        asked = near.filter(pl.lit(placed["fresh"]).gather(pl.col("first") + pl.col("places")))["term"].unique()
        # filtered as they are read: a day asks for few of the terms
        rare = lists.filter(pl.col("term").is_in(asked.implode())).collect().join(cohorts, on="cohort")
        held = rare.select("places", "first", term=pl.col("term").rank("dense") - 1)
        each = held.filter(pl.col("places").list.len().sum().over("term") > 1).explode("places")
        numbers = placed["number"].to_numpy()[(each["first"] + each["places"]).to_numpy()]
        self._terms = each["term"].to_numpy()[np.argsort(numbers, kind="stable")]
        self._count = held["term"].n_unique()
        self._ends = np.append(0, np.cumsum(np.bincount(numbers, minlength=papers.height)))

    def shared(self, ones: Numbers, others: Numbers) -> npt.NDArray[np.int64]:
        """How many each of `ones` shares with each of `others`, a row for each of `ones`."""
        rows, wanted = self._of(ones)
        columns, held = self._of(others)
        columns = columns[np.argsort(held, kind="stable")]
        starts = np.append(0, np.cumsum(np.bincount(held, minlength=self._count)))
        first, counts = starts[wanted], starts[wanted + 1] - starts[wanted]
        cells = rows.repeat(counts) * len(others) + columns[_spans(first, counts)]
        return np.bincount(cells, minlength=len(ones) * len(others)).reshape(len(ones), len(others))

    def _of(self, papers: Numbers) -> tuple[Numbers, npt.NDArray[np.uint32]]:
        """Each rare term of some papers, beside the place of its paper among them."""
        first, counts = self._ends[papers], self._ends[papers + 1] - self._ends[papers]
        return np.arange(len(papers)).repeat(counts), self._terms[_spans(first, counts)]


def _spans(first: Numbers, counts: Numbers) -> Numbers:
    """The numbers of all spans, each from its first one on."""
    return np.asarray(np.arange(counts.sum()) + (first - np.cumsum(counts) + counts).repeat(counts), np.intp)
