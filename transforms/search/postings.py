"""The weight of a term in a text, and its rarity: BM25F in integers."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Context
from typing import Final

import numpy as np
import numpy.typing as npt

from warehouse.schema.search_rules import AVERAGE_LENGTH, B_TENTHS, K1_TENTHS, RARITY_UNIT, WEIGHT_MOST

DIGITS: Final = Context(prec=20)  # of a logarithm: decimal ones are the same on every machine


def weights(counts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """WEIGHT_UNIT * (k1 + 1) tf / (tf + k1 (1 - b + b L / average)), by a term's `counts` and the texts' `lengths`.

    One division of integers, halves rounded up.
    """
    # k1 (1 - b + b L / average) in units of 1 / (100 average)
    damping = K1_TENTHS * ((10 - B_TENTHS) * AVERAGE_LENGTH + B_TENTHS * lengths)
    whole = 100 * AVERAGE_LENGTH * counts
    return np.asarray((2 * WEIGHT_MOST * whole + whole + damping) // (2 * (whole + damping)), np.int64)


def rarities(counts: Iterable[int], paper_count: int) -> dict[int, int]:
    """The inverse document frequency, ln(1 + (N - n + 1/2) / (n + 1/2)), by the number n of papers with a term."""
    odds = {count: DIGITS.divide(2 * (paper_count - count) + 1, 2 * count + 1) for count in counts}
    return {count: round(RARITY_UNIT * DIGITS.ln(1 + odd)) for count, odd in odds.items()}
