"""The figures of a release and of those before it, carried from release to release as `history.json`.

A release finds all of them in its parent, so that publishing asks as much of a store after a thousand releases as
after two, and what a retention rule has dropped still has its place in the charts.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from expectations.report import Report
from warehouse.latest import manifest_of, release_key
from warehouse.manifest import Draft, Manifest, TableFiles, decode, digest
from warehouse.store import Store, read_if_there
from warehouse.tables.papers import PAPERS

HISTORY: Final = "history.json"
MOST: Final = 60  # releases: two months of daily ones


class Figures(Struct, frozen=True):
    """One release in numbers: rows of all its tables, bytes of their Parquet, and what came of its checks."""

    version: str
    capture_count: int
    paper_count: int
    row_count: int
    parquet_bytes: int
    check_count: int
    failed_check_count: int
    accepted_loss: str | None = None


def history(store: Store, draft: Draft, version: str) -> tuple[Figures, ...]:
    """The release to be and up to 59 before it, the oldest first."""
    parent = manifest_of(store, draft.parent) if draft.parent else None
    before = _told(store, parent) if parent else ()
    return (*before, _figures(version, draft.capture_count, draft.tables, bytes(draft.report)))[-MOST:]


def _told(store: Store, parent: Manifest) -> tuple[Figures, ...]:
    """What the parent has of itself and the releases before it; of one without (or with a damaged) history, itself."""
    file = next((file for file in parent.files if file.key == HISTORY), None)
    data = read_if_there(store, release_key(parent.version, HISTORY)) if file else None
    if file is None or data is None or digest(data) != file.sha256:
        return (_figures(parent.version, parent.capture_count, parent.tables, bytes(parent.checks)),)
    return decode(data, tuple[Figures, ...], HISTORY)


def _figures(version: str, capture_count: int, tables: tuple[TableFiles, ...], checks: bytes) -> Figures:
    report = Report.from_json(checks)
    return Figures(
        version=version,
        capture_count=capture_count,
        paper_count=sum(table.row_count for table in tables if table.name == PAPERS.name),
        row_count=sum(table.row_count for table in tables),
        parquet_bytes=sum(file.bytes for table in tables for file in table.files),
        check_count=len(report.results),
        failed_check_count=len(report.failed),
        accepted_loss=report.accepted_loss,
    )


def as_json(figures: tuple[Figures, ...]) -> bytes:
    """The document; the same figures are the same bytes."""
    return msgspec.json.format(msgspec.json.encode(figures), indent=2) + b"\n"
