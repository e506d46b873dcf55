"""The part of Prefect's API that one run of ours asks for, in a thread of the run: it writes what its server would.

Of Prefect's own server the routes that a run needs take 1.4 s of the processor, for some 40 rows. Nobody else asks
here: no scheduler, no automations, no events kept, no limits, and no retries of flows, of which none of ours has any.
`paperlake serve` and databases other than a file of SQLite have Prefect's own.
"""

from __future__ import annotations

import json
import socket
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import prefect
import uvicorn

from flows.runtime.prefect_home import make_ready
from flows.runtime.prefect_server import HOST, LONGEST_GOODBYE, drained
from flows.runtime.recording.run_records import RunRecords

Message: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]


@contextmanager
def small_server(database: Path) -> Iterator[str]:
    """A server on loopback for as long as the block lasts; yields its address, without `/api`."""
    make_ready(database)
    with closing(RunRecords(database)) as records, socket.create_server((HOST, 0)) as listening:
        config = uvicorn.Config(
            Api(records), lifespan="off", log_config=None, access_log=False, timeout_graceful_shutdown=LONGEST_GOODBYE
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), name="prefect-api", daemon=True)
        thread.start()
        try:
            with drained():
                yield f"http://{HOST}:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


class Api:
    """An application that knows the questions of a run; whatever else is asked is not found."""

    def __init__(self, records: RunRecords) -> None:
        self._records = records

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._take_events(receive, send)
            return
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        status, answer = self._answered(scope["method"], scope["path"], body)
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": json.dumps(answer).encode()})

    def _answered(self, method: str, path: str, body: bytes) -> tuple[int, object]:
        """503 where the client should ask again: another process writes to the database."""
        try:
            answer = self._answer(f"{method} {path.removeprefix('/api/').rstrip('/')}", json.loads(body or b"null"))
        except sqlite3.Error as error:
            is_locked = getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
            return 503 if is_locked else 500, {"exception_message": str(error)}
        return (404, {"detail": "not found"}) if answer is None else (200, answer)

    def _answer(self, question: str, asked: Any) -> object:  # noqa: ANN401 - JSON
        records, (_, named, *_) = self._records, [*question.split("/"), ""]
        known: dict[str, Callable[[], object]] = {
            "GET health": lambda: True,
            "GET admin/version": lambda: prefect.__version__,
            "GET admin/storage": lambda: {"default_result_storage_block_id": None},
            "POST flows": lambda: records.flow(asked),
            f"GET flows/{named}": lambda: records.flow_of(named),
            "POST flow_runs": lambda: records.start(asked),
            f"GET flow_runs/{named}": lambda: records.run_of(named),
            f"POST flow_runs/{named}/set_state": lambda: records.move(named, asked["state"]),
            "POST artifacts": lambda: records.artifact(asked),
            "POST logs": lambda: records.log(asked),
        }
        return known.get(question, lambda: None)()

    async def _take_events(self, receive: Receive, send: Send) -> None:
        """As Prefect's client sends them: who it is, then event after event, until it ends."""
        await receive()
        await send({"type": "websocket.accept", "subprotocol": "prefect"})
        while (message := await receive())["type"] == "websocket.receive":
            said = json.loads(message["text"])
            if said.get("type") == "auth":
                await send({"type": "websocket.send", "text": '{"type": "auth_success"}'})
            else:
                self._records.event(said)
