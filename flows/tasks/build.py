"""The build of a draft: a map over chunks and cohorts, in memory that the longest task bounds, and few columns of all.

chunks ─► read ─► describe cohorts ─► identity of all ─► derive cohorts ─► write files ─► draft
└─► tables of all papers ─┘

On top of a release, only papers of which something new was seen are made anew; a build from raw makes all.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Final

import polars as pl
from msgspec.structs import replace

from flows.documents.changes import source_changes
from flows.tasks import cohorts
from flows.tasks.base import DERIVED_FROM, DESCRIBED_FROM, Base
from flows.tasks.read_chunk import UNNAMED, ChunkRead, table_key
from flows.tasks.spread import parcels
from flows.tasks.workplace import Workplace
from transforms.collect.collect import Collected
from transforms.collect.source_paths import merged
from transforms.core.attached import organization_parts, organizations_of
from transforms.core.coverage import coverage_of, papers_of_lists
from transforms.core.search import TEXT, embedded, hashed, similar, tables_of_all
from transforms.corrections import CELL, require_applied
from transforms.identity.cluster import paper_clusters
from transforms.identity.records import Index
from transforms.identity.resolve import described, resolved
from transforms.search.embeddings import Encode
from warehouse.release import parquet
from warehouse.release.draft import Drafted, describe, put_draft
from warehouse.release.manifest import Decisions, Draft, Manifest
from warehouse.release.snapshot import Snapshot, locate
from warehouse.schema import places
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core import PAGE_TABLES
from warehouse.schema.core.arxiv_records import ARXIV_CHANGES, ARXIV_LOOKS
from warehouse.schema.core.attached import ORGANIZATIONS
from warehouse.schema.core.captures import CAPTURES, QUARANTINE, SCHEMA_PATHS
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.identity import IDENTITY_PAIRS, IDENTITY_RECORDS, PAPER_CLUSTERS
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.core.search import (
    SEARCH_EMBEDDINGS,
    SEARCH_LISTS,
    SEARCH_TERMS,
    SEARCH_VECTORS,
    SEARCH_WORDS,
    SIMILAR_PAPERS,
)
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.core.works import PUBLISHED_WORKS
from warehouse.schema.table import Table
from warehouse.store.local_files import LocalFiles

ALL: Final = "all"  # the part with the index of identities, which is cut by cohort and made of all
# What `coverage` and `organizations` are made of: few columns of all sightings
PAGE: Final = ("capture_id", "position", "observed_at", "list_kind", "source", "listed_on")
SHOWN: Final = (*PAGE, "paper_id", "organization_login", "organization_name")
VECTOR: Final = (*TEXT, "cohort", "place", "vector")
OF_A_TERM: Final = ("cohort", "term", "places")
MOVES: Final = ("capture_id", "position")


class Build:
    """One build under way.

    `base` is the release that it follows and takes rows over from, if it can; `parent` is the release before, whose
    files are kept where they are the same; `pages` are those of it that were not read again.
    """

    def __init__(  # noqa: PLR0913 - what a build is made of
        self,
        lake: LocalFiles,
        at: Workplace,
        read: Sequence[ChunkRead],
        base: Base,
        *,
        parent: Snapshot[Manifest] | None,
        pages: Collected,
    ) -> None:
        self._lake, self._read, self._base, self._parent = lake, read, base, parent
        self._place, self._spread, self._sizes = at
        self._held = {file.key: file for table in (parent.of.tables if parent else ()) for file in table.files}
        self._captures = CAPTURES.conform(pl.concat([pages.captures, self._of_chunks(CAPTURES)]))
        self._quarantine = QUARANTINE.conform(pl.concat([pages.quarantine, self._of_chunks(QUARANTINE)]))
        paths = [pages.schema_paths, self._of_chunks(SCHEMA_PATHS)]
        self._schema_paths = merged(pl.concat(paths, how="vertical_relaxed"))
        self._around = [(one, pl.concat([getattr(pages, one.name), self._of_chunks(one)])) for one in PAGE_TABLES]

    def draft(
        self, corrections: pl.DataFrame, encode: Encode | None, *, decisions: Decisions, is_decided_anew: bool
    ) -> Draft | None:
        """The draft that is made; None where it would be the parent, file by file, and nothing was decided anew.

        GateClosed names the `corrections` that cannot be made.
        """
        changes = source_changes(self._parent, self._schema_paths)
        draft = describe(
            self._write(encode, corrections),
            self._captures["capture_id"],
            self._parent,
            version("paperlake"),
            source_changes=changes,
            decisions=decisions,
            is_decided_anew=is_decided_anew,
        )
        written = f"{cohorts.WRITTEN}/"
        return put_draft(self._lake.store, draft, lambda key: self._place.path(written + key)) if draft else None

    def _write(self, encode: Encode | None, corrections: pl.DataFrame) -> Drafted:
        """Write the files of every core table into the scratch place, but those that the release before has."""
        index = self._resolve(corrections)
        derived = self._derive(corrections)
        require_applied(corrections, self._of_papers(CORRECTIONS, derived, CELL).collect())
        drafted, wanted = Drafted({table.name: [] for table in CORE_TABLES}, set()), list[cohorts.FileToBe]()
        records = cohorts.write_cut(self._place, ALL, {IDENTITY_RECORDS.name: index.records})
        nothing = Base(self._place, None)
        share = self._sizes.file_share
        for declared in CORE_TABLES:
            table = declared.in_smaller_files(share)
            if table.name in derived[0].rows:
                files, passed = self._base.files_to_be(table, derived)
                drafted.files[table.name] += passed
                drafted.held.update(file.key for file in passed)
                wanted += files
            elif table.name in records:
                wanted += nothing.files_to_be(table, [cohorts.Derived(ALL, records)])[0]
        asked = parcels(map(self._with_held, wanted), lambda file: file.rows, self._sizes.written_rows)
        tasks = [cohorts.Files(self._lake.store.url, self._place.url, some) for some in asked if some]
        for task, made in zip(tasks, self._spread(cohorts.write_files, tasks), strict=True):
            _note(drafted, zip(task.files, made, strict=True))
        for table, frame in self._of_all(index, derived, encode):
            for part in parquet.parts(table, frame):
                one = self._with_held(cohorts.FileToBe(table.name, part.key, (), (), frame.height))
                _note(drafted, [(one, cohorts.write_file(self._place, self._lake, one, part.frame))])
        return drafted

    def _resolve(self, corrections: pl.DataFrame) -> Index:
        """What is known of all papers.

        Notes which papers change, and keeps the sightings whose paper the pages do not state.
        """
        known, gone = self._base.begin()
        parts = cohorts.cut(
            self._lake.store.url, self._place.url, "described", self._read, most=self._sizes.described_rows
        )
        keys = list(self._spread(cohorts.describe_cohorts, [self._base.ranged(one, DESCRIBED_FROM) for one in parts]))
        unnamed = self._seen.filter(pl.col("cohort") == UNNAMED).drop("cohort").collect()
        stay = known.records.join(gone, on="record", how="anti")
        new = pl.concat([self._place.read(keys), described(unnamed, stay, self._base.fetch)])
        found = resolved(new, unnamed, known, lambda ids: self._fetched(unnamed, ids), gone)
        moved = found.moved
        old = self._base.sightings(moved["old_paper_id"]).collect().join(moved, on=MOVES, how="semi")
        old = old.update(moved.drop("old_paper_id"), on=MOVES)
        named = SIGHTINGS.conform(pl.concat([found.sightings.select(old.columns), old]))
        self._place.write(table_key(cohorts.NAMED, SIGHTINGS.name), named)
        self._place.write(cohorts.MOVED, moved.select(MOVES))
        stated = self._seen.filter(pl.col("cohort") != UNNAMED).select("arxiv_id").unique().collect()["arxiv_id"]
        others = self._base.changed_by(corrections)
        self._base.change(pl.concat([stated, named["paper_id"], moved["old_paper_id"], others]))
        return found.known

    def _fetched(self, unnamed: pl.DataFrame, ids: pl.Series) -> pl.DataFrame:
        """The records of papers that could be the same, from all pages; those without a name yet come whole."""
        shown = self._seen.filter(pl.col("arxiv_id").is_in(ids.implode())).select(cohorts.OF_A_PAGE)
        stated = shown.unique(cohorts.OF_A_PAGE[2:]).with_columns(paper_id="arxiv_id").collect()
        before = self._base.fetch(ids).select(stated.columns)
        return pl.concat([stated, unnamed.select(*cohorts.OF_A_PAGE, paper_id=pl.lit("")), before])

    def _derive(self, corrections: pl.DataFrame) -> list[cohorts.Derived]:
        self._place.write(table_key(cohorts.DECLARED, CORRECTIONS.name), corrections)
        self._place.write(table_key(cohorts.READERS, CAPTURES.name), self._captures.select("capture_id", "reader"))
        named = self._place.scan([table_key(cohorts.NAMED, SIGHTINGS.name)]).select(cohort=places.COHORT)
        more = Counter(named.collect().to_series()) + self._base.sighting_counts()
        most = self._sizes.derived_rows
        parts = cohorts.cut(self._lake.store.url, self._place.url, "derived", self._read, most=most, more=more)
        derived = list(self._spread(cohorts.derive_cohorts, [self._base.ranged(one, DERIVED_FROM) for one in parts]))
        self._base.index(derived)
        return derived

    def _of_all(
        self, index: Index, derived: Sequence[cohorts.Derived], encode: Encode | None
    ) -> Iterator[tuple[Table, pl.DataFrame]]:
        """The tables that are not cut, one after the other."""
        yield from ((CAPTURES, self._captures), (QUARANTINE, self._quarantine), (SCHEMA_PATHS, self._schema_paths))
        yield from ((table, table.conform(rows)) for table, rows in self._around)
        shown = self._base.staying(SIGHTINGS, SHOWN).collect()
        listed, organized = (self._of_ranges(name, derived) for name in (cohorts.LISTED, ORGANIZATIONS.name))
        lists = pl.concat([listed, papers_of_lists(self._captures, shown)])
        looks, changes, works = map(dict(self._around).__getitem__, (ARXIV_LOOKS, ARXIV_CHANGES, PUBLISHED_WORKS))
        facts = {"looks": looks, "changes": changes, "works": works}
        yield COVERAGE, coverage_of(self._captures, lists, self._quarantine, **facts)
        yield ORGANIZATIONS, organizations_of(pl.concat([organized, organization_parts(shown)]))
        yield IDENTITY_PAIRS, index.pairs
        papers = self._of_papers(PAPERS, derived, ("paper_id", "capture_id")).collect()
        yield PAPER_CLUSTERS, paper_clusters(index, papers)
        words, terms = (
            pl.concat([self._base.read(table).select(more.columns), more], how="vertical_relaxed")
            for table in (SEARCH_WORDS, SEARCH_TERMS)
            for more in [self._of_ranges(table.name, derived)]
        )
        vectors = self._of_papers(SEARCH_VECTORS, derived, VECTOR).collect().sort("paper_id")
        made = tables_of_all(words, terms, vectors.height)
        yield from ((table, made[table.name]) for table in CORE_TABLES if table.name in made)
        embeddings = self._embedded(vectors, derived, encode)
        yield SEARCH_EMBEDDINGS, embeddings
        held = self._base.scan(SEARCH_VECTORS).select(TEXT).collect()
        new = vectors.join(held, on=TEXT, how="anti")["paper_id"]
        postings = self._of_papers(SEARCH_LISTS, derived, OF_A_TERM)
        known = self._base.scan(SIMILAR_PAPERS)
        yield SIMILAR_PAPERS, similar(vectors, embeddings, postings, new, known=known)

    def _embedded(
        self, vectors: pl.DataFrame, derived: Sequence[cohorts.Derived], encode: Encode | None
    ) -> pl.DataFrame:
        """The language model's vectors of all texts, one range of cohorts after the other."""
        if encode is None:
            return SEARCH_EMBEDDINGS.empty()
        is_held = self._parent and SEARCH_EMBEDDINGS.name in self._parent.tables
        known = self._parent.read(SEARCH_EMBEDDINGS) if self._parent and is_held else SEARCH_EMBEDDINGS.empty()
        far = self._base.staying(PAPERS, ("paper_id",)).collect()
        found = [known.join(vectors, on=TEXT, how="semi").join(far, on="paper_id", how="semi")]
        for one in derived:
            titles, abstracts = (self._of_ranges(table.name, [one]) for table in (PAPERS, PAPER_TEXTS))
            texts = hashed(titles, abstracts)
            made = embedded(known, vectors.join(texts, on="paper_id", how="semi"), texts, encode)
            found.append(made.select(found[0].columns))
        return SEARCH_EMBEDDINGS.conform(pl.concat(found))

    @property
    def _seen(self) -> pl.LazyFrame:
        """The sightings that were read, each with the cohort of the arXiv id that it states."""
        return self._place.scan([table_key(one.key, SIGHTINGS.name) for one in self._read])

    def _of_chunks(self, table: Table) -> pl.DataFrame:
        return self._place.read([table_key(one.key, table.name) for one in self._read])

    def _of_ranges(self, name: str, derived: Sequence[cohorts.Derived]) -> pl.DataFrame:
        return self._place.read([table_key(one.key, name) for one in derived])

    def _of_papers(self, table: Table, derived: Sequence[cohorts.Derived], columns: Sequence[str]) -> pl.LazyFrame:
        """These columns of all rows of a table."""
        made = self._place.scan([table_key(one.key, table.name) for one in derived]).select(columns)
        return pl.concat([made, self._base.staying(table, columns)])

    def _with_held(self, file: cohorts.FileToBe) -> cohorts.FileToBe:
        """The file with what the release before has of its name."""
        held = self._held.get(file.key)
        at = locate(self._parent.of, file.key) if self._parent and held else ""
        return replace(file, held=held, held_at=at)


def _note(drafted: Drafted, files: Iterable[tuple[cohorts.FileToBe, cohorts.Written]]) -> None:
    for one, made in files:
        drafted.files[one.table].append(made.file)
        drafted.held.update([one.key] if made.is_held else [])
