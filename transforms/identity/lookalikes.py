"""`paper_clusters`: papers that could be taken for one another, shown and not merged."""

from __future__ import annotations

import polars as pl

from transforms.identity.blocking import lookalikes
from transforms.identity.cluster import components, symmetrize
from transforms.identity.compare import MATCH, compared
from transforms.identity.records import fingerprinted, records
from transforms.timeline import in_time
from warehouse.schema.core.aliases import PAPER_CLUSTERS


def paper_clusters(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row a paper in a cluster: the same work under several ids, and twins that share only the title."""
    described = records(fingerprinted(sightings))
    pairs = _paired(described, symmetrize(compared(described, lookalikes(described))))
    matches = pairs.filter(pl.col("score") >= MATCH)
    edges = matches.select(pl.col("paper_id").alias("record"), pl.col("other_id").alias("other"))
    groups = components(edges.select("record").unique(), edges).rename({"record": "paper_id", "group": "cluster_id"})
    is_titled = pl.col("is_same_title").any()
    best = matches.group_by("paper_id").agg(
        pl.col("score").max(), method=pl.when(is_titled).then(pl.lit("title")).otherwise(pl.lit("near_title"))
    )
    works = best.join(groups, on="paper_id").with_columns(kind=pl.lit("same_work"))
    found = pl.concat([works, _twins(described, pairs, works)])
    last = in_time(sightings).group_by("paper_id", maintain_order=True).agg(pl.col("capture_id").last())
    return PAPER_CLUSTERS.conform(found.join(last, on="paper_id"))


def _paired(described: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """The best pair of texts of each two papers, in both directions."""
    paper = described.select("record", "paper_id")
    named = pairs.join(paper, on="record").join(paper.rename({"record": "other", "paper_id": "other_id"}), on="other")
    apart = named.filter(pl.col("paper_id") != pl.col("other_id"))
    return apart.group_by("paper_id", "other_id").agg(pl.col("score").max(), pl.col("is_same_title").any())


def _twins(described: pl.DataFrame, pairs: pl.DataFrame, works: pl.DataFrame) -> pl.DataFrame:
    """Papers that share a title and are not the same work as all others that have it."""
    clusters = works.select("paper_id", work=pl.col("cluster_id"))
    titled = described.select("title_key", "paper_id").unique().join(clusters, on="paper_id", how="left")
    titled = titled.with_columns(pl.coalesce("work", "paper_id").alias("work"))
    shared = titled.filter(pl.col("work").n_unique().over("title_key") > 1)
    shared = shared.with_columns(pl.col("paper_id").min().over("title_key").alias("cluster_id"))
    work = shared.select("paper_id", "work").unique()
    apart = pairs.filter("is_same_title").join(work, on="paper_id").join(work, left_on="other_id", right_on="paper_id")
    scores = apart.filter(pl.col("work") != pl.col("work_right")).group_by("paper_id").agg(pl.col("score").max())
    twins = shared.select("cluster_id", "paper_id").unique().join(scores, on="paper_id", how="left")
    return twins.select(
        "paper_id", "score", pl.lit("title").alias("method"), "cluster_id", pl.lit("twin_title").alias("kind")
    )
