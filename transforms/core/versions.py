"""`paper_versions`: titles, abstracts and summaries as their content changed."""

from __future__ import annotations

import polars as pl

from transforms.collect.cleaning import content_key
from transforms.timeline import by_precedence, seen
from warehouse.schema.core.versions import PAPER_VERSIONS, VERSION_FIELDS
from warehouse.schema.precedence import COPY


def paper_versions(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per paper, field and content; wrapping, case, punctuation and LaTeX markup are not content.

    A content that comes back (A, B, A) is one row, from its first to its last sighting. Texts of copies count only
    where the Hub's own pages have none.
    """
    return PAPER_VERSIONS.conform(pl.concat(_versions(sightings, field) for field in VERSION_FIELDS))


def _versions(sightings: pl.DataFrame, field: str) -> pl.DataFrame:
    is_own = pl.col("source") != COPY
    texts = (
        sightings.drop_nulls(field)
        .filter(is_own | ~is_own.any().over("paper_id"))
        .select("paper_id", "source", "observed_at", "capture_id", "position", pl.col(field).alias("text"))
    )
    # `content` is the key of a version; null where all texts of a paper are equal, as nearly always
    is_one = texts.select((pl.col("text").n_unique().over("paper_id") == 1).alias("is_one")).to_series()
    alike = texts.filter(is_one).with_columns(content=pl.lit(None, pl.String))
    keyed = pl.concat([alike, texts.filter(~is_one).with_columns(content=content_key(pl.col("text")))])
    grouped = by_precedence(keyed).group_by("paper_id", "content", maintain_order=True)
    in_order = grouped.agg(pl.col("text").last(), *seen()).sort("first_seen_at", "last_seen_at", "text")
    return in_order.with_columns(
        field=pl.lit(field),
        version_number=pl.int_range(1, pl.len() + 1).over("paper_id"),
        text=pl.when(pl.len().over("paper_id") > 1).then("text"),
    )
