"""`identify`: which paper each sighting shows."""

from __future__ import annotations

import polars as pl

from transforms.identity.blocking import candidates
from transforms.identity.cluster import works
from transforms.identity.compare import MATCH, compared
from transforms.identity.records import FINGERPRINT, fingerprinted, records


def identify(sightings: pl.DataFrame, *, match: float = MATCH) -> pl.DataFrame:
    """Add `paper_id` to sightings (columns `arxiv_id`, `title`, `abstract`; authors and dates count where they are).

    Two texts are one paper from the score `match` on.
    """
    is_alone = pl.col("arxiv_id").is_null()
    told = fingerprinted(sightings)
    compared_records = records(told)
    pairs = compared(compared_records, candidates(compared_records))
    found = works(compared_records, pairs, match)
    alone = told.select(is_alone.alias("is_alone"), *FINGERPRINT).with_row_index("row").filter("is_alone")
    named = compared_records.filter(is_alone).select("record", *FINGERPRINT).join(found, on="record")
    matched = alone.join(named, on=FINGERPRINT, nulls_equal=True).sort("row").select("row", "work_id")
    placed = sightings.with_row_index("row").join(matched, on="row", how="left", maintain_order="left")
    return placed.with_columns(paper_id=pl.coalesce("arxiv_id", "work_id")).drop("row", "work_id")
