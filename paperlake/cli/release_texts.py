"""Lists releases, what was decided about their pages, compares two of them, and drops old ones; as text and as JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Final

import polars as pl
from msgspec import Struct

from flows.documents.release_index import ReleaseSummary
from flows.steps.drop_releases import Retained
from paperlake.sql.drawing import aligned
from warehouse.changes.diff import CauseCount, ColumnDiff, ReleaseDiff, TableDiff
from warehouse.errors import NothingThere
from warehouse.printable import printable, to_the_second
from warehouse.release import moves
from warehouse.release.latest import require_latest
from warehouse.release.manifest import Decision, Manifest
from warehouse.release.snapshot import open_snapshot
from warehouse.schema.catalog import CAUSES
from warehouse.schema.core.captures import CAPTURES
from warehouse.store.store import Store

WIDTH: Final = 80  # of prose that no terminal shows
SHIFT: Final = 0.01  # a day's pages move the share of nulls by less; `--format json` has every shift


def summaries_text(releases: Sequence[ReleaseSummary], width: int | None = None) -> str:
    """The releases as a table, the newest first."""
    rows = [("release", "published", "kind", "captures", "rows", "MB", "checks", "quarantined", "")]
    for one in reversed(releases):
        marks = ["latest"] * one.is_latest + ([f"dropped {one.dropped_at}"] if one.dropped_at else [])
        marks += [f"kept until {one.kept_until}"] if one.kept_until else []
        marks += [f"retracted {one.erratum.retracted_at}: {one.erratum.why}"] if one.erratum else []
        marks += [f"loss accepted: {one.accepted_loss}"] if one.accepted_loss else []
        size = None if one.bytes is None else one.bytes / 1e6
        checks = (
            "" if one.check_count is None else f"{one.check_count - (one.failed_check_count or 0)}/{one.check_count}"
        )
        counts = (_number(one.capture_count), _number(one.row_count), "" if size is None else f"{size:,.1f}", checks)
        told = printable("; ".join(marks))
        rows.append((one.version, one.published_at, one.kind, *counts, _number(one.quarantined_count), told))
    return aligned(rows, (3, 4, 5, 6, 7), width)


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def two_releases(store: Store, before: str | None, after: str | None) -> tuple[Manifest, Manifest]:
    """The releases to compare: by default the latest one and its parent."""
    new = moves.published(store, after or require_latest(store).version)
    if before is None and new.parent is None:
        raise NothingThere(
            f"release {new.version} has no parent; name the release to compare it with, or make the next: paperlake run"
        )
    return moves.published(store, before or (new.parent.version if new.parent else "")), new


def diff_text(found: ReleaseDiff, width: int | None = None) -> str:
    """The comparison as text: a line for each table, then for each change of a column."""
    head = f"{found.before} → {found.after}\n"
    with_news = [table for table in found.tables if table.has_news]
    rows: list[tuple[str, ...]] = [("table", "before", "after", "added", "removed", "changed")]
    for table in with_news:
        counts = (table.rows_before, table.rows_after, table.added_count, table.removed_count, table.changed_count)
        rows.append((table.name, *(f"{count:,}" for count in counts)))
    text = aligned(rows, range(1, 6), width) if with_news else "no table changed\n"
    text = f"{head}\n{_why_text(found.why, width)}\n{text}" if found.why else head + text
    for table in with_news:
        if lines := list(_lines(table)):
            text += f"\n{table.name}\n{aligned(lines, (), width)}"
    only = ", ".join(table.name for table in found.tables if table not in with_news)
    rest = {"unchanged": ", ".join(found.unchanged), "unchanged except in columns not compared": only}
    rest["not compared (--all-columns does)"] = ", ".join(found.left_out)
    ends = [fill(f"{name}: {words}", width or WIDTH, subsequent_indent="  ") for name, words in rest.items() if words]
    return text + "".join(f"\n{end}\n" for end in ends)


def _why_text(why: Sequence[CauseCount], width: int | None) -> str:
    """The causes with their meanings, then each change with its cause."""
    counts = Counter[str]()
    for one in why:
        counts[one.cause] += one.count
    causes = [(cause, f"{counts[cause]:,}", meaning) for cause, meaning in CAUSES.items() if counts[cause]]
    rows = [(f"  {one.table}", one.column, one.change, f"{one.count:,}", one.cause) for one in why]
    return aligned([("cause", "cells", ""), *causes], [1], width) + "\n" + aligned(rows, [3], width)


def _lines(table: TableDiff) -> Iterator[tuple[str, str, str]]:
    """Rows of a table: the column, what changed in it, and how."""
    yield from ((f"  {name}", "new", "") for name in table.columns_added)
    yield from ((f"  {name}", "gone", "") for name in table.columns_gone)
    for column in table.columns:
        yield from ((f"  {column.name}", what, how) for what, how in _changes(column, table))


def _changes(column: ColumnDiff, table: TableDiff) -> Iterator[tuple[str, str]]:
    """How a column changed: in values, in its share of nulls, in its range."""
    if column.changed_count:
        both = table.rows_before - table.removed_count
        yield "changed", f"{column.changed_count:,} of {both:,} rows ({column.changed_count / both:.1%})"
    if table.rows_before and table.rows_after:
        before, after = column.before.null_count / table.rows_before, column.after.null_count / table.rows_after
        if abs(after - before) >= SHIFT:
            yield "null", f"{before:.1%} → {after:.1%}"
    ends = {
        "lowest": (column.before.lowest, column.after.lowest),
        "highest": (column.before.highest, column.after.highest),
    }
    yield from ((end, f"{old or 'none'} → {new or 'none'}") for end, (old, new) in ends.items() if old != new)


def retained_text(done: Retained) -> str:
    """The releases that a rule dropped, or would drop; no sum of sizes, which would count shared files twice."""
    sizes = {one.version: one.bytes or 0 for one in done.present}
    lines = [f"{version}  {sizes[version] / 1e6:,.1f} MB" for version in done.dropped]
    lines += [f"{version}  (kept long-term, until {until})" for version, until in done.long_term.items()]
    lines += [f"{version}  (recorded earlier, removed now)" for version in done.finished]
    words = f"{'dropped' if done.is_applied else 'would drop'} {len(done.dropped)} of {len(done.present)} releases"
    ends = "" if done.is_applied else "; nothing is dropped without --apply"
    return "\n".join([f"{words}{ends}", *lines]) + "\n"


class DecidedCapture(Struct, frozen=True):
    """A decision, and the address and the fetch time (an ISO instant, UTC) of its page."""

    decision: Decision
    url: str | None
    fetched_at: str | None


def decided_captures(store: Store, manifest: Manifest, standing: str | None) -> list[DecidedCapture]:
    """The decisions of a release, of one standing or all, the newest first."""
    chosen = [one for one in manifest.decisions if standing in {None, one.standing}]
    if not chosen:
        return []
    with open_snapshot(store, manifest) as release:
        rows = release.select(CAPTURES, ["capture_id", "url", "fetched_at"])
    ids = [one.capture_id for one in chosen]
    pages = {row[0]: row[1:] for row in rows.filter(pl.col("capture_id").is_in(ids)).iter_rows()}
    found = []
    for one in sorted(chosen, key=lambda one: (one.since, one.capture_id), reverse=True):
        url, fetched_at = pages.get(one.capture_id, (None, None))
        found.append(DecidedCapture(one, url, fetched_at and to_the_second(fetched_at)))
    return found


def decided_text(found: Sequence[DecidedCapture], width: int | None = None) -> str:
    """The decisions as a table."""
    rows: list[Sequence[str]] = [("page", "standing", "since", "rule", "why", "fetched", "address")]
    for one in found:
        of = one.decision
        cells = (of.capture_id, of.standing, of.since, of.rule, of.why, one.fetched_at or "", one.url or "")
        rows.append(list(map(printable, cells)))
    return aligned(rows, (), width)
