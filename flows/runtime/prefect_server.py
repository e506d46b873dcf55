"""A Prefect server on loopback that ends with the process that started it, even where that is killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import httpx

from warehouse.errors import PaperlakeError

HOST: Final = "127.0.0.1"
EVENTS_SECONDS: Final = 30.0  # for the last events of a run: they take a second, but many on a busy machine
START_SECONDS: Final = 120.0  # a first start makes the tables of its database: 5 s, but 30 s on a busy machine
STOP_SECONDS: Final = 10.0
LONGEST_GOODBYE: Final = 3  # seconds for open connections: a client that hangs must not keep the server running
APPLICATION: Final = "prefect.server.api.server:create_app"
OF_A_SERVER: Final = {
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    # kept on disk, the slots of killed runs are given back after a restart; kept in memory they would stay taken
    "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": "prefect.server.concurrency.lease_storage.filesystem",
}
OF_ONE_RUN: Final = {"PREFECT__SERVER_EPHEMERAL": "1", "PREFECT__SERVER_FINAL": "1"}  # no scheduler, no web pages


@contextmanager
def prefect_server(*, is_of_one_run: bool = False) -> Iterator[str]:
    """A server in the usual PREFECT_HOME for as long as the block lasts; yields its address, without `/api`.

    The server of one run has no scheduler and no web pages. Prefect would start such a server itself, but leave it
    running when the run is killed, and give up after 20 s.
    """
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = int(free.getsockname()[1])
    url = f"http://{HOST}:{port}"
    defaults = {**OF_A_SERVER, "PREFECT_UI_API_URL": f"{url}/api"}  # else its pages ask port 4200
    kind = OF_ONE_RUN if is_of_one_run else {}
    command = [sys.executable, "-m", "flows.runtime.prefect_server", str(port)]
    stderr = None if "PREFECT_SERVER_LOGGING_LEVEL" in os.environ else subprocess.DEVNULL
    # A session of its own: Ctrl-C is for us, and the server is still needed to write down how the runs ended
    server = subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stderr=stderr, env={**defaults, **os.environ, **kind}, start_new_session=True
    )
    try:
        _wait_until_up(server, url)
        try:
            yield url
        finally:
            from prefect.events.worker import EventsWorker

            # What the runs have not sent yet; after the server's end Prefect would try for 8 s, and complain
            EventsWorker.drain_all(timeout=EVENTS_SECONDS)
    finally:
        _stop(server)


def is_up(api_url: str) -> bool:
    """Whether a Prefect server answers there."""
    try:
        return httpx.get(f"{api_url}/health").is_success
    except httpx.HTTPError:
        return False


def _wait_until_up(server: subprocess.Popen[bytes], url: str) -> None:
    end = time.monotonic() + START_SECONDS
    while not is_up(f"{url}/api"):
        if server.poll() is not None or time.monotonic() > end:
            raise PaperlakeError(
                f"Prefect's own server did not start within {START_SECONDS:.0f} s (PREFECT_SERVER_LOGGING_LEVEL=INFO "
                "shows why); set PREFECT_API_URL to use one that runs"
            )
        time.sleep(0.1)


def _stop(server: subprocess.Popen[bytes]) -> None:
    if server.stdin is not None:
        server.stdin.close()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _end_with_parent() -> None:
    """Wait until the parent closes the pipe, which also happens when it is killed."""
    sys.stdin.buffer.read()
    signal.raise_signal(signal.SIGTERM)
    time.sleep(STOP_SECONDS)
    os._exit(1)


def main() -> None:
    """Serve on the port named by the first argument until stdin ends."""
    import uvicorn

    threading.Thread(target=_end_with_parent, daemon=True).start()
    uvicorn.run(
        APPLICATION,
        factory=True,
        host=HOST,
        port=int(sys.argv[1]),
        log_level="critical",
        timeout_graceful_shutdown=LONGEST_GOODBYE,
    )


if __name__ == "__main__":
    main()
