"""Servers on loopback, each for as long as a block lasts, and silent."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any


class Quiet:
    """Of a handler: requests are not printed, and no answer waits 40 ms for the client's acknowledgement."""

    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        pass


class QuietFiles(Quiet, SimpleHTTPRequestHandler):
    """The files of a folder, without ranges."""


@contextmanager
def serving(server: ThreadingHTTPServer) -> Iterator[None]:
    """The server, running in a thread."""
    thread = Thread(target=server.serve_forever, args=(0.01,))  # or it hears half a second late that it is to end
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def answering(answer: Callable[[Any, bytes], tuple[int, bytes]]) -> Iterator[str]:
    """The address of a server that answers a request, with its body, by a status and a page."""

    class Handler(Quiet, BaseHTTPRequestHandler):
        def _answer(self) -> None:
            status, page = answer(self, self.rfile.read(int(self.headers.get("Content-Length", 0))))
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page)

        do_GET = do_POST = _answer  # noqa: N815

    with serving(server := ThreadingHTTPServer(("127.0.0.1", 0), Handler)):
        yield f"http://127.0.0.1:{server.server_port}"


@contextmanager
def plainly_served(folder: Path | str, handler: type[QuietFiles] = QuietFiles) -> Iterator[str]:
    """The address of a folder at a server that knows no ranges."""
    with serving(server := ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))):
        yield f"http://127.0.0.1:{server.server_port}"
