"""Bounces: letters that came back. An address that refuses letters for good gets no more.

Anybody can write a letter that looks like a bounce. One is believed if it repeats the Message-ID of a letter that
was sent to that address, which nobody else knows.
"""

from __future__ import annotations

import logging
import re
import sqlite3
from datetime import datetime
from email import policy
from email.parser import BytesParser
from typing import Final

from flufl.bounce import scan_message

from paperlake.digest.deliveries import bounce
from paperlake.digest.state import transaction
from paperlake.digest.subscribers import Subscriber, of_row
from warehouse.errors import UsageError

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
            with transaction(connection):
                bounce(connection, subscriber, secret, now)
            return subscriber
    return None


def failed_in(letter: bytes) -> set[str]:
    """The addresses that a bounce says refuse letters for good."""
    if (depth := len(NESTING.findall(letter))) > MOST_NESTED:
        raise UsageError(f"it has {depth} messages and parts in each other, more than {MOST_NESTED}")
    logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # it logs words of the letter
    try:
        found = scan_message(BytesParser(policy=policy.compat32).parsebytes(letter))
    except (LookupError, ValueError, TypeError, AttributeError):
        return set()  # its parsers, one for each server's reports, fail on letters that another server wrote
    return {address.decode("utf-8", "replace").casefold() for address in found}
