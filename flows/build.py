"""Flow `build`: unread captures become sightings, sightings become tables, tables pass the gate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from itertools import islice

import polars as pl
from prefect import flow
from prefect.artifacts import create_markdown_artifact, create_table_artifact

from expectations.gate import Proven, check, require
from expectations.report import Report
from flows.documents.drift import show_drift
from flows.documents.quality import quality_pages
from flows.runtime.lake import open_lake
from flows.runtime.progress import log, track
from flows.runtime.retries import step
from transforms.collect.collect import Collected, collect, read_page
from transforms.core.derive import derive
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.archive.cdxj import IndexEntry
from warehouse.errors import GateClosed, NothingThere
from warehouse.release import draft as drafts
from warehouse.release import release
from warehouse.release.latest import manifest_of, release_files
from warehouse.release.manifest import Draft, Manifest, TableFiles
from warehouse.release.schema_changes import changed_tables, next_schema_version, read_common
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.schema_paths import SCHEMA_PATHS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table
from warehouse.schema.tables import CORE_TABLES
from warehouse.store.far_objects import PathOf
from warehouse.store.local_files import local_files
from warehouse.store.store import Store

PAGES_AT_A_TIME = 200  # captures whose rows are in memory before they are a frame
READ_RESULTS = (CAPTURES, SIGHTINGS, QUARANTINE, SCHEMA_PATHS)


def make_draft(lake: str, *, from_raw: bool) -> Draft | None:
    """Tables for the next release, written as a draft; None where they would be those of the latest release."""
    store = open_lake(lake)
    follows = release.parent_of(store)
    parent = manifest_of(store, follows) if follows else None
    with local_files(store) as path_of:
        changed = changed_tables(parent.tables, release_files(parent.version, path_of)) if parent else frozenset()
        can_add = not from_raw and changed.isdisjoint(table.name for table in READ_RESULTS)
        before = parent if can_add else None
        unread = _unread(store, before, path_of)
        if before and not unread and not changed:
            return None
        tables = derive(_read(store, unread, before, path_of))
        known = drafts.unchanged_files(parent, tables, path_of) if parent else {}
    if parent and not changed and known.keys() == {file.key for table in parent.tables for file in table.files}:
        return None
    return drafts.write_draft(
        store,
        tables,
        parent=follows,
        known=known,
        code_version=version("paperlake"),
        schema_version=next_schema_version(parent, changed),
    )


def _unread(store: Store, before: Manifest | None, path_of: PathOf) -> list[IndexEntry]:
    entries = Archive(store).index()
    if not entries:
        raise NothingThere(f'nothing has been landed in {store.url}; run "paperlake land PATH" first')
    known = set(_before(before, CAPTURES, path_of)["capture_id"]) if before else set()
    return [entry for entry in entries if entry.capture_id not in known]


def _read(store: Store, unread: list[IndexEntry], before: Manifest | None, path_of: PathOf) -> Collected:
    """Everything that all captures said: what was read before, and the unread ones now."""
    captures = track(Archive(store).captures(unread), "reading", len(unread))
    parts = [collect(map(read_page, chunk)) for chunk in _chunks(captures)]
    known = Collected(*(_before(before, table, path_of) for table in READ_RESULTS)) if before else None
    return joined(parts, known)


def joined(parts: Iterable[Collected], known: Collected | None = None) -> Collected:
    """What was read now, part by part, and what a release holds (`known`), whose papers are to be matched anew."""
    before = [known._replace(sightings=known.sightings.drop("paper_id"))] if known else []
    return Collected(*(pl.concat(frames, how="vertical_relaxed") for frames in zip(*parts, *before, strict=True)))


def _before(parent: Manifest, table: Table, path_of: PathOf) -> pl.DataFrame:
    return drafts.read_table(table, parent.tables, release_files(parent.version, path_of))


def _chunks(captures: Iterator[Capture]) -> Iterable[list[Capture]]:
    while chunk := list(islice(captures, PAGES_AT_A_TIME)):
        yield chunk


def check_draft(lake: str, draft: Draft, *, accepted_loss: str | None = None) -> Report:
    """Run the gate over the draft as it was written; of one that does not pass, keep the report as pages beside it.

    With `accepted_loss`, the reason why, what is lost beside the release before closes the gate no more.
    """
    store = open_lake(lake)
    with local_files(store) as path_of:
        written = drafts.draft_files(draft, path_of)
        tables = {table.name: drafts.read_table(table, draft.tables, written) for table in CORE_TABLES}
        report = check(tables, proven=_proven(store, draft, tables, path_of), accepted_loss=accepted_loss)
    if report.passed:
        drafts.name_current(store, draft, report.to_json())
    else:
        for name, page in quality_pages(report, title=f"draft {draft.draft_id}").items():
            store.put(drafts.key_of(draft.draft_id, f"quality/{name}"), page)
    return report


def _proven(store: Store, draft: Draft, tables: Mapping[str, pl.DataFrame], path_of: PathOf) -> Proven | None:
    """What the draft's parent holds, as far as it is sound, and the rules it passed."""
    parent = manifest_of(store, draft.parent) if draft.parent else None
    if parent is None:
        return None
    stored = release_files(parent.version, path_of)
    sound = {table.name for table in parent.tables if all(drafts.is_sound(file, stored) for file in table.files)}
    same = {table.name for table in parent.tables if table in draft.tables}
    before = {name: tables[name] for name in sound & same}
    other = [table for table in CORE_TABLES if table.name in sound - same]
    before |= {table.name: read_common(table, parent.tables, stored) for table in other}
    return Proven(parent.version, Report.from_json(bytes(parent.checks)).rules_sha256, before)


make_draft_task = step("make draft")(make_draft)
check_draft_task = step("gate")(check_draft)


@flow(name="build")
def build(lake: str, *, from_raw: bool = False, accepted_loss: str | None = None) -> Draft | None:
    """Read what is unread (or everything, `from_raw`), make all tables, pass the gate. None: nothing is new."""
    draft = make_draft_task(lake, from_raw=from_raw)
    if draft is None:
        return None
    report = check_draft_task(lake, draft, accepted_loss=accepted_loss)
    _show(draft.tables, report)
    show_drift(lake, draft)
    if not report.passed:
        page = drafts.key_of(draft.draft_id, "quality/index.html")
        try:
            require(report)
        except GateClosed as closed:
            raise GateClosed(f"{closed}\nthe whole report: {page} in {lake}") from None
    return draft


def _show(tables: tuple[TableFiles, ...], report: Report) -> None:
    """Tell what the run made: on the terminal in a line, in Prefect as artifacts."""
    rows = [{"table": table.name, "rows": table.row_count} for table in tables]
    log.info("built %s", ", ".join(f"{row['table']} {row['rows']:,}" for row in rows))
    log.info("gate: %s of %s checks passed", len(report.results) - len(report.failed), len(report.results))
    create_table_artifact(rows, key="paperlake-tables", description="Rows a table")
    failed = "\n".join(f"* {result}" for result in report.failed) or "none failed"
    create_markdown_artifact(
        f"{len(report.results)} checks; {failed}\n", key="paperlake-gate", description="What the gate found"
    )
