"""Which terms a text has, and how much each counts in it: BM25F in integers."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Context
from typing import Final

import polars as pl

from warehouse.schema.search_rules import AVERAGE_LENGTH, B_TENTHS, K1_TENTHS, RARITY_UNIT, WEIGHT_UNIT

DIGITS: Final = Context(prec=20)  # of a logarithm: decimal ones are the same on every machine


def weighed(counts: pl.DataFrame) -> pl.DataFrame:
    """`text`, `term` and its `count` with the `weight`: WEIGHT_UNIT * (k1 + 1) tf / (tf + k1 (1 - b + b L / average)).

    One division of integers, halves rounded up.
    """
    length = pl.col("count").sum().over("text")
    # k1 (1 - b + b L / average) in units of 1 / (100 average)
    damping = K1_TENTHS * ((10 - B_TENTHS) * AVERAGE_LENGTH + B_TENTHS * length)
    whole = 100 * AVERAGE_LENGTH
    above = WEIGHT_UNIT * (10 + K1_TENTHS) * whole // 10 * pl.col("count")
    below = whole * pl.col("count") + damping
    return counts.with_columns(weight=((2 * above + below) // (2 * below)).cast(pl.Int32))


def rarities(counts: Iterable[int], paper_count: int) -> dict[int, int]:
    """By in how many papers a term is: its inverse document frequency, ln(1 + (N - n + 1/2) / (n + 1/2))."""
    odds = {count: DIGITS.divide(2 * (paper_count - count) + 1, 2 * count + 1) for count in counts}
    return {count: round(RARITY_UNIT * DIGITS.ln(1 + odd)) for count, odd in odds.items()}
