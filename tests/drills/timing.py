"""Who measures the digest's pages learns nothing: requests of erased and of new addresses take the same time.

The pages and the relay are processes of their own. Timed are the answer, and the next answer on the same connection,
which would wait for what the first left to do. Each is judged by the area under its ROC curve; .5 is chance.
"""

import asyncio
import random
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import NamedTuple

from flows.running.mail import DigestConfig
from paperlake.digest.register import erase_address
from tests.drills.mail import relay_process
from tests.processes import fork
from tests.relay import Relay, config_at

NOW = datetime(2026, 10, 5, 12)
MOST = 0.55
NONE: Mapping[str, str] = MappingProxyType({})


class Timed(NamedTuple):
    """The areas under the curves of a drill, each at least .5."""

    requests: int
    answer: float
    next_answer: float

    @property
    def is_told(self) -> bool:
        """Whether erased and new can be told apart."""
        return max(self.answer, self.next_answer) > MOST

    def __str__(self) -> str:
        told = "can" if self.is_told else "cannot"
        return (
            f"timing: {self.requests} requests, half of them of erased addresses, which {told} be told apart: area under "
            f"the curve {self.answer:.3f} by the answer, {self.next_answer:.3f} by the next one"
        )


def drill(seed: int, requests: int) -> Timed:
    """So many requests, in any order, each from another network."""
    chance = random.Random(seed)
    with ExitStack() as stack:
        root = Path(stack.enter_context(TemporaryDirectory(prefix="drill-")))
        port = stack.enter_context(relay_process(root / "taken.jsonl"))
        config = config_at(root / "state", Relay(port))
        kinds = ["erased", "new"] * (requests // 2)
        addresses = [(kind, f"{kind}{number}@example.org") for number, kind in enumerate(kinds)]
        for kind, address in addresses:
            if kind == "erased":
                erase_address(config, address, NOW)
        chance.shuffle(addresses)
        client = HTTPConnection(stack.enter_context(_pages(config)))
        times: dict[str, list[tuple[float, float]]] = {"erased": [], "new": []}
        for number, (kind, address) in enumerate(addresses):
            headers = {"X-Forwarded-For": f"10.{number // 256}.{number % 256}.1"}
            start = time.perf_counter()
            _ask(client, "POST", "/subscribe", f"address={address}", headers)
            answered = time.perf_counter()
            _ask(client, "GET", "/")
            times[kind].append((answered - start, time.perf_counter() - answered))
    first, second = (area(*([one[place] for one in times[kind]] for kind in times)) for place in (0, 1))
    return Timed(requests, first, second)


def area(some: Sequence[float], others: Sequence[float]) -> float:
    """The area under the ROC curve of whoever guesses by a number, the better way round."""
    wins = sum((one < other) + (one == other) / 2 for one in some for other in others)
    share = wins / (len(some) * len(others))
    return max(share, 1 - share)


def _ask(client: HTTPConnection, method: str, path: str, body: str = "", headers: Mapping[str, str] = NONE) -> None:
    client.request(method, path, body, headers)
    answer = client.getresponse()
    answer.read()
    assert answer.status == HTTPStatus.OK, answer.status


@contextmanager
def _pages(config: DigestConfig) -> Iterator[str]:
    """Host and port of the pages, in a process of their own."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            from uvicorn import Config, Server

            from paperlake.digest.web import create_app

            app = create_app(config, lambda: NOW)
            asyncio.run(Server(Config(app, log_level="error", access_log=False)).serve([listening]))

        server = fork(serve)
        try:
            yield f"127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.kill()
            server.join()
