"""Parses the forms of the digest's pages into addresses and wishes; a UsageError says what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from zoneinfo import available_timezones

from flows.digest.subscribers import Wishes
from flows.find.language import Condition, parse
from flows.runtime.setting_types import MAILBOX
from warehouse.errors import UsageError

MOST_ADDRESS: Final = 254  # of RFC 5321
MOST_QUERY: Final = 300
MOST_NAMES: Final = 20
MOST_NAME: Final = 100
OF_DAYS: Final = Condition("since", "2026-10-01")  # as news.py adds it; in a query of many words no field is read
HOURS: Final = range(24)
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAILY: Final = "daily"


def address_of(text: str) -> str:
    """An address that a relay takes, its host in lower case.

    >>> address_of(" Ada@Example.ORG ")
    'Ada@example.org'
    """
    mailbox, _, host = text.strip().rpartition("@")
    address = f"{mailbox}@{host.lower()}"
    if len(address) > MOST_ADDRESS or not MAILBOX.fullmatch(address):
        raise UsageError("that is not a mail address; write a host with letters beyond ASCII as xn--…")
    return address


def wishes_of(form: Mapping[str, str]) -> Wishes:
    """The wishes in a form of the preferences; a missing field is as for a new subscriber."""
    query, zone = form.get("query", "").strip(), form.get("zone", "UTC")
    if len(query) > MOST_QUERY or not query.isprintable():
        raise UsageError(f"a query may have at most {MOST_QUERY} characters, all printable")
    asked = parse(query)
    if query and not (asked.words or asked.excluded or asked.conditions or asked.like):
        raise UsageError("that query has nothing to search for; give a word or a field (docs/search.md)")
    if OF_DAYS not in parse(f"{query} {OF_DAYS.field}:{OF_DAYS.value} until:{OF_DAYS.value}").conditions:
        raise UsageError("that query has too many words; give at most about 30")
    if zone not in available_timezones():
        raise UsageError("that is not a time zone; choose one from the list, for example Europe/Berlin")
    hours, weekdays = {str(hour): hour for hour in HOURS}, {str(day): day for day in range(len(WEEKDAYS))}
    hour, when = form.get("hour", "8"), form.get("when", DAILY)
    if hour not in hours or when not in {DAILY, *weekdays}:
        raise UsageError("choose an hour, and a day or daily")
    return Wishes(
        query=query,
        organizations=names_of(form.get("organizations", "")),
        keywords=names_of(form.get("keywords", "")),
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
