"""The tables of the next release, of those of the release before and of what new pages show.

The release before was made by this paperlake (`can_follow`): only the cohorts of papers that something new was seen of
are read and made anew; of all others the files are passed on. A full build (flows/tasks) gives the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from typing import Final

import polars as pl

from transforms.claims.frames import EXTRACTOR_VERSION
from transforms.collect.collect import Collected
from transforms.core.claims import ReadTexts
from transforms.core.coverage import coverage
from transforms.core.derive import identity_tables, of_papers
from transforms.core.people import organizations
from transforms.core.schema_paths import merged
from transforms.core.search import IndexedTexts, search_tables
from transforms.corrections import CELL, NONE, require_applied, touched
from transforms.identity import FETCHED, Index, resolve
from transforms.search.embeddings import Encode
from warehouse.release.cohorts.near import CUT, Near, is_cut_alike
from warehouse.release.cohorts.renewal import Renewed, compared, completed, renewed
from warehouse.release.manifest import Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.claims import PAPER_CLAIMS, PAPER_SYSTEMS
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.identity import IDENTITY_PAIRS, IDENTITY_RECORDS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.core.schema_paths import SCHEMA_PATHS
from warehouse.schema.core.search import (
    SEARCH_EMBEDDINGS,
    SEARCH_LISTS,
    SEARCH_TERMS,
    SEARCH_VECTORS,
    SEARCH_WORDS,
    SIMILAR_PAPERS,
)
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.search_rules import EMBEDDER, MODEL
from warehouse.schema.table import Table

READ_RESULTS: Final = (CAPTURES, SIGHTINGS, QUARANTINE, SCHEMA_PATHS)
READ_TEXTS: Final = (PAPERS, PAPER_TEXTS, PAPER_SYSTEMS, PAPER_CLAIMS)  # and what was read in them
IDENTITY: Final = (IDENTITY_RECORDS, IDENTITY_PAIRS)
INDEX: Final = (SEARCH_WORDS, SEARCH_TERMS, SEARCH_LISTS, SEARCH_VECTORS, SEARCH_EMBEDDINGS, SIMILAR_PAPERS)
TITLES, ABSTRACTS = ("paper_id", "title"), ("paper_id", "abstract")
# What `coverage` and `organizations` are made of: few columns of all sightings
PAGE: Final = ("capture_id", "position", "observed_at", "list_kind", "source", "listed_on")
SHOWN: Final = (*PAGE, "paper_id", "organization_login", "organization_name")
# What all other columns of a row follow from
NAMED, OF_TEXT = ("record", "paper_id"), ("paper_id", "text_sha256", "model", "place")


def can_follow(before: Snapshot[Manifest]) -> bool:
    """Whether tables may be made of those of the release before: this paperlake made them, and they are sound."""
    return _is_of_this_code(before) and all(map(before.is_sound, (*CUT, *IDENTITY)))


def _is_of_this_code(before: Snapshot[Manifest]) -> bool:
    """Whether this paperlake would make the same tables of the same pages, cut into the same files."""
    if before.of.code_version != version("paperlake") or not is_cut_alike(before):
        return False
    extracted = [before.select(table, ["extractor_version"]) for table in (PAPER_SYSTEMS, PAPER_CLAIMS)]
    return set(pl.concat(extracted)["extractor_version"].unique()) <= {EXTRACTOR_VERSION}


def next_tables(
    new: Collected, before: Snapshot[Manifest], encode: Encode | None = None, corrections: pl.DataFrame = NONE
) -> dict[str, Renewed]:
    """Every core table of the release that follows one, of what is new.

    GateClosed names each of the `corrections` that cannot be made.
    """
    known = Index(*map(before.read, IDENTITY))
    found = resolve(new.sightings, known, partial(_fetched, before))
    seen_again = [*found.sightings["paper_id"], *found.moved["paper_id"], *found.moved["old_paper_id"]]
    near = Near(before, [*seen_again, *touched(before.read(CORRECTIONS).drop("capture_id"), corrections)])
    seen = near.rows(SIGHTINGS).update(found.moved.drop("old_paper_id"), on=SIGHTINGS.key)
    sightings = SIGHTINGS.conform(pl.concat([seen, found.sightings.select(seen.columns)]))
    rows = of_papers(sightings, ReadTexts(*map(near.rows, READ_TEXTS)), corrections)
    tables = {table.name: renewed(table, near, rows[table.name]) for table in CUT if table.name in rows}
    whole = partial(_columns, before, tables)
    seen = whole(SIGHTINGS, SHOWN)
    captures = CAPTURES.conform(pl.concat([before.read(CAPTURES), new.captures]))
    quarantine = QUARANTINE.conform(pl.concat([before.read(QUARANTINE), new.quarantine]))
    others = {
        CAPTURES.name: captures,
        QUARANTINE.name: quarantine,
        SCHEMA_PATHS.name: merged(pl.concat([before.read(SCHEMA_PATHS), new.schema_paths], how="vertical_relaxed")),
        organizations.__name__: organizations(seen),
        coverage.__name__: coverage(captures, seen, quarantine),
    }
    others |= identity_tables(found.known, whole(PAPERS, ("paper_id", "capture_id")))
    records = others.pop(IDENTITY_RECORDS.name)
    tables[IDENTITY_RECORDS.name] = compared(IDENTITY_RECORDS, before, known.records, records, by=NAMED)
    if _is_indexed(before, encode):
        index = (near.read(table) if table == SEARCH_LISTS else before.read(table) for table in INDEX)
        texts = IndexedTexts(near.rows(PAPERS), near.rows(PAPER_TEXTS), *index)
        others |= search_tables(rows[PAPERS.name], rows[PAPER_TEXTS.name], texts, encode)
        tables[SEARCH_LISTS.name] = completed(SEARCH_LISTS, near, others.pop(SEARCH_LISTS.name))
        vectors = others.pop(SEARCH_VECTORS.name)
        tables[SEARCH_VECTORS.name] = compared(SEARCH_VECTORS, before, texts.search_vectors, vectors, by=OF_TEXT)
    else:
        others |= search_tables(whole(PAPERS, TITLES), whole(PAPER_TEXTS, ABSTRACTS), None, encode)
    require_applied(corrections, whole(CORRECTIONS, CELL))
    return tables | {name: Renewed(frame) for name, frame in others.items()}


def _is_indexed(before: Snapshot[Manifest], encode: Encode | None) -> bool:
    """Whether the rules of this version indexed all texts of the release, and the language model read all, or none."""
    if not all(map(before.is_sound, INDEX)):
        return False
    indexed, read = (before.select(table, ["model"])["model"] for table in (SEARCH_VECTORS, SEARCH_EMBEDDINGS))
    is_read = read.len() == (indexed.len() if encode else 0) and set(read) <= {EMBEDDER}
    return is_read and set(indexed) <= {MODEL}


def _fetched(before: Snapshot[Manifest], ids: pl.Series) -> pl.DataFrame:
    """What a release holds of these papers, to tell which paper a sighting is of."""
    is_asked = pl.col("paper_id").is_in(ids.implode())
    paths = [before.path(file.key) for file in Near(before, ids).files(SIGHTINGS)]
    seen = pl.scan_parquet(paths).select(FETCHED) if paths else SIGHTINGS.empty().lazy().select(FETCHED)
    return seen.filter(is_asked).collect()


def _columns(
    before: Snapshot[Manifest], tables: dict[str, Renewed], table: Table, columns: Sequence[str]
) -> pl.DataFrame:
    """These columns of all rows of a table to be."""
    frame, passed = tables[table.name]
    return pl.concat([frame.select(columns), before.select(table, columns, passed)])
