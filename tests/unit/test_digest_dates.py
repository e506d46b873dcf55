"""When a letter is due: one a local date, through every change of clocks, from the chosen hour on."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from paperlake.digest.subscribers import Wishes, due_on

DAY = timedelta(days=1)


def runs(wishes: Wishes, start: datetime, days: int) -> list[tuple[date, datetime]]:
    """Each letter of a run every half hour, with the local time at which it was due."""
    found: list[tuple[date, datetime]] = []
    for half in range(48 * days):
        now = start + timedelta(minutes=30 * half)
        if on := due_on(wishes, now, found[-1][0] if found else None):
            found.append((on, now.replace(tzinfo=UTC).astimezone(ZoneInfo(wishes.zone))))
    return found


@pytest.mark.parametrize("hour", [0, 2, 23])
@pytest.mark.parametrize(
    "zone",
    [
        *("America/New_York", "Europe/Berlin", "UTC", "Asia/Kathmandu", "Pacific/Kiritimati"),
        "Australia/Lord_Howe",  # half an hour
        "America/Santiago",  # at midnight: 00:00 is not
        "Africa/Cairo",
    ],
)
def test_every_local_date_once_from_the_hour_on(zone: str, hour: int) -> None:
    letters = runs(Wishes(zone=zone, hour=hour), datetime(2026, 9, 1, 12), 270)
    dates = [on for on, _ in letters]
    assert dates == [dates[0] + DAY * number for number in range(len(dates))]
    assert len(dates) >= 269
    for on, local in letters[1:]:
        assert (local.date(), local.hour >= hour) == (on, True)
        earlier = (local.astimezone(UTC) - timedelta(minutes=30)).astimezone(local.tzinfo)
        assert earlier.date() < on or earlier.hour < hour


def test_a_weekly_letter_is_due_on_its_day_or_late_from_the_same_hour_on() -> None:
    wishes = Wishes(zone="Europe/Berlin", hour=7, weekday=2)
    letters = runs(wishes, datetime(2026, 9, 1, 12), 100)
    assert {on.weekday() for on, _ in letters[1:]} == {2}
    assert {after - before for (before, _), (after, _) in pairwise(letters[1:])} == {7 * DAY}
    wednesday = date(2026, 10, 7)
    assert due_on(wishes, datetime(2026, 10, 9, 4, 59), wednesday - 7 * DAY) is None  # 06:59
    assert due_on(wishes, datetime(2026, 10, 9, 5), wednesday - 7 * DAY) == wednesday + 2 * DAY
    assert due_on(wishes, datetime(2026, 10, 14, 5), wednesday + 2 * DAY) == wednesday + 7 * DAY


def test_who_moves_over_the_date_line_gets_no_second_letter_on_a_date() -> None:
    now = datetime(2026, 10, 2, 0)
    here = due_on(Wishes(zone="Pacific/Kiritimati", hour=8), now, None)
    assert here == date(2026, 10, 2)
    assert due_on(Wishes(zone="Pacific/Honolulu", hour=8), now, here) is None
    assert due_on(Wishes(zone="Pacific/Honolulu", hour=8), now + DAY, here) is None  # 2 October there
    assert due_on(Wishes(zone="Pacific/Honolulu", hour=8), now + 2 * DAY, here) == date(2026, 10, 3)


def test_a_zone_that_this_machine_lacks_goes_by_utc() -> None:
    """It ended the run, and nobody got a letter."""
    elsewhere = Wishes(zone="Mars/Olympus", hour=8)
    assert due_on(elsewhere, datetime(2026, 10, 2, 7, 59), None) is None
    assert due_on(elsewhere, datetime(2026, 10, 2, 8), None) == date(2026, 10, 2)
