"""The core tables: keyed, tidy, one grain each. What a table is for is in its `answers`."""

from warehouse.schema.core.arxiv_records import ARXIV_TABLES
from warehouse.schema.core.attached import ORGANIZATIONS, PAPER_AUTHORS, PAPER_KEYWORDS, PAPER_LINKS, STAR_WEEKS
from warehouse.schema.core.captures import CAPTURES, QUARANTINE, SCHEMA_PATHS
from warehouse.schema.core.cited_by import ADOPTION_LOOKS, PAPER_DISCUSSIONS, PAPER_REPOSITORIES
from warehouse.schema.core.claims import PAPER_CLAIMS, PAPER_SYSTEMS, VERSION_CLAIMS
from warehouse.schema.core.conflicts import CONFLICTS, CORRECTIONS
from warehouse.schema.core.identity import IDENTITY_PAIRS, IDENTITY_RECORDS, PAPER_ALIASES, PAPER_CLUSTERS
from warehouse.schema.core.listings import COVERAGE, DAILY_LISTINGS, LIST_APPEARANCES
from warehouse.schema.core.papers import PAPER_CITATIONS, PAPER_OBSERVATIONS, PAPER_TEXTS, PAPER_VERSIONS, PAPERS
from warehouse.schema.core.search import (
    PAPER_ACRONYMS,
    SEARCH_BASIS,
    SEARCH_EMBEDDINGS,
    SEARCH_LISTS,
    SEARCH_RARITIES,
    SEARCH_TERMS,
    SEARCH_VECTORS,
    SEARCH_WORDS,
    SIMILAR_PAPERS,
)
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.core.works import WORK_TABLES

# What pages say around papers: rows of a page, which no other page changes
PAGE_TABLES = (PAPER_REPOSITORIES, ADOPTION_LOOKS, PAPER_DISCUSSIONS, *ARXIV_TABLES, *WORK_TABLES, STAR_WEEKS)

CORE_TABLES = (
    CAPTURES,
    SIGHTINGS,
    PAPERS,
    PAPER_TEXTS,
    PAPER_CITATIONS,
    PAPER_ALIASES,
    PAPER_VERSIONS,
    PAPER_CLUSTERS,
    IDENTITY_RECORDS,
    IDENTITY_PAIRS,
    PAPER_OBSERVATIONS,
    DAILY_LISTINGS,
    LIST_APPEARANCES,
    PAPER_AUTHORS,
    ORGANIZATIONS,
    PAPER_KEYWORDS,
    PAPER_LINKS,
    *PAGE_TABLES,
    PAPER_SYSTEMS,
    PAPER_CLAIMS,
    VERSION_CLAIMS,
    PAPER_ACRONYMS,
    SEARCH_WORDS,
    SEARCH_TERMS,
    SEARCH_RARITIES,
    SEARCH_LISTS,
    SEARCH_BASIS,
    SEARCH_VECTORS,
    SEARCH_EMBEDDINGS,
    SIMILAR_PAPERS,
    CONFLICTS,
    CORRECTIONS,
    COVERAGE,
    SCHEMA_PATHS,
    QUARANTINE,
)
