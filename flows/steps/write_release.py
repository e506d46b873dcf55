"""Steps `write release` and `move latest`: the draft that passed the gate becomes a release, then the latest one."""

from __future__ import annotations

from datetime import date, datetime

from expectations.report import Report
from flows.documents.changes import notes_of
from flows.documents.documents import Material, documents
from warehouse.errors import NothingThere, Superseded
from warehouse.release import moves
from warehouse.release.about import about, lineage
from warehouse.release.draft import current_draft, drop_draft
from warehouse.release.latest import parent_of, release_key
from warehouse.release.manifest import Draft, Manifest, decode
from warehouse.release.moves import FIRST
from warehouse.release.snapshot import Snapshot
from warehouse.release.write import CLAIM, ReleaseWriter, claim
from warehouse.store.local_files import LocalFiles
from warehouse.store.store import Store


def write_release(files: LocalFiles, draft: Draft | None = None, *, today: date) -> Manifest:
    """Write a checked draft as a release, every file, and read it back; `latest` does not move yet.

    Without a draft it is the one that waits. Superseded where another release was published since it was made.
    """
    store, draft = files.store, draft or current_draft(files.store)
    try:
        return _written(files, draft, today)
    except NothingThere:
        if draft.parent == parent_of(store):
            raise
        raise Superseded(FIRST) from None  # whoever published the same draft has dropped its files


def _written(files: LocalFiles, draft: Draft, today: date) -> Manifest:
    store = files.store
    version = claim(store, draft, today)
    report, snapshot = Report.from_json(bytes(draft.report)), Snapshot(draft, files)
    followed = lineage(store, draft, version)
    notes = notes_of(snapshot, version, report)
    written = documents(Material(draft, report, notes, followed, snapshot.read))
    return ReleaseWriter(snapshot, version).write(written, about(draft, followed, report.to_frame()))


def move_latest(store: Store, manifest: Manifest, *, now: datetime) -> None:
    """Let readers see the release; `now` is UTC without zone."""
    claimed = decode(store.read(release_key(manifest.version, CLAIM)), Draft, CLAIM)
    moves.publish(store, manifest, at=now)
    drop_draft(store, claimed)
