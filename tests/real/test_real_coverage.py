"""Which lists the real captures hold, counted twice: by paperlake, and by a few lines."""

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from tests.real.audit import File, files

NEW_YORK = ZoneInfo("America/New_York")
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def coverage(tables: dict[str, pl.DataFrame]) -> pl.DataFrame:
    return tables["coverage"]


@pytest.fixture(scope="module")
def asked() -> dict[date, list[File]]:
    """The API's answers, by the day that was asked for."""
    found: dict[date, list[File]] = {}
    for file in files():
        _, is_daily, day = (file.url or "").partition("/api/daily_papers?date=")
        if is_daily:
            found.setdefault(date.fromisoformat(day), []).append(file)
    return found


def closed_at(day: date) -> datetime:
    """21:30 in New York, on a Friday too."""
    return datetime.combine(day, time(21, 30), NEW_YORK)


def judge(day: date, found: list[File]) -> str:
    whole = [file for file in found if file.status == 200 and len(file.items) == len(file.elements)]
    late = [file for file in whole if file.fetched_at and file.fetched_at.replace(tzinfo=UTC) >= closed_at(day)]
    if any(len(file.elements) != 50 for file in late):
        return "complete"
    return "partial" if whole else "missing"


def test_every_weekday_is_what_its_answers_are(coverage: pl.DataFrame, asked: dict[date, list[File]]) -> None:
    first, last = date(2023, 5, 4), max(file.fetched_at for file in files() if file.fetched_at).date()
    days = [first + number * DAY for number in range((last - first).days + 1)]
    weekdays = [day for day in days if day.weekday() < 5]
    expected = {day: judge(day, asked.get(day, [])) for day in weekdays}
    rows = coverage.filter("is_expected")
    assert dict(rows.select("listed_on", "state").rows()) == expected
    assert set(rows["source"]) == {"api"}
    assert coverage.height == 2 * len(days)
    assert Counter(expected.values()) == {"complete": 6, "partial": 461, "missing": 380}


def test_the_reasons(coverage: pl.DataFrame, asked: dict[date, list[File]]) -> None:
    counts: dict[Any, int] = dict(coverage.filter("is_expected").group_by("reason").len().rows())
    never = sum(1 for day in coverage.filter("is_expected")["listed_on"] if day not in asked)
    garbled = [day for day, found in asked.items() if not any(one.items for one in found)]
    early = "fetched before the list was closed"
    assert counts == {
        None: 6,
        "never fetched": never,
        "items in quarantine: a string that holds the repr of a Python dict, in place of an object": len(garbled),
        early: 460,
        f"truncated at the limit; {early}": 1,
    }
    truncated = coverage.filter(pl.col("reason").str.starts_with("truncated"))
    assert truncated["listed_on"].to_list() == [date(2025, 9, 30)]  # the one of docs/source.md §1 that is here


def test_fetches_failures_and_papers(coverage: pl.DataFrame, asked: dict[date, list[File]]) -> None:
    rows = {row["listed_on"]: row for row in coverage.filter(source="api").iter_rows(named=True)}
    for day, found in asked.items():
        assert rows[day]["fetch_count"] + rows[day]["failure_count"] == len(found)
        items = [item for one in found for item in one.items]
        assert (rows[day]["paper_count"] or 0) == len({item["paper"]["id"] for item in items})
    assert rows[date(2025, 12, 30)]["failure_count"] == 1
    page = coverage.filter(source="html", state="complete").row(0, named=True)
    assert (page["listed_on"], page["paper_count"], page["is_expected"]) == (date(2024, 8, 1), 13, False)
