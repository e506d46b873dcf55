"""Which terms a text has, and how much each counts in it: BM25F in integers."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Context
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from warehouse.schema.search_rules import AVERAGE_LENGTH, B_TENTHS, K1_TENTHS, RARITY_UNIT, WEIGHT_UNIT

NUMBERS: Final = 32  # bits of a posting's key for the paper's number; those above are its term's place
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


def grown(known: pl.DataFrame, number_now: npt.NDArray[np.int64], found: pl.DataFrame) -> pl.DataFrame:
    """`term`, `paper_numbers`, `weights`: what is `known`, in the order of its terms, and what was `found` besides.

    `number_now` has by their number before the papers' number now, which keeps their order, and -1 for those that are
    gone. Of all postings, which are millions, no row is made: they are keys, in order, into which the new ones go.
    """
    terms = pl.concat([known["term"], found["term"]]).unique().sort().to_frame().with_row_index("place")
    old_places = known.join(terms, on="term", how="left", maintain_order="left")["place"].to_numpy().astype(np.int64)
    counts = known["paper_numbers"].list.len().to_numpy()
    numbers = number_now[known["paper_numbers"].explode().drop_nulls().to_numpy()]
    stays = numbers >= 0
    keys = ((np.repeat(old_places, counts) << NUMBERS) + numbers)[stays]
    weights = known["weights"].explode().drop_nulls().to_numpy()[stays]
    new = found.join(terms, on="term").sort("place", "number")
    new_keys = (new["place"].to_numpy().astype(np.int64) << NUMBERS) + new["number"].to_numpy()
    at = np.searchsorted(keys, new_keys)
    keys = np.insert(keys, at, new_keys)
    weights = np.insert(weights, at, new["weight"].to_numpy())
    ends = np.searchsorted(keys, np.arange(terms.height + 1, dtype=np.int64) << NUMBERS)
    lists = terms.select("term", paper_numbers=_lists(ends, keys & (2**NUMBERS - 1)), weights=_lists(ends, weights))
    return lists.filter(pl.col("paper_numbers").list.len() > 0)


def _lists(ends: npt.NDArray[np.int64], values: npt.NDArray[np.int64]) -> pl.Series:
    """A flat array cut into lists: each from one end to the next."""
    return pl.Series(pl.from_arrow(pa.LargeListArray.from_arrays(pa.array(ends), pa.array(values.astype(np.int32)))))
