"""Deriving every core table from the captures and the sightings, in the one order in which they are made.

`derive` makes all tables at once, from a few pages; a build makes the same by cohort (`of_papers`, flows/tasks).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import polars as pl

from transforms.collect.collect import Collected
from transforms.core.aliases import paper_aliases
from transforms.core.claims import ReadTexts, systems_and_claims
from transforms.core.conflicts import conflicts
from transforms.core.coverage import coverage
from transforms.core.links import paper_keywords, paper_links
from transforms.core.listings import daily_listings, list_appearances
from transforms.core.observations import paper_observations
from transforms.core.papers import paper_texts, papers
from transforms.core.people import organizations, paper_authors
from transforms.core.schema_paths import merged
from transforms.core.search import IndexedTexts, search_tables
from transforms.core.versions import paper_versions
from transforms.corrections import NONE, corrected
from transforms.identity import Index, nothing_known, paper_clusters, resolve
from transforms.search.embeddings import Encode
from warehouse.schema.core.aliases import PAPER_CLUSTERS
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.identity import IDENTITY_PAIRS, IDENTITY_RECORDS
from warehouse.schema.core.sightings import SIGHTINGS

DERIVED: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    table.__name__: table
    for table in (
        papers,
        paper_texts,
        paper_aliases,
        paper_versions,
        paper_observations,
        daily_listings,
        list_appearances,
        paper_authors,
        organizations,
        paper_keywords,
        paper_links,
        conflicts,
    )
}


# Tables of which a row may be made of several papers' sightings
OF_ALL_PAPERS: Final = {organizations.__name__}


def derive(
    collected: Collected,
    known: ReadTexts | None = None,
    indexed: IndexedTexts | None = None,
    encode: Encode | None = None,
    corrections: pl.DataFrame = NONE,
) -> dict[str, pl.DataFrame]:
    """All core tables, each conforming to its declaration. Sightings come without `paper_id`, or with an old one.

    Texts that `known` has are not read for systems and claims again, and those that `indexed` has are not indexed
    again; the result is the same without. With `encode`, a model's vectors of the texts are made too.
    """
    seen = collected.sightings
    found = resolve(seen, nothing_known(), lambda _: seen.clear())
    sightings = SIGHTINGS.conform(found.sightings)
    tables = of_papers(sightings, known, corrections) | {"captures": CAPTURES.conform(collected.captures)}
    tables |= {name: DERIVED[name](sightings) for name in OF_ALL_PAPERS} | identity_tables(
        found.known, tables["papers"]
    )
    tables |= search_tables(tables["papers"], tables["paper_texts"], indexed, encode)
    tables["coverage"] = coverage(tables["captures"], sightings, collected.quarantine)
    tables["schema_paths"] = merged(collected.schema_paths)
    return tables | {"quarantine": QUARANTINE.conform(collected.quarantine)}


def identity_tables(known: Index, papers: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The index that new sightings are resolved against, and the clusters of papers that look alike.

    `papers` gives the last page that showed each paper.
    """
    index = {IDENTITY_RECORDS.name: known.records, IDENTITY_PAIRS.name: known.pairs}
    return index | {PAPER_CLUSTERS.name: paper_clusters(known, papers)}


def of_papers(
    sightings: pl.DataFrame, known: ReadTexts | None = None, corrections: pl.DataFrame = NONE
) -> dict[str, pl.DataFrame]:
    """The tables whose rows are each of one paper, from all sightings of some papers, with `sightings` itself.

    The `corrections` of these papers are applied, before systems and claims are read in the texts.
    """
    made = {name: make(sightings) for name, make in DERIVED.items() if name not in OF_ALL_PAPERS}
    tables = corrected(made | {"sightings": sightings}, corrections)
    return tables | systems_and_claims(sightings, tables, known)
