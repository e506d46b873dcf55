"""The core tables with rows of one paper each, from all sightings of some papers, in the order they are made in."""

from collections.abc import Callable

import polars as pl

from transforms.core.attached import paper_authors, paper_keywords, paper_links
from transforms.core.claims import systems_and_claims
from transforms.core.conflicts import conflicts
from transforms.core.papers import (
    daily_listings,
    list_appearances,
    paper_aliases,
    paper_citations,
    paper_observations,
    paper_texts,
    paper_versions,
    papers,
)
from transforms.corrections import NONE, corrected, followed
from transforms.search.long_forms import paper_acronyms
from warehouse.schema.core.papers import PAPER_CITATIONS
from warehouse.schema.core.search import PAPER_ACRONYMS

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
        paper_keywords,
        paper_links,
        conflicts,
    )
}


def of_papers(sightings: pl.DataFrame, corrections: pl.DataFrame = NONE) -> dict[str, pl.DataFrame]:
    """The tables with rows of one paper each, made of all sightings of these papers; `sightings` is one of them.

    The `corrections` of these papers are applied before citations are made, and acronyms, systems and claims read in
    the texts.
    """
    made = {name: make(sightings) for name, make in DERIVED.items()}
    tables = corrected(made | {"sightings": sightings}, corrections)
    tables["papers"] = followed(tables["papers"], tables["corrections"])
    cited = {PAPER_CITATIONS.name: paper_citations(tables["papers"], tables["paper_authors"])}
    explained = {PAPER_ACRONYMS.name: paper_acronyms(tables["papers"], tables["paper_texts"])}
    return tables | cited | explained | systems_and_claims(sightings, tables)
