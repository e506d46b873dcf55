"""Requests for a link: each is queued, and answered apart from the pages, so that no page tells who is known.

Whatever the address, a request is one row, and answering it takes the same work, up to a letter that is not sent
where the address may get none. Requests are counted by the network that they come from.
"""

import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Event, Thread
from typing import Final, NamedTuple

import idna

from flows.running.mail import DigestConfig, Mailer
from flows.runtime.progress import log
from flows.runtime.setting_types import MAILBOX
from paperlake.digest import state
from paperlake.digest import subscribers as people
from paperlake.digest.letters import Envelope, note
from paperlake.digest.subscribers import Purpose, link
from warehouse.errors import PaperlakeError, UsageError

MOST_ADDRESS: Final = 254  # of RFC 5321
IPV4_NETWORK: Final = 24  # bits: what a small provider or an office has
IPV6_NETWORK: Final = 48  # what one site is given
EVERY: Final = 5.0  # seconds between two looks at the queue
SELDOM: Final = 300.0  # while the relay does not answer
STOP_SECONDS: Final = 5.0
TAKE: Final = "DELETE FROM requests WHERE id = (SELECT min(id) FROM requests) RETURNING address"


def address_of(text: str) -> str:
    """An address that a relay takes, its host in lower case and in ASCII.

    >>> address_of(" Ada@Example.ORG "), address_of("ada@bücher.example")
    ('Ada@example.org', 'ada@xn--bcher-kva.example')
    """
    mailbox, _, host = text.strip().rpartition("@")
    try:
        address = f"{mailbox}@{host.lower() if host.isascii() else idna.encode(host, uts46=True).decode()}"
    except idna.IDNAError:
        address = ""
    if len(address) > MOST_ADDRESS or not MAILBOX.fullmatch(address):
        raise UsageError("that is not a mail address; before the @ it may have ASCII characters only")
    return address


def network_of(host: str) -> str:
    """By what requests are counted: the network of a client's IP.

    >>> network_of("198.51.100.7"), network_of("::ffff:198.51.100.7"), network_of("2001:db8:1:2::7")
    ('198.51.100.0/24', '198.51.100.0/24', '2001:db8:1::/48')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    bits = IPV6_NETWORK if isinstance(address, IPv6Address) else IPV4_NETWORK
    return str(ip_network((address, bits), strict=False))


class Answer(NamedTuple):
    """The letter that answers a request; without a subscriber it is not sent."""

    letter: bytes
    subscriber: people.Subscriber | None


def ask(connection: sqlite3.Connection, secret: bytes, address: str, network: str, now: datetime) -> bool:
    """Queue a request for a link to an address; False where this network, or all together, asked too often."""
    counted = state.of_request(secret, network)
    with state.transaction(connection):
        if not state.is_within(connection, counted, now):
            return False
        state.count_letter(connection, counted, now)
        connection.execute("INSERT INTO requests (address, at) VALUES (?, ?)", (address, now.isoformat()))
    return True


def answer_requests(config: DigestConfig, clock: Callable[[], datetime]) -> None:
    """Send the links that were asked for. MailFailed where the relay cannot be reached: they stay in the queue."""
    with state.opened(config.folder) as connection:
        if not connection.execute("SELECT id FROM requests LIMIT 1").fetchall():
            return
        with Mailer(config.relay) as mailer:
            try:
                _answer_all(mailer, connection, config, clock)
            finally:  # no address stays in the log of writes
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


@contextmanager
def answering(config: DigestConfig, clock: Callable[[], datetime], also: Callable[[], object]) -> Iterator[None]:
    """Answer requests in a thread of its own for as long as the block lasts, and do what else is asked for."""
    stop = Event()
    thread = Thread(target=_keep_answering, args=(config, clock, also, stop), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(STOP_SECONDS)


def _keep_answering(
    config: DigestConfig, clock: Callable[[], datetime], also: Callable[[], object], stop: Event
) -> None:
    pause = EVERY
    while not stop.wait(pause):
        try:
            answer_requests(config, clock)
            also()
            pause = EVERY
        except PaperlakeError as error:
            log.warning("%s", error)
            pause = min(2 * pause, SELDOM)


def _answer_all(
    mailer: Mailer, connection: sqlite3.Connection, config: DigestConfig, clock: Callable[[], datetime]
) -> None:
    mailer.connect()
    while answer := _take(connection, config, clock()):
        if answer.subscriber is None:
            continue
        address = answer.subscriber.address
        outcome = mailer.hand_over(config.sender.addr_spec, address, answer.letter)
        if outcome.state != "sent":
            log.warning("a link to %r: %s, %s", answer.subscriber, outcome.state, outcome.status)
        mailer.connect()  # before the next is taken


def _take(connection: sqlite3.Connection, config: DigestConfig, now: datetime) -> Answer | None:
    """Take the oldest request off the queue; None where there is no other. It is not sent twice, rather not at all."""
    with state.transaction(connection):
        rows = connection.execute(TAKE).fetchall()
        if not rows:
            return None
        address = rows[0]["address"]
        counted = state.of_mailbox(config.secret, address, state.LETTERS, state.LINKS)
        subscriber = None
        if state.is_within(connection, counted, now) and not state.is_barred(connection, config.secret, address):
            state.count_letter(connection, counted, now)
            subscriber = people.sign_up(connection, address, now)
    purpose = Purpose.PREFERENCES if subscriber and subscriber.state == "active" else Purpose.CONFIRM
    message_id = f"<{secrets.token_hex(16)}@{config.sender.domain}>"
    url = link(config.url, config.secret, purpose, subscriber.number if subscriber else 0)
    return Answer(note(config, purpose, Envelope(address, message_id, now, url)), subscriber)
