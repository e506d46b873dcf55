"""Prefect's server behind a guard, as a program: it answers those who name it rightly, and no page of another origin.

    PREFECT_SERVER_API_AUTH_STRING_FILE=… python -m flows.running.guarded_prefect --port 4200 --name prefect

Prefect's API lets whoever reaches it run commands, and its own CORS setting lets every page in the owner's browser
reach it. So requests need the auth string, and the guard refuses by Host and Origin before any route is tried.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Final

from starlette.responses import Response
from starlette.status import WS_1008_POLICY_VIOLATION
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn import Config, Server

from flows.runtime.environment import take_secret
from warehouse.errors import UsageError

AUTH: Final = "PREFECT_SERVER_API_AUTH_STRING"
SHUTDOWN_SECONDS: Final = 3  # for open connections: a client that hangs must not keep the server running
STOP_SECONDS: Final = 10.0
OUR_OWN: Final = {b"same-origin", b"none"}  # `none`: the user typed the address
SETTINGS: Final = {
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    # kept on disk, the slots of killed runs are given back after a restart; kept in memory they would stay taken
    "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": "prefect.server.concurrency.lease_storage.filesystem",
}


class OriginGuard:
    """An application of which only requests of the named hosts, and of no other origin, reach the one inside."""

    def __init__(self, inside: ASGIApp, hosts: Iterable[str]) -> None:
        self._inside = inside
        self._hosts = {host.encode() for host in hosts}
        self._origins = {b"http://" + host for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed; refuse all else with 421 or 403."""
        refused = 0 if scope["type"] == "lifespan" else self._status(scope["headers"])
        if not refused:
            await self._inside(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": WS_1008_POLICY_VIOLATION})  # not accepted yet: HTTP 403
        else:
            await Response(status_code=refused, headers={"Connection": "close"})(scope, receive, send)

    def _status(self, headers: Sequence[tuple[bytes, bytes]]) -> int:
        """421 for another host, by which DNS is rebound to this address; 403 for another origin; else 0."""
        named = {
            wanted: [value for name, value in headers if name.lower() == wanted]
            for wanted in (b"host", b"origin", b"sec-fetch-site")
        }
        if len(named[b"host"]) != 1 or named[b"host"][0].lower() not in self._hosts:
            return HTTPStatus.MISDIRECTED_REQUEST
        is_ours = self._origins.issuperset(named[b"origin"]) and OUR_OWN.issuperset(named[b"sec-fetch-site"])
        return 0 if is_ours else HTTPStatus.FORBIDDEN


def hosts_of(port: int, names: Iterable[str] = ()) -> list[str]:
    """The values of Host that name a server on a port of this machine, or of other names on that port."""
    return [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]", *names)]


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
    sys.stdin.buffer.read()
    server.should_exit = True
    time.sleep(STOP_SECONDS)
    os._exit(1)


def main() -> None:
    """Serve until SIGTERM; with --fd on a socket that is inherited, and until standard input ends."""
    parser = argparse.ArgumentParser(prog="python -m flows.running.guarded_prefect", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    parser.add_argument("--port", type=int, default=4200)
    parser.add_argument("--name", action="append", default=[], help="another host name by which it is asked")
    parser.add_argument("--fd", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--of-one-run", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    listening = socket.create_server((given.host, given.port)) if given.fd is None else socket.socket(fileno=given.fd)
    hosts = hosts_of(listening.getsockname()[1], given.name)
    try:
        app = guarded_app(hosts, is_of_one_run=given.of_one_run)
    except UsageError as error:
        parser.error(str(error))
    server = Server(Config(app, log_level="critical", proxy_headers=False, timeout_graceful_shutdown=SHUTDOWN_SECONDS))
    if given.fd is not None:
        threading.Thread(target=end_with_stdin, args=(server,), daemon=True).start()
    server.run(sockets=[listening])


if __name__ == "__main__":
    main()
