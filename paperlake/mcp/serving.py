"""Serves the MCP server: on standard input and output, or over HTTP on this machine, closed to other origins."""

from __future__ import annotations

import hmac
import time
from collections import deque
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from flows.runtime.origins import OriginGuard, hosts_of
from flows.runtime.progress import log
from warehouse.errors import StoreFailed

if TYPE_CHECKING:
    from typing import Any

    from mcp.server.mcpserver import MCPServer

HOST: Final = "127.0.0.1"
CALLS: Final = 60  # a minute of one peer
MINUTE: Final = 60.0
MOST_PEERS: Final = 10_000
MOST_BODY: Final = 256 << 10
BEARER: Final = "bearer "


class CallGuard:
    """An application that a peer reaches 60 times a minute, with the secret if there is one."""

    def __init__(self, inside: ASGIApp, secret: str | None) -> None:
        self._inside, self._secret = inside, secret
        self._calls: dict[str, deque[float]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed; 401 without the secret, 429 with when to come back."""
        if scope["type"] != "http":
            await self._inside(scope, receive, send)
            return
        if self._secret is not None and not self._has_secret(Headers(scope=scope)):
            headers = {"WWW-Authenticate": "Bearer"}
            refused = JSONResponse({"error": "the secret is missing or wrong"}, HTTPStatus.UNAUTHORIZED, headers)
        elif wait := self._wait((scope.get("client") or ("", 0))[0]):
            headers = {"Retry-After": str(int(wait) + 1)}
            refused = JSONResponse({"error": "60 calls a minute"}, HTTPStatus.TOO_MANY_REQUESTS, headers)
        else:
            await self._inside(scope, receive, send)
            return
        await refused(scope, receive, send)

    def _has_secret(self, headers: Headers) -> bool:
        given = headers.get("authorization", "")
        secret = given[len(BEARER) :] if given.lower().startswith(BEARER) else ""
        return hmac.compare_digest(secret.encode(), (self._secret or "").encode())

    def _wait(self, peer: str) -> float:
        """Seconds until the peer may call again; 0 where it may now."""
        now = time.monotonic()
        if len(self._calls) > MOST_PEERS:
            self._calls.clear()
        calls = self._calls.setdefault(peer, deque())
        while calls and now - calls[0] > MINUTE:
            calls.popleft()
        if len(calls) >= CALLS:
            return MINUTE - (now - calls[0])
        calls.append(now)
        return 0.0


def http_app(server: MCPServer[Any], port: int, secret: str | None) -> ASGIApp:
    """The server over HTTP, at `/mcp`: refused are other hosts and origins, then those without the secret."""
    from mcp.server.transport_security import TransportSecuritySettings

    hosts = hosts_of(port)
    inside = server.streamable_http_app(
        stateless_http=True,
        json_response=True,
        max_request_body_size=MOST_BODY,
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
        ),
    )
    return OriginGuard(CallGuard(inside, secret), hosts)


def serve_http(server: MCPServer[Any], port: int, secret: str | None) -> None:
    """Serve until the process is told to end; StoreFailed where the port is taken. Port 0 is any that is free."""
    import socket

    from uvicorn import Config, Server

    try:
        listening = socket.create_server((HOST, port))
    except OSError as error:
        raise StoreFailed(f"port {port} cannot be listened on: {(error.strerror or str(error)).lower()}") from error
    with listening:
        port = listening.getsockname()[1]
        log.info("MCP at http://%s:%d/mcp%s; Ctrl-C ends it", HOST, port, " with the secret" if secret else "")
        config = Config(http_app(server, port, secret), log_level="critical", proxy_headers=False, server_header=False)
        Server(config).run(sockets=[listening])
