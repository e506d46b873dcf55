"""What `paperlake status` prints, to the letter; the calendar of the daily lists; progress of long work, as a person sees it."""

import logging
from datetime import date, datetime, timedelta
from itertools import pairwise

import polars as pl
import pytest
from msgspec.structs import replace

from flows.runtime import progress
from flows.watch.status import DueCount, Holdings, LastList, ReleaseStatus, Status, last_closed_on, too_old
from paperlake.cli.lake_texts import GAPS_SHOWN, WIDTH, status_text
from transforms.core.coverage import Gap
from warehouse.printable import broken
from warehouse.schema.daily_lists import FIRST_DAY, closed_at, closes_at, day_open_at, list_days, opens_at

NOW = datetime(2026, 10, 6, 12)
NEVER = Gap(date(2023, 5, 4), date(2024, 3, 11), 223, "missing", "never fetched")
EARLY = Gap(date(2026, 10, 2), date(2026, 10, 2), 1, "partial", "fetched before the list was closed")
LAKE = Status(
    lake="s3://bucket/lake",
    release=ReleaseStatus("2026.10.06.1", "2026-10-05T07:00:00Z", 1_494, 8_017, 34_043_843),
    held=Holdings(12, 512_000_000, 13_400_000),
    last_list=LastList(date(2026, 10, 2), 1, "partial", EARLY.reason, datetime(2026, 10, 5, 1)),
    last_covered_on=date(2026, 10, 2),
    days={"complete": 668, "early": 1, "empty": 0, "unfetched": 223},
    last_closed_on=date(2026, 10, 5),
    later_day_count=1,
    gaps=(NEVER, EARLY),
    unreleased_capture_count=2,
    captured_at=datetime(2026, 10, 6, 6),
    due=DueCount(1, datetime(2026, 10, 7, 1, 30)),
)
AHEAD = replace(LAKE.release, moved_at="2027-10-05T07:00:00Z")  # as the clock was when it became the latest


def test_gaps_are_printed_with_their_reasons() -> None:
    assert status_text(LAKE, NOW).splitlines() == [
        "lake         s3://bucket/lake",
        "release      2026.10.06.1: 8,017 papers from 1,494 captured pages, 34.0 MB",
        "lake holds   12 releases, 512.0 MB; captured pages, 13.4 MB",
        "newest list  2026-10-02 Fri: 1 paper, fetched 1 day ago",
        "             fetched on its day",
        "daily lists  892 expected until 2026-10-02",
        "             668 complete, 1 fetched on the day, 223 not fetched",
        "since then   1 expected until 2026-10-05, none in the release",
        'unreleased   2 captures; "paperlake build" reads them',
        "due          1 to fetch now; next at 2026-10-07 01:30 UTC, in 13 hours",
        "",
        "2 gaps until 2026-10-05, the longest first",
        "2023-05-04 \N{EN DASH} 2024-03-11  223 days  not fetched",
        "2026-10-02                  1 day  fetched on its day",
    ]


def test_a_lake_that_lacks_nothing() -> None:
    last = LastList(date(2026, 10, 2), 21, "complete", None, NOW)
    whole = replace(LAKE, last_list=last, gaps=(), later_day_count=0, unreleased_capture_count=0, due=DueCount(0, None))
    lines = status_text(whole, NOW).splitlines()
    assert broken(lines[3], 50).splitlines() == [
        "newest list  2026-10-02 Fri: 21 papers, fetched",
        "             less than a minute ago, complete",
    ]
    assert lines[6:] == [
        "unreleased   nothing",
        "due          nothing now",
        "",
        "no gaps: every expected list is there",
    ]


def test_a_lake_without_any_list() -> None:
    assert "newest list  none with papers\n" in status_text(replace(LAKE, last_list=None), NOW)


@pytest.mark.parametrize(
    ("fetched_at", "expected"),
    [(None, "fetched at an unknown time"), (NOW + timedelta(hours=2), "fetched in the future: a clock is wrong")],
)
def test_a_fetch_time_without_an_age_is_printed_as_it_is(fetched_at: datetime | None, expected: str) -> None:
    last = LastList(date(2026, 10, 2), 21, "complete", None, fetched_at)
    assert f"21 papers, {expected}, complete\n" in status_text(replace(LAKE, last_list=last), NOW)


def test_many_gaps_are_counted_and_hostile_words_fit_on_a_line() -> None:
    hostile = replace(EARLY, reason="failed: \x1b[31m\u202e" + "x" * 300)
    last = replace(LAKE.last_list, reason=hostile.reason)
    lake = replace(LAKE, lake="/" + "lake\n" * 90, last_list=last, gaps=(hostile,) * (GAPS_SHOWN + 1_000))
    lines = status_text(lake, NOW).splitlines()
    assert lines[-2] == "and 1,000 more:"
    assert len(lines) == 12 + GAPS_SHOWN + 2
    assert max(map(len, lines)) == WIDTH
    assert all(line.isprintable() for line in lines)


def test_the_last_closed_list_follows_from_the_time() -> None:
    for before, day in pairwise(list_days(FIRST_DAY, date(2024, 12, 31))):
        assert last_closed_on(closes_at(day)) == day
        assert last_closed_on(closes_at(day) - timedelta(microseconds=1)) == before
    assert last_closed_on(datetime(1970, 1, 1)) == FIRST_DAY - timedelta(days=1)


@pytest.mark.parametrize(
    ("changes", "hours", "expected"),
    [
        ({}, 30, []),
        ({}, 28, ["captures wait for a release since 2026-10-05 07:00 UTC"]),
        ({"unreleased_capture_count": 0}, 6, []),
        ({"unreleased_capture_count": 0}, 5, ["the newest page was fetched at 2026-10-06 06:00 UTC"]),
        ({"release": AHEAD}, 30, ["captures wait for a release since 2027-10-05 07:00 UTC"]),
        ({"captured_at": None}, 30, ["the newest page was fetched at no known time"]),
    ],
)
def test_what_is_too_old_is_named(changes: dict[str, object], hours: int, expected: list[str]) -> None:
    lines = list(too_old(replace(LAKE, **changes), timedelta(hours=hours), NOW))
    assert [line.partition(";")[0] for line in lines] == expected


FRIDAY = date(2026, 10, 2)


def test_a_list_opens_the_evening_before_in_new_york() -> None:
    assert opens_at(FRIDAY) == datetime(2026, 10, 2, 1, 30)
    assert opens_at(date(2026, 12, 2)) == datetime(2026, 12, 2, 2, 30)  # winter time


def test_the_open_day_is_the_last_that_has_opened() -> None:
    for day in (FRIDAY, date(2026, 3, 9), date(2026, 11, 2), date(2026, 10, 3)):
        assert day_open_at(opens_at(day)) == day
        assert day_open_at(opens_at(day) - timedelta(microseconds=1)) == day - timedelta(days=1)


def test_weekends_and_days_before_the_first_list_are_no_list_days() -> None:
    days = list(list_days(date(2023, 5, 1), date(2023, 5, 9)))
    assert days == [date(2023, 5, day) for day in (4, 5, 8, 9)]


def test_a_column_of_days_closes_as_each_day_does() -> None:
    days = pl.date_range(FIRST_DAY, FIRST_DAY + timedelta(days=1500), eager=True)
    assert days.to_frame("day").select(closed_at(pl.col("day"))).to_series().to_list() == [*map(closes_at, days)]


@pytest.mark.parametrize(
    ("total", "lines"),
    [(4, ["2 of 4, 0:01:00 left", "3 of 4, 0:00:30 left"]), (None, ["2 done", "3 done"])],
)
def test_without_a_terminal_progress_is_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, total: int | None, lines: list[str]
) -> None:
    moments = iter([0.0, 0.0, 29.0, 60.0, 90.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(moments))
    with caplog.at_level(logging.INFO, "paperlake"):
        assert list(progress.track("abcd", "reading", total)) == list("abcd")
    assert caplog.messages == [f"reading: {line}" for line in lines]
