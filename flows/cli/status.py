"""What `paperlake status` tells: the latest release, how fresh it is, the gaps in it, what waits and what is due."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

import polars as pl
from msgspec import Struct

from flows import plan
from flows.plan.listed import listed
from transforms.core.coverage import NEVER_FETCHED, STATES
from warehouse.archive.archive import Archive
from warehouse.archive.index import IndexEntry
from warehouse.errors import NothingThere
from warehouse.release.latest import manifest_of, require_latest
from warehouse.release.manifest import Manifest
from warehouse.release.snapshot import open_snapshot
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.list_days import DAY, FIRST_DAY, closes_at, day_open_at, list_days
from warehouse.store.store import Store

DAYS_AHEAD: Final = 4 * DAY  # over a weekend to the next list
DAYS_BACK: Final = 4 * DAY  # over a weekend to the last list that is closed


class Release(Struct, frozen=True):
    """The latest release; `bytes` are those of all its files."""

    version: str
    capture_count: int
    paper_count: int
    bytes: int


class LastList(Struct, frozen=True):
    """The last day of which the release has papers, as `coverage` tells of it."""

    listed_on: date
    paper_count: int
    state: str
    reason: str | None
    fetched_at: datetime | None


class Gap(Struct, frozen=True):
    """Expected list days that follow each other and lack the same for the same reason."""

    first_on: date
    last_on: date
    day_count: int
    state: str
    reason: str


class Due(Struct, frozen=True):
    """How much a run would ask the Hub for now, and when more will be due."""

    count: int
    next_at: datetime | None


class Status(Struct, frozen=True):
    """A lake at a moment. `days` counts expected days by state until `last_closed_on`; gaps come longest first."""

    lake: str
    release: Release
    last_list: LastList | None
    last_closed_on: date
    days: dict[str, int]
    gaps: tuple[Gap, ...]
    unreleased_capture_count: int
    due: Due


def status_of(store: Store, scope: plan.Scope, now: datetime) -> Status:
    """What there is to tell at `now`, UTC without zone; NothingThere before the first release."""
    index = Archive(store).index()
    manifest = manifest_of(store, require_latest(store, _first_step(index)))
    coverage = _coverage(store, manifest)
    closed = last_closed_on(now)
    days = _expected(coverage, closed)
    counts = dict(days.group_by("state").len().iter_rows())
    return Status(
        lake=store.url,
        release=_release(manifest),
        last_list=_last_list(coverage),
        last_closed_on=closed,
        days={state: counts.get(state, 0) for state in reversed(STATES)},
        gaps=gaps(days),
        unreleased_capture_count=max(0, len(index) - manifest.capture_count),  # the archive never loses one
        due=_due(store, index, scope, now),
    )


def last_closed_on(now: datetime) -> date:
    """The last day whose list grows no more.

    >>> last_closed_on(datetime(2026, 10, 4, 12))  # a Sunday: Friday's list is open
    datetime.date(2026, 10, 1)
    """
    today = day_open_at(now)
    closed = (day for day in list_days(today - DAYS_BACK, today) if closes_at(day) <= now)
    return max(closed, default=FIRST_DAY - DAY)


def _first_step(index: Sequence[IndexEntry]) -> str:
    if index:
        return f'captures are landed ({len(index):,}); run "paperlake build" and then "paperlake publish"'
    return 'run "paperlake run PATH" first, or "paperlake run" to capture from the Hub'


def _release(manifest: Manifest) -> Release:
    rows = {table.name: table.row_count for table in manifest.tables}
    return Release(manifest.version, manifest.capture_count, rows["papers"], sum(file.bytes for file in manifest.files))


def _coverage(store: Store, manifest: Manifest) -> pl.DataFrame:
    """What the release tells of the API's lists: one row a day."""
    if all(table.name != COVERAGE.name for table in manifest.tables):
        step = 'run "paperlake build" and then "paperlake publish" for one that has'
        raise NothingThere(f"release {manifest.version} of an older paperlake has no coverage; {step}")
    with open_snapshot(store, manifest) as release:
        return release.read(COVERAGE).filter(source="api")


def _last_list(coverage: pl.DataFrame) -> LastList | None:
    names = ("listed_on", "paper_count", "state", "reason", "last_fetched_at")
    rows = coverage.filter(pl.col("paper_count") > 0).sort("listed_on").tail(1).select(names).rows()
    return LastList(*rows[0]) if rows else None


def _expected(coverage: pl.DataFrame, until: date) -> pl.DataFrame:
    """Every expected day until the given one. The release cannot speak of days after its last fetch: they lack all."""
    known = coverage.select("listed_on", "is_expected", "state", "reason")
    since = known.select(pl.col("listed_on").max() + DAY).item() or date.min
    later = pl.DataFrame({"listed_on": list(list_days(since, until))}, schema={"listed_on": pl.Date})
    lacking = later.with_columns(is_expected=True, state=pl.lit("missing"), reason=pl.lit(NEVER_FETCHED))
    return pl.concat([known, lacking]).filter("is_expected", pl.col("listed_on") <= until).sort("listed_on")


def gaps(days: pl.DataFrame) -> tuple[Gap, ...]:
    """Runs of days that are not complete, the longest first; of two the later."""
    runs = days.with_columns(run=pl.struct("state", "reason").rle_id()).filter(pl.col("state") != "complete")
    found = runs.group_by("run").agg(
        pl.col("listed_on").min().alias("first_on"),
        pl.col("listed_on").max().alias("last_on"),
        pl.len().alias("day_count"),
        pl.col("state", "reason").first(),
    )
    ordered = found.sort("day_count", "first_on", descending=True).drop("run")
    return tuple(Gap(*row) for row in ordered.iter_rows())


def _due(store: Store, index: Sequence[IndexEntry], scope: plan.Scope, now: datetime) -> Due:
    """What the planner says of the daily run."""
    papers = listed(store, scope, now)
    upcoming = plan.next_due(scope, now, papers)
    return Due(len(plan.due_now(scope, plan.History(index, now), now, papers)), upcoming.at if upcoming else None)
