"""Keyed hashes of addresses: which get no letters, and how often each asked. No address can be read from them."""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple

from flows.digest.state import transaction

Why = Literal["unsubscribed", "erased", "bounced"]


class Limit(NamedTuple):
    """How many requests are allowed within a time."""

    times: int
    within: timedelta


# A letter that somebody did not ask for is rude, and twenty are an attack: on them, and on the name of the relay
OF_ADDRESS: Final = Limit(3, timedelta(days=1))
OF_IP: Final = Limit(20, timedelta(hours=1))  # an office or a university is one IP


def hashed(secret: bytes, text: str) -> bytes:
    """The keyed hash of an address or an IP, which is all that is stored of it."""
    return hmac.digest(secret, b"paperlake digest\n" + text.casefold().encode(), hashlib.sha256)


def suppress(connection: sqlite3.Connection, hash_: bytes, why: Why, now: datetime) -> None:
    """Record that an address, by its hash, gets no more letters."""
    connection.execute("INSERT OR REPLACE INTO suppressed VALUES (?, ?, ?)", (hash_, why, now.isoformat()))


def allow(connection: sqlite3.Connection, hash_: bytes) -> bool:
    """Let an address, by its hash, get letters again; whether it got none."""
    return connection.execute("DELETE FROM suppressed WHERE hash = ?", (hash_,)).rowcount > 0


def suppressed(connection: sqlite3.Connection, hash_: bytes) -> Why | None:
    """Why an address, by its hash, gets no letters; None where it may."""
    rows = connection.execute("SELECT why FROM suppressed WHERE hash = ?", (hash_,)).fetchall()
    why: Why | None = rows[0]["why"] if rows else None
    return why


def allow_request(connection: sqlite3.Connection, hash_: bytes, limit: Limit, now: datetime) -> bool:
    """Whether one more request is within the limit; if so, it is counted."""
    since = (now - limit.within).isoformat()
    with transaction(connection):
        counted = "SELECT count(*) FROM asked WHERE hash = ? AND at > ?"
        [(count,)] = connection.execute(counted, (hash_, since)).fetchall()
        if count < limit.times:
            connection.execute("INSERT INTO asked VALUES (?, ?)", (hash_, now.isoformat()))
    return bool(count < limit.times)
