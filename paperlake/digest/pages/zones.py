"""Time zones as a person names them: a city, an area, or hours from UTC."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from warehouse.errors import UsageError

FROM_UTC: Final = re.compile(r"(?:utc|gmt)\s*([+\N{MINUS SIGN}-])\s*(\d{1,2})(?::?(\d\d))?")
MOST: Final = 5  # names that an error lists
MOST_TEXT: Final = 64
MONTHS: Final = tuple(datetime(2026, month, 15, tzinfo=UTC) for month in range(1, 13))


def zone_of(text: str) -> str:
    """The time zone that a text names, as zoneinfo calls it; UsageError lists what is near.

    >>> zone_of("berlin"), zone_of("New York"), zone_of("UTC+2"), zone_of("asia/tokyo")
    ('Europe/Berlin', 'America/New_York', 'Etc/GMT-2', 'Asia/Tokyo')
    """
    name = " ".join(text.replace("_", " ").casefold().split())
    if len(name) > MOST_TEXT:
        raise UsageError("that is not a time zone; name a city, for example Berlin")
    if found := FROM_UTC.fullmatch(name):
        return _from_utc(found)
    whole = {_plain(zone): zone for zone in zones()}
    if name in whole:
        return whole[name]
    named = _cities().get(name, [])
    if len({_offsets(zone) for zone in named}) == 1:
        return named[0]
    if named:
        raise UsageError(f"there is more than one {name}: choose {_listed(named)}")
    near = get_close_matches(name, [*_cities(), *whole], MOST, 0.7)
    found_near = [zone for one in near for zone in _cities().get(one) or [whole[one]]]
    near_words = f"near it are {_listed(found_near)}" if near else "name a large city of it, for example Berlin"
    raise UsageError(f"no time zone has that name; {near_words}")


@cache
def zones() -> tuple[str, ...]:
    """All names of time zones."""
    return tuple(sorted(available_timezones()))


@cache
def _cities() -> dict[str, list[str]]:
    """The zones by the last part of their names."""
    found: dict[str, list[str]] = {}
    for zone in zones():
        found.setdefault(_plain(zone.rpartition("/")[2]), []).append(zone)
    return found


def _from_utc(found: re.Match[str]) -> str:
    minutes = int(found[2]) * 60 + int(found[3] or 0)
    offset = timedelta(minutes=minutes if found[1] == "+" else -minutes)
    name = f"Etc/GMT{'-' if found[1] == '+' else '+'}{int(found[2])}"  # POSIX counts the other way
    if not offset:
        return "UTC"
    if not minutes % 60 and name in zones():
        return name
    near = [zone for zone in zones() if set(_offsets(zone)) == {offset}]
    near_words = f"choose {_listed(near)}" if near else "the hours go from UTC-12 to UTC+14"
    raise UsageError(f"no time zone is named so; {near_words}")


def _offsets(zone: str) -> tuple[timedelta | None, ...]:
    """By how much a zone differs from UTC in each month."""
    return tuple(moment.astimezone(ZoneInfo(zone)).utcoffset() for moment in MONTHS)


def _listed(names: Iterable[str]) -> str:
    found = list(dict.fromkeys(names))
    return ", ".join(found[:MOST]) + (" …" if len(found) > MOST else "")


def _plain(name: str) -> str:
    return name.replace("_", " ").casefold()
