"""Prefect's server behind a guard, as a program: it answers those who name it rightly, and no page of another origin.

    PREFECT_SERVER_API_AUTH_STRING_FILE=… python -m flows.running.guarded_prefect --port 4200 --name prefect

Prefect's API lets whoever reaches it run commands, and its own CORS setting lets every page in the owner's browser
reach it. So requests need the auth string, and the guard refuses by Host and Origin before any route is tried.
"""

import argparse
import gc
import os
import socket
import threading
import time
from collections.abc import Sequence
from typing import Final

from starlette.types import ASGIApp
from uvicorn import Config, Server

from flows.runtime.environment import take_secret
from flows.runtime.web_servers import OriginGuard, hosts_of, listen
from warehouse.errors import PaperlakeError, UsageError
from warehouse.limits import NEW_OBJECTS

AUTH: Final = "PREFECT_SERVER_API_AUTH_STRING"
SHUTDOWN_SECONDS: Final = 3  # for open connections: a client that hangs must not keep the server running
STOP_SECONDS: Final = 10.0
SETTINGS: Final = {
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    # kept on disk, the slots of killed runs are given back after a restart; kept in memory they would stay taken
    "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": "prefect.server.concurrency.lease_storage.filesystem",
}


def guarded_app(hosts: Sequence[str], *, is_of_one_run: bool) -> ASGIApp:
    """Prefect's application behind the guard; for one run without pages and without a scheduler.

    UsageError without an auth string: the guard keeps browsers away, not programs.
    """
    take_secret(AUTH)
    if not os.environ.get(AUTH):
        raise UsageError(f"Prefect's server needs a secret: set {AUTH}, or {AUTH}_FILE to the path of a file with it")
    for name, value in {**SETTINGS, "PREFECT_UI_API_URL": f"http://{hosts[0]}/api"}.items():
        os.environ.setdefault(name, value)
    os.environ["PREFECT_SERVER_CORS_ALLOWED_ORIGINS"] = ",".join(f"http://{host}" for host in hosts)
    os.environ["PREFECT_SERVER_CSRF_PROTECTION_ENABLED"] = "true"
    from prefect.server.api.server import create_app

    return OriginGuard(create_app(ephemeral=is_of_one_run), hosts)


def end_with_stdin(server: Server) -> None:
    """Stop a server when its standard input ends, that is when whoever started it does, however that is."""
    while os.read(0, 1):  # not sys.stdin, whose lock would abort a process that ends before
        pass
    server.should_exit = True
    time.sleep(STOP_SECONDS)
    os._exit(1)


def main() -> None:
    """Serve until SIGTERM; with --fd on a socket that is inherited, and until standard input ends."""
    gc.set_threshold(NEW_OBJECTS)
    parser = argparse.ArgumentParser(prog="python -m flows.running.guarded_prefect", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    parser.add_argument("--port", type=int, default=4200)
    parser.add_argument("--name", action="append", default=[], help="another host name by which it is asked")
    parser.add_argument("--fd", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--of-one-run", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    try:
        listening = listen(given.host, given.port) if given.fd is None else socket.socket(fileno=given.fd)
        app = guarded_app(hosts_of(listening.getsockname()[1], given.name), is_of_one_run=given.of_one_run)
    except PaperlakeError as error:
        parser.error(str(error))
    server = Server(Config(app, log_level="error", proxy_headers=False, timeout_graceful_shutdown=SHUTDOWN_SECONDS))
    if given.fd is not None:
        threading.Thread(target=end_with_stdin, args=(server,), daemon=True).start()
    server.run(sockets=[listening])


if __name__ == "__main__":
    main()
