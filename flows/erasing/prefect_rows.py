"""Finds and masks a person in Prefect's own database on this machine, where our artifacts and logs may quote them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from warehouse.erasing.person import Person
from warehouse.errors import StoreFailed

NAME: Final = "prefect.db"
COLUMNS: Final = (
    *(("artifact", column) for column in ("data", "description")),
    *(("artifact_collection", column) for column in ("data", "description")),
    *(("log", "message"), ("flow_run", "parameters"), ("flow_run", "state_name")),
    *(("flow_run_state", "message"), ("flow_run_state", "data")),
    *(("task_run_state", "message"), ("task_run_state", "data"), ("events", "payload"), ("events", "resource")),
)
WAIT_SECONDS: Final = 30.0


def prefect_hits(home: Path, person: Person) -> int:
    """How many values hold data of the person; StoreFailed where the database cannot be read."""
    path = home / NAME
    if not path.is_file():
        return 0
    with _opened(path, "ro") as history:
        return sum(1 for _ in _hits(history, person))


def mask_prefect(home: Path, person: Person) -> int:
    """Mask the values, so that no page of the file still holds them; returns how many there were."""
    if not prefect_hits(home, person):
        return 0
    with _opened(home / NAME, "rw") as history:
        history.execute("PRAGMA secure_delete = ON")
        hits = list(_hits(history, person))
        for table, column, row, text in hits:
            changed = f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?'  # noqa: S608 - names of ours
            history.execute(changed, [text, row])
        history.execute("VACUUM")
        history.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return len(hits)


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=WAIT_SECONDS, isolation_level=None)) as history:
            yield history
    except sqlite3.Error as error:
        raise StoreFailed(f"cannot read or write {path}: {error}; stop Prefect's server, and erase again") from error


def _hits(history: sqlite3.Connection, person: Person) -> Iterator[tuple[str, str, int, str]]:
    """Each value that holds data of the person: its table, column and row, and the masked value."""
    for table, column in COLUMNS:
        known = [row[1] for row in history.execute(f'PRAGMA table_info("{table}")')]
        if column not in known:
            continue
        for row, text in history.execute(f'SELECT rowid, "{column}" FROM "{table}"').fetchall():  # noqa: S608
            masked = person.of_value(str(text)) if text is not None else None
            if masked is not None and masked != str(text):
                yield table, column, row, masked
