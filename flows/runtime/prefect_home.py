"""Prefect's own folder: room in it, and its database as this Prefect has it, before a run relies on them."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

import prefect
from prefect.settings import PREFECT_HOME, get_current_settings

from warehouse.errors import PaperlakeError, StoreFailed

NEEDED_BYTES: Final = 1 << 20  # its database, as it is made on the first run
SQLITE: Final = "sqlite+aiosqlite:///"
MIGRATIONS: Final = Path(prefect.__file__).parent / "server" / "database" / "_migrations" / "versions" / "sqlite"
MIGRATE: Final = (
    "import asyncio; from prefect.server.database import provide_database_interface as database; "
    "asyncio.run(database().create_db())"
)


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


def own_database() -> Path | None:
    """Where Prefect keeps its runs by its settings; None where that is no file of SQLite."""
    url = get_current_settings().server.database.connection_url
    address = url.get_secret_value() if url else ""
    path = address.removeprefix(SQLITE)
    return None if path == address or ":memory:" in path or "?" in path else Path(path)


def make_ready(database: Path) -> None:
    """See to it that the database is as this Prefect has it: a new one takes seconds, one of an older Prefect too.

    Prefect's own code does it, in a process of its own; PaperlakeError where it cannot.
    """
    if is_ready(database):
        return
    command = [sys.executable, "-c", MIGRATE]
    done = subprocess.run(command, check=False, capture_output=True, text=True, start_new_session=True)  # noqa: S603 - ours
    if not is_ready(database):
        why = (done.stderr.strip().splitlines() or ["no reason was given"])[-1]
        raise PaperlakeError(
            f"Prefect cannot make its database {database}: {why}; move it away, or set PREFECT_API_URL to use a server "
            "that runs"
        )


def is_ready(database: Path) -> bool:
    """Whether the newest of Prefect's migrations is the one it had last; their names are a day, a time and an id."""
    newest = max(path.name for path in MIGRATIONS.glob("*.py")).split("_")[4]
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as found:
            return found.execute("SELECT version_num FROM alembic_version").fetchall() == [(newest,)]
    except sqlite3.Error:  # no such file, or no such table
        return False
