"""Flow `publish`: the draft that passed the gate becomes a release; then, and only then, the latest one."""

from __future__ import annotations

from datetime import date, datetime
from functools import partial
from typing import Final

from prefect import flow
from prefect.artifacts import create_markdown_artifact

from expectations.report import Report
from flows.documents.changes import notes_of
from flows.documents.documents import Material, documents
from flows.runtime.lake import open_lake
from flows.runtime.now import utc_now
from flows.runtime.retries import step
from warehouse.release import moves, release
from warehouse.release.about import about, lineage
from warehouse.release.draft import current_draft, draft_files, drop_drafts, has_current, read_table
from warehouse.release.latest import latest
from warehouse.release.manifest import Manifest
from warehouse.store.local_files import local_files

NOTHING_NEW: Final = "nothing new: every landed capture is in the latest release"


def write(lake: str, *, today: date) -> Manifest:
    """Write the checked draft as a release, every file, and read it back; `latest` does not move yet."""
    store = open_lake(lake)
    draft = current_draft(store)
    version = release.claim(store, draft, today)
    report = Report.from_json(bytes(draft.report))
    followed = lineage(store, draft, version)
    notes = notes_of(store, draft, version, report)
    with local_files(store) as path_of:
        read = partial(read_table, described=draft.tables, path_of=draft_files(draft, path_of))
        written = documents(Material(draft, report, notes, followed, read))
    return release.write_release(store, draft, version, written, about(draft, followed, report.to_frame()))


def move(lake: str, manifest: Manifest, *, now: datetime) -> None:
    """Let readers see the release; `now` is UTC without zone."""
    store = open_lake(lake)
    moves.publish(store, manifest, at=now)
    drop_drafts(store)


write_task = step("write release")(write)
move_task = step("move latest")(move)


def told(manifest: Manifest | None) -> str:
    """What came of a run, in a line."""
    if manifest is None:
        return f"{NOTHING_NEW}; no new release"
    size = sum(file.bytes for file in manifest.files) / 1e6
    return f"published {manifest.version}: {len(manifest.files)} files, {size:,.1f} MB"


@flow(name="publish")
def publish(lake: str) -> Manifest | None:
    """Publish the draft that passed the gate. None: no draft is waiting, and the latest release stands."""
    store = open_lake(lake)
    if not has_current(store) and latest(store) is not None:
        return None
    now = utc_now()
    manifest = write_task(lake, today=now.date())
    move_task(lake, manifest, now=now)
    create_markdown_artifact(
        f"release {manifest.version}, {len(manifest.files)} files, parent {manifest.parent}\n",
        key="paperlake-release",
        description="What was published",
    )
    return manifest
