"""The digest's own file: subscribers, deliveries, keyed hashes of addresses, and ceilings on what is counted by these.

It is SQLite, durable at each commit. It is made under another name and then linked, so that of two that make it at once
one wins, and nobody sees half of it.
"""

import contextlib
import hashlib
import hmac
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from warehouse.errors import Damaged, NothingThere, StoreFailed

NAME: Final = "digest.sqlite3"
WAIT_SECONDS: Final = 30.0  # for another process that writes just then; each transaction takes milliseconds
SCHEMA: Final = """
CREATE TABLE subscribers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- of one that is gone it is never used again: letters bear it for good
    address TEXT NOT NULL UNIQUE COLLATE NOCASE,
    state TEXT NOT NULL CHECK (state IN ('asked', 'active', 'bounced')),
    asked_at TEXT NOT NULL,
    first_list TEXT,  -- set when it is confirmed: older lists are no news
    query TEXT NOT NULL DEFAULT '',
    organizations TEXT NOT NULL DEFAULT '[]',
    keywords TEXT NOT NULL DEFAULT '[]',
    zone TEXT NOT NULL DEFAULT 'UTC',
    hour INTEGER NOT NULL DEFAULT 8 CHECK (hour BETWEEN 0 AND 23),
    weekday INTEGER CHECK (weekday BETWEEN 0 AND 6)  -- of a weekly digest, from Monday; null: daily
) STRICT;
CREATE TABLE deliveries (
    subscriber INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
    local_on TEXT NOT NULL,
    lists TEXT NOT NULL,
    gaps TEXT NOT NULL,
    message_id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('claimed', 'deferred', 'sent', 'bounced', 'failed')),
    tries INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT '',
    at TEXT NOT NULL,
    PRIMARY KEY (subscriber, local_on)
) STRICT;
CREATE TABLE told (  -- the lists and gaps that were in a subscriber's letters, or are in one that is claimed
    subscriber INTEGER NOT NULL REFERENCES subscribers ON DELETE CASCADE,
    listed_on TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('list', 'gap')),
    PRIMARY KEY (subscriber, listed_on, kind)
) STRICT;
CREATE TABLE suppressed (hash BLOB PRIMARY KEY, why TEXT NOT NULL, at TEXT NOT NULL) STRICT;
"""
# What a file of an earlier paperlake has not. An edition is a newest list that a run has seen: what is forgotten is
# forgotten by their number, since this machine's clock may be wrong
SECOND: Final = """
BEGIN IMMEDIATE;
ALTER TABLE subscribers ADD COLUMN asked_edition INTEGER NOT NULL DEFAULT 0;
CREATE TABLE editions (listed_on TEXT PRIMARY KEY) STRICT;
CREATE TABLE requests (id INTEGER PRIMARY KEY, address TEXT NOT NULL, at TEXT NOT NULL) STRICT;  -- of links; soon gone
CREATE TABLE counted (hash BLOB NOT NULL, at TEXT NOT NULL, edition INTEGER NOT NULL) STRICT;  -- for the limits
CREATE INDEX counted_by_hash ON counted (hash, at);
DROP TABLE IF EXISTS asked;
PRAGMA user_version = 2;
COMMIT;
"""
THIRD: Final = """
BEGIN IMMEDIATE;
ALTER TABLE subscribers ADD COLUMN authors TEXT NOT NULL DEFAULT '[]';
ALTER TABLE subscribers ADD COLUMN wants_now INTEGER NOT NULL DEFAULT 0;  -- asked for a letter at once
ALTER TABLE deliveries ADD COLUMN silent TEXT NOT NULL DEFAULT '[]';  -- filters that found nothing, as it says
PRAGMA user_version = 3;
COMMIT;
"""
UPGRADES: Final = (SECOND, THIRD)


@contextlib.contextmanager
def opened(
    folder: Path, *, is_reading: bool = False, wait_seconds: float = WAIT_SECONDS
) -> Iterator[sqlite3.Connection]:
    """A connection to the file, made where it is not there yet; `is_reading` changes no byte of it.

    NothingThere where there is nothing to read; StoreFailed and Damaged name the file.
    """
    path = folder / NAME
    with _translate_errors(path):
        if not path.exists():
            if is_reading:
                raise NothingThere(f"no subscriber yet: there is no {path}")
            _make(path)
        mode = "ro" if is_reading else "rw"
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=wait_seconds
        )
        try:
            connection.row_factory = sqlite3.Row
            for pragma in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
                connection.execute(f"PRAGMA {pragma}")
            [(version,)] = connection.execute("PRAGMA user_version").fetchall()
            for upgrade in () if is_reading else UPGRADES[max(version - 1, 0) :]:
                connection.executescript(upgrade)
            yield connection
        finally:
            connection.close()


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all of a block or nothing. The lock is taken at the beginning, so that what is read stays true."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:  # commits it, or rolls it back
        yield


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(prefix=f".{NAME}-", dir=path.parent) as folder:  # of SQLite's own files too
        (made := Path(folder, NAME)).touch(mode=0o600)  # readable by its owner alone
        with contextlib.closing(sqlite3.connect(made)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            for script in (SCHEMA, *UPGRADES):
                connection.executescript(script)
        with contextlib.suppress(FileExistsError):
            os.link(made, path)


@contextlib.contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.OperationalError, OSError) as error:
        raise StoreFailed(f"cannot read or write {path}: {error}; look at PAPERLAKE_STATE") from error
    except sqlite3.IntegrityError:
        raise
    except sqlite3.DatabaseError as error:
        raise Damaged(f"{path} is no database of subscribers: {error}; put a backup in its place") from error


GoneWhy = Literal["unsubscribed", "erased", "bounced"]
ONE_HOST: Final = MappingProxyType(
    {
        "googlemail.com": "gmail.com",
        "protonmail.com": "proton.me",
        "pm.me": "proton.me",
        "me.com": "icloud.com",
        "mac.com": "icloud.com",
    }
)
NOT_READ: Final = MappingProxyType({"gmail.com": ".", "proton.me": ".-_"})  # characters that the provider ignores


def mailbox_of(address: str) -> str:
    """The mailbox that an address leads to: without a tag, and as the provider reads it.

    >>> mailbox_of("Ada.Lund+papers@GoogleMail.com"), mailbox_of("ada.lund+x@example.org")
    ('adalund@gmail.com', 'ada.lund@example.org')
    """
    name, _, host = address.casefold().rpartition("@")
    host = ONE_HOST.get(host, host)
    name = name.partition("+")[0] or name
    return f"{name.translate(dict.fromkeys(map(ord, NOT_READ.get(host, ''))))}@{host}"


def hashed(secret: bytes, text: str) -> bytes:
    """The keyed hash of an address or an IP, which is all that is stored of it."""
    return hmac.digest(secret, b"paperlake digest\n" + text.casefold().encode(), hashlib.sha256)


def suppress(connection: sqlite3.Connection, hash_: bytes, why: GoneWhy, now: datetime) -> None:
    """Record that an address, by its hash, gets no more letters."""
    connection.execute("INSERT OR REPLACE INTO suppressed VALUES (?, ?, ?)", (hash_, why, now.isoformat()))


def allow(connection: sqlite3.Connection, hash_: bytes) -> bool:
    """Let an address, by its hash, get letters again; whether it got none."""
    return connection.execute("DELETE FROM suppressed WHERE hash = ?", (hash_,)).rowcount > 0


def suppressed(connection: sqlite3.Connection, hash_: bytes) -> GoneWhy | None:
    """Why an address, by its hash, gets no letters; None where it may."""
    rows = connection.execute("SELECT why FROM suppressed WHERE hash = ?", (hash_,)).fetchall()
    why: GoneWhy | None = rows[0]["why"] if rows else None
    return why


def is_barred(connection: sqlite3.Connection, secret: bytes, address: str) -> bool:
    """Whether an address gets no letter, of whatever kind: it bounced, or its mailbox was erased, under any alias."""
    why = suppressed(connection, hashed(secret, address))
    return why in {"erased", "bounced"} or suppressed(connection, hashed(secret, mailbox_of(address))) == "erased"


# A letter that somebody did not ask for is rude, and twenty are an attack: on them, and on the name of the relay
class Ceiling(NamedTuple):
    """A limit: so many within a time, of what is counted under a name."""

    name: str
    times: int
    within: timedelta


LETTERS: Final = Ceiling("letters", 3, timedelta(days=1))  # of any kind, to a mailbox with all its aliases
LINKS: Final = Ceiling("links", 2, timedelta(days=1))  # of these: one letter is left for the day's papers
NETWORK: Final = Ceiling("network", 20, timedelta(hours=1))
ALL: Final = Ceiling("all", 1000, timedelta(days=1))
Tally = tuple[bytes, Ceiling]


def of_mailbox(secret: bytes, address: str, *limits: Ceiling) -> list[Tally]:
    """The counts that a letter to an address adds to."""
    return [(hashed(secret, f"{limit.name} {mailbox_of(address)}"), limit) for limit in limits]


def of_request(secret: bytes, network: str) -> list[Tally]:
    """The counts that a request adds to."""
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


def count_letter(connection: sqlite3.Connection, counted: Sequence[Tally], now: datetime) -> None:
    """Count one letter, or one request for a link, more."""
    connection.executemany(
        "INSERT INTO counted VALUES (?, ?, (SELECT count(*) FROM editions))",
        [(hash_, now.isoformat()) for hash_, _ in counted],
    )
