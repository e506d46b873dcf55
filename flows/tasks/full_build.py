"""A full build: a map over chunks and cohorts, in memory that the longest task bounds, and few columns of all papers.

chunks ─► read ─► describe cohorts ─► identity of all ─► derive cohorts ─► write files ─► draft
└─► tables of all papers ─┘
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from importlib.metadata import version

import polars as pl
from msgspec.structs import replace

from flows.documents.drift import source_changes
from flows.tasks.cohort_range import NAMED, cut
from flows.tasks.derive_cohorts import DECLARED, LISTED, READERS, Derived, derive_cohorts
from flows.tasks.describe_cohorts import describe_cohorts, sightings_of, unnamed_in
from flows.tasks.read_chunk import ChunkRead, table_key
from flows.tasks.workplace import Workplace
from flows.tasks.write_files import WRITTEN, FileToBe, Written, files_to_be, tasks_of, write_file, write_files
from transforms.core.coverage import coverage_of
from transforms.core.people import organizations_of
from transforms.core.schema_paths import merged
from transforms.core.search import embedded, hashed, similar_to_all, tables_of_all
from transforms.corrections import CELL, NONE, require_applied
from transforms.identity import Index, described, paper_clusters, resolved
from transforms.search.embeddings import Encode
from warehouse.release import parquet
from warehouse.release.cohorts import places
from warehouse.release.draft import Drafted, describe, put_draft
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.snapshot import Snapshot, locate
from warehouse.schema.core.aliases import PAPER_CLUSTERS
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.core.identity import IDENTITY_PAIRS, IDENTITY_RECORDS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.core.people import ORGANIZATIONS
from warehouse.schema.core.schema_paths import SCHEMA_PATHS
from warehouse.schema.core.search import (
    SEARCH_EMBEDDINGS,
    SEARCH_TERMS,
    SEARCH_VECTORS,
    SEARCH_WORDS,
    SIMILAR_PAPERS,
)
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table
from warehouse.schema.tables import CORE_TABLES
from warehouse.store.local_files import LocalFiles


class FullBuild:
    """One build under way, of all the chunks that a lake has."""

    def __init__(
        self,
        lake: LocalFiles,
        at: Workplace,
        read: Sequence[ChunkRead],
        before: Snapshot[Manifest] | None,
    ) -> None:
        self._lake, self._read, self._before = lake, read, before
        self._place, self._spread = at
        tables = before.of.tables if before else ()
        self._held = {file.key: file for table in tables for file in table.files}
        self.captures = CAPTURES.conform(self._of_chunks(CAPTURES))
        self.schema_paths = merged(self._of_chunks(SCHEMA_PATHS))

    def write(self, encode: Encode | None, corrections: pl.DataFrame) -> Drafted:
        """Write the files of every core table into the scratch place, but those that the release before has."""
        index = self._resolve()
        derived = self._derive(corrections)
        require_applied(corrections, self._of_cohorts(CORRECTIONS.name, derived, CELL))
        drafted = Drafted({table.name: [] for table in CORE_TABLES}, set())
        cut_tables = [table for table in CORE_TABLES if table.name in derived[0].rows]
        wanted = [self._with_held(file) for table in cut_tables for file in files_to_be(table, derived)]
        tasks = list(tasks_of(wanted, self._lake.store.url, self._place.url))
        for task, made in zip(tasks, self._spread(write_files, tasks), strict=True):
            _note(drafted, zip(task.files, made, strict=True))
        for table, frame in self._of_all(index, derived, encode):
            for part in parquet.parts(table, frame):
                one = self._with_held(FileToBe(table.name, part.key, (), (), frame.height))
                _note(drafted, [(one, write_file(self._place, self._lake, one, part.frame))])
        return drafted

    def _resolve(self) -> Index:
        """What is known of all papers; the sightings without an arXiv id are kept with the paper that they are of."""
        parts = cut(self._lake.store.url, self._place.url, "described", self._read)
        keys = list(self._spread(describe_cohorts, parts))
        unnamed = unnamed_in(self._place, self._read)
        index = pl.concat([self._place.read(keys), described(unnamed)])
        named, known = resolved(index, unnamed, partial(sightings_of, self._place, self._read, unnamed))
        self._place.write(table_key(NAMED, SIGHTINGS.name), SIGHTINGS.conform(named))
        return known

    def _derive(self, corrections: pl.DataFrame) -> list[Derived]:
        self._place.write(table_key(DECLARED, CORRECTIONS.name), corrections)
        self._place.write(table_key(READERS, CAPTURES.name), self.captures.select("capture_id", "reader"))
        named = self._place.scan([table_key(NAMED, SIGHTINGS.name)]).select(cohort=places.COHORT)
        more = dict(named.group_by("cohort").len().sort("cohort").collect().iter_rows())
        parts = cut(self._lake.store.url, self._place.url, "derived", self._read, more)
        return list(self._spread(derive_cohorts, parts))

    def _of_all(
        self, index: Index, derived: Sequence[Derived], encode: Encode | None
    ) -> Iterator[tuple[Table, pl.DataFrame]]:
        """The tables that are not cut, or are made of all papers, one after the other."""
        quarantine = QUARANTINE.conform(self._of_chunks(QUARANTINE))
        yield from ((CAPTURES, self.captures), (QUARANTINE, quarantine), (SCHEMA_PATHS, self.schema_paths))
        listed, organized = (self._of_cohorts(name, derived) for name in (LISTED, ORGANIZATIONS.name))
        yield COVERAGE, coverage_of(self.captures, listed, quarantine)
        yield ORGANIZATIONS, organizations_of(organized)
        yield from ((IDENTITY_RECORDS, index.records), (IDENTITY_PAIRS, index.pairs))
        yield PAPER_CLUSTERS, paper_clusters(index, self._of_cohorts(PAPERS.name, derived, ("paper_id", "capture_id")))
        words, terms = (self._of_cohorts(name, derived) for name in (SEARCH_WORDS.name, SEARCH_TERMS.name))
        count = sum(sum(one.rows[PAPERS.name].values()) for one in derived)
        made = tables_of_all(words, terms, count)
        yield from ((table, made[table.name]) for table in CORE_TABLES if table.name in made)
        vectors = self._of_cohorts(SEARCH_VECTORS.name, derived, ("paper_id", "text_sha256", "vector")).sort("paper_id")
        embeddings = self._embedded(vectors, derived, encode)
        yield SEARCH_EMBEDDINGS, embeddings
        yield SIMILAR_PAPERS, similar_to_all(vectors, embeddings)

    def _embedded(self, vectors: pl.DataFrame, derived: Sequence[Derived], encode: Encode | None) -> pl.DataFrame:
        """What the language model makes of all texts, those of one range of cohorts after the other."""
        if encode is None:
            return SEARCH_EMBEDDINGS.empty()
        is_held = self._before and SEARCH_EMBEDDINGS.name in self._before.tables
        known = self._before.read(SEARCH_EMBEDDINGS) if self._before and is_held else SEARCH_EMBEDDINGS.empty()
        found = []
        for one in derived:
            titles, abstracts = (self._of_cohorts(table.name, [one]) for table in (PAPERS, PAPER_TEXTS))
            texts = hashed(titles, abstracts)
            found.append(embedded(known, vectors.join(texts, on="paper_id", how="semi"), texts, encode))
        return SEARCH_EMBEDDINGS.conform(pl.concat(found))

    def _of_chunks(self, table: Table) -> pl.DataFrame:
        return self._place.read([table_key(one.key, table.name) for one in self._read])

    def _of_cohorts(self, name: str, derived: Sequence[Derived], columns: Sequence[str] = ()) -> pl.DataFrame:
        rows = self._place.scan([table_key(one.key, name) for one in derived])
        return (rows.select(columns) if columns else rows).collect()

    def _with_held(self, file: FileToBe) -> FileToBe:
        """The file with what the release before has of its name."""
        held = self._held.get(file.key)
        at = locate(self._before.of, file.key) if self._before and held else ""
        return replace(file, held=held, held_at=at)


def full_build(  # noqa: PLR0913 - what a build is made of
    lake: LocalFiles,
    at: Workplace,
    read: Sequence[ChunkRead],
    parent: Snapshot[Manifest] | None = None,
    encode: Encode | None = None,
    *,
    corrections: pl.DataFrame = NONE,
) -> Draft | None:
    """A draft made of all chunks; None where it would be the parent, file by file.

    GateClosed names the `corrections` that cannot be made.
    """
    build = FullBuild(lake, at, read, parent)
    changes = source_changes(parent, build.schema_paths)
    drafted = build.write(encode, corrections)
    draft = describe(drafted, build.captures["capture_id"], parent, version("paperlake"), changes)
    return put_draft(lake.store, draft, lambda key: at.place.path(f"{WRITTEN}/{key}")) if draft else None


def _note(drafted: Drafted, files: Iterable[tuple[FileToBe, Written]]) -> None:
    for one, made in files:
        drafted.files[one.table].append(made.file)
        drafted.held.update([one.key] if made.is_held else [])
