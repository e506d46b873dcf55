"""The guard of the MCP server over HTTP: a secret, and so many calls a minute by whatever clock."""

from __future__ import annotations

import anyio
import pytest
from starlette.responses import Response
from starlette.types import Message

from paperlake.mcp.mcp_server import CALLS, CallGuard


def status(guard: CallGuard, *headers: tuple[str, str]) -> tuple[int, dict[bytes, bytes]]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    told = [(name.lower().encode(), value.encode()) for name, value in headers]
    anyio.run(guard, {"type": "http", "method": "POST", "headers": told}, receive, send)
    return sent[0]["status"], dict(sent[0]["headers"])


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer ", "Bearer secre", "Basic secret", "secret", "Bearer secret2"])
def test_nobody_gets_in_without_the_secret(given: str) -> None:
    guard = CallGuard(Response(), "secret")
    assert status(guard, ("Authorization", given))[0] == status(guard)[0] == 401
    assert status(guard, ("Authorization", "bearer secret"))[0] == 200


def test_so_many_calls_a_minute() -> None:
    now = 1000.0
    guard = CallGuard(Response(), None, lambda: now)
    assert {status(guard)[0] for _ in range(CALLS)} == {200}
    now += 20
    refused, headers = status(guard)
    assert (refused, headers[b"retry-after"]) == (429, b"41")
    now += 41
    assert status(guard)[0] == 200
