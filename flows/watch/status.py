"""The status of a lake: its latest release, how fresh it is, its gaps, what is unreleased and what is due."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Final

import polars as pl
from msgspec import Struct

from flows.documents.release_index import release_index
from flows.plan.due import listed_papers, next_due
from flows.plan.others_due import calls_due
from flows.runtime.scope import Scope
from transforms.core.coverage import Gap, gaps, outcome_counts
from warehouse.archive.archive import Archive
from warehouse.archive.captured import instant_of
from warehouse.archive.index import IndexEntry
from warehouse.errors import NothingThere
from warehouse.release.latest import RELEASES, manifest_of, require_latest
from warehouse.release.manifest import Latest, Manifest, set_aside_count
from warehouse.release.snapshot import open_snapshot
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.daily_lists import DAY, FIRST_DAY, NEVER_FETCHED, day_open_at, list_days
from warehouse.store.pooled_list import POOL
from warehouse.store.store import Store

DAYS_BACK: Final = 4 * DAY  # over a weekend to the last list that is closed

LAST_LIST: Final = ("listed_on", "paper_count", "state", "reason", "last_fetched_at")  # of `coverage`, for LastList


class ReleaseStatus(Struct, frozen=True):
    """The latest release.

    `bytes` are those of all its files, `moved_at` is when it became the latest, and from `set_aside_count` of its
    captures nothing is taken.
    """

    version: str
    moved_at: str
    capture_count: int
    paper_count: int
    bytes: int
    set_aside_count: int = 0


class Holdings(Struct, frozen=True):
    """What the lake holds: how many releases, and how many bytes.

    The bytes of releases are counted with what they share, those of captured pages as archived.
    """

    release_count: int
    release_bytes: int
    capture_bytes: int


class LastList(Struct, frozen=True):
    """The last list day with papers in the release, with its state and reason in `coverage`."""

    listed_on: date
    paper_count: int
    state: str
    reason: str | None
    fetched_at: datetime | None


class DueCount(Struct, frozen=True):
    """How many calls a run would make now, and when the next one is due."""

    count: int
    next_at: datetime | None


class Status(Struct, frozen=True):
    """The status of a lake at a moment.

    `days` counts the release's expected days until `last_covered_on` by outcome, as its page does; `later_day_count`
    counts those after it, until `last_closed_on`. `gaps` are all until then, the longest first. `captured_at` is when
    the newest page was fetched until then, released or not, but for those set aside.
    """

    lake: str
    release: ReleaseStatus
    held: Holdings
    last_list: LastList | None
    last_covered_on: date | None
    days: dict[str, int]
    last_closed_on: date
    later_day_count: int
    gaps: tuple[Gap, ...]
    unreleased_capture_count: int
    captured_at: datetime | None
    due: DueCount


def status_of(store: Store, scope: Scope, now: datetime) -> Status:
    """The status at `now`, UTC without zone; NothingThere before the first release."""
    index = Archive(store).index()
    first_step = (
        f'captures are landed ({len(index):,}); run "paperlake build" and then "paperlake publish"'
        if index
        else 'run "paperlake run PATH" first, or "paperlake run" to capture from the Hub'
    )
    named = require_latest(store, first_step)
    manifest = manifest_of(store, named)
    coverage = api_coverage(store, manifest)
    listed = coverage.filter(pl.col("paper_count") > 0).sort("listed_on").tail(1)
    closed = last_closed_on(now)
    expected = coverage.filter("is_expected")
    later = later_days(coverage, closed)
    until_closed = pl.concat([expected.select(later.columns), later]).filter(pl.col("listed_on") <= closed)
    row_counts = {table.name: table.row_count for table in manifest.tables}
    aside = {one.capture_id for one in manifest.decisions if one.is_aside}
    taken = (entry for entry in index if not entry.failure and entry.capture_id not in aside)
    upcoming = next_due(scope, now, listed_papers(store, scope, now))
    waiting = list(calls_due(store, scope, index, now))
    return Status(
        lake=store.url,
        release=ReleaseStatus(
            manifest.version,
            named.moved_at,
            manifest.capture_count,
            row_counts["papers"],
            sum(file.bytes for file in manifest.files),
            set_aside_count(manifest.decisions),
        ),
        held=holdings(store, named, index),
        last_list=next((LastList(*row) for row in listed.select(LAST_LIST).iter_rows()), None),
        last_covered_on=expected.select(pl.col("listed_on").max()).item(),
        days=outcome_counts(coverage),
        last_closed_on=closed,
        later_day_count=later.height,
        gaps=gaps(until_closed.sort("listed_on")),
        unreleased_capture_count=max(0, len(index) - manifest.capture_count),  # the archive never loses one
        captured_at=max((at for entry in taken if (at := entry.fetched_at) and at <= now), default=None),
        due=DueCount(len(waiting), upcoming.at if upcoming else None),
    )


def holdings(store: Store, named: Latest, index: Sequence[IndexEntry]) -> Holdings:
    there = [one for one in release_index(store, named).releases if one.dropped_at is None]
    of_releases = store.stored_bytes(RELEASES) + store.stored_bytes(POOL)
    return Holdings(len(there), of_releases, sum(entry.length for entry in index))


def too_old(status: Status, most: timedelta, now: datetime) -> Iterator[str]:
    """A line for each part of the lake that is older than `most`; none where the lake is up to date.

    A list that stays away is no line: over holidays there is none, and other pages are fetched every day.
    """
    if status.captured_at is None or now - status.captured_at > most:
        at = f"{status.captured_at:%Y-%m-%d %H:%M} UTC" if status.captured_at else "no known time"
        yield f'the newest page was fetched at {at}; "paperlake run" fetches what is due'
    moved_at = instant_of(status.release.moved_at) if status.release.moved_at else None
    if status.unreleased_capture_count and (moved_at is None or abs(now - moved_at) > most):
        since = f" since {moved_at:%Y-%m-%d %H:%M} UTC" if moved_at else ""
        yield f'captures wait for a release{since}; "paperlake build" and "paperlake publish" say why'


def last_closed_on(now: datetime) -> date:
    """The last day whose list is closed.

    >>> last_closed_on(datetime(2026, 10, 3, 1, 30))  # Friday evening in New York
    datetime.date(2026, 10, 2)
    """
    today = day_open_at(now)
    return max(list_days(today - DAYS_BACK, today - DAY), default=FIRST_DAY - DAY)


def api_coverage(store: Store, manifest: Manifest) -> pl.DataFrame:
    """The release's coverage of the API's lists: one row a day."""
    if all(table.name != COVERAGE.name for table in manifest.tables):
        step = 'run "paperlake build" and then "paperlake publish" for one that has'
        raise NothingThere(f"release {manifest.version} of an older paperlake has no coverage; {step}")
    with open_snapshot(store, manifest) as release:
        return release.read(COVERAGE).filter(source="api")


def later_days(coverage: pl.DataFrame, until: date) -> pl.DataFrame:
    """The expected days after the release's last fetch, until the given one: all are missing."""
    since = coverage.select(pl.col("listed_on").max() + DAY).item() or date.min
    days = pl.DataFrame({"listed_on": list(list_days(since, until))}, schema={"listed_on": pl.Date})
    return days.with_columns(is_expected=True, state=pl.lit("missing"), reason=pl.lit(NEVER_FETCHED))
