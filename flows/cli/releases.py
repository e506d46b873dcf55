"""Lists releases, compares two of them, and drops old ones by a retention rule; as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from expectations.report import Report
from warehouse.errors import NothingThere
from warehouse.release import moves, retention
from warehouse.release.diff import ColumnDiff, ReleaseDiff, TableDiff
from warehouse.release.diff import diff as compare
from warehouse.release.latest import require_latest
from warehouse.store.store import Store

SHIFT: Final = 0.01  # a day's pages move the share of nulls by less; `--format json` has every shift


class ReleaseSummary(Struct, frozen=True):
    """A published release: when it was first the latest, what it holds, whether it was dropped since."""

    version: str
    published_at: str
    is_latest: bool
    capture_count: int | None = None
    row_count: int | None = None
    bytes: int | None = None
    check_count: int | None = None
    failed_check_count: int | None = None
    accepted_loss: str | None = None
    dropped_at: str | None = None


def summaries(store: Store) -> list[ReleaseSummary]:
    """Every release, the oldest first; NothingThere before the first."""
    published_at: dict[str, str] = {}
    for move in moves.moves(store):
        published_at.setdefault(move.version, move.moved_at)
    latest = require_latest(store).version
    found = []
    for version, at in published_at.items():
        if record := retention.dropped(store, version):
            found.append(ReleaseSummary(version, at, version == latest, dropped_at=record.dropped_at))
            continue
        manifest = moves.published(store, version)
        report = Report.from_json(bytes(manifest.checks))
        summary = ReleaseSummary(
            version,
            at,
            version == latest,
            manifest.capture_count,
            sum(table.row_count for table in manifest.tables),
            sum(file.bytes for file in manifest.files),
            len(report.results),
            len(report.failed),
            report.accepted_loss,
        )
        found.append(summary)
    return found


def summaries_text(releases: Sequence[ReleaseSummary]) -> str:
    """The releases as a table, the newest first."""
    rows = [("release", "published", "captures", "rows", "MB", "checks", "")]
    for one in reversed(releases):
        marks = ["latest"] * one.is_latest + ([f"dropped {one.dropped_at}"] if one.dropped_at else [])
        marks += [f"loss accepted: {one.accepted_loss}"] if one.accepted_loss else []
        size = None if one.bytes is None else one.bytes / 1e6
        checks = (
            "" if one.check_count is None else f"{one.check_count - (one.failed_check_count or 0)}/{one.check_count}"
        )
        counts = (_number(one.capture_count), _number(one.row_count), "" if size is None else f"{size:,.1f}", checks)
        rows.append((one.version, one.published_at, *counts, "; ".join(marks)))
    return aligned(rows, right=(2, 3, 4, 5))


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def aligned(rows: Sequence[Sequence[str]], right: Iterable[int]) -> str:
    """Rows of text in columns; those of numbers are aligned to the right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    flush = set(right)
    lines = (
        "  ".join(
            cell.rjust(width) if place in flush else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
    return "\n".join(lines) + "\n"


def diff(store: Store, before: str | None, after: str | None, keys_to: Path | None = None) -> ReleaseDiff:
    """Two releases compared: by default the latest one and its parent."""
    new = moves.published(store, after or require_latest(store).version)
    if before is None and new.parent is None:
        raise NothingThere(f"release {new.version} has no parent; name the release to compare it with")
    old = moves.published(store, before or (new.parent.version if new.parent else ""))
    return compare(store, old, new, keys_to)


def diff_text(found: ReleaseDiff) -> str:
    """The comparison in words: one line a table, then one for each column that changed."""
    head = f"{found.before} → {found.after}\n"
    rows: list[tuple[str, ...]] = [("table", "before", "after", "added", "removed", "changed")]
    for table in found.tables:
        counts = (table.rows_before, table.rows_after, table.added_count, table.removed_count, table.changed_count)
        rows.append((table.name, *(f"{count:,}" for count in counts)))
    text = head + aligned(rows, right=range(1, 6)) if found.tables else head + "no table changed\n"
    for table in found.tables:
        text += "".join(f"{table.name}.{name}: new column\n" for name in table.columns_added)
        text += "".join(f"{table.name}.{name}: column gone\n" for name in table.columns_gone)
        changes = ((column.name, "; ".join(_changes(column, table))) for column in table.columns)
        text += "".join(f"{table.name}.{name}: {words}\n" for name, words in changes if words)
    return text + (f"unchanged: {', '.join(found.unchanged)}\n" if found.unchanged else "")


def _changes(column: ColumnDiff, table: TableDiff) -> Iterator[str]:
    """How a column changed: in values, in its share of nulls, in its range."""
    if column.changed_count:
        both = table.rows_before - table.removed_count
        yield f"changed in {column.changed_count:,} of {both:,} rows ({column.changed_count / both:.1%})"
    if table.rows_before and table.rows_after:
        before, after = column.before.null_count / table.rows_before, column.after.null_count / table.rows_after
        if abs(after - before) >= SHIFT:
            yield f"null {before:.1%} → {after:.1%}"
    lowest_to_highest = [
        "none" if side.lowest is None else f"{side.lowest} … {side.highest}" for side in (column.before, column.after)
    ]
    if lowest_to_highest[0] != lowest_to_highest[1]:
        yield f"range {' → '.join(lowest_to_highest)}"


def retain(store: Store, *, keep_last: int, keep_months: int, apply: bool, at: datetime) -> str:
    """The releases that a retention rule drops, in words; with `apply` they are dropped."""
    present = [one for one in summaries(store) if one.dropped_at is None]
    (current,) = (one.version for one in present if one.is_latest)
    versions = retention.droppable(
        [one.version for one in present], current, keep_last=keep_last, keep_months=keep_months
    )
    sizes = {one.version: one.bytes or 0 for one in present}
    why = f"kept the last {keep_last} releases and the last one of {keep_months} months"
    lines = [f"{version}  {sizes[version] / 1e6:,.1f} MB" for version in versions]
    if apply:
        for version in versions:
            retention.drop(store, moves.published(store, version), at=at, why=why)
    total = sum(sizes[version] for version in versions) / 1e6
    done = "dropped" if apply else "would drop (nothing is done without --apply)"
    return "\n".join([f"{done} {len(versions)} of {len(present)} releases, {total:,.1f} MB:", *lines]) + "\n"
