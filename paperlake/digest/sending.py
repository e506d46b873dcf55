"""One run of the digest: the letters that are due, one after the other, each claimed, sent and marked."""

import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Final

from flows.running.mail import CUT_OFF, DigestConfig, Mailer, config_of
from flows.runtime.environment import utc_now
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from flows.runtime.settings import load
from paperlake.digest.deliveries import (
    Delivery,
    claim,
    drop_gone_lists,
    due_letters,
    earlier_letters,
    mark,
    unfinished,
)
from paperlake.digest.letters import Envelope, edition
from paperlake.digest.news import Newsroom, OpenRelease, newest_list
from paperlake.digest.state import opened
from paperlake.digest.subscribers import Purpose, forget_old, link
from paperlake.reading.lake_files import shared_database
from warehouse.errors import Damaged, MailFailed, NothingThere, StoreFailed
from warehouse.people.ledger import Ledger
from warehouse.release.latest import latest
from warehouse.release.query import Database
from warehouse.store.temporary import takes

LOCK: Final = "digest.lock"
MOST_CUTS: Final = 10  # letters in a row: then the relay is at fault, and the others are not tried in this run
NOTHING_DUE: Final = "no letter is due"
Now = Callable[[], datetime]


def send_of_latest(lake: str) -> str:
    """Step `send letters`: send those that are due from the latest release, and return a summary line.

    Before the first release none is due. InUse while a person is being erased, who may be in it still, and Superseded
    where that began meanwhile.
    """
    if latest(store := open_lake(lake)) is None:
        return NOTHING_DUE
    ledger = Ledger(store)
    with quiet_database(lake) as database:
        return summary_line(send_due(config_of(load()), database, utc_now, may_go=ledger.require_same))


def quiet_database(lake: str) -> AbstractContextManager[Database]:
    """The database of the latest release, for letters and pages; InUse while a person is being erased from it."""
    Ledger(open_lake(lake)).require_quiet()
    return shared_database(lake)


def send_first(config: DigestConfig, release: OpenRelease, clock: Now) -> None:
    """Send the first letters that were asked for at once; one that cannot be made comes with those that are due."""
    with opened(config.folder) as connection:
        hurried = connection.execute("SELECT id FROM subscribers WHERE wants_now = 1").fetchall()
    if not hurried:
        return
    done = None
    try:
        with release() as database:
            done = send_due(config, database, clock, is_hurried=True)
    except (NothingThere, StoreFailed, Damaged) as error:
        log.warning("no first letters: %s", error)
        done = Counter()
    if done is not None:
        with opened(config.folder) as connection:
            ended = [(row["id"],) for row in hurried]
            connection.executemany("UPDATE subscribers SET wants_now = 0 WHERE id = ?", ended)


def send_due(
    config: DigestConfig,
    database: Database,
    clock: Now,
    *,
    is_hurried: bool = False,
    may_go: Callable[[], object] = int,
) -> Counter[str] | None:
    """Send the letters that are due, and count their outcomes; None where another run on this machine is sending.

    With `is_hurried` only those to subscribers who asked for the first one at once. `may_go` is called before each.

    A letter that is claimed and not marked was claimed by a run that ended in between, as there is one at a time: it
    may have been sent or not, so it is sent again, with the same Message-ID. MailFailed where no relay answers.
    """
    with opened(config.folder) as connection, _alone(config.folder) as is_alone:
        if not is_alone:
            return None
        forget_old(connection, newest_list(database), clock())
        begun = {day for one in unfinished(connection) for day in (*one.lists, *one.gaps)}
        room = Newsroom(database, clock(), begun)
        drop_gone_lists(connection, room)
        due = due_letters(connection, room, config.secret, config.sender.domain, clock())
        asked = (one for one in due if one.subscriber.is_hurried or not is_hurried)
        claimed = () if is_hurried else unfinished(connection)
        letters = chain(((one, True) for one in claimed), ((one, False) for one in asked))
        return _send(config, room, connection, letters, clock, may_go=may_go)


def is_any_due(config: DigestConfig, database: Database, now: datetime) -> bool:
    """Whether a run would send anything; it claims nothing."""
    with opened(config.folder) as connection:
        room = Newsroom(database, now)
        letters = chain(unfinished(connection), due_letters(connection, room, config.secret, config.sender.domain, now))
        return any(True for _ in letters)


def summary_line(done: Counter[str] | None) -> str:
    """The outcomes of a run's letters, in a line."""
    if done is None:
        return "another run sends letters just now"
    return ", ".join(f"{count} {state}" for state, count in sorted(done.items())) or NOTHING_DUE


def _send(  # noqa: PLR0913 - what a run is made of
    config: DigestConfig,
    room: Newsroom,
    connection: sqlite3.Connection,
    deliveries: Iterable[tuple[Delivery, bool]],
    clock: Now,
    *,
    may_go: Callable[[], object],
) -> Counter[str]:
    """Send the letters, each with whether it is claimed already, and count their outcomes."""
    done = Counter[str]()
    cuts, ready = 0, 0.0
    with Mailer(config.relay) as mailer:
        for delivery, is_claimed in deliveries:
            time.sleep(max(ready - time.monotonic(), 0))  # before it is claimed: who leaves meanwhile gets none
            may_go()
            if not (is_claimed or claim(connection, delivery, config.secret)):
                continue
            ready = time.monotonic() + 60 / config.per_minute
            mailer.connect()
            if not (letter := _letter(config, room, connection, delivery)):
                continue  # other papers are wanted since this run began: the next one sees to it
            outcome = mailer.hand_over(config.sender.addr_spec, delivery.subscriber.address, letter)
            state = mark(connection, delivery, outcome, config.secret, clock())
            done[state] += 1
            if state != "sent":
                log.warning("letter to %r of %s: %s, %s", delivery.subscriber, delivery.local_on, state, outcome.status)
            cuts = cuts + 1 if outcome == CUT_OFF else 0
            if cuts == MOST_CUTS:
                raise MailFailed(f"the mail relay {config.relay!r} broke off {cuts} letters in a row; look at its log")
    return done


def _letter(config: DigestConfig, room: Newsroom, connection: sqlite3.Connection, delivery: Delivery) -> bytes:
    """The letter that was claimed; empty where nothing of its lists is wanted any more."""
    subscriber = delivery.subscriber
    earlier = earlier_letters(connection, delivery)
    news = room.news(subscriber.wishes, delivery.lists, delivery.gaps, earlier, delivery.silent)
    if news is None:
        return b""
    leave, choose = (
        link(config.url, config.secret, purpose, subscriber.number)
        for purpose in (Purpose.UNSUBSCRIBE, Purpose.PREFERENCES)
    )
    return edition(config, news, Envelope(subscriber.address, delivery.message_id, delivery.at, leave, choose))


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Yields whether no other process is in this block, by a lock that the system releases where one is killed."""
    with (folder / LOCK).open("ab") as file:
        yield takes(file.fileno(), folder / LOCK)
