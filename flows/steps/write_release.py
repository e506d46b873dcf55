"""Steps `write release` and `move latest`: the draft that passed the gate becomes a release, then the latest one."""

from __future__ import annotations

from datetime import date, datetime

from expectations.report import Report
from flows.documents.changes import notes_of
from flows.documents.documents import documents
from warehouse.release import moves
from warehouse.release.about import about, lineage
from warehouse.release.draft import current_draft, drop_drafts
from warehouse.release.manifest import Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.release.write import ReleaseWriter, claim
from warehouse.store.local_files import LocalFiles
from warehouse.store.store import Store


def write_release(files: LocalFiles, *, today: date) -> Manifest:
    """Write the checked draft as a release, every file, and read it back; `latest` does not move yet."""
    from flows.documents.page import (  # it draws, and is needed only where there is something to publish
        INDEX,
        release_page,
    )

    store, draft = files.store, current_draft(files.store)
    version = claim(store, draft, today)
    report, snapshot = Report.from_json(bytes(draft.report)), Snapshot(draft, files)
    followed = lineage(store, draft, version)
    written = documents(draft, report, notes_of(snapshot, version, report), followed)
    written[INDEX] = release_page(snapshot, followed, written)
    return ReleaseWriter(snapshot, version).write(written, about(draft, followed, report.to_frame()))


def move_latest(store: Store, manifest: Manifest, *, now: datetime) -> None:
    """Let readers see the release; `now` is UTC without zone."""
    moves.publish(store, manifest, at=now)
    drop_drafts(store)
