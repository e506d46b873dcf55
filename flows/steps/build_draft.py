"""The step `build`: unread captures become sightings, sightings become tables, tables pass the gate."""

from typing import Final

from msgspec.structs import replace

from expectations.drafts import GateRequest
from expectations.gate import require
from expectations.report import Report
from flows.documents.page.beside import CHECKS_PAGE, QUALITY, checks_page, quality_page
from flows.running.gate_process import GateProcess, gate_process
from flows.running.how import How, traced
from flows.runtime.environment import utc_now
from flows.runtime.lake import PATIENCE_SECONDS
from flows.runtime.progress import log
from flows.runtime.settings import load
from flows.steps.make_draft import make_draft
from flows.steps.standing import Change, judged, last_published
from flows.steps.write_release import publish_in
from warehouse.archive.archive import Archive
from warehouse.archive.index import IndexEntry
from warehouse.errors import GateClosed, NothingThere, Superseded
from warehouse.people.ledger import Ledger
from warehouse.printable import printable
from warehouse.release.draft import drop_draft, name_current, passed, superseded_if_gone
from warehouse.release.latest import CURRENT, NO_DRAFT, parent_of
from warehouse.release.manifest import Decisions, Draft, Manifest
from warehouse.release.snapshot import Snapshot, draft_key, latest_release
from warehouse.schema.core.captures import CAPTURES
from warehouse.store.lease import InUse, undisturbed
from warehouse.store.local_files import LocalFiles
from warehouse.store.store import read_if_there

LINES_SHOWN: Final = 10  # changes of the source that are logged; the artifact has all
ROWS_WIDTH: Final = 11  # characters of a row count under a hundred million
ROUNDS: Final = 8  # drafts of one build; each after the first is without pages at fault in the one before
SET_ASIDE: Final = (
    "page %s is set aside, and nothing is taken from it (%s, fetched at %s): %s: %s; "
    '"paperlake captures" lists such pages, and "paperlake captures confirm" takes one all the same'
)
TRIES: Final = 5  # builds of one run; each one that fails is a release that another run published


def build_in(
    files: LocalFiles,
    how: How,
    *,
    from_raw: bool = False,
    accepted_loss: str | None = None,
    decisions: Decisions | None = None,
) -> Draft | None:
    """Build a draft of the new captures, or with `from_raw` of all. None: nothing is new. GateClosed where it fails.

    No draft of an earlier build waits any more, once there is a release. Pages that make it fail are set aside. The
    `decisions` about pages are the latest release's, unless they are given.
    """
    with traced(files.store, "build") as run, gate_process() as gate, undisturbed(files.store):
        (ledger := Ledger(files.store)).require_quiet()
        ledger.require_unnamed([accepted_loss or "", *(one.why for one in decisions or ())])
        waiting = read_if_there(files.store, CURRENT)
        # It may have what was taken back since, or lack what makes this build fail; a first one may be half published
        if waiting not in {None, NO_DRAFT} and parent_of(files.store):
            files.store.swap(CURRENT, NO_DRAFT, waiting)
        made = judged_draft(files, how, gate, decisions, from_raw=from_raw, accepted_loss=accepted_loss)
        if made is None:
            return None
        draft, report = made
        if Ledger(files.store).entries != ledger.entries:
            drop_draft(files.store, draft.draft_id)
            raise Superseded(f"a person was erased from {files.store.url} meanwhile; run the same command again")
        _show(draft, report, how)
        ready = passed(draft, report.to_json())
        if run:
            run.built(ready)
        try:
            require(report)
        except GateClosed as closed:
            page = draft_key(draft.draft_id, QUALITY)
            raise GateClosed(f"{closed}\nthe whole report: {page} in {files.store.url}") from None
    return ready


def judged_draft(  # noqa: PLR0913 - what a build is made of
    files: LocalFiles,
    how: How,
    gate: GateProcess,
    decisions: Decisions | None,
    *,
    from_raw: bool,
    accepted_loss: str | None,
) -> tuple[Draft, Report] | None:
    """A draft that passed the gate, once the pages at fault were set aside, or the last one that did not."""
    settings, held, entries = load(), None, dict[str, IndexEntry]()
    for tries_left in reversed(range(ROUNDS)):
        draft = how.step(
            "make draft",
            make_draft,
            files,
            from_raw=from_raw,
            semantic=settings.semantic,
            corrections=settings.corrections,
            gate=gate,
            decisions=decisions,
        )
        if draft is None:
            return None
        held = draft.decisions if held is None else held
        try:
            report = how.step("gate", check_draft, files, draft, gate, accepted_loss=accepted_loss)
        except Superseded:  # by an erasure, perhaps, which did not see what was written of it since
            drop_draft(files.store, draft.draft_id)
            raise
        if report.failed and not entries:
            entries = {one.capture_id: one for one in Archive(files.store).index()}
        times = {name: one.fetched_at for name, one in entries.items()}
        decided = judged(report, draft.decisions, times, utc_now(), accepted_loss)
        if decided is None or not tries_left:
            for one in draft.decisions:
                page = entries.get(one.capture_id)
                if one not in held and one.is_aside and page:
                    log.warning(SET_ASIDE, one.capture_id, page.url, page.fetched_at, one.rule, one.why)
            return draft, report
        drop_draft(files.store, draft.draft_id)
        decisions = decided
    return None


def _show(draft: Draft, report: Report, how: How) -> None:
    """Log, and show, the tables made, what the gate found and how the source changed."""
    rows = [{"table": table.name, "rows": table.row_count} for table in draft.tables]
    width = max(len(table.name) for table in draft.tables)
    counts = (f"\n  {table.name:<{width}}  {table.row_count:>{ROWS_WIDTH},}" for table in draft.tables)
    log.info("built %s tables, rows:%s", len(rows), "".join(counts))
    log.info("gate: %s", report.summary)
    how.show("paperlake-tables", "Rows a table", rows)
    failed = "\n".join(f"* {result}" for result in report.failed) or "none failed"
    how.show("paperlake-gate", "What the gate found", f"{report.summary}; {failed}\n")
    for line in draft.source_changes[:LINES_SHOWN]:
        log.warning("the source changed: %s", line)
    if (more := len(draft.source_changes) - LINES_SHOWN) > 0:
        log.warning("and %s more changes of the source: artifact paperlake-drift", more)
    lines = (f"* `{line.replace('`', chr(39))}`" for line in draft.source_changes)
    listed = "\n".join(lines) or "The source did not change."
    how.show("paperlake-drift", "How the source changed", f"{listed}\n")


def build_and_publish(
    files: LocalFiles, accepted_loss: str | None, how: How, change: Change | None = None
) -> Manifest | None:
    """Build what is new and publish it; where another run published first, build again on top of its release.

    With a `change` of what is decided about pages that is new, too.

    None: there is nothing new. Superseded where other runs publish first TRIES times in a row.
    """
    for tries_left in reversed(range(TRIES)):
        draft = None
        try:
            decisions = changed_decisions(files, change) if change else None
            draft = build_in(files, how, accepted_loss=accepted_loss, decisions=decisions)
            return publish_in(files, how, draft, patience=PATIENCE_SECONDS) if draft else None
        except InUse:  # the draft is sound, and waits for "paperlake publish"
            raise
        except Superseded:
            if draft is not None:
                drop_draft(files.store, draft.draft_id)
            if not tries_left:
                raise
            log.info("another run published first; building on its release")
    return None


def changed_decisions(files: LocalFiles, change: Change) -> Decisions:
    """The decisions after the change; NothingThere where it is about a page that the latest release lacks."""
    release = latest_release(files)
    newest = last_published(files, release)
    held = newest.of.decisions if newest else ()
    decisions = change(held)
    ids = {one.capture_id for one in held}
    ids |= set(release.select(CAPTURES, ["capture_id"])["capture_id"]) if release else set()
    if wrong := [one.capture_id for one in decisions if one.capture_id not in ids]:
        raise NothingThere(
            f"no page {printable(wrong[0])} is in the latest release; \"paperlake sql 'FROM captures'\" lists them"
        )
    return decisions


def check_draft(files: LocalFiles, draft: Draft, gate: GateProcess, *, accepted_loss: str | None = None) -> Report:
    """Run the gate over the draft as it was written; where it does not pass, store the report's pages in the draft.

    It is compared with its parent, as far as that is sound: `gate` reads the files of both, which are on this machine
    and hashed by then.

    With `accepted_loss`, which is the reason, losses compared with the previous release do not close the gate.
    Superseded where another release was published meanwhile, and the draft's files were dropped.
    """
    with superseded_if_gone(files.store, draft):
        written = Snapshot(draft, files)
        written.require_sound()
        if parent := written.parent():
            sound = tuple(table for table in parent.of.tables if all(map(parent.has, table.files)))
        before = replace(parent.of, tables=sound) if parent else None
        report = gate.check(GateRequest(str(files.root), dict(files.hashes), draft, before, accepted_loss))
    if report.passed:
        name_current(files.store, draft, report.to_json())
    else:
        page = quality_page(report, f"draft {draft.draft_id}", draft)
        files.store.put(draft_key(draft.draft_id, QUALITY), page)
        files.store.put(draft_key(draft.draft_id, f"quality/{CHECKS_PAGE}"), checks_page(report))
    return report
