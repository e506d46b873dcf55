"""Every core table from the captures and the sightings: the one order in which they are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

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
from transforms.identity import FETCHED, Index, Resolved, nothing_known, paper_clusters, resolve
from transforms.search.embeddings import Encode
from warehouse.schema.core.aliases import PAPER_CLUSTERS
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.identity import IDENTITY_PAIRS, IDENTITY_RECORDS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table
from warehouse.schema.tables import CORE_TABLES

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
OF_ONE_PAPER: Final = tuple(table for table in CORE_TABLES if table.name in DERIVED.keys() - OF_ALL_PAPERS)


class Made(NamedTuple):
    """What a release holds: its sightings, their index, and the tables of which each row is made of one paper's."""

    sightings: pl.DataFrame
    known: Index
    tables: Mapping[Table, pl.DataFrame]


def derive(
    collected: Collected,
    known: ReadTexts | None = None,
    indexed: IndexedTexts | None = None,
    made: Made | None = None,
    encode: Encode | None = None,
) -> dict[str, pl.DataFrame]:
    """All core tables, each conforming to its declaration. Sightings come without `paper_id`, or with an old one.

    Texts that `known` holds are not read for systems and claims again, nor those that are `indexed` indexed, and of
    papers of which nothing new was seen the rows are those that were `made`; the tables are the same without. With a
    model that encodes texts, these have its vectors too.
    """
    sightings, _, known_records = _identified(collected.sightings.drop("paper_id", strict=False), made)
    sightings = SIGHTINGS.conform(sightings)
    tables = {"captures": CAPTURES.conform(collected.captures), "sightings": sightings}
    tables |= {name: make(sightings) for name, make in DERIVED.items() if made is None or name in OF_ALL_PAPERS}
    tables |= _renewed(sightings, made) if made else {}
    tables |= {IDENTITY_RECORDS.name: known_records.records, IDENTITY_PAIRS.name: known_records.pairs}
    tables |= {PAPER_CLUSTERS.name: paper_clusters(known_records, tables["papers"])}
    tables |= systems_and_claims(sightings, known)
    tables |= search_tables(tables["papers"], tables["paper_texts"], indexed, encode)
    tables["coverage"] = coverage(tables["captures"], sightings, collected.quarantine)
    tables["schema_paths"] = merged(collected.schema_paths)
    return tables | {"quarantine": QUARANTINE.conform(collected.quarantine)}


def _identified(sightings: pl.DataFrame, made: Made | None) -> Resolved:
    """All sightings with their paper; those that were not there before are compared with the index of the others."""
    if made is None:
        return resolve(sightings, nothing_known(), lambda _: sightings.clear())
    place, before = ("capture_id", "position"), made.sightings
    found = resolve(
        sightings.join(before, on=place, how="anti"),
        made.known,
        lambda papers: before.select(FETCHED).filter(pl.col("paper_id").is_in(papers.implode())),
    )
    stayed = before.join(found.moved, on=place, how="anti")
    moved = before.drop("paper_id").join(found.moved.drop("old_paper_id"), on=place)
    return found._replace(sightings=pl.concat([stayed, moved, found.sightings], how="diagonal"))


def _renewed(sightings: pl.DataFrame, made: Made) -> dict[str, pl.DataFrame]:
    """The tables of one paper each: new rows for papers that got a sighting, or lost one to another paper."""
    seen = ("capture_id", "position", "paper_id")
    now, before = sightings.select(seen), made.sightings.select(seen)
    touched = pl.concat([now.join(before, on=seen, how="anti"), before.join(now, on=seen, how="anti")])
    papers_touched = touched.select("paper_id").unique()
    fresh = sightings.join(papers_touched, on="paper_id", how="semi")
    parts = {
        table: [made.tables[table].join(papers_touched, on="paper_id", how="anti"), DERIVED[table.name](fresh)]
        for table in OF_ONE_PAPER
    }
    return {table.name: table.conform(pl.concat(both)) for table, both in parts.items()}
