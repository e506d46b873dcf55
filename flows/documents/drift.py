"""How the source changed since the latest release, told by the run that first sees it."""

from __future__ import annotations

from typing import Final

import polars as pl
from prefect.artifacts import create_markdown_artifact

from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from transforms.collect.schema_paths import drift
from warehouse.release import draft as drafts
from warehouse.release import release
from warehouse.release.latest import release_files
from warehouse.release.manifest import Draft
from warehouse.release.schema_changes import has_declared_columns
from warehouse.schema.core.schema_paths import SCHEMA_PATHS
from warehouse.store.local_files import local_files

LINES_SHOWN: Final = 10


def drift_of(lake: str, draft: Draft) -> pl.DataFrame:
    """The changes that a draft shows against the latest release, as `schema_paths.drift` has them."""
    store = open_lake(lake)
    parent = release.latest_manifest(store)
    with local_files(store) as path_of:
        after = drafts.read_table(SCHEMA_PATHS, draft.tables, drafts.draft_files(draft, path_of))
        stored = release_files(parent.version, path_of) if parent else path_of
        if parent is None or not has_declared_columns(SCHEMA_PATHS, parent.tables, stored):
            return drift(SCHEMA_PATHS.empty(), after)
        before = drafts.read_table(SCHEMA_PATHS, parent.tables, stored)
        return drift(before, after)


def drift_lines(changes: pl.DataFrame) -> list[str]:
    """One line a change: what changed, where, how often, the first page that shows it."""
    return [
        f"{row['change']} in {row['reader']}: {row['path']}"
        + (f" ({row['json_type']})" if row["json_type"] else "")
        + f", {row['item_count']:,} items, capture {row['capture_id']}"
        + (f", for example {row['example']}" if row["example"] else "")
        for row in changes.iter_rows(named=True)
    ]


def show_drift(lake: str, draft: Draft) -> None:
    """Warn of the changes on the terminal, all of them in Prefect's artifact."""
    lines = drift_lines(drift_of(lake, draft))
    for line in lines[:LINES_SHOWN]:
        log.warning("the source changed: %s", line)
    if len(lines) > LINES_SHOWN:
        log.warning("and %s more changes of the source: artifact paperlake-drift", len(lines) - LINES_SHOWN)
    listed = "\n".join(f"* `{line.replace('`', chr(39))}`" for line in lines) or "The source did not change."
    create_markdown_artifact(f"{listed}\n", key="paperlake-drift", description="How the source changed")
