"""Every core table from the captures and the sightings: the one order in which they are made.

`derive` makes them all at once, of a few pages; a build makes the same of cohorts (`of_papers`, flows/tasks).
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


# What is made of more than one paper's sightings at a time
OF_ALL_PAPERS: Final = {organizations.__name__}


def derive(
    collected: Collected,
    known: ReadTexts | None = None,
    indexed: IndexedTexts | None = None,
    encode: Encode | None = None,
) -> dict[str, pl.DataFrame]:
    """All core tables, each conforming to its declaration. Sightings come without `paper_id`, or with an old one.

    Texts that `known` holds are not read for systems and claims again, nor those that are `indexed` indexed; the tables
    are the same without. With a model that encodes texts, these have its vectors too.
    """
    seen = collected.sightings
    found = resolve(seen, nothing_known(), lambda _: seen.clear())
    sightings = SIGHTINGS.conform(found.sightings)
    tables = of_papers(sightings, known) | {"captures": CAPTURES.conform(collected.captures)}
    tables |= {name: DERIVED[name](sightings) for name in OF_ALL_PAPERS} | identity_tables(
        found.known, tables["papers"]
    )
    tables |= search_tables(tables["papers"], tables["paper_texts"], indexed, encode)
    tables["coverage"] = coverage(tables["captures"], sightings, collected.quarantine)
    tables["schema_paths"] = merged(collected.schema_paths)
    return tables | {"quarantine": QUARANTINE.conform(collected.quarantine)}


def identity_tables(known: Index, papers: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The index that new sightings are resolved against, and papers that could be taken for one another.

    Of `papers` it takes the last page that showed each.
    """
    index = {IDENTITY_RECORDS.name: known.records, IDENTITY_PAIRS.name: known.pairs}
    return index | {PAPER_CLUSTERS.name: paper_clusters(known, papers)}


def of_papers(sightings: pl.DataFrame, known: ReadTexts | None = None) -> dict[str, pl.DataFrame]:
    """The tables of which each row is of one paper, from all sightings of some papers; `sightings` itself with them."""
    tables = {name: make(sightings) for name, make in DERIVED.items() if name not in OF_ALL_PAPERS}
    return tables | systems_and_claims(sightings, known) | {"sightings": sightings}
