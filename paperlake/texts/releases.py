"""Lists releases, compares two of them, and drops old ones by a retention rule; as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from textwrap import fill
from typing import Final

from flows.documents.release_index import ReleaseSummary, lead_to_latest, release_index, tombstone
from paperlake.sql.drawing import aligned
from warehouse.changes.diff import CauseCount, ColumnDiff, ReleaseDiff, TableDiff
from warehouse.changes.diff import diff as compare
from warehouse.errors import NothingThere, Superseded
from warehouse.inventory import retention
from warehouse.inventory.leftovers import collect
from warehouse.inventory.owners import inventory
from warehouse.release import moves
from warehouse.release.latest import read_latest, require_latest
from warehouse.release.manifest import Manifest
from warehouse.schema.catalog.about_tables import CAUSES
from warehouse.store.store import Store

WIDTH: Final = 80  # columns of a terminal
SHIFT: Final = 0.01  # a day's pages move the share of nulls by less; `--format json` has every shift


def summaries(store: Store) -> Sequence[ReleaseSummary]:
    """A summary of every release, the oldest first; NothingThere before the first release."""
    require_latest(store)
    past = moves.moves(store)
    return release_index(store, past[-1], past).releases


def summaries_text(releases: Sequence[ReleaseSummary]) -> str:
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
        rows.append(
            (one.version, one.published_at, one.kind, *counts, _number(one.quarantined_count), "; ".join(marks))
        )
    return aligned(rows, right=(3, 4, 5, 6, 7))


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def diff(
    store: Store, before: str | None, after: str | None, keys_to: Path | None = None, *, all_columns: bool = False
) -> ReleaseDiff:
    """Two releases compared: by default the latest one and its parent."""
    return compare(store, *two_releases(store, before, after), keys_to, all_columns=all_columns)


def two_releases(store: Store, before: str | None, after: str | None) -> tuple[Manifest, Manifest]:
    """The releases to compare: by default the latest one and its parent."""
    new = moves.published(store, after or require_latest(store).version)
    if before is None and new.parent is None:
        raise NothingThere(
            f"release {new.version} has no parent; name the release to compare it with, or make the next: paperlake run"
        )
    return moves.published(store, before or (new.parent.version if new.parent else "")), new


def diff_text(found: ReleaseDiff) -> str:
    """The comparison as text: a line for each table, then for each change of a column."""
    head = f"{found.before} → {found.after}\n"
    with_news = [table for table in found.tables if table.has_news]
    rows: list[tuple[str, ...]] = [("table", "before", "after", "added", "removed", "changed")]
    for table in with_news:
        counts = (table.rows_before, table.rows_after, table.added_count, table.removed_count, table.changed_count)
        rows.append((table.name, *(f"{count:,}" for count in counts)))
    text = aligned(rows, right=range(1, 6)) if with_news else "no table changed\n"
    text = f"{head}\n{_why_text(found.why)}\n{text}" if found.why else head + text
    for table in with_news:
        if lines := list(_lines(table)):
            text += f"\n{table.name}\n{aligned(lines, right=())}"
    only = ", ".join(table.name for table in found.tables if table not in with_news)
    rest = {"unchanged": ", ".join(found.unchanged), "unchanged except in columns not compared": only}
    rest["not compared (--all-columns does)"] = ", ".join(found.left_out)
    ends = [fill(f"{name}: {words}", WIDTH, subsequent_indent="  ") for name, words in rest.items() if words]
    return text + "".join(f"\n{end}\n" for end in ends)


def _why_text(why: Sequence[CauseCount]) -> str:
    """The causes with their meanings, then each change with its cause."""
    counts = Counter[str]()
    for one in why:
        counts[one.cause] += one.count
    causes = [(cause, f"{counts[cause]:,}", meaning) for cause, meaning in CAUSES.items() if counts[cause]]
    rows = [(f"  {one.table}", one.column, one.change, f"{one.count:,}", one.cause) for one in why]
    return aligned([("cause", "cells", ""), *causes], right=[1]) + "\n" + aligned(rows, right=[3])


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


def retain(  # noqa: PLR0913 - what a move is made of
    store: Store, *, keep_last: int, keep_months: int, apply: bool, at: datetime, sign: moves.Sign | None = None
) -> str:
    """Drop releases by a retention rule, or without `apply` only list them; returns the text of either.

    Drops that an earlier run recorded and, because it was killed, did not finish are finished first.
    """
    finished = _finish_drops(store) if apply else []
    why = f"kept the last {keep_last} releases and the last one of {keep_months} months"
    for _ in range(moves.TRIES):
        expected = read_latest(store)
        try:
            present = [one for one in summaries(store) if one.dropped_at is None]
            names, latest = [one.version for one in present], require_latest(store).version
            long = {one.version: one.kept_until for one in present if one.kept_until >= at.date().isoformat()}
            kept = retention.cited_releases(store) | set(long)
            versions = retention.droppable(names, latest, keep_last=keep_last, keep_months=keep_months, kept=kept)
            for version in versions if apply else ():
                retention.require_landed(store, moves.published(store, version))
        except NothingThere:
            if read_latest(store) == expected:
                raise
            continue  # another process drops releases too
        if not (apply and versions and expected):
            break
        if moves.drop(store, versions, expected, at=at, why=why, sign=sign):
            _finish_drops(store)
            break
    else:
        raise Superseded("other releases were published or dropped again and again meanwhile; run it again")
    sizes = {one.version: one.bytes or 0 for one in present}
    lines = [f"{version}  {sizes[version] / 1e6:,.1f} MB" for version in versions]
    lines += [f"{version}  (kept long-term, until {until})" for version, until in long.items()]
    lines += [f"{version}  (recorded earlier, removed now)" for version in finished]
    total = sum(sizes[version] for version in versions) / 1e6
    done = f"{'dropped' if apply else 'would drop'} {len(versions)} of {len(present)} releases, {total:,.1f} MB"
    return "\n".join([done if apply else f"{done}; nothing is dropped without --apply", *lines]) + "\n"


def _finish_drops(store: Store) -> list[str]:
    """Remove the files of releases that are recorded as dropped, once no page leads to them any more, and what runs
    that were stopped left; returns the releases that had files.
    """
    lead_to_latest(store)
    finished = retention.finish_drops(store, tombstone)
    collect(store, inventory(store))
    return finished
