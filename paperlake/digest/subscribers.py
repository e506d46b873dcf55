"""The subscribers of the digest, their wishes, their days and their signed links.

One is `asked`, `active` when confirmed, or `bounced`. Each link is for one purpose and one subscriber, and a link for
one purpose opens no other.
"""

import json
import sqlite3
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import Enum
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from itsdangerous import BadData, URLSafeTimedSerializer

from flows.runtime.progress import log
from paperlake.digest.letter_papers import Filter, Kind
from paperlake.digest.state import GoneWhy, hashed, suppress, transaction
from warehouse.schema.daily_lists import day_open_at, list_days

UNCONFIRMED: Final = timedelta(days=2)  # as long as the link to confirm holds
KEPT_EDITIONS: Final = 3  # new lists after which an address that was not confirmed is forgotten: two days at least
KEPT_LISTS: Final = 90  # no older list is sent, and no older letter comes back
WEEKEND: Final = timedelta(days=3)
AHEAD: Final = timedelta(days=7)
SIGN_UP: Final = """
INSERT INTO subscribers (address, state, asked_at, asked_edition)
VALUES (?, 'asked', ?, (SELECT count(*) FROM editions))
ON CONFLICT (address) DO UPDATE SET asked_at = excluded.asked_at, asked_edition = excluded.asked_edition
WHERE state = 'asked'
"""
OLDEST_KEPT: Final = "SELECT DISTINCT listed_on FROM told WHERE kind = 'list' ORDER BY listed_on DESC LIMIT 1 OFFSET ?"
HURRY: Final = """
UPDATE subscribers SET wants_now = 1
WHERE id = ? AND state = 'active' AND NOT EXISTS (SELECT 1 FROM deliveries WHERE subscriber = id)
"""
ENDED: Final = "state NOT IN ('claimed', 'deferred')"
LISTED_WISHES: Final = ("authors", "organizations", "keywords")
WISHES: Final = ("query", *LISTED_WISHES, "zone", "hour", "weekday")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The choices of a subscriber. Without a filter they get the whole list."""

    query: str = ""
    authors: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    zone: str = "UTC"
    hour: int = 8
    weekday: int | None = None

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The filters: papers that any of these matches are chosen."""
        named: tuple[tuple[Kind, tuple[str, ...]], ...] = (
            ("query", (self.query,) if self.query else ()),
            ("authors", self.authors),
            ("organizations", self.organizations),
            ("keywords", self.keywords),
        )
        return tuple(Filter(kind, value) for kind, values in named for value in values)


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A subscriber; the repr does not show the address. One who is hurried has asked for the first letter at once."""

    number: int
    address: str
    state: str
    wishes: Wishes
    first_list: date | None = None
    is_hurried: bool = False

    def __repr__(self) -> str:
        return f"subscriber {self.number}"


def sign_up(connection: sqlite3.Connection, address: str, now: datetime) -> Subscriber:
    """Add a subscriber who is yet to confirm, or find the one who has the address."""
    connection.execute(SIGN_UP, (address, now.isoformat()))
    [row] = connection.execute("SELECT * FROM subscribers WHERE address = ?", (address,))
    return of_row(row)


def confirm(connection: sqlite3.Connection, number: int, now: datetime) -> bool:
    """Make a subscriber active, from the newest list on; False where there is none of that number who is to confirm."""
    today = day_open_at(now)
    newest = max(list_days(today - WEEKEND, today), default=today)
    done = connection.execute(
        "UPDATE subscribers SET state = 'active', first_list = ? WHERE id = ? AND state = 'asked'",
        (newest.isoformat(), number),
    )
    return done.rowcount > 0


def hurry(connection: sqlite3.Connection, number: int) -> bool:
    """Ask for a subscriber's first letter at once; False where there was one, or there is no such subscriber."""
    return connection.execute(HURRY, (number,)).rowcount > 0


def set_wishes(connection: sqlite3.Connection, number: int, wishes: Wishes) -> None:
    """Store a subscriber's wishes."""
    lists = (json.dumps(getattr(wishes, name)) for name in LISTED_WISHES)
    values = (wishes.query, *lists, wishes.zone, wishes.hour, wishes.weekday, number)
    connection.execute(f"UPDATE subscribers SET {', '.join(f'{one} = ?' for one in WISHES)} WHERE id = ?", values)  # noqa: S608


def remove(connection: sqlite3.Connection, number: int, secret: bytes, why: GoneWhy, now: datetime) -> None:
    """Forget a subscriber and what was sent to them. Only a keyed hash of the address stays in the file."""
    with transaction(connection):
        if subscriber := find(connection, number):
            suppress(connection, hashed(secret, subscriber.address), why, now)
        connection.execute("DELETE FROM subscribers WHERE id = ?", (number,))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def forget_old(connection: sqlite3.Connection, newest: date | None, now: datetime) -> None:
    """Forget what is old by the order of the lists, of which `newest` is the last. The clock may be years wrong."""
    if newest is None:
        return
    connection.execute("INSERT OR IGNORE INTO editions VALUES (?)", (newest.isoformat(),))
    [(last,)] = connection.execute("SELECT count(*) - ? FROM editions", (KEPT_EDITIONS,)).fetchall()
    connection.execute("DELETE FROM subscribers WHERE state = 'asked' AND asked_edition <= ?", (last,))
    connection.execute("DELETE FROM counted WHERE edition <= ?", (last,))
    for (old,) in connection.execute(OLDEST_KEPT, (KEPT_LISTS,)).fetchall():
        with transaction(connection):  # what was told is either known, or before the first list
            connection.execute("UPDATE subscribers SET first_list = max(first_list, ?)", (old,))
            connection.execute("DELETE FROM told WHERE listed_on < ?", (old,))
            connection.execute(f"DELETE FROM deliveries WHERE json_extract(lists, '$[0]') < ? AND {ENDED}", (old,))  # noqa: S608
    connection.execute(  # of those who confirmed under a clock that was ahead
        "UPDATE subscribers SET first_list = ? WHERE first_list > ?",
        (str(newest + timedelta(days=1)), str(max(newest, day_open_at(now)) + AHEAD)),
    )


def find(connection: sqlite3.Connection, number: int) -> Subscriber | None:
    """The subscriber of a number."""
    rows = connection.execute("SELECT * FROM subscribers WHERE id = ?", (number,)).fetchall()
    return of_row(rows[0]) if rows else None


def everyone(connection: sqlite3.Connection) -> list[Subscriber]:
    """All subscribers, in the order in which they came."""
    return [of_row(row) for row in connection.execute("SELECT * FROM subscribers ORDER BY id")]


def of_row(row: sqlite3.Row) -> Subscriber:
    """The subscriber of a row; that of an older file has fewer columns."""
    known = dict(row)
    wishes = Wishes(
        query=row["query"],
        **{name: tuple(json.loads(row[name])) for name in LISTED_WISHES if name in known},
        zone=row["zone"],
        hour=row["hour"],
        weekday=row["weekday"],
    )
    first = row["first_list"] and date.fromisoformat(row["first_list"])
    return Subscriber(row["id"], row["address"], row["state"], wishes, first, bool(known.get("wants_now")))


@cache
def zone_named(name: str) -> tzinfo:
    """The time zone of that name, or UTC where this machine has none: one reader's zone must not stop all letters."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        log.warning("this machine has no time zone %s: letters to readers there go by UTC; install tzdata", name)
        return UTC


def due_on(wishes: Wishes, now: datetime, last_on: date | None) -> date | None:
    """The local date of the letter that is due, if one is; `now` is UTC without zone, `last_on` that of the last one.

    An hour that the clocks skip begins with the next; one that comes twice, the first time. A weekly letter that could
    not be sent on its day is due on the days after it, from the same hour on.

    >>> due_on(Wishes(zone="Europe/Berlin", hour=2), datetime(2027, 3, 28, 0, 59), None)  # 01:59; then it is 03:00
    >>> due_on(Wishes(zone="Europe/Berlin", hour=2), datetime(2027, 3, 28, 1, 0), None)
    datetime.date(2027, 3, 28)
    """
    local = now.replace(tzinfo=UTC).astimezone(zone_named(wishes.zone))
    today = local.date()
    if local.hour < wishes.hour:
        return None
    late = 0 if wishes.weekday is None else (today.weekday() - wishes.weekday) % 7
    return today if last_on is None or last_on < today - timedelta(days=late) else None


class Purpose(Enum):
    """The purpose of a link, and how long it is valid. A letter may be forwarded: no page shows an address."""

    CONFIRM = "confirm", UNCONFIRMED
    PREFERENCES = "preferences", timedelta(days=30)
    FIRST = "first", UNCONFIRMED
    UNSUBSCRIBE = "unsubscribe", None

    def __init__(self, path: str, lasts: timedelta | None) -> None:
        self.path, self.seconds = path, lasts.total_seconds() if lasts else None


def link(url: str, secret: bytes, purpose: Purpose, number: int) -> str:
    """The address of the page for a subscriber and a purpose."""
    return f"{url}/{purpose.path}/{token(secret, purpose, number)}"


def token(secret: bytes, purpose: Purpose, number: int) -> str:
    """The signed part of a link."""
    text = _serializer(secret, purpose).dumps(number)
    return text if isinstance(text, str) else text.decode()


def number_of(secret: bytes, purpose: Purpose, text: str) -> int | None:
    """The subscriber that a token is for; None where it is forged, too old, or for something else."""
    try:
        number = _serializer(secret, purpose).loads(text, max_age=purpose.seconds)  # type: ignore[arg-type]
    except BadData:
        return None
    return number if isinstance(number, int) else None


def _serializer(secret: bytes, purpose: Purpose) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(secret, salt=f"paperlake.digest.{purpose.path}")
