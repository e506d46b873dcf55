"""The web servers that we start: they listen, and refuse pages of other origins by Host and Origin."""

import socket
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Final

from starlette.responses import Response
from starlette.status import WS_1008_POLICY_VIOLATION
from starlette.types import ASGIApp, Receive, Scope, Send

from warehouse.errors import StoreFailed

OUR_OWN: Final = {b"same-origin", b"none"}  # `none`: the user typed the address


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


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any that is free. StoreFailed where the port, or the address, cannot be had."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise StoreFailed(f"port {port} cannot be had ({error.strerror}); name another with --port") from error
