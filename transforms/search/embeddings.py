"""Vectors of texts by a language model, rounded to small integers. The model itself is an argument: `Encode`.

Its floats depend on the type of processor, by some 1e-6 of their size: of ten thousand rounded values one may differ
by one. So each text is encoded alone and once: the vectors of a release are taken over by the text's hash.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from warehouse.schema.search_rules import QUERY_MOST

Encode: TypeAlias = Callable[[Sequence[str]], npt.NDArray[np.float32]]  # texts → one row each


def rounded(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.int8]:
    """Each row times QUERY_MOST over its largest magnitude, as integers."""
    largest = np.maximum(np.abs(rows).max(axis=-1, keepdims=True), 1e-9)
    return np.asarray(np.rint(rows / largest * QUERY_MOST), np.int8)
