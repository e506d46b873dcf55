"""How many letters a mailbox gets, and how many links are asked for, by a network and in all.

A letter that somebody did not ask for is rude, and twenty are an attack: on them, and on the name of the relay.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from paperlake.digest.addresses import mailbox_of
from paperlake.digest.state import hashed


class Ceiling(NamedTuple):
    """So many within a time, of what is counted under a name."""

    name: str
    times: int
    within: timedelta


LETTERS: Final = Ceiling("letters", 3, timedelta(days=1))  # of any kind, to a mailbox with all its aliases
LINKS: Final = Ceiling("links", 2, timedelta(days=1))  # of these: one letter is left for the day's papers
NETWORK: Final = Ceiling("network", 20, timedelta(hours=1))
ALL: Final = Ceiling("all", 1000, timedelta(days=1))
Tally = tuple[bytes, Ceiling]


def of_mailbox(secret: bytes, address: str, *limits: Ceiling) -> list[Tally]:
    """What is counted of a letter to an address."""
    return [(hashed(secret, f"{limit.name} {mailbox_of(address)}"), limit) for limit in limits]


def of_request(secret: bytes, network: str) -> list[Tally]:
    """What is counted of a request."""
    return [(hashed(secret, f"{NETWORK.name} {network}"), NETWORK), (hashed(secret, ALL.name), ALL)]


def is_within(connection: sqlite3.Connection, counted: Sequence[Tally], now: datetime) -> bool:
    """Whether one more is allowed. What was counted under a clock far ahead or behind bars nobody."""
    count = "SELECT count(*) FROM counted WHERE hash = ? AND at > ? AND at < ?"
    for hash_, limit in counted:
        since, until = ((now + sign * limit.within).isoformat() for sign in (-1, 1))
        [(times,)] = connection.execute(count, (hash_, since, until)).fetchall()
        if times >= limit.times:
            return False
    return True


def add(connection: sqlite3.Connection, counted: Sequence[Tally], now: datetime) -> None:
    """Count one more."""
    connection.executemany(
        "INSERT INTO counted VALUES (?, ?, (SELECT count(*) FROM editions))",
        [(hash_, now.isoformat()) for hash_, _ in counted],
    )
