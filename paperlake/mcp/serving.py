"""Serves the MCP server: on standard input and output, or over HTTP on this machine, closed to other origins."""

from __future__ import annotations

import hmac
import time
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from flows.runtime.origins import OriginGuard, hosts_of, listen
from flows.runtime.progress import log

if TYPE_CHECKING:
    from typing import Any

    from mcp.server.mcpserver import MCPServer

HOST: Final = "127.0.0.1"
CALLS: Final = 60  # a minute
MINUTE: Final = 60.0
MOST_BODY: Final = 256 << 10


class CallGuard:
    """An application that may be called 60 times a minute, with the secret if there is one.

    The ceiling is of all callers together, as all are this machine. `clock` tells seconds.
    """

    def __init__(self, inside: ASGIApp, secret: str | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._inside, self._secret, self._clock = inside, secret, clock
        self._calls: deque[float] = deque()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed; 401 without the secret, 429 with when to come back."""
        answer = self._inside if scope["type"] != "http" else self._refusal(Headers(scope=scope)) or self._inside
        await answer(scope, receive, send)

    def _refusal(self, headers: Headers) -> ASGIApp | None:
        if self._secret is not None and not self._has_secret(headers):
            said = {"WWW-Authenticate": "Bearer"}
            return JSONResponse({"error": "the secret is missing or wrong"}, HTTPStatus.UNAUTHORIZED, said)
        now = self._clock()
        while self._calls and now - self._calls[0] > MINUTE:
            self._calls.popleft()
        if len(self._calls) < CALLS:
            self._calls.append(now)
            return None
        said = {"Retry-After": str(int(MINUTE - (now - self._calls[0])) + 1)}
        return JSONResponse({"error": f"{CALLS} calls a minute"}, HTTPStatus.TOO_MANY_REQUESTS, said)

    def _has_secret(self, headers: Headers) -> bool:
        kind, _, given = headers.get("authorization", "").partition(" ")
        return kind.lower() == "bearer" and hmac.compare_digest(given.encode(), (self._secret or "").encode())


def http_app(server: MCPServer[Any], port: int, secret: str | None) -> ASGIApp:
    """The server over HTTP, at `/mcp`: refused are other hosts and origins, then those without the secret."""
    inside = server.streamable_http_app(stateless_http=True, json_response=True, max_request_body_size=MOST_BODY)
    return OriginGuard(CallGuard(inside, secret), hosts_of(port))


def serve_http(server: MCPServer[Any], port: int, secret: str | None) -> None:
    """Serve until the process is told to end; StoreFailed where the port is taken. Port 0 is any that is free."""
    from uvicorn import Config, Server

    with listen(HOST, port) as listening:
        port = listening.getsockname()[1]
        log.info("MCP at http://%s:%d/mcp%s; Ctrl-C ends it", HOST, port, " with the secret" if secret else "")
        config = Config(http_app(server, port, secret), log_level="critical", proxy_headers=False, server_header=False)
        Server(config).run(sockets=[listening])
