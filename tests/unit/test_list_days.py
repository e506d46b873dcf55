"""The calendar of the daily lists."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import polars as pl
import pytest

from transforms.core.list_pages import closed_at
from warehouse.schema.daily_lists import FIRST_DAY, closes_at, day_open_at, list_days, opens_at

FRIDAY = date(2026, 10, 2)


def test_a_list_opens_the_evening_before_in_new_york() -> None:
    assert opens_at(FRIDAY) == datetime(2026, 10, 2, 1, 30)
    assert opens_at(date(2026, 12, 2)) == datetime(2026, 12, 2, 2, 30)  # winter time


@pytest.mark.parametrize(
    ("day", "end"),
    [
        (date(2026, 10, 1), datetime(2026, 10, 2, 1, 30)),
        (FRIDAY, datetime(2026, 10, 3, 1, 30)),  # nothing is submitted until Monday's opens
        (date(2026, 10, 31), datetime(2026, 11, 1, 1, 30)),
        (date(2026, 11, 1), datetime(2026, 11, 2, 2, 30)),  # summer time ended in between
    ],
)
def test_a_list_grows_until_the_evening_of_its_day(day: date, end: datetime) -> None:
    assert closes_at(day) == end


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
