"""Which papers have a term, and how often: lists that grow without a row for each of their postings."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

NUMBERS: Final = 32  # bits of a posting's key for the paper's number; those above are its term's place


def grown(known: pl.DataFrame, number_now: npt.NDArray[np.int64], found: pl.DataFrame) -> pl.DataFrame:
    """`term`, `paper_numbers`, `counts`: what is `known`, in the order of its terms, and what was `found` besides.

    `number_now` has by their number before the papers' number now, which keeps their order, and -1 for those that are
    gone. Of all postings, which are millions, no row is made: they are keys, in order, into which the new ones go.
    """
    terms = pl.concat([known["term"], found["term"]]).unique().sort().to_frame().with_row_index("place")
    old_places = known.join(terms, on="term", how="left", maintain_order="left")["place"].to_numpy().astype(np.int64)
    lengths = known["paper_numbers"].list.len().to_numpy()
    numbers = number_now[known["paper_numbers"].explode().drop_nulls().to_numpy()]
    stays = numbers >= 0
    keys = ((np.repeat(old_places, lengths) << NUMBERS) + numbers)[stays]
    occurrences = known["counts"].explode().drop_nulls().to_numpy()[stays]
    new = found.join(terms, on="term").sort("place", "number")
    new_keys = (new["place"].to_numpy().astype(np.int64) << NUMBERS) + new["number"].to_numpy()
    at = np.searchsorted(keys, new_keys)
    keys = np.insert(keys, at, new_keys)
    occurrences = np.insert(occurrences, at, new["count"].to_numpy())
    ends = np.searchsorted(keys, np.arange(terms.height + 1, dtype=np.int64) << NUMBERS)
    lists = terms.select("term", paper_numbers=_lists(ends, keys & (2**NUMBERS - 1)), counts=_lists(ends, occurrences))
    return lists.filter(pl.col("paper_numbers").list.len() > 0)


def _lists(ends: npt.NDArray[np.int64], values: npt.NDArray[np.int64]) -> pl.Series:
    """A flat array cut into lists: each from one end to the next."""
    return pl.Series(pl.from_arrow(pa.LargeListArray.from_arrays(pa.array(ends), pa.array(values.astype(np.int32)))))
