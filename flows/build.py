"""Flow `build`: unread captures become sightings, sightings become tables, tables pass the gate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from itertools import islice

import polars as pl
from prefect import flow
from prefect.artifacts import create_markdown_artifact, create_table_artifact

from expectations.gate import Proven, check, require
from expectations.pages import quality_pages
from expectations.report import Report
from flows.drift import show_drift
from flows.lake import open_lake
from flows.progress import log, track
from flows.retries import step
from transforms.sightings import Collected, collect, read_page
from transforms.tables import derive
from warehouse import draft as drafts
from warehouse import release
from warehouse.archive import Archive
from warehouse.capture import Capture
from warehouse.cdxj import IndexEntry
from warehouse.errors import GateClosed, NothingThere
from warehouse.manifest import Draft, Manifest, TableFiles
from warehouse.store import Store
from warehouse.tables import CORE_TABLES, SCHEMA_VERSION
from warehouse.tables.drift import SCHEMA_PATHS
from warehouse.tables.pages import CAPTURES, QUARANTINE, SIGHTINGS

PAGES_AT_A_TIME = 200  # captures whose rows are in memory before they are a frame
READ_RESULTS = (CAPTURES, SIGHTINGS, QUARANTINE, SCHEMA_PATHS)


def make_draft(lake: str, *, from_raw: bool) -> Draft | None:
    """Tables for the next release, written as a draft; None where they would be those of the latest release."""
    store = open_lake(lake)
    parent = release.latest_manifest(store)
    continues = parent is not None and parent.schema_version == SCHEMA_VERSION and not from_raw
    before = _before(store, parent) if parent and continues else None
    unread = _unread(store, before)
    if before is not None and not unread:
        return None
    tables = derive(_read(store, unread, before))
    known = drafts.unchanged_files(store, parent, tables)
    if parent is not None and known.keys() == {file.key for table in parent.tables for file in table.files}:
        return None
    code_version = version("paperlake")
    return drafts.write_draft(store, tables, parent=release.parent_of(store), known=known, code_version=code_version)


def _before(store: Store, parent: Manifest) -> Collected:
    """What the latest release knows from the captures that were read before."""
    tables = {table.name: table for table in parent.tables}
    read = (drafts.read_table(store, table, tables[table.name], release.files_of(parent)) for table in READ_RESULTS)
    return Collected(*read)


def _unread(store: Store, before: Collected | None) -> list[IndexEntry]:
    entries = Archive(store).index()
    if not entries:
        raise NothingThere(f'nothing has been landed in {store.url}; run "paperlake land PATH" first')
    known = set(before.captures["capture_id"]) if before is not None else set()
    return [entry for entry in entries if entry.capture_id not in known]


def _read(store: Store, unread: list[IndexEntry], before: Collected | None) -> Collected:
    """Everything that all captures said: what was read before, and the unread ones now."""
    captures = track(Archive(store).captures(unread), "reading", len(unread))
    parts = [collect(map(read_page, chunk)) for chunk in _chunks(captures)]
    if before is not None:
        parts.append(before._replace(sightings=before.sightings.drop("paper_id")))
    return Collected(*(pl.concat(frames, how="vertical_relaxed") for frames in zip(*parts, strict=True)))


def _chunks(captures: Iterator[Capture]) -> Iterable[list[Capture]]:
    while chunk := list(islice(captures, PAGES_AT_A_TIME)):
        yield chunk


def check_draft(lake: str, draft: Draft) -> Report:
    """Run the gate over the draft as it was written, and keep its report as pages beside it."""
    store = open_lake(lake)
    parent = release.latest_manifest(store)
    tables = _tables(store, draft.tables, drafts.key_in(store, draft))
    report = check(tables, proven=_proven(store, parent) if parent is not None else None)
    for name, page in quality_pages(report, title=f"draft {draft.draft_id}").items():
        store.put(drafts.key_of(draft.draft_id, f"quality/{name}"), page)
    if report.passed:
        drafts.name_current(store, draft, report.to_json())
    return report


def _proven(store: Store, parent: Manifest) -> Proven:
    """What the latest release holds, and the rules it passed."""
    rules_sha256 = Report.from_json(bytes(parent.checks)).rules_sha256
    return Proven(parent.version, rules_sha256, _tables(store, parent.tables, release.files_of(parent)))


def _tables(store: Store, described: tuple[TableFiles, ...], locate: drafts.Locate) -> dict[str, pl.DataFrame]:
    files = {table.name: table for table in described}
    return {table.name: drafts.read_table(store, table, files[table.name], locate) for table in CORE_TABLES}


make_draft_task = step("make draft")(make_draft)
check_draft_task = step("gate")(check_draft)


@flow(name="build")
def build(lake: str, *, from_raw: bool = False) -> Draft | None:
    """Read what is unread (or everything, `from_raw`), make all tables, pass the gate. None: nothing is new."""
    draft = make_draft_task(lake, from_raw=from_raw)
    if draft is None:
        return None
    report = check_draft_task(lake, draft)
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
