"""The core tables: keyed, tidy, one grain each. What a table is for stands in its `answers`."""

from __future__ import annotations

from warehouse.tables.coverage import COVERAGE
from warehouse.tables.drift import SCHEMA_PATHS
from warehouse.tables.history import CONFLICTS, PAPER_VERSIONS
from warehouse.tables.links import PAPER_KEYWORDS, PAPER_LINKS
from warehouse.tables.lists import DAILY_LISTINGS, LIST_APPEARANCES
from warehouse.tables.pages import CAPTURES, QUARANTINE, SIGHTINGS
from warehouse.tables.papers import PAPER_ALIASES, PAPER_CLUSTERS, PAPER_OBSERVATIONS, PAPER_TEXTS, PAPERS
from warehouse.tables.people import ORGANIZATIONS, PAPER_AUTHORS

CORE_TABLES = (
    CAPTURES,
    SIGHTINGS,
    PAPERS,
    PAPER_TEXTS,
    PAPER_ALIASES,
    PAPER_VERSIONS,
    PAPER_CLUSTERS,
    PAPER_OBSERVATIONS,
    DAILY_LISTINGS,
    LIST_APPEARANCES,
    PAPER_AUTHORS,
    ORGANIZATIONS,
    PAPER_KEYWORDS,
    PAPER_LINKS,
    CONFLICTS,
    COVERAGE,
    SCHEMA_PATHS,
    QUARANTINE,
)
