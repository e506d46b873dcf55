"""Makes the core tables of a release anew where a text of a paper was masked, so that its search terms and claims are
those of the text that stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version

import polars as pl

from flows.runtime.encoder import encoder
from flows.steps.next_tables import INDEX, READ_RESULTS, READ_TEXTS
from transforms.collect.collect import Collected
from transforms.core.claims import ReadTexts
from transforms.core.derive import derive
from transforms.core.search import IndexedTexts
from warehouse.release.cohorts.near import is_cut_alike
from warehouse.release.erasing.rewriter import Derive, Read
from warehouse.release.manifest import Manifest
from warehouse.release.schema_changes import changed_tables
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.core.search import SEARCH_EMBEDDINGS
from warehouse.store.local_files import LocalFiles


def derived_in(files: LocalFiles) -> Derive:
    """A function that makes the tables of a release; it returns None for one that another paperlake made."""

    def derived(manifest: Manifest, read: Read) -> Mapping[str, pl.DataFrame] | None:
        release = Snapshot(manifest, files)
        if manifest.code_version != version("paperlake") or changed_tables(release) or not is_cut_alike(release):
            return None
        known = Collected(*(table.conform(read(table.name)) for table in READ_RESULTS))
        known = known._replace(sightings=known.sightings.drop("paper_id"))
        texts = ReadTexts(*map(release.read, READ_TEXTS))
        index = IndexedTexts(*map(release.read, (PAPERS, PAPER_TEXTS, *INDEX)))
        encode = encoder() if release.tables[SEARCH_EMBEDDINGS.name].row_count else None
        return derive(known, texts, index, encode, read(CORRECTIONS.name).drop("capture_id"))

    return derived
