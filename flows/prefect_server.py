"""A Prefect server of our own, on loopback, that ends with the process that started it, however that ends."""

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
START_SECONDS: Final = 60.0  # a first start makes the tables of its database: 5 s where nothing else runs
STOP_SECONDS: Final = 10.0
LONGEST_GOODBYE: Final = 3  # seconds for open connections: a client that hangs must not hold the server
APPLICATION: Final = "prefect.server.api.server:create_app"
OF_A_SERVER: Final = {
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    # slots of runs that were killed are given back after a restart too; kept in memory they would be lost for good
    "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": "prefect.server.concurrency.lease_storage.filesystem",
}


@contextmanager
def prefect_server() -> Iterator[str]:
    """A server in the usual PREFECT_HOME for as long as the block lasts; gives its address, without `/api`."""
    port = _free_port()
    url = f"http://{HOST}:{port}"
    defaults = {**OF_A_SERVER, "PREFECT_UI_API_URL": f"{url}/api"}  # else its pages ask port 4200
    command = [sys.executable, "-m", "flows.prefect_server", str(port)]
    # A session of its own: Ctrl-C is for us, and the server is still needed to write down how the runs ended
    server = subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, env={**defaults, **os.environ}, start_new_session=True
    )
    try:
        _wait_until_up(server, url)
        yield url
    finally:
        _stop(server)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((HOST, 0))
        return int(free.getsockname()[1])


def _wait_until_up(server: subprocess.Popen[bytes], url: str) -> None:
    end = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < end:
        try:
            if httpx.get(f"{url}/api/health", trust_env=False).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise PaperlakeError(
        f"Prefect's own server did not start within {START_SECONDS:.0f} s (PREFECT_SERVER_LOGGING_LEVEL=INFO lets it "
        "tell why); set PREFECT_API_URL to use one that runs"
    )


def _stop(server: subprocess.Popen[bytes]) -> None:
    if server.stdin is not None:
        server.stdin.close()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _end_with_parent() -> None:
    """Wait for the end of the pipe that only the parent holds; a killed parent lets go of it as well."""
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
