"""Claim, send, mark, with a relay on loopback: each letter once, whatever the relay says and whenever the clocks change."""

import fcntl
import json
import random
import resource
import sqlite3
import ssl
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock
from ipaddress import ip_address
from pathlib import Path
from threading import Timer

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from flows.running.mail import DigestConfig, Relayed
from flows.running.mail import Relay as Where
from paperlake.digest import subscribers as people
from paperlake.digest.deliveries import MOST_TRIES, Delivery, claim, due_letters, mark
from paperlake.digest.news import Newsroom
from paperlake.digest.register import erase_address, subscribers_text
from paperlake.digest.sending import LOCK, MOST_CUTS, send_due
from paperlake.digest.state import LETTERS, hashed, is_barred, opened, suppressed
from paperlake.digest.subscribers import KEPT_EDITIONS, KEPT_LISTS, Wishes
from tests.newsroom import Day, Row, released
from tests.relay import CUT, SECRET, Relay, config_at, dropping, part_of, relaying
from warehouse.errors import Damaged, MailFailed, StoreFailed
from warehouse.schema.daily_lists import list_days

THURSDAY, FRIDAY, MONDAY = date(2026, 10, 1), date(2026, 10, 2), date(2026, 10, 5)
PAPERS = (Row("2610.00001", "One"), Row("2610.00002", "Two", "Tidal Research", "kv cache"))
CONFIRMED = datetime(2026, 10, 1, 12)
SATURDAY = datetime(2026, 10, 3, 9)


def subscribed(config: DigestConfig, address: str, now: datetime = CONFIRMED, **wishes: object) -> int:
    with opened(config.folder) as connection:
        number = people.sign_up(connection, address, now).number
        assert people.confirm(connection, number, now)
        people.set_wishes(connection, number, Wishes(**wishes))
    return number


def send(config: DigestConfig, now: datetime, *days: Day) -> dict[str, int] | None:
    with released(config.folder, *days) as database:
        return send_due(config, database, lambda: now)


def claimed_by(connection: sqlite3.Connection, room: Newsroom) -> Iterator[Delivery]:
    found = due_letters(connection, room, SECRET, "example.org", SATURDAY)
    return (one for one in found if claim(connection, one, SECRET))


def state_of(config: DigestConfig, number: int) -> str:
    with opened(config.folder, is_reading=True) as connection:
        found = people.find(connection, number)
    return found.state if found else "gone"


def titles(relay: Relay) -> list[list[str]]:
    """The list days of each letter."""
    texts = [part_of(letter) for letter in relay.letters]
    return [[line for line in text.splitlines() if line.startswith("Papers of ")] for text in texts]


def test_each_list_goes_out_once(config: DigestConfig, relay: Relay) -> None:
    subscribed(config, "ada@example.org")
    lists = (Day(THURSDAY, PAPERS), Day(FRIDAY, PAPERS))
    assert send(config, datetime(2026, 10, 2, 8), lists[0]) == {"sent": 1}
    assert send(config, datetime(2026, 10, 2, 20), *lists) == {}  # one a date
    assert send(config, SATURDAY, *lists) == {"sent": 1}
    assert send(config, datetime(2026, 10, 4, 9), *lists) == {}
    assert titles(relay) == [["Papers of Thursday 1 October 2026"], ["Papers of Friday 2 October 2026"]]
    assert len({letter["Message-ID"] for letter in relay.letters}) == 2


@pytest.mark.parametrize("ahead", [timedelta(), timedelta(days=10)])
def test_what_was_sent_does_not_come_again_as_trending(config: DigestConfig, relay: Relay, ahead: timedelta) -> None:
    """Nor does what was sent as trending; who confirmed later gets it as such. A clock that was ahead is set back."""
    subscribed(config, "ada@example.org")
    lists = [
        Day(THURSDAY, PAPERS),
        Day(FRIDAY, (Row("2610.00003", "Three"),)),
        Day(MONDAY, (Row("2610.00004", "Four"),)),
    ]
    for number, now in enumerate((datetime(2026, 10, 2, 8) + ahead, SATURDAY, SATURDAY + timedelta(days=3)), 1):
        if number == 2:
            subscribed(config, "new@example.org", datetime(2026, 10, 2, 12))
        with released(config.folder, *lists[:number], trends=["2610.00001", "2610.00003"]) as database:
            send_due(config, database, lambda now=now: now)
    found = [
        (letter["To"], part_of(letter).count("Trending\n"), part_of(letter).count(". One\n"))
        for letter in relay.letters
    ]
    ada, new = "ada@example.org", "new@example.org"
    assert found == [(ada, 0, 1), (ada, 0, 0), (new, 1, 1), (ada, 0, 0), (new, 0, 0)]


def test_a_filter_that_found_nothing_in_a_month_is_told_once(config: DigestConfig, relay: Relay) -> None:
    """By itself where there is no paper to tell of; and where a release has few lists, not at all."""
    month = [Day(day, PAPERS[1:]) for day in list_days(date(2026, 9, 1), FRIDAY)]
    subscribed(config, "some@example.org", keywords=("kv cache", "looms <b>"))
    subscribed(config, "nothing@example.org", authors=("Nobody",))
    assert send(config, SATURDAY, *month[-14:]) == {"sent": 1}
    assert send(config, SATURDAY + timedelta(days=1), *month) == {"sent": 2}
    more = (*month, Day(MONDAY, PAPERS))
    assert send(config, SATURDAY + timedelta(days=3), *more) == {"sent": 1}
    told = "Filters without a paper in 30 days"
    found = [(letter["To"], told in part_of(letter), told in part_of(letter, "html")) for letter in relay.letters]
    some, nothing = "some@example.org", "nothing@example.org"
    assert sorted(found) == [(nothing, True, True), *[(some, False, False)] * 2, (some, True, True)]
    [alone] = [letter for letter in relay.letters if letter["To"] == nothing]
    assert alone["Subject"] == "A filter of yours found nothing in 30 days"
    assert "the author “Nobody”" in part_of(alone)
    assert "https://papers.example.org/preferences/" in part_of(alone)


def test_a_file_of_an_earlier_version_is_upgraded(config: DigestConfig) -> None:
    number = subscribed(config, "ada@example.org", keywords=("looms",))
    with opened(config.folder) as connection:
        for table, column in (("subscribers", "authors"), ("subscribers", "wants_now"), ("deliveries", "silent")):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        connection.execute("PRAGMA user_version = 2")
    with opened(config.folder, is_reading=True) as connection:
        assert people.find(connection, number).wishes == Wishes(keywords=("looms",))
    with opened(config.folder) as connection:
        people.set_wishes(connection, number, Wishes(authors=("Ada Lund",)))
        assert people.find(connection, number).wishes.authors == ("Ada Lund",)


def test_only_who_confirmed_gets_letters_and_no_list_from_before(config: DigestConfig, relay: Relay) -> None:
    with opened(config.folder) as connection:
        people.sign_up(connection, "asked@example.org", CONFIRMED)
    subscribed(config, "new@example.org", datetime(2026, 10, 2, 12))
    assert send(config, SATURDAY, Day(THURSDAY, PAPERS), Day(FRIDAY, PAPERS)) == {"sent": 1}
    assert (relay.counts, titles(relay)) == ({"new@example.org": 1}, [["Papers of Friday 2 October 2026"]])


def test_a_list_that_is_not_over_is_no_news_and_a_partial_one_says_why(config: DigestConfig, relay: Relay) -> None:
    subscribed(config, "ada@example.org", hour=0)
    partial = Day(THURSDAY, PAPERS, "partial", "fetched before the list was closed")
    assert send(config, datetime(2026, 10, 2, 8, 29), partial) == {}  # over at 01:30; 7 hours are not
    assert send(config, datetime(2026, 10, 2, 8, 30), partial) == {"sent": 1}
    [letter] = relay.letters
    for kind in ("plain", "html"):
        assert "may be missing: fetched before the list was closed" in part_of(letter, kind)


def test_a_missing_list_is_mentioned_and_sent_once_when_it_comes(config: DigestConfig, relay: Relay) -> None:
    subscribed(config, "ada@example.org")
    missing, friday = Day(THURSDAY, (), "missing", "failed: HTTP 503"), Day(FRIDAY, PAPERS)
    assert send(config, datetime(2026, 10, 2, 12), missing) == {}  # no list, no letter
    assert send(config, SATURDAY, missing, friday) == {"sent": 1}
    assert send(config, SATURDAY + timedelta(days=1), missing, friday) == {}
    late = Day(THURSDAY, PAPERS)
    assert send(config, SATURDAY + timedelta(days=2), late, friday) == {"sent": 1}
    assert send(config, SATURDAY + timedelta(days=3), late, friday, Day(MONDAY, PAPERS)) == {"sent": 1}
    assert titles(relay) == [[f"Papers of {day} October 2026"] for day in ("Friday 2", "Thursday 1", "Monday 5")]
    first, *others = (part_of(letter) for letter in relay.letters)
    assert "Days without a list\n-------------------\nThursday 1 October 2026: failed: HTTP 503\n" in first
    assert not any("Days without a list" in text for text in others)


def test_a_list_that_was_sent_and_is_gone_since_is_no_gap(config: DigestConfig, relay: Relay) -> None:
    """As after a rollback, or where its page was disowned."""
    subscribed(config, "ada@example.org")
    assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == {"sent": 1}
    assert send(config, datetime(2026, 10, 6, 9), Day(FRIDAY, (), "missing"), Day(MONDAY, PAPERS)) == {"sent": 1}
    assert "Days without a list" not in part_of(relay.letters[-1])


def test_a_list_that_is_gone_when_a_letter_is_tried_again_comes_later(config: DigestConfig, relay: Relay) -> None:
    """Whether another list is left for that letter or none; after a rollback, for days; with a filter, too."""
    subscribed(config, "ada@example.org")
    subscribed(config, "bob@example.org", keywords=("kv cache",))

    def all_busy() -> dict[str, list[str]]:
        return {f"{name}@example.org": ["450 busy"] for name in ("ada", "bob")}

    thursday, friday, sunday = Day(THURSDAY, PAPERS), Day(FRIDAY, PAPERS), SATURDAY + timedelta(days=1)
    relay.answers = all_busy()
    assert send(config, SATURDAY, thursday, friday) == {"deferred": 2}
    assert send(config, SATURDAY, friday) == {"sent": 2}
    relay.answers = all_busy()
    assert send(config, sunday, thursday, friday) == {"deferred": 2}
    with opened(config.folder) as connection:
        connection.execute("UPDATE deliveries SET tries = ?", (MOST_TRIES - 1,))
    assert [send(config, sunday, friday) for _ in range(3)] == [{}] * 3
    assert send(config, sunday, thursday, friday) == {"sent": 2}
    assert send(config, SATURDAY + timedelta(days=2), thursday, friday) == {}
    assert titles(relay) == [["Papers of Friday 2 October 2026"]] * 2 + [["Papers of Thursday 1 October 2026"]] * 2


def test_a_gap_of_a_letter_that_ends_unsent_is_told_with_the_next(config: DigestConfig, relay: Relay) -> None:
    subscribed(config, "ada@example.org")
    assert send(config, SATURDAY, Day(THURSDAY, PAPERS)) == {"sent": 1}
    relay.answers["ada@example.org"] = ["450 busy"]
    missing, monday, tuesday = Day(FRIDAY, (), "missing"), Day(MONDAY, PAPERS), datetime(2026, 10, 6, 9)
    assert send(config, tuesday, missing, monday) == {"deferred": 1}
    assert send(config, tuesday, missing) == {}
    assert send(config, tuesday, missing, monday) == {"sent": 1}
    assert "Days without a list" in part_of(relay.letters[-1])


def test_a_letter_of_which_nothing_is_wanted_any_more_ends_untold(config: DigestConfig, relay: Relay) -> None:
    number = subscribed(config, "ada@example.org")
    relay.answers["ada@example.org"] = ["450 busy"]
    assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == {"deferred": 1}
    for wishes, expected in ((Wishes(keywords=("looms",)), {}), (Wishes(), {"sent": 1})):
        with opened(config.folder) as connection:
            people.set_wishes(connection, number, wishes)
        assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == expected


def test_a_refused_address_gets_no_more_and_its_hash_stays(config: DigestConfig, relay: Relay) -> None:
    number = subscribed(config, "gone@example.org")
    relay.answers["gone@example.org"] = ["550 5.1.1 <gone@example.org>: no such user"]
    assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == {"bounced": 1}
    assert send(config, SATURDAY + timedelta(days=3), Day(FRIDAY, PAPERS), Day(MONDAY, PAPERS)) == {}
    assert state_of(config, number) == "bounced"
    with opened(config.folder) as connection:
        assert suppressed(connection, hashed(SECRET, "gone@example.org")) == "bounced"


DEFERRING = ("451 4.7.1 greylisted", "554 5.7.1 relay access denied", "552 5.2.2 mailbox full")


def test_deferred_letters_are_tried_again_with_the_same_message_ids(config: DigestConfig, relay: Relay) -> None:
    relay.answers = {f"{place}@example.org": [answer] for place, answer in enumerate(DEFERRING)}
    numbers = [subscribed(config, address) for address in relay.answers]
    relay.at_data = {address: ["451 try again"] for address in relay.answers}
    for expected in ({"deferred": 3}, {"deferred": 3}, {"sent": 3}, {}):
        with opened(config.folder) as connection:
            claimed = {row["message_id"] for row in connection.execute("SELECT message_id FROM deliveries")}
        assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == expected
    assert {letter["Message-ID"] for letter in relay.letters} == claimed
    assert [state_of(config, number) for number in numbers] == ["active"] * 3


def test_a_letter_that_is_deferred_for_a_day_is_given_up(config: DigestConfig, relay: Relay) -> None:
    subscribed(config, "ada@example.org")
    relay.answers["ada@example.org"] = ["450 busy"] * 3
    done = []
    for tries in (0, MOST_TRIES - 2, MOST_TRIES - 1, MOST_TRIES):
        with opened(config.folder) as connection:
            connection.execute("UPDATE deliveries SET tries = ?", (tries,))
        done.append(send(config, SATURDAY, Day(FRIDAY, PAPERS)))
    assert done == [{"deferred": 1}, {"deferred": 1}, {"failed": 1}, {}]


def test_what_a_killed_run_claimed_is_sent_with_the_same_message_id(config: DigestConfig, relay: Relay) -> None:
    subscribed(config, "ada@example.org")
    with released(config.folder, Day(FRIDAY, PAPERS)) as database, opened(config.folder) as connection:
        room = Newsroom(database, SATURDAY)
        [claimed] = claimed_by(connection, room)
    assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == {"sent": 1}
    assert [letter["Message-ID"] for letter in relay.letters] == [claimed.message_id]


def test_who_is_erased_while_a_run_waits_gets_no_letter(config: DigestConfig, relay: Relay) -> None:
    for name in ("ada", "bob"):
        subscribed(config, f"{name}@example.org")
    relay.on_taken = lambda *_: Timer(0.3, erase_address, (config, "bob@example.org", SATURDAY)).start()
    assert send(replace(config, per_minute=60), SATURDAY, Day(FRIDAY, PAPERS)) == {"sent": 1}
    assert relay.counts == {"ada@example.org": 1}


@pytest.mark.timeout(50)
def test_a_run_does_not_wait_after_its_last_letter(config: DigestConfig, relay: Relay) -> None:
    subscribed(config, "ada@example.org")
    assert send(replace(config, per_minute=1), SATURDAY, Day(FRIDAY, PAPERS)) == {"sent": 1}


def test_who_is_erased_while_their_letter_bounces_stays_erased(config: DigestConfig) -> None:
    subscribed(config, "ada@example.org")
    with released(config.folder, Day(FRIDAY, PAPERS)) as database, opened(config.folder) as connection:
        [claimed] = claimed_by(connection, Newsroom(database, SATURDAY))
        erase_address(config, "ada@example.org", SATURDAY)
        mark(connection, claimed, Relayed("bounced"), SECRET, SATURDAY)
        assert is_barred(connection, SECRET, "ada+alias@example.org")


def test_the_register_has_the_last_letter(config: DigestConfig, relay: Relay) -> None:
    for name in ("ada", "bob"):
        subscribed(config, f"{name}@example.org")
    relay.answers["bob@example.org"] = ["450 4.2.1 busy"] * 2
    with opened(config.folder) as connection:
        people.sign_up(connection, "asked@example.org", CONFIRMED)
    send(config, SATURDAY, Day(FRIDAY, PAPERS))
    rows = json.loads(subscribers_text(config.folder, "json"))
    assert [(row["address"], row["last_letter"]) for row in rows] == [
        ("ada@example.org", "2026-10-03 sent"),
        ("bob@example.org", "2026-10-03 deferred 450 4.2.1"),
        ("asked@example.org", None),
    ]


def test_what_is_old_by_the_order_of_the_lists_is_forgotten(config: DigestConfig) -> None:
    """An address that nobody confirmed after three lists, a letter and a list after ninety; the clock does not count."""
    number = subscribed(config, "ada@example.org")
    days = list(list_days(FRIDAY, date(2027, 3, 1)))
    known = []
    with opened(config.folder) as connection:
        people.sign_up(connection, "asked@example.org", CONFIRMED)
        for day in days:
            found = Delivery(people.everyone(connection)[0], day, (day,), (), f"<{day}>", CONFIRMED)
            connection.execute("DELETE FROM counted")
            assert claim(connection, found, SECRET)
            mark(connection, found, Relayed("sent"), SECRET, CONFIRMED)
            people.forget_old(connection, day, CONFIRMED)
            known.append(len(people.everyone(connection)))
        kept = [row["local_on"] for row in connection.execute("SELECT local_on FROM deliveries ORDER BY local_on")]
        told = [row["listed_on"] for row in connection.execute("SELECT listed_on FROM told ORDER BY listed_on")]
        assert known == [2] * (KEPT_EDITIONS - 1) + [1] * (len(days) - KEPT_EDITIONS + 1)
        assert kept == told == [str(day) for day in days[-KEPT_LISTS - 1 :]]
        assert people.find(connection, number).first_list == days[-KEPT_LISTS - 1], (
            "what is forgotten is not sent again"
        )


def test_a_broken_connection_defers_that_letter_only(config: DigestConfig, relay: Relay) -> None:
    for name in ("ada", "bob", "eve"):
        subscribed(config, f"{name}@example.org")
    relay.at_data["bob@example.org"] = [CUT]
    assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == {"sent": 2, "deferred": 1}
    assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == {"sent": 1}
    assert relay.counts == {f"{name}@example.org": 1 for name in ("ada", "bob", "eve")}


@pytest.mark.parametrize("when", ["greeting", "DATA"])
def test_a_relay_that_drops_ends_the_run_and_loses_nothing(config: DigestConfig, relay: Relay, when: str) -> None:
    names = [f"ada{number}@example.org" for number in range(MOST_CUTS + 5)]
    for name in names:
        subscribed(config, name)
    with dropping(when) as port, pytest.raises(MailFailed, match=rf"127\.0\.0\.1:{port}") as caught:
        send(config_at(config.folder, relay, relay=Where("smtp", "127.0.0.1", port)), SATURDAY, Day(FRIDAY, PAPERS))
    assert "ada" not in str(caught.value)
    assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == {"sent": len(names)}
    assert relay.counts == dict.fromkeys(names, 1)


def test_a_mailbox_of_many_subscriptions_gets_three_letters_a_day(config: DigestConfig, relay: Relay) -> None:
    for number in range(LETTERS.times + 2):
        subscribed(config, f"ada+{number}@example.org")
    assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == {"sent": LETTERS.times}
    assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == {}
    assert send(config, SATURDAY + timedelta(days=1), Day(FRIDAY, PAPERS)) == {"sent": 2}


def test_who_leaves_while_a_run_is_under_way_gets_no_letter(config: DigestConfig, relay: Relay) -> None:
    """Two of three letters were deferred, the third is due."""
    numbers = {subscribed(config, f"{name}@example.org") for name in ("ada", "bob", "eve")}
    relay.answers |= {f"{name}@example.org": ["451 later"] for name in ("ada", "bob")}
    with opened(config.folder) as connection:
        connection.execute("UPDATE subscribers SET hour = 23 WHERE address = 'eve@example.org'")
    assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == {"deferred": 2}

    def everybody_leaves(*_: object) -> None:
        with opened(config.folder) as connection:
            for number in numbers:
                people.remove(connection, number, SECRET, "unsubscribed", SATURDAY)

    relay.on_taken = everybody_leaves
    assert send(config, datetime(2026, 10, 3, 23), Day(FRIDAY, PAPERS)) == {"sent": 1}
    assert relay.counts == {"ada@example.org": 1}


@pytest.mark.slow
def test_clocks_that_jump_send_no_list_twice_and_forget_nobody(config: DigestConfig, relay: Relay) -> None:
    """A list each weekday, a run each day and others in between, ten years ahead or behind, or days."""
    chance, jumps = random.Random(26), (3650, 3650, 100, 13, 2, 1)
    for name in ("daily", "asked", "weekly"):
        with opened(config.folder) as connection:
            people.sign_up(connection, f"{name}@example.org", CONFIRMED)
    with opened(config.folder) as connection:
        for number, years in ((1, 0), (3, 10)):  # the third confirms under a clock that is ahead
            assert people.confirm(connection, number, CONFIRMED + timedelta(days=3650 * (years > 0)))
        people.set_wishes(connection, 3, Wishes(weekday=4))
    days = [Day(day, PAPERS) for day in list_days(THURSDAY, date(2026, 10, 20))]
    for day in days:
        now = datetime.combine(day.listed_on + timedelta(days=1), clock(12))
        wrong = [now + timedelta(days=chance.choice((-1, 1)) * chance.choice(jumps)) for _ in range(2)]
        for moment in chance.sample([*wrong, now], 3):
            with released(config.folder, *(one for one in days if one.listed_on < now.date())) as database:
                send_due(config, database, lambda moment=moment: moment)
        if day.listed_on == THURSDAY:
            with opened(config.folder) as connection:
                assert people.confirm(connection, 2, now), "who was asked a day ago is not forgotten"
    send(config, datetime(2026, 10, 23, 12), *days)  # a Friday
    got = Counter(
        (letter["To"], line) for letter, lines in zip(relay.letters, titles(relay), strict=True) for line in lines
    )
    assert set(got.values()) == {1}
    counts = Counter(address for address, _ in got)
    assert counts["daily@example.org"] == len(days)
    assert min(counts[f"{name}@example.org"] for name in ("asked", "weekly")) >= len(days) - 1


def test_of_two_runs_only_one_claims_a_letter(config: DigestConfig) -> None:
    """By the lock; and without it, by the database."""
    subscribed(config, "ada@example.org")
    with (config.folder / LOCK).open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) is None
    with (
        released(config.folder, Day(FRIDAY, PAPERS)) as database,
        opened(config.folder) as one,
        opened(config.folder) as two,
    ):
        room = Newsroom(database, SATURDAY)
        both = [claimed_by(connection, room) for connection in (one, two)]
        assert [len(list(each)) for each in both] == [1, 0]


def test_a_run_that_cannot_write_beside_the_subscribers_says_where(config: DigestConfig) -> None:
    (config.folder / LOCK).mkdir(parents=True)
    with pytest.raises(StoreFailed, match="PAPERLAKE_STATE"):
        send(config, SATURDAY, Day(FRIDAY, PAPERS))


def test_a_weekly_letter_has_the_lists_of_the_week_and_may_be_late(config: DigestConfig, relay: Relay) -> None:
    subscribed(config, "ada@example.org", weekday=0)
    lists = [Day(day, PAPERS) for day in list_days(THURSDAY, date(2026, 10, 16))]
    due = {datetime(2026, 10, day, 8): count for day, count in ((5, 1), (6, 0), (14, 1), (19, 1), (20, 0))}
    due[datetime(2026, 10, 5, 7, 59)] = 0  # on the 12th and 13th nobody ran it
    for now, count in sorted(due.items()):
        assert send(config, now, *(one for one in lists if one.listed_on < now.date())) == (
            {"sent": 1} if count else {}
        )
    assert [len(one) for one in titles(relay)] == [2, 7, 3]


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A self-signed one of this machine, with its key."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    path = tmp_path / "certificate.pem"
    path.write_bytes(
        made.public_bytes(pem) + key.private_bytes(pem, serialization.PrivateFormat.TraditionalOpenSSL, plain)
    )
    return path


@pytest.mark.parametrize("scheme", ["smtps", "smtp+starttls"])
def test_a_relay_is_spoken_to_by_tls_and_only_with_a_certificate_that_holds(
    tmp_path: Path, certificate: Path, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    options = {"ssl_context": context} if scheme == "smtps" else {"tls_context": context, "require_starttls": True}
    with relaying(**options) as relay:
        config = config_at(tmp_path, relay, relay=Where(scheme, "127.0.0.1", relay.port))
        subscribed(config, "ada@example.org")
        with pytest.raises(MailFailed):
            send(config, SATURDAY, Day(FRIDAY, PAPERS))
        assert relay.taken == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert send(config, SATURDAY, Day(FRIDAY, PAPERS)) == {"sent": 1}


def test_a_relay_without_starttls_gets_nothing(tmp_path: Path) -> None:
    with relaying() as relay:
        config = config_at(tmp_path, relay, relay=Where("smtp+starttls", "127.0.0.1", relay.port))
        subscribed(config, "ada@example.org")
        with pytest.raises(MailFailed, match="relay"):
            send(config, SATURDAY, Day(FRIDAY, PAPERS))
        assert relay.taken == []


def test_a_file_that_is_no_database_is_named(config: DigestConfig) -> None:
    subscribed(config, "ada@example.org")
    for path in config.folder.glob("digest.sqlite3*"):
        path.write_bytes(b"nonsense" * 1000)
    with pytest.raises(Damaged, match=r"digest\.sqlite3 is no database"), opened(config.folder) as connection:
        people.everyone(connection)


def test_only_its_owner_reads_the_database(config: DigestConfig) -> None:
    with opened(config.folder) as connection:
        people.sign_up(connection, "ada@example.org", CONFIRMED)
        files = {path.name: path.stat().st_mode & 0o077 for path in config.folder.glob("digest.sqlite3*")}
    assert files == dict.fromkeys(("digest.sqlite3", "digest.sqlite3-shm", "digest.sqlite3-wal"), 0)


@pytest.mark.parametrize("room", [0, 20_000])
def test_a_state_without_room_is_named_and_has_nothing_half(config: DigestConfig, room: int) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(StoreFailed, match="PAPERLAKE_STATE"), opened(config.folder):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(config.folder.iterdir()) == []


def test_a_state_that_cannot_be_written_is_named(config: DigestConfig) -> None:
    config.folder.parent.joinpath("file").write_text("")
    with pytest.raises(StoreFailed, match="PAPERLAKE_STATE"), opened(config.folder.parent / "file" / "state"):
        pass
