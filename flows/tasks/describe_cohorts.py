"""Task `describe cohorts`: what of their sightings tells which are one paper, as rows of the index of identity.

All pages that state an arXiv id are of its cohort, so that a cohort's rows follow from its sightings alone. Which
records are one paper is resolved of the rows of all cohorts: hashes, no texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from flows.tasks.cohort_range import CohortRange, seen_in
from flows.tasks.read_chunk import UNNAMED, ChunkRead, table_key
from flows.tasks.scratch_place import ScratchPlace, scratch_place
from transforms.identity import FETCHED, described
from warehouse.schema.core.identity import IDENTITY_RECORDS
from warehouse.schema.core.sightings import SIGHTINGS

OF_A_PAGE: Final = tuple(name for name in FETCHED if name != "paper_id")


def describe_cohorts(of: CohortRange) -> str:
    """The index of the records of some cohorts; where it is."""
    with scratch_place(of.scratch) as place:
        index = IDENTITY_RECORDS.empty()
        if of.chunks:
            # Each thing once, as the first page tells it: most of a cohort are seen again and again
            seen = seen_in(place, of).select(OF_A_PAGE).unique(OF_A_PAGE[2:], maintain_order=True)
            index = described(seen.collect())
        place.write(at := table_key(of.key, IDENTITY_RECORDS.name), index)
    return at


def unnamed_in(place: ScratchPlace, read: Sequence[ChunkRead]) -> pl.DataFrame:
    """All sightings that state no arXiv id."""
    keys = [table_key(one.key, SIGHTINGS.name) for one in read]
    return place.scan(keys).filter(pl.col("cohort") == UNNAMED).drop("cohort").collect()


def sightings_of(place: ScratchPlace, read: Sequence[ChunkRead], unnamed: pl.DataFrame, ids: pl.Series) -> pl.DataFrame:
    """What all pages tell of papers that could be one; of those that have no name yet, everything."""
    keys = [table_key(one.key, SIGHTINGS.name) for one in read]
    shown = place.scan(keys).filter(pl.col("arxiv_id").is_in(ids.implode())).select(OF_A_PAGE)
    stated = shown.unique(OF_A_PAGE[2:]).with_columns(paper_id="arxiv_id").collect()
    return pl.concat([stated, unnamed.select(*OF_A_PAGE, paper_id=pl.lit(""))])
