"""What Prefect's history holds of a person: runs, their logs and artifacts; and its removal by Prefect's own client.

The history has the lake's address, dates, reasons given for losses, and what the log quotes. Prefect's events, which it
drops after a week, cannot be deleted by anyone but Prefect.
"""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from warehouse.errors import PaperlakeError, StoreFailed
from warehouse.people.person import Person

NAME: Final = "prefect.db"
PAGE: Final = 200  # rows of an answer: Prefect gives no more
KINDS: Final = {"flow_runs": "id", "task_runs": "flow_run_id", "logs": "flow_run_id", "artifacts": "flow_run_id"}
LOGS_SECONDS: Final = 30.0  # the server deletes the logs of a run that is deleted a moment later


def prefect_rows(home: Path | None, person: Person, *, delete: bool = False) -> int:
    """How many rows hold data of the person; with `delete` their runs and artifacts go, and it is how many are left.

    StoreFailed where Prefect's history cannot be read or written.
    """
    if home is None:
        return 0
    from flows.running.prefect_server import prefect_session, prefect_setting

    if not (prefect_setting("API_URL") or (home / NAME).is_file()):
        return 0
    from prefect.client.orchestration import get_client

    with _named(home):
        with prefect_session(quiet=True), get_client(sync_client=True) as client:
            hits = list(_hits(client, person))
            if not delete:
                return len(hits)
            for kind, row in hits:
                if kind == "artifacts":
                    client.request("DELETE", "/artifacts/{id}", path_params={"id": row["id"]})
            for run in {row[KINDS[kind]] for kind, row in hits} - {None}:
                client.request("DELETE", "/flow_runs/{id}", path_params={"id": run})
            ends = time.monotonic() + LOGS_SECONDS
            while (left := len(list(_hits(client, person)))) and time.monotonic() < ends:
                time.sleep(0.2)
        if (home / NAME).is_file():
            with closing(sqlite3.connect(home / NAME, isolation_level=None)) as file:
                file.execute("VACUUM")  # else its pages still hold what was deleted, by a killed run too
                file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return left


@contextmanager
def _named(home: Path) -> Iterator[None]:
    try:
        yield
    except (PaperlakeError, sqlite3.Error) as error:
        wrong = f"cannot read or write Prefect's history, of PREFECT_API_URL or {home / NAME}: {error}"
        raise StoreFailed(f"{wrong}; see to it, and erase again") from error


def _hits(client: Any, person: Person) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401 - of Prefect, imported late
    """Each row that holds data of the person, and its kind."""
    for kind in KINDS:
        offset = 0
        while rows := client.request("POST", f"/{kind}/filter", json={"limit": PAGE, "offset": offset}).json():
            offset += len(rows)
            for row in rows:
                text = json.dumps(row, ensure_ascii=False)
                if person.of_value(text) not in {None, text}:
                    yield kind, row
