"""Which sightings are the same paper, and papers that could be taken for one another.

Sightings that share an arXiv id are one paper, and two arXiv ids are never one. A sighting without an id joins the
paper it matches: titles and abstracts are compared, authors and dates weigh in where a page shows them (`compare`).
Records that could match are found by shared keys (`blocking`), so that the cost stays near linear. Everything here is
a function of the set of sightings, never of their order.
"""

from __future__ import annotations

import polars as pl

from transforms.identity.blocking import candidates
from transforms.identity.cluster import works
from transforms.identity.compare import MATCH, compared
from transforms.identity.lookalikes import paper_clusters
from transforms.identity.normalise import title_key
from transforms.identity.records import FINGERPRINT, fingerprinted, records

__all__ = ["identify", "paper_clusters", "title_key"]


def identify(sightings: pl.DataFrame, *, match: float = MATCH) -> pl.DataFrame:
    """Add `paper_id` to sightings (columns `arxiv_id`, `title`, `abstract`; authors and dates count where they are).

    Two texts are one paper from the score `match` on.
    """
    is_alone = pl.col("arxiv_id").is_null()
    fingerprints = fingerprinted(sightings)
    described = records(fingerprints)
    found = works(described, compared(described, candidates(described)), match)
    alone = fingerprints.select(is_alone.alias("is_alone"), *FINGERPRINT).with_row_index("row").filter("is_alone")
    named = described.filter(is_alone).select("record", *FINGERPRINT).join(found, on="record")
    matched = alone.join(named, on=FINGERPRINT, nulls_equal=True).sort("row").select("row", "work_id")
    placed = sightings.with_row_index("row").join(matched, on="row", how="left", maintain_order="left")
    return placed.with_columns(paper_id=pl.coalesce("arxiv_id", "work_id")).drop("row", "work_id")
