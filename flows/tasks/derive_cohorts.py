"""Task `derive cohorts`: the sightings of whole cohorts become every row of theirs in every table cut by cohort."""

from __future__ import annotations

from typing import Final

import polars as pl
from msgspec import Struct

from flows.tasks.cohort_range import NAMED, CohortRange, seen_in
from flows.tasks.read_chunk import table_key
from flows.tasks.scratch_place import ScratchPlace, scratch_place
from transforms.core.coverage import papers_of_lists
from transforms.core.derive import of_papers
from transforms.core.people import organization_parts
from transforms.core.search import index_cohorts
from warehouse.release.cohorts import places
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.core.people import ORGANIZATIONS
from warehouse.schema.core.search import SEARCH_LISTS, SEARCH_TERMS, SEARCH_VECTORS, SEARCH_WORDS
from warehouse.schema.core.sightings import SIGHTINGS

LISTED: Final = "listed"  # how many papers the daily lists show
DECLARED: Final = "declared"  # the corrections that are to be made
READERS: Final = "readers"  # what read each page


class Derived(Struct, frozen=True):
    """Where the tables of some cohorts are, and how many rows of each cohort each table has."""

    key: str
    rows: dict[str, dict[str, int]]


def derive_cohorts(of: CohortRange) -> Derived:
    """Every table cut by cohort, and of tables of all papers what these cohorts give to them."""
    with scratch_place(of.scratch) as place:
        sightings = SIGHTINGS.conform(_named(place, of))
        tables = of_papers(sightings, corrections=place.read([table_key(DECLARED, CORRECTIONS.name)]))
        index = index_cohorts(tables[PAPERS.name], tables[PAPER_TEXTS.name])
        tables |= {SEARCH_LISTS.name: index.search_lists, SEARCH_VECTORS.name: index.search_vectors}
        in_cohort = pl.col("places").list.len().cast(pl.Int64)
        parts = {
            SEARCH_WORDS.name: index.words,
            SEARCH_TERMS.name: index.search_lists.select("term", paper_count=in_cohort),
            ORGANIZATIONS.name: organization_parts(sightings),
            LISTED: papers_of_lists(place.read([table_key(READERS, CAPTURES.name)]), sightings),
        }
        rows = {}
        for name, frame in tables.items():
            cohorts = frame.with_columns(_cohort=places.cohort_in(frame))
            rows[name] = dict(cohorts.group_by("_cohort").len().sort("_cohort").iter_rows())
            place.write(table_key(of.key, name), cohorts)
        for name, frame in parts.items():
            place.write(table_key(of.key, name), frame)
    return Derived(of.key, rows)


def _named(place: ScratchPlace, of: CohortRange) -> pl.DataFrame:
    """All sightings of these cohorts, each with its paper."""
    named = place.scan([table_key(NAMED, SIGHTINGS.name)])
    here = named.filter(places.COHORT.is_between(pl.lit(of.first), pl.lit(of.last))).collect()
    if not of.chunks:
        return here
    stated = seen_in(place, of).drop("cohort").with_columns(paper_id="arxiv_id").collect()
    return pl.concat([stated, here.select(stated.columns)])
