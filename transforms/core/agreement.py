"""How far the row of a paper is vouched for: by one look at the Hub, or by two that agree."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import polars as pl

from transforms.collect.cleaning import content_key
from transforms.timeline import ORDERING, by_precedence
from warehouse.schema.provenance import COPY

SAID: Final = {
    "title": pl.col("title"),
    "abstract": pl.col("abstract"),
    "authors": pl.col("authors").list.eval(pl.element().struct.field("name")).list.join("\n"),
}
ONE_LOOK: Final = timedelta(hours=1)  # pages that are fetched within it are one look
STANDINGS: Final = ("agreed", "provisional", "disputed")  # of its title, abstract and authors the last is the paper's


def standings(sightings: pl.DataFrame) -> pl.DataFrame:
    """`paper_id`, `standing`: of each paper that a dated page of the Hub shows."""
    looks = sightings.filter(~pl.col("source").is_in(["text", COPY]), pl.col("observed_at").is_not_null())
    ranks = pl.concat(_ranks(looks.select(*ORDERING, said=said).drop_nulls("said")) for said in SAID.values())
    worst = pl.col("rank").max().replace_strict(range(len(STANDINGS)), STANDINGS, return_dtype=pl.String)
    return ranks.group_by("paper_id").agg(standing=worst)


def _ranks(rows: pl.DataFrame) -> pl.DataFrame:
    """For each paper, whether two looks said what the best one says, one alone did, or others say otherwise."""
    differs = pl.col("said").n_unique().over("paper_id") > 1
    same = rows.filter(~differs).with_columns(said=pl.lit(None, pl.String))
    keyed = pl.concat([same, rows.filter(differs).with_columns(said=content_key(pl.col("said")))])
    is_best = pl.col("said").eq_missing(pl.col("said").last())
    at = pl.col("observed_at").filter(is_best)
    return (
        by_precedence(keyed)
        .group_by("paper_id", maintain_order=True)
        .agg(rank=pl.when(at.max() - at.min() > ONE_LOOK).then(0).when(is_best.all()).then(1).otherwise(2))
    )
