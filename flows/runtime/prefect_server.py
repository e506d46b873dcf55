"""A Prefect server on loopback that ends with the process that started it, even where that is killed."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Final

import httpx

from warehouse.errors import PaperlakeError

HOST: Final = "127.0.0.1"
EVENTS_SECONDS: Final = 30.0  # for the last events of a run: they take a second, but many on a busy machine
START_SECONDS: Final = 120.0  # a first start makes the tables of its database: 5 s, but 30 s on a busy machine
STOP_SECONDS: Final = 10.0
SHUTDOWN_SECONDS: Final = 3  # for open connections: a client that hangs must not keep the server running
SERVER_SETTINGS: Final = {
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    # kept on disk, the slots of killed runs are given back after a restart; kept in memory they would stay taken
    "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": "prefect.server.concurrency.lease_storage.filesystem",
}


@contextmanager
def prefect_server(*imports: str, is_of_one_run: bool = False) -> Iterator[str]:
    """A server in the usual PREFECT_HOME for as long as the block lasts; yields its address, without `/api`.

    The server of one run is a small one, without a scheduler and web pages (small_server.py). Prefect would start one
    of its own, but leave it running when the run is killed, and give up after 20 s. `imports` are modules to import
    while it starts.
    """
    # A process with one thread is forked, which saves the import of Prefect; any other may hold a lock just then
    may_fork = sys.platform == "linux" and threading.active_count() == 1
    fork, spawn = multiprocessing.get_context("fork"), multiprocessing.get_context("spawn")
    process = fork.Process if may_fork else spawn.Process
    if may_fork:
        import_module("fastapi")  # which Prefect's client needs too
    with socket.create_server((HOST, 0)) as listening:  # whoever asks before it is ready waits in line
        url = f"http://{HOST}:{listening.getsockname()[1]}"
        server = process(target=_serve, args=(listening, url, is_of_one_run), daemon=True)
        server.start()
    try:
        for module in imports:
            import_module(module)
        if not is_up(f"{url}/api", START_SECONDS):
            raise PaperlakeError(
                f"Prefect's own server did not start within {START_SECONDS:.0f} s (PREFECT_SERVER_LOGGING_LEVEL=INFO "
                "shows why); set PREFECT_API_URL to use one that runs"
            )
        try:
            yield url
        finally:
            from prefect.events.worker import EventsWorker

            # What the runs have not sent yet; after the server's end Prefect would try for 8 s, and complain
            EventsWorker.drain_all(timeout=EVENTS_SECONDS)
    finally:
        server.terminate()
        server.join(STOP_SECONDS)
        server.kill()
        server.join()


def is_up(api_url: str, seconds: float = 5.0) -> bool:
    """Whether a Prefect server answers there within so many seconds."""
    try:
        return httpx.get(f"{api_url}/health", timeout=seconds).is_success
    except httpx.HTTPError:
        return False


def _serve(listening: socket.socket, url: str, is_of_one_run: bool) -> None:  # noqa: FBT001
    """Run the server in its own process, with its output discarded unless the environment asks for its log."""
    os.setsid()  # Ctrl-C is for whoever started it, who still needs it to write down how the runs ended
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1) if "PREFECT_SERVER_LOGGING_LEVEL" in os.environ else (0, 1, 2):
        os.dup2(nothing, stream)
    pages = {"PREFECT_UI_API_URL": f"{url}/api"}  # else they ask port 4200
    for name, value in (SERVER_SETTINGS | pages).items():
        os.environ.setdefault(name, value)
    gc.disable()  # until all is imported, as in prefect_session.py
    import uvicorn
    from prefect.context import refresh_global_settings_context

    refresh_global_settings_context()  # Prefect may have been imported before, by whoever forked
    if is_of_one_run:
        from flows.runtime.small_server import create_app
    else:
        from prefect.server.api.server import create_app
    config = uvicorn.Config(create_app, factory=True, log_level="critical", timeout_graceful_shutdown=SHUTDOWN_SECONDS)
    gc.freeze()
    gc.enable()
    uvicorn.Server(config).run(sockets=[listening])


def _end_with_parent() -> None:
    """End this process when its parent ends, however that does."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
    signal.raise_signal(signal.SIGTERM)
    time.sleep(STOP_SECONDS)
    os._exit(1)
