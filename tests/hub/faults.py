"""How the stand-in misbehaves: each fault is given the wire and the page that should have been sent."""

import time
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from tests.hub.site import HTML, Page
from tests.hub.wire import Wire

Fault: TypeAlias = Callable[[Wire, Page], None]

ERROR_PAGE = b"<!doctype html><html><body><h1>Something went wrong</h1></body></html>"
CHUNK = bytes(64 << 10)


def status(code: int, retry_after: str | None = None) -> Fault:
    """An error page; with Retry-After in seconds or as an HTTP date."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return lambda wire, _page: wire.send(Page(ERROR_PAGE, code, HTML, headers))


def drip(seconds: float, size: int = 1) -> Fault:
    """The right body, a few bytes at a time."""

    def fault(wire: Wire, page: Page) -> None:
        wire.start(page, length=len(page.body))
        for at in range(0, len(page.body), size):
            wire.write(page.body[at : at + size])
            time.sleep(seconds)

    return fault


def drip_head(seconds: float) -> Fault:
    """A header that never ends."""

    def fault(wire: Wire, _page: Page) -> None:
        wire.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        for _ in range(1000):
            wire.write(b"x")
            time.sleep(seconds)

    return fault


def silence(seconds: float) -> Fault:
    """No answer for some time, then none at all."""

    def fault(wire: Wire, _page: Page) -> None:
        time.sleep(seconds)
        wire.close()

    return fault


def reset(after: int = 100) -> Fault:
    """The connection is reset in the middle of the body."""

    def fault(wire: Wire, page: Page) -> None:
        wire.start(page, length=len(page.body))
        wire.write(page.body[:after])
        wire.reset()

    return fault


def truncated(keep: int = 100) -> Fault:
    """Status and Content-Length of the whole page, and the connection closed after a part of it."""
    return wrong_length(lambda page: len(page.body), keep)


def cut(keep: int = 100) -> Fault:
    """A part of the page, with the Content-Length of that part: only the text shows that it is cut."""
    return lambda wire, page: wire.send(replace(page, body=page.body[:keep]))


def wrong_length(length: Callable[[Page], int], keep: int | None = None) -> Fault:
    """A Content-Length that is not that of the body."""

    def fault(wire: Wire, page: Page) -> None:
        wire.start(page, length=length(page))
        wire.write(page.body[:keep])
        wire.close()

    return fault


def html(content_type: str = HTML) -> Fault:
    """A web page, with status 200, whatever was asked for."""
    return lambda wire, _page: wire.send(Page(ERROR_PAGE, 200, content_type))


def content_type(stated: str) -> Fault:
    """The right body under a wrong type; an empty one is not sent."""
    return lambda wire, page: wire.send(replace(page, content_type=stated))


def redirect(to: str, code: int = 302) -> Fault:
    return lambda wire, _page: wire.send(Page(b"Moved.", code, HTML, {"Location": to}))


def empty_list() -> Fault:
    """No papers, on a day that has some."""
    return lambda wire, page: wire.send(replace(page, body=b"[]"))


def endless(code: int) -> Fault:
    """An error page without an end, sent until the client closes."""
    return lambda wire, page: huge()(wire, replace(page, status=code))


def huge(size: int = 10 << 30, *, is_told: bool = False) -> Fault:
    """A body of 10 GB, which is never built; chunked, or with its length in a header."""

    def fault(wire: Wire, page: Page) -> None:
        wire.start(page, length=size if is_told else None)
        for _ in range(size // len(CHUNK)):
            wire.write(CHUNK if is_told else b"%x\r\n%b\r\n" % (len(CHUNK), CHUNK))

    return fault


def gzip_bomb(size: int = 256 << 20) -> Fault:
    """A body a thousand times the size of what is sent."""

    def fault(wire: Wire, page: Page) -> None:
        packer = zlib.compressobj(1, wbits=31)
        body = b"".join([*(packer.compress(CHUNK) for _ in range(size // len(CHUNK))), packer.flush()])
        wire.send(replace(page, body=body, headers={"Content-Encoding": "gzip"}))

    return fault


def encoded(coding: str, body: bytes | None = None) -> Fault:
    """A body under a content encoding that it may not have."""
    return lambda wire, page: wire.send(
        replace(page, body=page.body if body is None else body, headers={"Content-Encoding": coding})
    )


def hang_up() -> Fault:
    """No answer at all."""
    return lambda wire, _page: wire.close()


def nonsense(answer: bytes = b"220 mail.example ESMTP\r\n\r\n") -> Fault:
    """Bytes that are no HTTP."""

    def fault(wire: Wire, _page: Page) -> None:
        wire.write(answer)
        wire.close()

    return fault


def echo() -> Fault:
    """An answer that repeats the request's header, secrets included."""
    return lambda wire, page: wire.send(replace(page, body=str(wire.request_headers).encode()))


def robots_of(size: int, last: str) -> Fault:
    """A robots.txt with this many bytes of comments before its last line."""
    rules = b"User-agent: *\nDisallow: /api/papers/\n" + b"# a line of thirty-two bytes...\n" * (size // 32)
    return lambda wire, page: wire.send(replace(page, body=rules + last.encode(), status=200))


def grow(add: Callable[[], None]) -> Fault:
    """The right page, and a longer list for the next request."""

    def fault(wire: Wire, page: Page) -> None:
        wire.send(page)
        add()

    return fault
