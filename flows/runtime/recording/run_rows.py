"""Writes rows to Prefect's own database on this machine, whose columns and types are read from the database itself."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from flows.runtime.now import utc_now

Row = Mapping[str, Any]  # JSON, as Prefect's client has it

WAIT_SECONDS: Final = 60.0  # for whoever locks it later, as Prefect's server does
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)  # from which it keeps a length of time
NULL_OF_JSON: Final = "metadata_"  # where it writes the null of JSON; any other value that is missing is left out


class RunRows:
    """The database; each `put` is one transaction."""

    def __init__(self, database: Path) -> None:
        self._kept = sqlite3.connect(database, timeout=WAIT_SECONDS, isolation_level=None)
        self._kept.execute("PRAGMA foreign_keys = ON")  # as Prefect's server has it
        self._kept.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        self._kept.close()

    def flow_id(self, name: str) -> str | None:
        """The id of the flow of that name; None where there is none."""
        found = self._kept.execute("SELECT id FROM flow WHERE name = ?", [name]).fetchone()
        return found and str(found[0])

    def put(self, *rows: tuple[str, Row], on: str = "id") -> None:
        """Write rows, each with its table's name. One whose column `on` has the same value there is updated."""
        now = utc_now().isoformat()
        with self._kept:
            self._kept.execute("BEGIN IMMEDIATE")
            for table, row in rows:
                self._put(table, {**row, "created": row.get("created") or now, "updated": now}, on)

    def _put(self, table: str, row: Row, on: str) -> None:
        kinds = {name: kind for _, name, kind, *_ in self._kept.execute(f"PRAGMA table_info({table})")}
        stated = {name: value for name, value in row.items() if value is not None or name == NULL_OF_JSON}
        given = {name: _stored(kinds[name], value) for name, value in stated.items() if name in kinds}
        names, places = ", ".join(given), ", ".join("?" * len(given))
        news = ", ".join(f"{name} = excluded.{name}" for name in given if name not in {"id", "created", on})
        insert = f"INSERT INTO {table} ({names}) VALUES ({places})"  # noqa: S608 - names of their columns
        self._kept.execute(f"{insert} ON CONFLICT ({on}) DO UPDATE SET {news}", list(given.values()))


def _stored(kind: str, value: Any) -> object:  # noqa: ANN401 - JSON
    """A value as Prefect's database stores it, by the type of its column."""
    if kind == "JSON":
        return json.dumps(value)
    if kind != "DATETIME":
        return value
    at = datetime.fromisoformat(value) if isinstance(value, str) else EPOCH + timedelta(seconds=value)
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
