"""Statistics of this machine's runs: how long steps took, how runs ended, alerts sent. SQLite, in PAPERLAKE_STATE.

A run never fails because of them: what cannot be recorded is missing from the metrics.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote

from flows.runtime.environment import utc_now
from flows.runtime.progress import log
from flows.runtime.settings import load
from warehouse.errors import PaperlakeError

NAME: Final = "runs.sqlite3"
WAIT_SECONDS: Final = 5.0  # for another process that writes just then; each write takes milliseconds
UNRECORDED: Final = "statistics of runs were not recorded (look at PAPERLAKE_STATE): %s"
SUCCEEDED: Final = ""
AGAIN_AFTER: Final = timedelta(days=1)  # a failure that goes on is one alert a day
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS steps (
    lake TEXT, step TEXT, count INTEGER NOT NULL, seconds REAL NOT NULL, last_seconds REAL NOT NULL,
    PRIMARY KEY (lake, step)
) STRICT;
CREATE TABLE IF NOT EXISTS ends (  -- kind: the error that ended a run; empty for a run that did what it should
    lake TEXT, flow TEXT, kind TEXT, count INTEGER NOT NULL, last_at TEXT NOT NULL,
    PRIMARY KEY (lake, flow, kind)
) STRICT;
CREATE TABLE IF NOT EXISTS told (  -- alerts that were sent, and when last, until a run of the flow succeeds
    lake TEXT, flow TEXT, kind TEXT, at TEXT NOT NULL, PRIMARY KEY (lake, flow, kind)
) STRICT;
"""
STEP: Final = """
INSERT INTO steps VALUES (:lake, :step, 1, :seconds, :seconds)
ON CONFLICT DO UPDATE SET count = count + 1, seconds = seconds + :seconds, last_seconds = :seconds
"""
END: Final = """
INSERT INTO ends VALUES (?, ?, ?, 1, ?) ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at
"""
# What was recorded by a clock ahead would else be the last for as long as that was ahead
CLOCK_SET_BACK: Final = "UPDATE ends SET last_at = ? WHERE lake = ? AND flow = ? AND last_at > ?"
RECORD_ALERT: Final = """
INSERT INTO told VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at WHERE at < ? OR at > excluded.at
"""


class StepTime(NamedTuple):
    """How often a step ran, and how many seconds it took: in total, and the last time."""

    step: str
    times: int
    seconds: float
    last_seconds: float


class RunEnd(NamedTuple):
    """How often runs of a flow ended with a `kind` of error, and when last; an empty `kind` is success."""

    flow: str
    kind: str
    times: int
    last_at: datetime


def lake_name(lake: str) -> str:
    """The name of a lake, the same from any working folder.

    >>> lake_name("s3://bucket/lake/"), lake_name("file:///srv/lake")
    ('s3://bucket/lake', '/srv/lake')
    """
    path = unquote(lake.removeprefix("file://").removeprefix("localhost")) if lake.startswith("file://") else lake
    return lake.rstrip("/") if "://" in path else str(Path(path).absolute())


def record_step(lake: str, step: str, seconds: float) -> None:
    """Record that a step ended, well or not."""
    with _database() as connection:
        connection.execute(STEP, {"lake": lake_name(lake), "step": step, "seconds": seconds})


def record_end(lake: str, flow: str, kind: str) -> None:
    """Record that a run ended with an error of that kind; or with SUCCEEDED, which clears its flow's alerts."""
    now = utc_now()
    before = now - timedelta(seconds=1)
    with _database() as connection:
        connection.execute(CLOCK_SET_BACK, (before.isoformat(), lake_name(lake), flow, now.isoformat()))
        connection.execute(END, (lake_name(lake), flow, kind, now.isoformat()))
        if kind == SUCCEEDED:
            connection.execute("DELETE FROM told WHERE lake = ? AND flow = ?", (lake_name(lake), flow))


def record_alert(lake: str, flow: str, kind: str) -> bool:
    """Record that an alert is sent; False where the same was sent in the last day. True if it cannot be recorded."""
    now, changed = utc_now(), 1
    with _database() as connection:
        long_ago = (now - AGAIN_AFTER).isoformat()
        changed = connection.execute(RECORD_ALERT, (lake_name(lake), flow, kind, now.isoformat(), long_ago)).rowcount
    return changed > 0


def forget_alert(lake: str, flow: str, kind: str) -> None:
    """Forget an alert that nobody took, so that the next failure is reported."""
    with _database() as connection:
        connection.execute("DELETE FROM told WHERE lake = ? AND flow = ? AND kind = ?", (lake_name(lake), flow, kind))


def run_statistics(lake: str) -> tuple[list[StepTime], list[RunEnd]]:
    """How long the steps of runs on this lake took, and how the runs ended; both are empty before the first run."""
    steps, ends = list[StepTime](), list[RunEnd]()
    with _database() as connection:
        rows = connection.execute("SELECT * FROM steps WHERE lake = ? ORDER BY step", (lake_name(lake),))
        steps += [StepTime(*row[1:]) for row in rows]
        rows = connection.execute("SELECT * FROM ends WHERE lake = ? ORDER BY flow, kind", (lake_name(lake),))
        ends += [RunEnd(flow, kind, count, datetime.fromisoformat(at)) for _, flow, kind, count, at in rows]
    return steps, ends


@contextmanager
def recorded(lake: str, flow: str) -> Iterator[None]:
    """Record how the block ends, which is a run of a flow or of its command; where it fails, send alerts."""

    def note(error: Exception) -> None:
        flaw = str(error) if isinstance(error, PaperlakeError) else f"{flow} ended as {type(error).__name__}"
        note_failure(lake, flow, type(error).__name__, flaw)

    with notifying_of_errors(note):
        yield
    record_end(lake, flow, SUCCEEDED)


def notifying_of_errors(notify: Callable[[Exception], None]) -> ExitStack:
    """A block whose error, a bug of ours too, is passed to `notify` and then raised on."""
    stack = ExitStack()
    stack.push(lambda _kind, error, _trace: notify(error) if isinstance(error, Exception) else None)
    return stack


def note_failure(lake: str, flow: str, kind: str, message: str) -> None:
    """Record that a run failed with an error of that kind, and send alerts where they are set up."""
    from flows.running.alerts import Alert, is_alerting, send_alert

    record_end(lake, flow, kind)
    settings, alert = load(), Alert(lake_name(lake), flow, kind, message)
    if is_alerting(settings) and record_alert(lake, flow, kind) and not send_alert(alert, settings):
        forget_alert(lake, flow, kind)


@contextmanager
def _database() -> Iterator[sqlite3.Connection]:
    """A connection whose block is one transaction; a failure is a line of the log, and no error."""
    with ExitStack() as stack:
        try:
            folder = load().state.expanduser()
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            connection = stack.enter_context(closing(sqlite3.connect(folder / NAME, timeout=WAIT_SECONDS)))
            connection.executescript(f"PRAGMA synchronous = OFF; {SCHEMA}")  # a run waits for no disk here
        except (sqlite3.Error, OSError) as error:
            log.info(UNRECORDED, error)
            connection = stack.enter_context(closing(sqlite3.connect(":memory:")))  # the block needs one all the same
            connection.executescript(SCHEMA)
        try:
            with connection:
                yield connection
        except sqlite3.Error as error:
            log.info(UNRECORDED, error)
