"""`paper_aliases`: the ids and titles that a paper went by; and papers whose `paper_id` changed."""

from __future__ import annotations

import polars as pl

from transforms.identity.blocking import within_papers
from transforms.identity.cluster import symmetrize
from transforms.identity.compare import compared
from transforms.identity.normalise import title_key
from transforms.identity.records import fingerprinted, index_of, records
from transforms.timeline import IN_TIME, in_time, seen
from warehouse.schema.core.identity import PAPER_ALIASES
from warehouse.schema.provenance import OUTER

NAMES = (("arxiv_id", "arxiv_id"), ("title", "title"), ("title", OUTER["title"]))  # kind, column of sightings


def paper_aliases(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per name of a paper: its arXiv ids, and the titles it was shown under, in either object of an answer."""
    names = pl.concat(
        sightings.select("paper_id", "arxiv_id", *IN_TIME, kind=pl.lit(kind), alias=pl.col(column)).drop_nulls("alias")
        for kind, column in NAMES
    )
    grouped = in_time(names).group_by("kind", "alias", "paper_id", maintain_order=True)
    found = grouped.agg(pl.col("arxiv_id").is_not_null().any().alias("is_stated"), *seen())
    scored = found.join(_scores(sightings), on=("alias", "paper_id"), how="left")
    key = title_key(pl.col("alias"))
    method = (
        pl.when("is_stated")
        .then(pl.lit("arxiv_id"))
        .when(pl.col("paper_id").str.starts_with("title:"))
        .then(pl.lit("alone"))
        .when(pl.col("is_stated").any().over("kind", key, "paper_id"))
        .then(pl.lit("title"))
        .otherwise(pl.lit("near_title"))
    )
    score = pl.when("is_stated").then(1.0).otherwise("score")
    return PAPER_ALIASES.conform(scored.with_columns(score=score, method=method))


def _scores(sightings: pl.DataFrame) -> pl.DataFrame:
    """For each title seen without an arXiv id, the score by which it matches what else was seen of its paper."""
    described = records(fingerprinted(sightings.filter(pl.col("arxiv_id").is_null().any().over("paper_id"))))
    pairs = symmetrize(compared(described, within_papers(index_of(described))))
    alone = described.filter(pl.col("arxiv_id").is_null()).select("record", pl.col("title").alias("alias"), "paper_id")
    return pairs.join(alone, on="record").group_by("alias", "paper_id").agg(pl.col("score").max())


def rekeyed(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Papers of one release that go by another `paper_id` in the next: `old_paper_id`, `new_paper_id`, `alias`.

    `before` and `after` are the `paper_aliases` of the two. One row per title that both have; where twins share a
    title, every paper that has it now is named, since the title does not show which of them it is.
    """
    gone = before.select("kind", "alias", pl.col("paper_id").alias("old_paper_id"))
    gone = gone.join(after, left_on="old_paper_id", right_on="paper_id", how="anti")
    found = gone.join(after.select("kind", "alias", pl.col("paper_id").alias("new_paper_id")), on=("kind", "alias"))
    return found.select("old_paper_id", "new_paper_id", "alias").unique().sort(pl.all())
