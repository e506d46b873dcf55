"""Lists of the papers that have a term, and how often: by cohort, so that new papers change only lists of theirs."""

from __future__ import annotations

import polars as pl

OF_A_LIST = ("cohort", "term")


def postings_in(lists: pl.DataFrame, papers: pl.DataFrame) -> pl.DataFrame:
    """`paper_id`, `term`, `count`: one row for each posting of these lists; `papers` has the places of papers."""
    placed = lists.explode("places", "counts").rename({"places": "place", "counts": "count"})
    return placed.join(papers, on=("cohort", "place")).select("paper_id", "term", pl.col("count").cast(pl.Int32))


def listed(postings: pl.DataFrame, papers: pl.DataFrame) -> pl.DataFrame:
    """The lists of these postings, in the order of the papers' places."""
    placed = postings.join(papers, on="paper_id").sort("place")  # `agg` keeps the order of rows in a list
    return placed.group_by(OF_A_LIST).agg(places="place", counts="count")


def counted(before: pl.DataFrame, gone: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """`term`, `paper_count` over all papers: the counts `before`, without lists that are gone, and with new ones."""
    changes = (
        lists.group_by("term").agg(paper_count=sign * pl.col("places").list.len().cast(pl.Int64).sum())
        for lists, sign in ((gone, -1), (new, 1))
    )
    counts = pl.concat([before.select("term", pl.col("paper_count").cast(pl.Int64)), *changes])
    return counts.group_by("term").agg(pl.col("paper_count").sum()).filter(pl.col("paper_count") > 0)
