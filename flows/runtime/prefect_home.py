"""Checks of Prefect's own folder before a run: whether it has room, and whether its database is one that was tested."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

import prefect
from prefect.settings import PREFECT_HOME, get_current_settings

from warehouse.errors import StoreFailed

NEEDED_BYTES: Final = 1 << 20  # its database, as it is made on the first run
TESTED_PREFECT: Final = "3.8.8"  # test_recording.py compares all rows of its server with those that a run writes
TESTED_MIGRATION: Final = "a3b9c7d2e5f1"  # the last one of its database
FREE_SECONDS: Final = 1.0  # until a database counts as locked: another run writes for some milliseconds


def require_room() -> None:
    """Raise StoreFailed, which names PREFECT_HOME, where Prefect cannot write its database."""
    home = PREFECT_HOME.value()
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home) as file:
            file.write(bytes(NEEDED_BYTES))
    except OSError as error:
        cause = (error.strerror or str(error)).lower()
        raise StoreFailed(
            f"Prefect cannot write in its folder {home}: {cause}; set PREFECT_HOME to a place with room"
        ) from error


def known_database() -> Path | None:
    """The database of Prefect, where a run can write to it what Prefect's server would.

    None where only that server can: Prefect or its database is not the version that was tested, the database does not
    exist yet or is locked, or the environment asks for Prefect's log.
    """
    settings = get_current_settings()
    database, url = settings.home / "prefect.db", settings.server.database.connection_url
    is_usual = url is not None and url.get_secret_value() == f"sqlite+aiosqlite:///{database}"
    is_tested = prefect.__version__ == TESTED_PREFECT and settings.logging.level == "CRITICAL"
    return database if is_usual and is_tested and _migrations(database) == [(TESTED_MIGRATION,)] else None


def _migrations(database: Path) -> list[tuple[str]]:
    """The migration that the database is at, as Prefect records it; empty where it is missing or locked."""
    uri = f"{database.absolute().as_uri()}?mode=rw"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=FREE_SECONDS, isolation_level=None)) as kept:
            kept.execute("BEGIN IMMEDIATE")
            return kept.execute("SELECT version_num FROM alembic_version").fetchall()
    except sqlite3.Error:  # no such file, or no such table
        return []
