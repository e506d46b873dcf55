"""Step `gate`: a draft is checked as it was written, and may be published where it passes."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from expectations.gate import Proven, check
from expectations.report import Report
from flows.documents.quality import quality_pages
from warehouse.release.draft import name_current, superseded_if_gone
from warehouse.release.manifest import Draft
from warehouse.release.schema_changes import read_common
from warehouse.release.snapshot import Snapshot, draft_key
from warehouse.schema.tables import CORE_TABLES
from warehouse.store.local_files import LocalFiles


def check_draft(files: LocalFiles, draft: Draft, *, accepted_loss: str | None = None) -> Report:
    """Run the gate over the draft as it was written; where it does not pass, store the report's pages in the draft.

    It is compared with what its parent holds, as far as that is sound; rows that passed there are proven.

    With `accepted_loss`, the reason why, what is lost compared with the previous release closes the gate no more.
    Superseded where another release was published meanwhile, and the draft's files were dropped.
    """
    with superseded_if_gone(files.store, draft):
        written = Snapshot(draft, files)
        tables = {table.name: written.read(table) for table in CORE_TABLES}
        proven = _proven(written, tables)
    report = check(tables, proven=proven, accepted_loss=accepted_loss)
    if report.passed:
        name_current(files.store, draft, report.to_json())
    else:
        for name, page in quality_pages(report, title=f"draft {draft.draft_id}").items():
            files.store.put(draft_key(draft.draft_id, f"quality/{name}"), page)
    return report


def _proven(written: Snapshot[Draft], tables: Mapping[str, pl.DataFrame]) -> Proven | None:
    """What the release before holds, as far as it is sound; None before the first."""
    parent = written.parent()
    if parent is None:
        return None
    before = {
        table.name: tables[table.name]
        if parent.tables[table.name] == written.tables[table.name]
        else read_common(table, parent)
        for table in CORE_TABLES
        if table.name in parent.tables and parent.is_sound(table)
    }
    return Proven(parent.name, Report.from_json(bytes(parent.of.checks)).rules_sha256, before)
