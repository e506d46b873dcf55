"""Task `derive cohorts`: the sightings of whole cohorts become every row of theirs in every table cut by cohort."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

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
RowsOf: TypeAlias = dict[str, dict[str, int]]  # by table and cohort


class Derived(Struct, frozen=True):
    """Where the tables of some cohorts are, and how many rows of each cohort each table has."""

    key: str
    rows: RowsOf


def derive_cohorts(of: CohortRange) -> Derived:
    """Every table cut by cohort, and of tables of all papers what these cohorts give to them."""
    with scratch_place(of.scratch) as place:
        rows, texts = _of_papers(place, of)
        index = index_cohorts(*texts)
        in_cohort = pl.col("places").list.len().cast(pl.Int64)
        counts = index.search_lists.select("term", paper_count=in_cohort)
        _write(place, of, {SEARCH_WORDS.name: index.words, SEARCH_TERMS.name: counts})
        tables = {SEARCH_LISTS.name: index.search_lists, SEARCH_VECTORS.name: index.search_vectors}
        rows |= _write_cut(place, of, tables)
    return Derived(of.key, rows)


def _of_papers(place: ScratchPlace, of: CohortRange) -> tuple[RowsOf, tuple[pl.DataFrame, pl.DataFrame]]:
    """The tables of the papers, which have left memory before the titles and the abstracts are indexed."""
    sightings = SIGHTINGS.conform(_named(place, of))
    tables = of_papers(sightings, corrections=place.read([table_key(DECLARED, CORRECTIONS.name)]))
    listed = papers_of_lists(place.read([table_key(READERS, CAPTURES.name)]), sightings)
    _write(place, of, {ORGANIZATIONS.name: organization_parts(sightings), LISTED: listed})
    titles, abstracts = tables[PAPERS.name].select("paper_id", "title"), tables[PAPER_TEXTS.name]
    return _write_cut(place, of, tables), (titles, abstracts.select("paper_id", "abstract"))


def _write_cut(place: ScratchPlace, of: CohortRange, tables: Mapping[str, pl.DataFrame]) -> RowsOf:
    """Write tables that are cut by cohort; how many rows each has of each."""
    cut = {name: frame.with_columns(_cohort=places.cohort_in(frame)) for name, frame in tables.items()}
    _write(place, of, cut)
    return {name: dict(frame.group_by("_cohort").len().sort("_cohort").iter_rows()) for name, frame in cut.items()}


def _write(place: ScratchPlace, of: CohortRange, tables: Mapping[str, pl.DataFrame]) -> None:
    for name, frame in tables.items():
        place.write(table_key(of.key, name), frame)


def _named(place: ScratchPlace, of: CohortRange) -> pl.DataFrame:
    """All sightings of these cohorts, each with its paper."""
    named = place.scan([table_key(NAMED, SIGHTINGS.name)])
    here = named.filter(places.COHORT.is_between(pl.lit(of.first), pl.lit(of.last))).collect()
    if not of.chunks:
        return here
    stated = seen_in(place, of).drop("cohort").with_columns(paper_id="arxiv_id").collect()
    return pl.concat([stated, here.select(stated.columns)])
