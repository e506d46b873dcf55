"""Flow `build`: unread captures become sightings, sightings become tables, tables pass the gate."""

from __future__ import annotations

from typing import Final

from prefect import flow
from prefect.artifacts import create_markdown_artifact, create_table_artifact

from expectations.gate import require
from expectations.report import Report
from flows.runtime.deployed import ENDS
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.runtime.retries import step
from flows.runtime.settings import load
from flows.steps.check_draft import check_draft
from flows.steps.make_draft import make_draft
from flows.watch.lineage import traced
from warehouse.errors import GateClosed
from warehouse.release.draft import passed
from warehouse.release.manifest import Draft
from warehouse.release.snapshot import draft_key
from warehouse.store.local_files import LocalFiles, local_files

LINES_SHOWN: Final = 10  # changes of the source that are logged; the artifact has all
ROWS_WIDTH: Final = 11  # characters of a row count under a hundred million

make_draft_task = step("make draft")(make_draft)
check_draft_task = step("gate")(check_draft)


@flow(name="build", **ENDS)
def build(lake: str, *, from_raw: bool = False, accepted_loss: str | None = None) -> Draft | None:
    """Build a draft of the new captures, or with `from_raw` of all. None: nothing is new. GateClosed where it fails."""
    with local_files(open_lake(lake)) as files:
        return build_in(files, from_raw=from_raw, accepted_loss=accepted_loss)


def build_in(files: LocalFiles, *, from_raw: bool = False, accepted_loss: str | None = None) -> Draft | None:
    """The steps of the flow, within a flow run that has begun."""
    with traced(files.store, "build") as run:
        settings = load()
        draft = make_draft_task(files, from_raw=from_raw, semantic=settings.semantic, corrections=settings.corrections)
        if draft is None:
            return None
        report = check_draft_task(files, draft, accepted_loss=accepted_loss)
        _show(draft, report)
        made = passed(draft, report.to_json())
        if run:
            run.built(made)
        try:
            require(report)
        except GateClosed as closed:
            page = draft_key(draft.draft_id, "quality/index.html")
            raise GateClosed(f"{closed}\nthe whole report: {page} in {files.store.url}") from None
    return made


def _show(draft: Draft, report: Report) -> None:
    """Log the tables made, what the gate found and how the source changed, and keep them as Prefect artifacts."""
    rows = [{"table": table.name, "rows": table.row_count} for table in draft.tables]
    width = max(len(table.name) for table in draft.tables)
    counts = (f"\n  {table.name:<{width}}  {table.row_count:>{ROWS_WIDTH},}" for table in draft.tables)
    log.info("built %s tables, rows:%s", len(rows), "".join(counts))
    log.info("gate: %s", report.summary)
    create_table_artifact(rows, key="paperlake-tables", description="Rows a table")
    failed = "\n".join(f"* {result}" for result in report.failed) or "none failed"
    create_markdown_artifact(f"{report.summary}; {failed}\n", key="paperlake-gate", description="What the gate found")
    for line in draft.source_changes[:LINES_SHOWN]:
        log.warning("the source changed: %s", line)
    if (more := len(draft.source_changes) - LINES_SHOWN) > 0:
        log.warning("and %s more changes of the source: artifact paperlake-drift", more)
    lines = (f"* `{line.replace('`', chr(39))}`" for line in draft.source_changes)
    listed = "\n".join(lines) or "The source did not change."
    create_markdown_artifact(f"{listed}\n", key="paperlake-drift", description="How the source changed")
