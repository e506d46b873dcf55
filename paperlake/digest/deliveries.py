"""Which letters are due to whom, their claims, the outcome of each, and those that come back. `sending` sends them.

A claim is durable before its letter is sent, and has its Message-ID: a letter that may have been sent, because the run
was killed before it could mark it, is sent again with the same one. Anybody can write a letter that looks like a
bounce: one is believed if it repeats the Message-ID of a letter that was sent to that address, which nobody else knows.
"""

import json
import logging
import re
import secrets
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from email import policy
from email.parser import BytesParser
from typing import Final, NamedTuple

from flows.running.mail import Relayed
from paperlake.digest import state
from paperlake.digest.letter_papers import Filter
from paperlake.digest.news import EarlierLetters, Newsroom
from paperlake.digest.subscribers import Subscriber, Wishes, due_on, find, of_row
from warehouse.errors import UsageError

MOST_TRIES: Final = 48  # of a letter that is deferred: a day, at two runs an hour
ACTIVE: Final = """
SELECT subscribers.*, (SELECT max(local_on) FROM deliveries WHERE subscriber = id AND local_on <= ?) AS last_on
FROM subscribers WHERE state = 'active' ORDER BY id
"""
UNFINISHED: Final = """
SELECT id, local_on, lists, gaps, silent, message_id, tries, at
FROM deliveries JOIN subscribers ON subscriber = id
WHERE subscribers.state = 'active' AND deliveries.state IN ('claimed', 'deferred') ORDER BY at, id
"""
CLAIM: Final = """
INSERT OR IGNORE INTO deliveries (subscriber, local_on, lists, gaps, silent, message_id, state, at)
SELECT id, ?, ?, ?, ?, ?, 'claimed', ? FROM subscribers WHERE id = ? AND state = 'active'
"""
SHORTEN: Final = "UPDATE deliveries SET lists = ? WHERE subscriber = ? AND local_on = ?"
FORGET: Final = "DELETE FROM told WHERE subscriber = ? AND kind = ? AND listed_on = ?"
SENT_DAYS: Final = "SELECT listed_on FROM told WHERE subscriber = ? AND kind = ?"
SILENT: Final = "SELECT silent FROM deliveries WHERE subscriber = ? AND silent <> '[]'"
EARLIER: Final = """
SELECT lists FROM deliveries WHERE subscriber = ? AND lists <> '[]'
AND rowid < (SELECT rowid FROM deliveries WHERE message_id = ?) -- not by `at`: the clock may have been set back
"""


class Delivery(NamedTuple):
    """A letter to a subscriber for one of their dates: the lists and the gaps in it, its Message-ID, its tries.

    `silent` are filters of which it says that they found nothing.
    """

    subscriber: Subscriber
    local_on: date
    lists: tuple[date, ...]
    gaps: tuple[date, ...]
    message_id: str
    at: datetime
    tries: int = 0
    silent: tuple[Filter, ...] = ()


def unfinished(connection: sqlite3.Connection) -> Iterator[Delivery]:
    """Letters that an earlier run claimed and did not send, or that were deferred; none to subscribers who left."""
    for row in connection.execute(UNFINISHED).fetchall():
        found = find(connection, row["id"])
        if found is not None and found.state == "active":
            yield Delivery(
                found,
                date.fromisoformat(row["local_on"]),
                _days(row["lists"]),
                _days(row["gaps"]),
                row["message_id"],
                datetime.fromisoformat(row["at"]),
                row["tries"],
                _filters(row["silent"]),
            )


def drop_gone_lists(connection: sqlite3.Connection, room: Newsroom) -> None:
    """Take lists that this release lacks, or that have nothing wanted now, out of letters that are not sent yet.

    They are told by no letter then, and come with a later one where they are back, as after a rollback.
    """
    for one in list(unfinished(connection)):
        is_wanted = bool(room.chosen(one.subscriber.wishes, one.lists))
        wanted = [str(found.listed_on) for found in room.chosen(Wishes(), one.lists) if is_wanted]
        gone = [("list", day) for day in one.lists if str(day) not in wanted]
        is_left = bool(wanted or one.silent)
        gone += [] if is_left else [("gap", day) for day in one.gaps]
        number, local_on = one.subscriber.number, str(one.local_on)
        with state.transaction(connection):
            connection.executemany(FORGET, [(number, kind, str(day)) for kind, day in gone])
            connection.execute(SHORTEN, (json.dumps(wanted), number, local_on))
            if not is_left:
                connection.execute("DELETE FROM deliveries WHERE subscriber = ? AND local_on = ?", (number, local_on))


def due(connection: sqlite3.Connection, now: datetime) -> list[tuple[Subscriber, date]]:
    """The subscribers to whom a letter is due by their local date and hour, with that date."""
    found = []
    latest = str(now.date() + timedelta(days=1))  # anywhere on earth; a later letter was sent under a clock ahead
    for row in connection.execute(ACTIVE, (latest,)).fetchall():
        subscriber = of_row(row)
        last_on = row["last_on"] and date.fromisoformat(row["last_on"])
        when = replace(subscriber.wishes, hour=0, weekday=None) if subscriber.is_hurried else subscriber.wishes
        if local_on := due_on(when, now, last_on):
            found.append((subscriber, local_on))
    return found


def due_letters(
    connection: sqlite3.Connection, room: Newsroom, secret: bytes, domain: str, now: datetime
) -> Iterator[Delivery]:
    """The letters that are due and have anything in them; none is claimed yet."""
    for subscriber, local_on in due(connection, now):
        sent = {
            kind: {
                date.fromisoformat(row["listed_on"]) for row in connection.execute(SENT_DAYS, (subscriber.number, kind))
            }
            for kind in ("list", "gap")
        }
        first = subscriber.first_list or date.max
        newest = room.lists[:1] if subscriber.is_hurried else []
        lists = tuple(day for day in room.lists if (day >= first or day in newest) and day not in sent["list"])
        address = subscriber.address
        if state.suppressed(connection, state.hashed(secret, address)) or state.is_barred(connection, secret, address):
            continue
        known = {one for row in connection.execute(SILENT, (subscriber.number,)) for one in _filters(row["silent"])}
        silent = tuple(one for one in room.silent(subscriber.wishes) if one not in known)
        if not room.chosen(subscriber.wishes, lists):
            lists = ()
        if not (lists or silent):
            continue
        told = sent["gap"] | sent["list"]  # a list that was sent may be gone from the release since
        gaps = tuple(day for day in room.gaps if lists and first <= day < lists[0] and day not in told)
        message_id = f"<{secrets.token_hex(16)}@{domain}>"
        yield Delivery(subscriber, local_on, lists, gaps, message_id, now.replace(microsecond=0), silent=silent)


def claim(connection: sqlite3.Connection, delivery: Delivery, secret: bytes) -> bool:
    """Claim a letter; False where another run has claimed it, or its mailbox has had enough letters today."""
    counted = state.of_mailbox(secret, delivery.subscriber.address, state.LETTERS)
    number = delivery.subscriber.number
    lists, gaps = ([str(day) for day in days] for days in (delivery.lists, delivery.gaps))
    told = (json.dumps(one) for one in (lists, gaps, delivery.silent))
    values = (str(delivery.local_on), *told, delivery.message_id, delivery.at.isoformat())
    with state.transaction(connection):
        if (
            not state.is_within(connection, counted, delivery.at)
            or not connection.execute(CLAIM, (*values, number)).rowcount
        ):
            return False
        state.count_letter(connection, counted, delivery.at)
        connection.execute("UPDATE subscribers SET wants_now = 0 WHERE id = ?", (number,))
        days_sent = [(number, day, kind) for kind, days in (("list", lists), ("gap", gaps)) for day in days]
        connection.executemany("INSERT OR IGNORE INTO told VALUES (?, ?, ?)", days_sent)
    return True


def earlier_letters(connection: sqlite3.Connection, delivery: Delivery) -> EarlierLetters:
    """The days that earlier letters to the same subscriber had."""
    values = delivery.subscriber.number, delivery.message_id
    letters = [_days(row["lists"]) for row in connection.execute(EARLIER, values)]
    return EarlierLetters(frozenset(day for days in letters for day in days), frozenset(max(days) for days in letters))


def mark(connection: sqlite3.Connection, delivery: Delivery, outcome: Relayed, secret: bytes, now: datetime) -> str:
    """Record the outcome of a letter, and stop letters to an address that bounced; returns the letter's state."""
    number, tries = delivery.subscriber.number, delivery.tries + 1
    ended = "failed" if outcome.state == "deferred" and tries >= MOST_TRIES else outcome.state
    with state.transaction(connection):
        connection.execute(
            "UPDATE deliveries SET state = ?, status = ?, tries = ? WHERE subscriber = ? AND local_on = ?",
            (ended, outcome.status, tries, number, str(delivery.local_on)),
        )
        if ended == "bounced":
            bounce(connection, delivery.subscriber, secret, now)
    return ended


def bounce(connection: sqlite3.Connection, subscriber: Subscriber, secret: bytes, now: datetime) -> None:
    """Send no more letters to a subscriber whose address bounced."""
    found = connection.execute("UPDATE subscribers SET state = 'bounced' WHERE id = ?", (subscriber.number,))
    if found.rowcount:  # else they have left meanwhile, and why they get no letters is known
        state.suppress(connection, state.hashed(secret, subscriber.address), "bounced", now)


def _filters(text: str) -> tuple[Filter, ...]:
    return tuple(Filter(*one) for one in json.loads(text))


def _days(text: str) -> tuple[date, ...]:
    return tuple(map(date.fromisoformat, json.loads(text)))


MESSAGE_ID: Final = re.compile(rb"<[0-9a-f]{32}@[A-Za-z0-9.-]{1,255}>")
MOST_BYTES: Final = 1 << 20  # a report stands before the letter that it is about
NESTING: Final = re.compile(rb"(?:multipart|message)/", re.IGNORECASE)
MOST_NESTED: Final = 50  # a report has three; the parser takes a level of Python's stack for each
SENT: Final = "SELECT subscribers.* FROM deliveries JOIN subscribers ON subscriber = id WHERE message_id = ?"


def process_bounce(connection: sqlite3.Connection, letter: bytes, secret: bytes, now: datetime) -> Subscriber | None:
    """Stop letters to the subscriber whose letter came back for good, and return them; None for any other letter.

    What is after the first MiB is not read. UsageError where the letter is nested too deeply.
    """
    letter = letter[:MOST_BYTES]
    ids = sorted({one.decode() for one in MESSAGE_ID.findall(letter)})
    ours = [of_row(row) for one in ids for row in connection.execute(SENT, (one,)).fetchall()]
    failed = failed_in(letter) if ours else set()
    for subscriber in ours:
        if subscriber.address.casefold() in failed:
            with state.transaction(connection):
                bounce(connection, subscriber, secret, now)
            return subscriber
    return None


def failed_in(letter: bytes) -> set[str]:
    """The addresses that a bounce says refuse letters for good."""
    from flufl.bounce import scan_message  # which only a bounce needs

    if (depth := len(NESTING.findall(letter))) > MOST_NESTED:
        raise UsageError(f"it has {depth} messages and parts in each other, more than {MOST_NESTED}")
    logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # it logs words of the letter
    try:
        found = scan_message(BytesParser(policy=policy.compat32).parsebytes(letter))
    except (LookupError, ValueError, TypeError, AttributeError):
        return set()  # its parsers, one for each server's reports, fail on letters that another server wrote
    return {address.decode("utf-8", "replace").casefold() for address in found}
