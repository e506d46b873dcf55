"""`paper_observations`: the counts of a paper, each time it was seen."""

from __future__ import annotations

import polars as pl

from transforms.timeline import by_precedence, last_known, only
from warehouse.schema.core.observations import PAPER_OBSERVATIONS

COUNTS = [name for name in PAPER_OBSERVATIONS.column_names if name not in {*PAPER_OBSERVATIONS.key, "capture_id"}]


def paper_observations(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per paper and fetch time. Two pages of one instant complement each other, the best source first."""
    observed = only(sightings, *COUNTS).filter(pl.col("observed_at").is_not_null())
    grouped = by_precedence(observed).group_by("paper_id", "observed_at", maintain_order=True)
    return PAPER_OBSERVATIONS.conform(grouped.agg(*(last_known(name) for name in COUNTS), pl.col("capture_id").last()))
