"""The step `publish`: the draft that passed the gate becomes a release, then the latest one."""

from datetime import date, datetime
from typing import Final

from msgspec.structs import replace

from expectations.report import Report
from flows.documents.changes import causes_of, notes_of
from flows.documents.release_index import is_drop_unfinished, lead_to_latest, pages_instead, release_index, tombstone
from flows.running.how import How, traced
from flows.runtime.environment import utc_now
from flows.runtime.lake import sole_writer
from flows.runtime.progress import log
from flows.runtime.settings import load
from flows.steps.release_documents import Material, documents
from flows.steps.signing import own_signer, sign_release
from flows.steps.what_is_new import NOTHING_NEW
from warehouse.changes.explain import SinceParent, with_marts
from warehouse.errors import Damaged, NothingThere, StoreFailed, Superseded
from warehouse.inventory.pool_files import pool_older
from warehouse.inventory.retention import drop_superseded, finish_drops
from warehouse.release import moves
from warehouse.release.about import about, lineage
from warehouse.release.draft import CLAIM, ClaimedBy, claim, current_draft, drop_draft, has_current, superseded_if_gone
from warehouse.release.latest import DATABASE, DRAFTS, NO_DRAFT, latest, release_key, require_latest
from warehouse.release.made_again import about_files
from warehouse.release.manifest import Draft, Manifest, decode
from warehouse.release.query import opened
from warehouse.release.schema_changes import changed_tables
from warehouse.release.snapshot import Snapshot
from warehouse.release.write import ReleaseWriter
from warehouse.schema.catalog import CHANGES
from warehouse.store.local_files import LocalFiles, local_files
from warehouse.store.store import Store, read_if_there

OF_ANOTHER: Final = 'the draft is of paperlake {}, whose tables have another form; run "paperlake build" again'
DROPPED: Final = 'the draft was dropped by another command meanwhile; run "paperlake build" again'


def publish_in(files: LocalFiles, how: How, draft: Draft | None = None, *, patience: float = 0) -> Manifest:
    """Publish a draft that passed the gate; without one, that which waits.

    InUse where another command is at work for longer than so many seconds.
    """
    now, alone = utc_now(), sole_writer(files.store, "publish", patience=patience)
    with traced(files.store, "publish") as run, alone as leased:
        files = files.through(leased)
        manifest = how.step("write release", write_release, files, draft, today=now.date())
        sign_release(leased, manifest, load().signing_key)
        how.step("move latest", move_latest, leased, manifest, now=now)
        if run:
            run.published(manifest)
    what = f"release {manifest.version}, {len(manifest.files)} files, parent {manifest.parent}\n"
    how.show("paperlake-release", "What was published", what)
    return manifest


def publish_waiting(store: Store, how: How) -> Manifest | None:
    """Publish the draft that waits. None: there is none, and the latest release stands."""
    if not is_waiting(store):
        lead_to_latest(store)
        return None
    with local_files(store) as files:
        return publish_in(files, how)


def summary_line(manifest: Manifest | None) -> str:
    """A line on what a run published."""
    if manifest is None:
        return f"{NOTHING_NEW}; no new release"
    size = sum(file.bytes for file in manifest.files) / 1e6
    return f"published {manifest.version}: {len(manifest.files)} files, {size:,.1f} MB"


def write_release(files: LocalFiles, draft: Draft | None = None, *, today: date) -> Manifest:
    """Write a checked draft as a release, every file, and read it back; `latest` does not move yet.

    Without a draft it is the one that waits. Superseded where another release was published since it was made, or where
    paperlake was upgraded.
    """
    store, draft = files.store, draft or current_draft(files.store)
    if changed_tables(Snapshot(draft, files)):
        raise Superseded(OF_ANOTHER.format(draft.code_version))
    own = {file.key for table in draft.tables for file in table.files}.difference(draft.kept)
    if own and not store.list(f"{DRAFTS}/{draft.draft_id}"):  # by an erasure, which drops all that were made before
        raise Superseded(DROPPED)
    with superseded_if_gone(store, draft):
        version = claim(store, draft, today)
        report, snapshot = Report.from_json(bytes(draft.report)), Snapshot(draft, files)
        followed = lineage(store, draft, version)
        named = latest(store)
        errata = named.errata if named else ()
        writer, why = ReleaseWriter(snapshot, version, report.in_short().to_json()), SinceParent(files)
        begun = writer.write_tables(about(followed, report.to_frame(), errata), why.of)
        changes = why.changes
        notes = notes_of(Snapshot(begun, files), draft, report, errata, why.tables)
        notes = replace(notes, why=None if changes is None else causes_of(changes))
        known = CHANGES.empty() if changes is None else changes
        with opened(files.path(release_key(version, DATABASE))) as database:
            whole = with_marts(Snapshot(begun, files))
            given = Material(
                draft,
                report,
                notes,
                followed,
                whole.scan,
                whole.path,
                begun.marts,
                database.rows,
                known,
                why.step,
                about_files(database),
            )
            written = documents(given)
        return writer.write(begun, written)


def move_latest(store: Store, manifest: Manifest, *, now: datetime) -> None:
    """Let readers see the release; `now` is UTC without zone.

    Then drafts that are of no use any more are removed, and what a killed command left of releases that it dropped.
    """
    if (claimed := store.read(release_key(manifest.version, CLAIM))) == NO_DRAFT:
        raise Superseded(moves.OVERTAKEN)
    moves.publish(store, manifest, at=now, sign=own_signer())
    lead_to_latest(store)
    try:
        drop_draft(store, decode(claimed, ClaimedBy, CLAIM).draft_id)
        drop_superseded(store)
        if is_drop_unfinished(store, release_index(store, require_latest(store))):
            finish_drops(store, tombstone)
    except (StoreFailed, Damaged) as error:  # the release is there; the next one removes them
        log.warning("what runs that were stopped left is there still: %s", error)
    try:
        pool_older(store, manifest, pages_instead)
    except (StoreFailed, Damaged, NothingThere) as error:  # nor does a file that an older one lost stop this one
        log.warning("older releases do not share their files yet: %s", error)


def is_waiting(store: Store) -> bool:
    """Whether a draft waits to be published.

    One that is the latest release already, because a run was killed between the two, is forgotten.
    """
    named = latest(store)
    if named is None or not has_current(store):
        return named is None
    draft = current_draft(store)
    claimed = read_if_there(store, release_key(named.version, CLAIM))
    if claimed is None or not decode(claimed, ClaimedBy, CLAIM).is_of(draft):
        return True
    drop_draft(store, draft.draft_id)
    drop_superseded(store)
    return False
