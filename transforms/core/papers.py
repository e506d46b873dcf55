"""`papers` and `paper_texts`: the best current answer per paper, field by field."""

from __future__ import annotations

import polars as pl

from transforms.timeline import in_time, last_given, only, ranked, seen
from warehouse.schema.core.papers import PAPER_FIELDS, PAPER_TEXTS, PAPERS


def papers(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per paper; each field from the sighting that `PAPER_FIELDS` puts first."""
    joined = (
        in_time(only(sightings, "submitted_at", "listed_on"))
        .group_by("paper_id", maintain_order=True)
        .agg(
            pl.col("submitted_at").min(),
            pl.col("listed_on").min().alias("first_listed_on"),
            pl.col("listed_on").max().alias("last_listed_on"),
            *seen(),
        )
    )
    for criteria in dict.fromkeys(precedence.criteria for precedence in PAPER_FIELDS):
        decided = [precedence for precedence in PAPER_FIELDS if precedence.criteria == criteria]
        shown = only(sightings, *(field for precedence in decided for field in precedence.fields))
        grouped = ranked(shown, criteria).group_by("paper_id", maintain_order=True)
        best = grouped.agg(map(last_given, decided))
        joined = joined.join(best, on="paper_id", how="left")
    return PAPERS.conform(joined)


def paper_texts(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per paper of which a page showed an abstract."""
    return PAPER_TEXTS.conform(best_text(sightings, "abstract"))


def best_text(sightings: pl.DataFrame, field: str) -> pl.DataFrame:
    """One row per paper: its title or abstract by precedence, the page that shows it, when any was first seen."""
    [precedence] = (precedence for precedence in PAPER_FIELDS if field in precedence.fields)
    shown = only(sightings, field).drop_nulls(field)
    grouped = ranked(shown, precedence.criteria).group_by("paper_id", maintain_order=True)
    return grouped.agg(pl.col(field, "capture_id").last(), pl.col("observed_at").min().alias("first_seen_at"))
