"""The rare words of papers: besides the meaning of their words, these make two papers alike.

A word is rare if the basis does not say that it is common: that is frozen, so that what two papers share follows from
their two texts alone, whatever came before or beside them.
"""

from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from transforms.search.vectors import Numbers, basis

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
