"""Which papers of a large lake are compared: those of near cells, not each with all.

A cell is a frozen centre with the papers nearer to it than to any other. Two papers are compared if one's cell is near
to the other: of a cosine at least half of that of its own cell. That follows from the two vectors alone, so that the
lists do not depend on what was there first, nor on the number of threads. Products are of integers, exact in float32;
root and quotient are IEEE's. Of the nearest of real papers 98 of 100 are found (bench/RESULTS.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import as_file, files
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from transforms.search.vectors import ROWS, Block, Numbers, matrix_of, squares
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
        news, olds = members[fresh[members]], members[~fresh[members]]
        for first in range(0, len(news), ROWS):
            ones = news[first : first + ROWS]
            yield ones, ones
            yield ones, np.concatenate([news[first + ROWS :], olds])
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
