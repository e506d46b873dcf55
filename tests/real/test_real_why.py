"""Every difference between real releases has a cause: releases that overlap in time, and releases day by day."""

from collections import Counter
from itertools import groupby
from pathlib import Path

import duckdb

from flows.documents.release_index import summaries
from flows.runtime.lake import open_lake
from tests.flows import steps
from tests.real.folder import captures
from warehouse.changes.diff import CauseCount, ReleaseDiff
from warehouse.changes.explain import BY, diff_with_causes
from warehouse.release import moves
from warehouse.release.latest import DATABASE
from warehouse.schema.catalog import CAUSES, CHANGES

DAYS, BEFORE = 1, 6  # built one by one, on a release of the days before


def require_whole(found: ReleaseDiff) -> None:
    """The causes of each table, change and column sum to what differs."""
    summed = Counter[tuple[str, str, str]]()
    for one in found.why:
        assert one.cause in CAUSES
        summed[one.table, one.change, one.column] += one.count
    expected = Counter[tuple[str, str, str]]()
    for table in found.tables:
        expected[table.name, "added", "*"] = table.added_count
        expected[table.name, "removed", "*"] = table.removed_count
        expected.update({(table.name, "changed", one.name): one.changed_count for one in table.columns})
    assert summed == +expected


def told(lake: Path, version: str) -> tuple[CauseCount, ...]:
    """What a release says of itself and its parent."""
    with duckdb.connect(str(lake / "releases" / version / DATABASE), read_only=True) as connection:
        held = CHANGES.conform(connection.sql("FROM _changes").pl())
    return tuple(CauseCount(*row) for row in held.select(*BY, "cell_count").iter_rows())


def test_releases_whose_pages_overlap_in_time(growing: Path) -> None:
    store = open_lake(str(growing))
    [_, old, new] = [one.version for one in summaries(store)]
    found = diff_with_causes(store, moves.published(store, old), moves.published(store, new))
    require_whole(found)
    assert found.why == told(growing, new)
    assert {"late_capture", "world"} <= {one.cause for one in found.why} <= {"late_capture", "world", "restated"}


def test_releases_day_by_day(tmp_path: Path) -> None:
    dated = sorted((one for one in captures() if one.fetched_at), key=lambda one: one.fetched_at)
    days = [list(found) for _, found in groupby(dated, key=lambda one: one.fetched_at.date())]
    lake = tmp_path / "lake"
    begun = [one for day in days[-BEFORE - DAYS : -DAYS] for one in day]
    for day in (begun, *days[-DAYS:]):
        with steps.bare_releases(with_causes=True):
            made = steps.run_captures(str(lake), day)
        why = told(lake, made.version)
        assert bool(why) == (day is not begun)
        assert {one.cause for one in why} <= {"world", "restated"}
