"""The register of subscribers, for whoever runs the digest: list them, erase one, allow one again."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Final

from flows.digest.config import DigestConfig
from flows.digest.hashes import allow, hashed, suppress
from flows.digest.pages.choices import WEEKDAYS, address_of
from flows.digest.state import opened
from flows.digest.subscribers import everyone, find_address, remove

# Of each subscriber the letter of the last date; in SQLite the other columns are those of the row with the maximum
LAST: Final = "SELECT subscriber, max(local_on) || ' ' || state || ' ' || status FROM deliveries GROUP BY subscriber"


def subscribers_text(folder: Path, output_format: str) -> str:
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
    lines = [f"{'number':>6}  {'state':8}{'when':24}{'zone':22}{'last letter':30}address"]
    for one in found:
        day = "daily" if one.wishes.weekday is None else f"on {WEEKDAYS[one.wishes.weekday]}"
        when, letter = f"{day}, {one.wishes.hour:02}:00", last.get(one.number, "none")
        lines.append(f"{one.number:6}  {one.state:8}{when:24}{one.wishes.zone:22}{letter:30}{one.address}")
    return "\n".join(lines) + "\n"


def erase_address(config: DigestConfig, text: str, now: datetime) -> str:
    """Forget an address, whether it subscribed or not, and never write to it again; returns what was done."""
    address = address_of(text)
    with opened(config.folder) as connection:
        subscriber = find_address(connection, address)
        if subscriber is not None:
            remove(connection, subscriber.number, config.secret, "erased", now)
            return f"erased {subscriber!r}; it is never written to again"
        suppress(connection, hashed(config.secret, address), "erased", now)
    return "no subscriber has this address; it is never written to"


def allow_address(config: DigestConfig, text: str) -> str:
    """Let an address subscribe again; returns what was done."""
    address = address_of(text)
    with opened(config.folder) as connection:
        was_barred = allow(connection, hashed(config.secret, address))
        subscriber = find_address(connection, address)
        if subscriber is not None and subscriber.state == "bounced":
            connection.execute("UPDATE subscribers SET state = 'active' WHERE id = ?", (subscriber.number,))
    return "it may subscribe again" if was_barred else "it was not kept out"
