"""Every core table of a few pages at once, in memory: the oracle that builds are compared with."""

from typing import NamedTuple

import polars as pl

from tests.linkage import resolve
from transforms.collect.collect import Collected
from transforms.collect.source_paths import merged
from transforms.core.attached import organization_parts, organizations_of
from transforms.core.coverage import coverage_of, papers_of_lists
from transforms.core.derive import DERIVED, of_papers
from transforms.core.search import TEXT, embedded, hashed, index_cohorts, similar, tables_of_all
from transforms.corrections import NONE
from transforms.identity.cluster import paper_clusters
from transforms.search.embeddings import Encode
from warehouse.schema.core import CORE_TABLES, PAGE_TABLES
from warehouse.schema.core.arxiv_records import ARXIV_CHANGES, ARXIV_LOOKS
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.identity import IDENTITY_PAIRS, IDENTITY_RECORDS, PAPER_CLUSTERS
from warehouse.schema.core.search import SEARCH_EMBEDDINGS, SEARCH_LISTS, SEARCH_VECTORS, SIMILAR_PAPERS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.core.works import PUBLISHED_WORKS
from warehouse.schema.search_rules import MODEL


class IndexedTexts(NamedTuple):
    """The index of a release, and what was indexed then of papers whose texts may differ now."""

    papers: pl.DataFrame
    paper_texts: pl.DataFrame
    search_words: pl.DataFrame
    search_terms: pl.DataFrame
    search_lists: pl.DataFrame
    search_vectors: pl.DataFrame
    search_embeddings: pl.DataFrame
    similar_papers: pl.DataFrame


TABLES = {table.name: table for table in CORE_TABLES}


def organizations(sightings: pl.DataFrame) -> pl.DataFrame:
    return organizations_of(organization_parts(sightings))


def coverage(
    captures: pl.DataFrame,
    sightings: pl.DataFrame,
    quarantine: pl.DataFrame,
    *,
    looks: pl.DataFrame = ARXIV_LOOKS.empty(),  # noqa: B008 - never changed
    changes: pl.DataFrame = ARXIV_CHANGES.empty(),  # noqa: B008 - never changed
    works: pl.DataFrame = PUBLISHED_WORKS.empty(),  # noqa: B008 - never changed
) -> pl.DataFrame:
    papers = papers_of_lists(captures, sightings)
    return coverage_of(captures, papers, quarantine, looks=looks, changes=changes, works=works)


def covered(collected: Collected, sightings: pl.DataFrame | None = None) -> pl.DataFrame:
    """The coverage of what was read, whose sightings may have their papers already."""
    seen = SIGHTINGS.conform(resolve(collected.sightings).sightings) if sightings is None else sightings
    told = {"looks": collected.arxiv_looks, "changes": collected.arxiv_changes, "works": collected.published_works}
    return coverage(CAPTURES.conform(collected.captures), seen, collected.quarantine, **told)


OF_SIGHTINGS = {**DERIVED, "organizations": organizations}


def derive(
    collected: Collected,
    indexed: IndexedTexts | None = None,
    encode: Encode | None = None,
    corrections: pl.DataFrame = NONE,
) -> dict[str, pl.DataFrame]:
    """All core tables, each conforming to its declaration. Sightings come without `paper_id`, or with an old one.

    Texts that `indexed` has are not indexed again; the result is the same without. With `encode`, a model's vectors of
    the texts are made too.
    """
    seen = collected.sightings
    found = resolve(seen)
    sightings = SIGHTINGS.conform(found.sightings)
    tables = of_papers(sightings, corrections) | {"captures": CAPTURES.conform(collected.captures)}
    tables |= {
        "organizations": organizations(sightings),
        PAPER_CLUSTERS.name: paper_clusters(found.known, tables["papers"]),
    }
    tables |= {IDENTITY_RECORDS.name: found.known.records, IDENTITY_PAIRS.name: found.known.pairs}
    tables |= search_tables(tables["papers"], tables["paper_texts"], indexed, encode)
    tables["coverage"] = covered(collected, sightings)
    tables["schema_paths"] = merged(collected.schema_paths)
    tables |= {table.name: table.conform(getattr(collected, table.name)) for table in PAGE_TABLES}
    return tables | {"quarantine": QUARANTINE.conform(collected.quarantine)}


def search_tables(
    papers: pl.DataFrame, paper_texts: pl.DataFrame, known: IndexedTexts | None = None, encode: Encode | None = None
) -> dict[str, pl.DataFrame]:
    """All tables of the index. Texts that `known` has are not indexed again, if the same rules indexed them.

    `papers` and `known.papers` need only have papers whose texts may differ: all others keep their entries.
    """
    if known is None or known.search_vectors["model"].unique().to_list() != [MODEL]:
        known = IndexedTexts(*(TABLES[name].empty() for name in IndexedTexts._fields))
    index = index_cohorts(papers, paper_texts, known)
    vectors = index.search_vectors
    embeddings = SEARCH_EMBEDDINGS.empty()
    if encode:
        embeddings = embedded(known.search_embeddings, vectors, hashed(papers, paper_texts), encode)
    is_alike = embeddings["model"].unique().equals(known.search_embeddings["model"].unique())
    neighbours, held = (known.similar_papers.lazy(), known.search_vectors) if is_alike else (None, vectors.clear())
    new = vectors.join(held, on=TEXT, how="anti")["paper_id"]
    tables = {
        SEARCH_LISTS: index.search_lists,
        SEARCH_VECTORS: vectors,
        SEARCH_EMBEDDINGS: embeddings,
        SIMILAR_PAPERS: similar(vectors, embeddings, index.search_lists.lazy(), new, known=neighbours),
    }
    words = pl.concat([known.search_words.select(index.words.columns), index.words], how="vertical_relaxed")
    terms = pl.concat([known.search_terms.select(index.terms.columns), index.terms], how="vertical_relaxed")
    made_of_cohorts = {table.name: table.conform(frame) for table, frame in tables.items()}
    return made_of_cohorts | tables_of_all(words, terms, vectors.height)
