"""The daily papers by mail: claimed, sent, marked; to the real thing, a relay on loopback."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from flows.digest import subscribers as people
from flows.digest.sending import send_due
from flows.digest.state import opened
from flows.runtime.lake import open_database
from tests.relay import desk_at, relaying
from warehouse.release import query

CONFIRMED = datetime(2026, 10, 1, 12)
SATURDAY = datetime(2026, 10, 3, 12)


def test_the_lists_of_a_release_go_out_once(published: str, tmp_path: Path) -> None:
    with relaying() as relay, query.opened(open_database(published)) as database:
        desk = desk_at(tmp_path, relay)
        with opened(tmp_path) as connection:
            one = people.ask(connection, "ada@example.org", CONFIRMED)
            assert people.confirm(connection, one.number, CONFIRMED)
        assert send_due(desk, database, lambda: SATURDAY) == {"sent": 1}
        assert send_due(desk, database, lambda: SATURDAY) == {}
    [letter] = relay.letters
    assert (letter["To"], letter["List-Unsubscribe-Post"]) == ("ada@example.org", "List-Unsubscribe=One-Click")
    text = letter.get_body(("plain",)).get_content()
    assert text.count("Papers of ") == 2
    assert max(len(line) for line in text.splitlines() if "://" not in line) <= 78
