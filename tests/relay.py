"""A mail relay on loopback: it keeps what it accepts, and refuses what a test wants refused."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from flows.running.mail import DigestConfig
from flows.running.mail import Relay as Where

CUT = "cut"  # no answer, and no connection any more
SECRET = b"an invented secret of the drills"


@dataclass
class Relay:
    """Accepted letters, as (address, bytes); `answers` has its replies to an address, in turn, before it accepts."""

    port: int = 0
    taken: list[tuple[str, bytes]] = field(default_factory=list)
    answers: dict[str, list[str]] = field(default_factory=dict)
    at_data: dict[str, list[str]] = field(default_factory=dict)
    slow: float = 0.0  # seconds from taking a letter to saying so
    on_taken: Callable[[str, bytes], object] = lambda *_: None

    async def handle_RCPT(  # noqa: N802 - as aiosmtpd calls it
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: object
    ) -> str:
        if self.answers.get(address):
            return self.answers[address].pop(0)
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        [address] = envelope.rcpt_tos
        if self.at_data.get(address):
            answer = self.at_data[address].pop(0)
            if answer == CUT:
                server.transport.abort()
            return answer
        self.taken.append((address, cast(bytes, envelope.content)))
        self.on_taken(*self.taken[-1])
        await asyncio.sleep(self.slow)
        return "250 taken"

    @property
    def letters(self) -> list[EmailMessage]:
        return [message_from_bytes(content, policy=default) for _, content in self.taken]

    @property
    def counts(self) -> Counter[str]:
        return Counter(address for address, _ in self.taken)


class _Controller(Controller):
    """On a port that was free."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


def part_of(letter: EmailMessage, kind: str = "plain") -> str:
    """The text of a letter, with line ends of this machine."""
    body = letter.get_body((kind,))
    return str(body.get_content()).replace("\r\n", "\n")


@contextmanager
def relaying(**options: object) -> Iterator[Relay]:
    relay = Relay()
    controller = _Controller(relay, hostname="127.0.0.1", port=0, **options)
    controller.start()
    try:
        relay.port = controller.port
        yield relay
    finally:
        controller.stop()


@contextmanager
def dropping(when: str) -> Iterator[int]:
    """The port of a relay that accepts every connection, and drops it at a command, or before its greeting."""

    class Drop(StreamRequestHandler):
        def handle(self) -> None:
            if when == "greeting":
                return
            self.wfile.write(b"220 relay\r\n")
            for line in self.rfile:
                if line.upper().startswith(when.encode()):
                    return
                self.wfile.write(b"250 ok\r\n")

    with ThreadingTCPServer(("127.0.0.1", 0), Drop) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def config_at(folder: Path, taker: Relay, **changes: object) -> DigestConfig:
    """A config without a key, that sends as fast as it can."""
    options: dict[str, object] = {
        "folder": folder,
        "url": "https://papers.example.org",
        "sender": Address("Daily papers", "papers", "example.org"),
        "secret": SECRET,
        "relay": Where("smtp", "127.0.0.1", taker.port),
        "dkim": None,
        "per_minute": 10**6,
    }
    return DigestConfig(**(options | changes))
