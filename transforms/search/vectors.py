"""Vectors of texts by latent semantic analysis, in integers: a frozen basis, summed over the terms of a text.

The basis is data of this package, made once by `bench/search_basis.py`: terms and integers, no text. So the vector of a
text depends on the text alone, and not on how floats are rounded.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from transforms.search.neighbours import scaled
from warehouse.schema.search_rules import DIMENSIONS, VECTOR_MOST

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
    made = np.zeros((texts, DIMENSIONS), np.int8)
    for first in range(0, texts, TEXTS_AT_A_TIME):
        spans = pairwise(ends[first : first + TEXTS_AT_A_TIME + 1])
        sums = [factors[start:end] @ matrix[places[start:end]] for start, end in spans]
        made[first : first + len(sums)] = scaled(np.array(sums).astype(np.int64), VECTOR_MOST)
    return made


def matrix_of(vectors: pl.Series, dimensions: int = DIMENSIONS) -> npt.NDArray[np.int8]:
    """A column of vectors as a matrix, one row each."""
    return vectors.explode(empty_as_null=False).to_numpy().astype(np.int8).reshape(len(vectors), dimensions)
