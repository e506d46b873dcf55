"""`paper_clusters`: papers that could be taken for one another, listed but not merged."""

from __future__ import annotations

import polars as pl

from transforms.identity.cluster import components, symmetrize
from transforms.identity.compare import MATCH
from transforms.identity.resolve import Index
from warehouse.schema.core.aliases import PAPER_CLUSTERS


def paper_clusters(index: Index, papers: pl.DataFrame) -> pl.DataFrame:
    """One row per paper in a cluster: one work under several ids, and twins that share only a title or an abstract.

    `papers` gives the last page that showed each (`paper_id`, `capture_id`).
    """
    paper = index.records.select("record", "paper_id")
    likeness = index.pairs.filter(pl.col("kind") == "likeness").rename({"other_record": "other"})
    pairs = _paired(paper, symmetrize(likeness))
    matches = pairs.filter(pl.col("score") >= MATCH)
    is_titled = pl.col("is_same_title").any()
    best = matches.group_by("paper_id").agg(
        *_best(), method=pl.when(is_titled).then(pl.lit("title")).otherwise(pl.lit("near_title"))
    )
    works = best.join(_groups(matches), on="paper_id").with_columns(kind=pl.lit("same_work"))
    twins = (_title_twins(index.records, pairs, works), _abstract_twins(paper, index.pairs, pairs, works))
    found = pl.concat([works, *(frame.select(works.columns) for frame in twins)])
    return PAPER_CLUSTERS.conform(found.join(papers.select("paper_id", "capture_id"), on="paper_id"))


def _paired(paper: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """The best scores of each pair of papers, over their records, in both directions."""
    named = pairs.join(paper, on="record").join(paper.rename({"record": "other", "paper_id": "other_id"}), on="other")
    apart = named.filter(pl.col("paper_id") != pl.col("other_id"))
    return apart.group_by("paper_id", "other_id").agg(*_best(), pl.col("is_same_title").any())


def _best() -> tuple[pl.Expr, pl.Expr]:
    return pl.col("score").max(), pl.col("agreement").max()


def _groups(pairs: pl.DataFrame) -> pl.DataFrame:
    """`paper_id`, `cluster_id`: papers that pairs join, directly or through others."""
    edges = pairs.select(pl.col("paper_id").alias("record"), pl.col("other_id").alias("other"))
    groups = components(edges.select("record").unique(), edges)
    return groups.select(pl.col("record").alias("paper_id"), pl.col("group").alias("cluster_id"))


def _title_twins(records: pl.DataFrame, pairs: pl.DataFrame, works: pl.DataFrame) -> pl.DataFrame:
    """Papers that share a title and are not the same work as all others that have it."""
    clusters = works.select("paper_id", work=pl.col("cluster_id"))
    titled = records.select("title_hash", "paper_id").unique().join(clusters, on="paper_id", how="left")
    titled = titled.with_columns(pl.coalesce("work", "paper_id").alias("work"))
    shared = titled.filter(pl.col("work").n_unique().over("title_hash") > 1)
    shared = shared.with_columns(pl.col("paper_id").min().over("title_hash").alias("cluster_id"))
    work = shared.select("paper_id", "work").unique()
    apart = pairs.filter("is_same_title").join(work, on="paper_id").join(work, left_on="other_id", right_on="paper_id")
    scores = apart.filter(pl.col("work") != pl.col("work_right")).group_by("paper_id").agg(_best())
    twins = shared.select("cluster_id", "paper_id").unique().join(scores, on="paper_id", how="left")
    return twins.with_columns(method=pl.lit("title"), kind=pl.lit("twin_title"))


def _abstract_twins(paper: pl.DataFrame, alike: pl.DataFrame, pairs: pl.DataFrame, works: pl.DataFrame) -> pl.DataFrame:
    """Papers that share nearly all of an abstract and are not one work."""
    other = paper.select(other_record="record", other_id="paper_id")
    named = alike.filter(pl.col("kind") == "repeat").join(paper, on="record").join(other, on="other_record")
    apart = named.filter(pl.col("paper_id") != pl.col("other_id"))
    there = apart.select("paper_id", "other_id", "agreement")
    both = pl.concat([there, there.select(paper_id="other_id", other_id="paper_id", agreement="agreement")])
    work = works.select("paper_id", work="cluster_id")
    placed = both.join(work, on="paper_id", how="left").join(
        work.rename({"paper_id": "other_id"}), on="other_id", how="left", suffix="_right"
    )
    twins = placed.filter((pl.col("work") != pl.col("work_right")).fill_null(True))
    scored = twins.join(pairs.select("paper_id", "other_id", "score"), on=("paper_id", "other_id"), how="left")
    best = scored.group_by("paper_id").agg(_best()).join(_groups(twins), on="paper_id")
    return best.with_columns(method=pl.lit("abstract"), kind=pl.lit("twin_abstract"))
