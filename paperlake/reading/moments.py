"""Moments as people write them, on a command line and in programs. Imports next to nothing."""

from datetime import UTC, date, datetime, timedelta
from typing import TypeAlias

from warehouse.errors import UsageError

Moment: TypeAlias = str | date | datetime


def instant(moment: Moment) -> datetime:
    """A moment as the tables have it, UTC without zone; UsageError where it is none.

    >>> instant("2026-11-20T12:00+02:00"), instant(date(2026, 11, 20))
    (datetime.datetime(2026, 11, 20, 10, 0), datetime.datetime(2026, 11, 20, 0, 0))
    """
    try:
        found = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
        if isinstance(found, datetime):
            return found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found
        return datetime(found.year, found.month, found.day)
    except (ValueError, OverflowError, AttributeError) as error:  # 1 or 9999, moved over the edge by its offset; None
        raise UsageError(f"{moment!r} is no moment; write 2026-11-20 or 2026-11-20T12:00") from error


def day_of(text: str) -> date:
    """A day as people write it; UsageError where it is none."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is no day; write 2026-10-01") from error


def hours_of(horizon: str | timedelta) -> int:
    """Whole hours of a time that is given, or written as 30h or 7d; UsageError where a text is none."""
    from flows.runtime.setting_types import age_of

    span = age_of(horizon) if isinstance(horizon, str) else horizon
    if span is None:
        raise UsageError(f"{horizon} is no horizon; horizons are in hours or days, 30h or 7d")
    return span // timedelta(hours=1)
