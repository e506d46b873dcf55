"""What runs leave behind for whoever watches: how long each step took, how runs ended. SQLite, in PAPERLAKE_STATE.

It is of this machine, as the runs are. A run never fails for it: what cannot be kept is missing from the metrics.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote

from flows.runtime.now import utc_now
from flows.runtime.progress import log
from flows.runtime.settings import load

NAME: Final = "runs.sqlite3"
WAIT_SECONDS: Final = 5.0  # for another process that writes just then; each write takes milliseconds
SUCCEEDED: Final = ""
AGAIN_AFTER: Final = timedelta(days=1)  # an alert that goes on is told once a day
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS steps (
    lake TEXT, step TEXT, count INTEGER NOT NULL, seconds REAL NOT NULL, last_seconds REAL NOT NULL,
    PRIMARY KEY (lake, step)
) STRICT;
CREATE TABLE IF NOT EXISTS ends (  -- kind: the error that ended a run; empty for a run that did what it should
    lake TEXT, flow TEXT, kind TEXT, count INTEGER NOT NULL, last_at TEXT NOT NULL,
    PRIMARY KEY (lake, flow, kind)
) STRICT;
CREATE TABLE IF NOT EXISTS told (  -- alerts that are standing
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
RECORD_ALERT: Final = "INSERT INTO told VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at WHERE at < ?"


class StepTime(NamedTuple):
    """How often a step ran, and what it took: all in all, and the last time."""

    step: str
    times: int
    seconds: float
    last_seconds: float


class RunEnd(NamedTuple):
    """How often runs of a flow ended like that, and when last; no `kind` is a run that did what it should."""

    flow: str
    kind: str
    times: int
    last_at: datetime


def lake_name(lake: str) -> str:
    """One name for a lake, whatever folder one works in.

    >>> lake_name("s3://bucket/lake/"), lake_name("file:///srv/lake")
    ('s3://bucket/lake', '/srv/lake')
    """
    path = unquote(lake.removeprefix("file://").removeprefix("localhost")) if lake.startswith("file://") else lake
    return lake.rstrip("/") if "://" in path else str(Path(path).absolute())


def keep_step(lake: str, step: str, seconds: float) -> None:
    """A step has ended, well or not."""
    with _kept() as connection:
        connection.execute(STEP, {"lake": lake_name(lake), "step": step, "seconds": seconds})


def keep_end(lake: str, flow: str, kind: str) -> None:
    """A run has ended, with an error of that kind or with SUCCEEDED, after which no alert of its flow stands."""
    with _kept() as connection:
        connection.execute(END, (lake_name(lake), flow, kind, utc_now().isoformat()))
        if kind == SUCCEEDED:
            connection.execute("DELETE FROM told WHERE lake = ? AND flow = ?", (lake_name(lake), flow))


def is_new_alert(lake: str, flow: str, kind: str) -> bool:
    """Whether nobody was told of that in the last day; who asks, tells. Yes, where nothing can be kept."""
    now, changed = utc_now(), 1
    with _kept() as connection:
        long_ago = (now - AGAIN_AFTER).isoformat()
        changed = connection.execute(RECORD_ALERT, (lake_name(lake), flow, kind, now.isoformat(), long_ago)).rowcount
    return changed > 0


def kept(lake: str) -> tuple[list[StepTime], list[RunEnd]]:
    """What runs on this lake took, and how they ended; nothing where no run was."""
    steps, ends = list[StepTime](), list[RunEnd]()
    with _kept() as connection:
        rows = connection.execute("SELECT * FROM steps WHERE lake = ? ORDER BY step", (lake_name(lake),))
        steps += [StepTime(*row[1:]) for row in rows]
        rows = connection.execute("SELECT * FROM ends WHERE lake = ? ORDER BY flow, kind", (lake_name(lake),))
        ends += [RunEnd(flow, kind, count, datetime.fromisoformat(at)) for _, flow, kind, count, at in rows]
    return steps, ends


@contextmanager
def _kept() -> Iterator[sqlite3.Connection]:
    """A connection whose block is one transaction; what cannot be done is a line of the log, and no more."""
    try:
        folder = load().state.expanduser()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with closing(sqlite3.connect(folder / NAME, timeout=WAIT_SECONDS)) as connection, connection:
            connection.executescript(f"PRAGMA synchronous = OFF; {SCHEMA}")  # a run waits for no disk here
            yield connection
    except (sqlite3.Error, OSError) as error:
        log.info("how runs end is not kept for metrics (look at PAPERLAKE_STATE): %s", error)
