"""Step `make draft`: unread captures become sightings, sightings become tables, tables become a draft."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from importlib.metadata import version
from itertools import islice

import polars as pl

from flows.documents.drift import source_changes
from flows.runtime.encoder import encoder
from flows.runtime.progress import track
from transforms.collect.collect import Collected, collect, read_page
from transforms.core.claims import ReadTexts
from transforms.core.derive import OF_ONE_PAPER, Made, derive
from transforms.core.search import IndexedTexts
from warehouse.archive.archive import Archive
from warehouse.errors import NothingThere
from warehouse.release.draft import write_draft
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.schema_changes import changed_tables
from warehouse.release.snapshot import Snapshot, latest_release
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.claims import PAPER_CLAIMS, PAPER_SYSTEMS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.core.schema_paths import SCHEMA_PATHS
from warehouse.schema.core.search import SEARCH_EMBEDDINGS, SEARCH_TERMS, SEARCH_VECTORS, SEARCH_WORDS, SIMILAR_PAPERS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table
from warehouse.store.local_files import LocalFiles

PAGES_AT_A_TIME = 200  # captures whose rows are in memory before they are a frame
READ_RESULTS = (CAPTURES, SIGHTINGS, QUARANTINE, SCHEMA_PATHS)
READ_TEXTS = (PAPERS, PAPER_TEXTS, PAPER_SYSTEMS, PAPER_CLAIMS)  # and what was read in them
INDEXED_TEXTS = (PAPERS, PAPER_TEXTS, SEARCH_WORDS, SEARCH_TERMS, SEARCH_VECTORS, SEARCH_EMBEDDINGS, SIMILAR_PAPERS)


def make_draft(files: LocalFiles, *, from_raw: bool, semantic: bool = False) -> Draft | None:
    """Tables for the next release, written as a draft; None where they would be those of the latest release.

    The texts of a `semantic` one are read by a language model too.
    """
    store, parent = files.store, latest_release(files)
    changed = changed_tables(parent) if parent else set()
    before = parent if not from_raw and changed.isdisjoint(table.name for table in READ_RESULTS) else None
    entries = Archive(store).index()
    if not entries:
        raise NothingThere(f'nothing has been landed in {store.url}; run "paperlake land PATH" first')
    landed = set(before.read(CAPTURES)["capture_id"]) if before else set()
    unread = [entry for entry in entries if entry.capture_id not in landed]
    if before and not unread and not changed:
        return None
    encode = encoder() if semantic else None
    captures = track(Archive(store).captures(unread), "reading", len(unread))
    chunks = range(0, len(unread), PAGES_AT_A_TIME)
    parts = [collect(map(read_page, islice(captures, PAGES_AT_A_TIME))) for _ in chunks]
    held = _Held(before, changed)
    of_before = Collected(*held.read(READ_RESULTS)) if before else None
    texts, index = held.sound(READ_TEXTS), held.sound(INDEXED_TEXTS)
    is_of_this_code = before is not None and before.of.code_version == version("paperlake")
    made = held.sound(OF_ONE_PAPER) if is_of_this_code else None
    tables = derive(
        joined(parts, of_before),
        ReadTexts(*texts) if texts else None,
        IndexedTexts(*index) if index else None,
        Made(of_before.sightings, dict(zip(OF_ONE_PAPER, made, strict=True))) if made and of_before else None,
        encode,
    )
    changes = source_changes(parent, tables[SCHEMA_PATHS.name])
    return write_draft(store, tables, parent, code_version=version("paperlake"), source_changes=changes)


class _Held:
    """The tables of the release before, each read once."""

    def __init__(self, before: Snapshot[Manifest] | None, changed: AbstractSet[str]) -> None:
        self._before, self._changed = before, changed
        self._tables: dict[Table, pl.DataFrame] = {}

    def read(self, tables: Sequence[Table]) -> list[pl.DataFrame]:
        """These tables; Damaged where one is not what was written."""
        assert self._before is not None
        self._tables |= {table: self._before.read(table) for table in tables if table not in self._tables}
        return [self._tables[table] for table in tables]

    def sound(self, tables: Sequence[Table]) -> list[pl.DataFrame] | None:
        """These tables, where all are sound and of today's form."""
        if self._before is None or not self._changed.isdisjoint(table.name for table in tables):
            return None
        return self.read(tables) if all(map(self._before.is_sound, tables)) else None


def joined(parts: Iterable[Collected], known: Collected | None = None) -> Collected:
    """What was read now, part by part, and what a release holds (`known`), whose papers are to be matched anew."""
    before = [known._replace(sightings=known.sightings.drop("paper_id"))] if known else []
    return Collected(*(pl.concat(frames, how="vertical_relaxed") for frames in zip(*parts, *before, strict=True)))
