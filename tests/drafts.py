"""Drafts of tables that a test made, right or wrong: what a build writes has none of its mistakes."""

from collections.abc import Mapping

import polars as pl

from warehouse.release import parquet
from warehouse.release.draft import Drafted, describe, put_draft, write_part
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.captures import CAPTURES
from warehouse.store.local_files import scratch
from warehouse.store.store import Store


def write_draft(
    store: Store,
    tables: Mapping[str, pl.DataFrame],
    parent: Snapshot[Manifest] | None = None,
    *,
    code_version: str = "0",
    file_share: int = 1,
) -> Draft:
    """A draft of these tables, with the files of the parent that are the same; files have `file_share` times fewer rows
    than declared.
    """
    drafted = Drafted({table.name: [] for table in CORE_TABLES}, set())
    before = [file for table in (parent.of.tables if parent else ()) for file in table.files]
    with scratch() as folder:
        for table in CORE_TABLES:
            for part in parquet.parts(table.in_smaller_files(file_share), tables[table.name]):
                drafted.files[table.name].append(file := write_part(folder, part))
                drafted.held.update([file.key] if file in before else [])
        draft = describe(drafted, tables[CAPTURES.name]["capture_id"], parent, code_version)
        return put_draft(store, draft, lambda key: folder / key)
