"""`paper_clusters`: papers that could be taken for one another, shown and not merged."""

from __future__ import annotations

import polars as pl

from transforms.identity.blocking import HEAD, lookalikes, repeats
from transforms.identity.cluster import components, symmetrize
from transforms.identity.compare import MATCH, compared, shared_abstracts
from transforms.identity.records import fingerprinted, records
from transforms.timeline import in_time
from warehouse.schema.core.aliases import PAPER_CLUSTERS

# Of two abstracts that are nearly one. Of all pairs of real papers two agree so far, by 0.98 and 0.99; the next, by one
# author on one theory, by 0.78, 0.74 and 0.65, then 0.40 (docs/identity.md)
TWIN_AGREEMENT = 0.85


def paper_clusters(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row a paper in a cluster: one work under several ids, and twins that share a title only or an abstract."""
    described = records(fingerprinted(sightings))
    pairs = _paired(described, symmetrize(compared(described, lookalikes(described))))
    matches = pairs.filter(pl.col("score") >= MATCH)
    is_titled = pl.col("is_same_title").any()
    best = matches.group_by("paper_id").agg(
        *_best(), method=pl.when(is_titled).then(pl.lit("title")).otherwise(pl.lit("near_title"))
    )
    works = best.join(_groups(matches), on="paper_id").with_columns(kind=pl.lit("same_work"))
    twins = (_title_twins(described, pairs, works), _abstract_twins(described, pairs, works))
    found = pl.concat([works, *(frame.select(works.columns) for frame in twins)])
    last = in_time(sightings).group_by("paper_id", maintain_order=True).agg(pl.col("capture_id").last())
    return PAPER_CLUSTERS.conform(found.join(last, on="paper_id"))


def _paired(described: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """The best pair of texts of each two papers, in both directions."""
    paper = described.select("record", "paper_id")
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


def _title_twins(described: pl.DataFrame, pairs: pl.DataFrame, works: pl.DataFrame) -> pl.DataFrame:
    """Papers that share a title and are not the same work as all others that have it."""
    clusters = works.select("paper_id", work=pl.col("cluster_id"))
    titled = described.select("title_key", "paper_id").unique().join(clusters, on="paper_id", how="left")
    titled = titled.with_columns(pl.coalesce("work", "paper_id").alias("work"))
    shared = titled.filter(pl.col("work").n_unique().over("title_key") > 1)
    shared = shared.with_columns(pl.col("paper_id").min().over("title_key").alias("cluster_id"))
    work = shared.select("paper_id", "work").unique()
    apart = pairs.filter("is_same_title").join(work, on="paper_id").join(work, left_on="other_id", right_on="paper_id")
    scores = apart.filter(pl.col("work") != pl.col("work_right")).group_by("paper_id").agg(_best())
    twins = shared.select("cluster_id", "paper_id").unique().join(scores, on="paper_id", how="left")
    return twins.with_columns(method=pl.lit("title"), kind=pl.lit("twin_title"))


def _abstract_twins(described: pl.DataFrame, pairs: pl.DataFrame, works: pl.DataFrame) -> pl.DataFrame:
    """Papers that share nearly all of an abstract and are not one work; a text shorter than `HEAD` may be cut."""
    paper = described.filter(pl.col("abstract").str.len_chars() >= HEAD).select("record", "paper_id")
    other = paper.select(pl.col("record").alias("other"), pl.col("paper_id").alias("other_id"))
    named = repeats(described).join(paper, on="record").join(other, on="other")
    apart = named.filter(pl.col("paper_id") != pl.col("other_id"))
    agreed = shared_abstracts(described, apart).filter(pl.col("agreement") >= TWIN_AGREEMENT)
    there = apart.join(agreed, on=("record", "other")).select("paper_id", "other_id", "agreement")
    both = pl.concat([there, there.select(paper_id="other_id", other_id="paper_id", agreement="agreement")])
    work = works.select("paper_id", work="cluster_id")
    placed = both.join(work, on="paper_id", how="left").join(
        work.rename({"paper_id": "other_id"}), on="other_id", how="left", suffix="_right"
    )
    twins = placed.filter((pl.col("work") != pl.col("work_right")).fill_null(True))
    scored = twins.join(pairs.select("paper_id", "other_id", "score"), on=("paper_id", "other_id"), how="left")
    best = scored.group_by("paper_id").agg(_best()).join(_groups(twins), on="paper_id")
    return best.with_columns(method=pl.lit("abstract"), kind=pl.lit("twin_abstract"))
