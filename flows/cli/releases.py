"""What the commands on releases show: which there are, what changed between two, what a rule would drop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from expectations.report import Report
from warehouse.errors import NothingThere
from warehouse.release import moves, retention
from warehouse.release.diff import ColumnDiff, ReleaseDiff, Side, TableDiff
from warehouse.release.diff import diff as compare
from warehouse.release.latest import require_latest
from warehouse.release.manifest import Latest
from warehouse.store.store import Store

NO_ROWS: Final = "no rows"


SHIFT: Final = 0.01  # of the rows


class Listed(Struct, frozen=True):
    """One release that was published: when first and why, what it holds, whether it was dropped since."""

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


def listed(store: Store) -> list[Listed]:
    """Every release, the oldest first; NothingThere before the first."""
    first: dict[str, Latest] = {}
    for move in moves.moves(store):
        first.setdefault(move.version, move)
    named = require_latest(store)
    return [_listed(store, version, move.moved_at, version == named.version) for version, move in first.items()]


def _listed(store: Store, version: str, published_at: str, is_latest: bool) -> Listed:  # noqa: FBT001
    if record := retention.dropped(store, version):
        return Listed(version, published_at, is_latest, dropped_at=record.dropped_at)
    manifest = moves.published(store, version)
    report = Report.from_json(bytes(manifest.checks))
    return Listed(
        version,
        published_at,
        is_latest,
        manifest.capture_count,
        sum(table.row_count for table in manifest.tables),
        sum(file.bytes for file in manifest.files),
        len(report.results),
        len(report.failed),
        report.accepted_loss,
    )


def listing(releases: Sequence[Listed]) -> str:
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
    """Rows of text in columns, those of numbers to the right."""
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
    """The comparison for a person: a line a table, then a line for each column that changed."""
    head = f"{found.before} → {found.after}\n"
    rows = [("table", "before", "after", "added", "removed", "changed"), *map(_table_row, found.tables)]
    text = head + aligned(rows, right=range(1, 6)) if found.tables else head + "no table changed\n"
    details = [line for table in found.tables for line in _column_lines(table)]
    unchanged = f"unchanged: {', '.join(found.unchanged)}\n" if found.unchanged else ""
    return text + "".join(f"{line}\n" for line in details) + unchanged


def _table_row(table: TableDiff) -> tuple[str, ...]:
    counts = (table.rows_before, table.rows_after, table.added_count, table.removed_count, table.changed_count)
    return (table.name, *(f"{count:,}" for count in counts))


def _column_lines(table: TableDiff) -> Iterator[str]:
    yield from (f"{table.name}.{name}: new column" for name in table.columns_added)
    yield from (f"{table.name}.{name}: column gone" for name in table.columns_gone)
    for column in table.columns:
        if told := "; ".join(_told(column, table)):
            yield f"{table.name}.{column.name}: {told}"


def _told(column: ColumnDiff, table: TableDiff) -> Iterator[str]:
    if column.changed_count:
        both = table.rows_before - table.removed_count
        yield f"changed in {column.changed_count:,} of {both:,} rows ({column.changed_count / both:.1%})"
    shares = [_share(side, rows) for side, rows in _sides(column, table)]
    if shares[0] != shares[1] and NO_ROWS not in shares and _has_shifted(column, table):
        yield f"null {shares[0]} → {shares[1]}"
    ranges = [_range(side) for side, _ in _sides(column, table)]
    if ranges[0] != ranges[1]:
        yield f"range {ranges[0]} → {ranges[1]}"


def _has_shifted(column: ColumnDiff, table: TableDiff) -> bool:
    """Whether the share of nulls moved by more than any day's page moves it; `--format json` tells every shift."""
    before, after = (side.null_count / rows for side, rows in _sides(column, table))
    return abs(after - before) >= SHIFT


def _sides(column: ColumnDiff, table: TableDiff) -> tuple[tuple[Side, int], tuple[Side, int]]:
    return (column.before, table.rows_before), (column.after, table.rows_after)


def _range(side: Side) -> str:
    return "none" if side.lowest is None else f"{side.lowest} … {side.highest}"


def _share(side: Side, rows: int) -> str:
    return f"{side.null_count / rows:.1%}" if rows else NO_ROWS


def retain(store: Store, *, keep_last: int, keep_months: int, apply: bool, at: datetime) -> str:
    """What a retention rule lets go, in words; with `apply` it is gone."""
    present = [one for one in listed(store) if one.dropped_at is None]
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


def as_json(value: Struct | Sequence[Struct]) -> str:
    """The same for a script."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"
