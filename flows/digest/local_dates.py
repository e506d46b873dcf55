"""When a letter is due: at most one a local date, from an hour of that date on."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from flows.digest.subscribers import Wishes


def due_on(wishes: Wishes, now: datetime, last_on: date | None) -> date | None:
    """The local date of the letter that is due, if one is; `now` is UTC without zone, `last_on` that of the last one.

    An hour that the clocks skip begins with the next; one that comes twice, the first time. A weekly letter that could
    not be sent on its day is due on the days after it, from the same hour on.

    >>> due_on(Wishes(zone="Europe/Berlin", hour=2), datetime(2027, 3, 28, 0, 59), None)  # 01:59; then it is 03:00
    >>> due_on(Wishes(zone="Europe/Berlin", hour=2), datetime(2027, 3, 28, 1, 0), None)
    datetime.date(2027, 3, 28)
    """
    local = now.replace(tzinfo=UTC).astimezone(ZoneInfo(wishes.zone))
    today = local.date()
    if local.hour < wishes.hour:
        return None
    late = 0 if wishes.weekday is None else (today.weekday() - wishes.weekday) % 7
    return today if last_on is None or last_on < today - timedelta(days=late) else None
