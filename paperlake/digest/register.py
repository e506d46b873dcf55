"""The register: what subscribers choose, and for who runs the digest to list them, erase one, allow one again.

Time zones are as people name them: a city, an area, or hours from UTC.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from flows.running.mail import DigestConfig
from paperlake.digest.asking import address_of
from paperlake.digest.state import allow, hashed, mailbox_of, opened, suppress, transaction
from paperlake.digest.subscribers import LISTED_WISHES, Subscriber, Wishes, everyone, remove
from paperlake.find.finder import parse_alone
from paperlake.sql.drawing import aligned
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


MOST_QUERY: Final = 300
MOST_NAMES: Final = 20
MOST_NAME: Final = 100
OF_DAYS: Final = "since:2026-10-01 until:2026-10-01"  # as news.py adds it; in a query of many words no field is read
HOURS: Final = range(24)
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAILY: Final = "daily"


def wishes_of(form: Mapping[str, str]) -> Wishes:
    """The wishes in a form of the preferences; a missing field is as for a new subscriber."""
    query, zone = form.get("query", "").strip(), zone_of(form.get("zone", "UTC"))
    if len(query) > MOST_QUERY or not query.isprintable():
        raise UsageError(f"a query may have at most {MOST_QUERY} characters, all printable")
    asked = parse_alone(f"{query} {OF_DAYS}")
    if asked[-1].field != "until":
        raise UsageError("that query has too many words; give at most about 30")
    if query and not any(item.words and item.field != "sort" for item in asked[:-2]):
        raise UsageError("that query has nothing to search for; give a word or a field (docs/search.md)")
    hours, weekdays = {str(hour): hour for hour in HOURS}, {str(day): day for day in range(len(WEEKDAYS))}
    hour, when = form.get("hour", "8"), form.get("when", DAILY)
    if hour not in hours or when not in {DAILY, *weekdays}:
        raise UsageError("choose an hour, and a day or daily")
    return Wishes(
        query=query,
        **{name: names_of(form.get(name, "")) for name in LISTED_WISHES},
        zone=zone,
        hour=hours[hour],
        weekday=weekdays.get(when),
    )


def names_of(text: str) -> tuple[str, ...]:
    """Names with commas between them, each once.

    >>> names_of("MIT, Stanford University,, MIT")
    ('MIT', 'Stanford University')
    """
    names = tuple(dict.fromkeys(name for part in text.split(",") if (name := " ".join(part.split()))))
    if len(names) > MOST_NAMES or any(len(name) > MOST_NAME or not name.isprintable() for name in names):
        raise UsageError(f"give at most {MOST_NAMES} names, each of at most {MOST_NAME} printable characters")
    return names


# Of each subscriber the letter of the last date; in SQLite the other columns are those of the row with the maximum
LAST: Final = "SELECT subscriber, max(local_on) || ' ' || state || ' ' || status FROM deliveries GROUP BY subscriber"


def subscribers_text(folder: Path, output_format: str, width: int | None = None) -> str:
    """Every subscriber, a line each, with the last letter; as JSON with all that was chosen."""
    with opened(folder, is_reading=True) as connection:
        found = everyone(connection)
        last = {number: letter.strip() for number, letter in connection.execute(LAST)}
    if output_format == "json":
        rows = [
            {"number": one.number, "address": one.address, "state": one.state, "last_letter": last.get(one.number)}
            | asdict(one.wishes)
            for one in found
        ]
        return json.dumps(rows, indent=2) + "\n"
    table = [("number", "state", "when", "zone", "last letter", "address")]
    for one in found:
        day = "daily" if one.wishes.weekday is None else f"on {WEEKDAYS[one.wishes.weekday]}"
        when, letter = f"{day}, {one.wishes.hour:02}:00", last.get(one.number, "none")
        table.append((str(one.number), one.state, when, one.wishes.zone, letter, one.address))
    return aligned(table, [0], width)


def erase_address(config: DigestConfig, text: str, now: datetime) -> str:
    """Forget a mailbox under all its aliases, and never write to it again; returns what was done."""
    address = address_of(text)
    with opened(config.folder) as connection:
        found = _of_mailbox(connection, address)
        with transaction(connection):
            for hash_ in _hashes(config, address):
                suppress(connection, hash_, "erased", now)
            waiting = connection.execute("SELECT id, address FROM requests").fetchall()
            gone = [(row["id"],) for row in waiting if mailbox_of(row["address"]) == mailbox_of(address)]
            connection.executemany("DELETE FROM requests WHERE id = ?", gone)
        for subscriber in found:
            remove(connection, subscriber.number, config.secret, "erased", now)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    if found:
        return f"erased {', '.join(map(repr, found))}; it is never written to again"
    return "no subscriber has this address; it is never written to"


def allow_address(config: DigestConfig, text: str) -> str:
    """Let a mailbox subscribe again; returns what was done."""
    address = address_of(text)
    with opened(config.folder) as connection:
        found = _of_mailbox(connection, address)
        hashes = _hashes(config, address, *(one.address for one in found))
        was_barred = sum(allow(connection, hash_) for hash_ in hashes) > 0
        for subscriber in found:
            connection.execute(
                "UPDATE subscribers SET state = 'active' WHERE id = ? AND state = 'bounced'", (subscriber.number,)
            )
    return "it may subscribe again" if was_barred else "it was not kept out"


def _of_mailbox(connection: sqlite3.Connection, address: str) -> list[Subscriber]:
    return [one for one in everyone(connection) if mailbox_of(one.address) == mailbox_of(address)]


def _hashes(config: DigestConfig, *addresses: str) -> set[bytes]:
    """The hashes of addresses, and of the mailbox that they lead to."""
    return {hashed(config.secret, one) for address in addresses for one in (address, mailbox_of(address))}
