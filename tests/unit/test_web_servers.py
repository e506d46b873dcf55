"""The small servers keep to their limits, and send the same headers with every answer; the MCP server over HTTP wants a
secret, and takes so many calls a minute.
"""

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPResponse

import anyio
import pytest
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from flows.runtime import web_servers
from flows.runtime.web_servers import BoundedHandler, BoundedServer
from paperlake.mcp.mcp_server import CALLS, CallGuard
from tests.serving import serving
from warehouse.errors import StoreFailed, UsageError


class Echo(BoundedHandler):
    def give(self, path: str) -> None:
        self.say(200, path)


@pytest.fixture
def server() -> Iterator[BoundedServer]:
    server = BoundedServer("127.0.0.1", 0, Echo)
    with serving(server):
        yield server


def asked(server: BoundedServer, method: str = "GET", path: str = "/a", **headers: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.request(method, path, headers=headers, body=b"x" if method == "POST" else None)
    answer = connection.getresponse()
    found = answer.read()
    connection.close()
    return answer, found


def raw(server: BoundedServer, sent: bytes) -> bytes:
    """Send bytes; return the answer up to the end of the connection."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as client:
        client.sendall(sent)
        return b"".join(iter(lambda: client.recv(65536), b""))


def is_answered(server: BoundedServer) -> bool:
    try:
        return asked(server)[0].status == 200
    except OSError:
        return False


def test_every_answer_has_the_headers(server: BoundedServer) -> None:
    for method, path, headers in (
        ("GET", "/a", {}),
        ("HEAD", "/a", {}),
        ("POST", "/a", {}),
        ("GET", "/", {"Host": "b"}),
    ):
        answer, _ = asked(server, method, path, **headers)
        assert {name: answer.headers[name] for name in web_servers.HEADERS} == web_servers.HEADERS
        assert "Server" not in answer.headers
        assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {}, 200),
        ("HEAD", {}, 200),
        ("POST", {}, 413),
        ("DELETE", {}, 405),
        ("GET", {"Content-Length": "99999999999"}, 413),
        ("GET", {"Transfer-Encoding": "chunked"}, 413),
        ("GET", {"Host": "papers.example.org"}, 421),
        ("GET", {"X-Long": "x" * 70_000}, 431),
        *[("GET", {f"X-{number}": "x" for number in range(200)}, 431)],
    ],
)
def test_what_is_answered(server: BoundedServer, method: str, headers: dict[str, str], status: int) -> None:
    assert asked(server, method, **headers)[0].status == status


def test_an_endless_address_is_414_and_no_http_is_400(server: BoundedServer) -> None:
    assert raw(server, b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 414")
    assert raw(server, b"\x16\x03\x01 hello there\r\n\r\n").startswith(b"HTTP/1.1 400")


def test_a_request_that_drips_in_is_cut_off(server: BoundedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_servers, "ASK_SECONDS", 0.2)
    monkeypatch.setattr(web_servers, "IDLE_SECONDS", 0.2)
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=20) as client, suppress(OSError):
        client.sendall(b"GET /a HTTP/1.1\r\nHost: 127")
        while time.monotonic() - start < 10:
            time.sleep(0.05)
            client.sendall(b"x")
    assert time.monotonic() - start < 10
    assert asked(server)[0].status == 200


def test_no_more_requests_at_once_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_servers, "AT_ONCE", 2)
    with serving(server := BoundedServer("127.0.0.1", 0, Echo)):
        holding = [socket.create_connection(("127.0.0.1", server.server_port), timeout=10) for _ in range(2)]
        for one in holding:
            one.sendall(b"GET /held HTTP/1.1\r\n")  # not all of it
        assert not is_answered(server)
        for one in holding:
            one.close()
        wait = time.monotonic() + 10
        while not is_answered(server):
            assert time.monotonic() < wait
            time.sleep(0.05)


def test_a_thread_that_cannot_start_frees_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_servers, "AT_ONCE", 1)
    with serving(server := BoundedServer("127.0.0.1", 0, Echo)), monkeypatch.context() as patched:
        patched.setattr(web_servers.ThreadingHTTPServer, "process_request", no_thread)
        patched.setattr(server, "handle_error", lambda *_: None)  # it would print a traceback
        assert not is_answered(server)
        patched.undo()
        assert is_answered(server)


def no_thread(*_: object) -> None:
    raise RuntimeError("can't start new thread")


def test_an_open_address_answers_to_any_name_and_a_wrong_one_is_an_error() -> None:
    with serving(server := BoundedServer("0.0.0.0", 0, Echo)):
        assert asked(server, Host="papers.example.org")[0].status == 200
        with pytest.raises(StoreFailed, match="cannot be had"):
            BoundedServer("0.0.0.0", server.server_port, Echo)
    with pytest.raises(UsageError, match="--host"):
        BoundedServer("papers.example.org", 0, Echo)


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


def test_a_call_of_a_client_that_goes_away_is_given_up() -> None:
    async def slow(*_: object) -> None:
        await anyio.sleep_forever()

    messages = iter([{"type": "http.request", "body": b"{}"}, {"type": "http.disconnect"}])

    async def receive() -> Message:
        return next(messages)

    async def call() -> None:
        async def inside(scope: Scope, receive: Receive, send: Send) -> None:
            await receive()
            await slow()

        with anyio.fail_after(5):
            await CallGuard(inside, None)({"type": "http", "method": "POST", "headers": []}, receive, slow)

    anyio.run(call)


def test_so_many_calls_a_minute() -> None:
    now = 1000.0
    guard = CallGuard(Response(), None, lambda: now)
    assert {status(guard)[0] for _ in range(CALLS)} == {200}
    now += 20
    refused, headers = status(guard)
    assert (refused, headers[b"retry-after"]) == (429, b"41")
    now += 41
    assert status(guard)[0] == 200
