"""The connection to the Hub: one request, and its answer or failure. Sets User-Agent, token and ETag headers."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from datetime import datetime, timedelta
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib.metadata import version
from itertools import chain
from typing import Final

import httpx
from pydantic import SecretStr

from flows.hub.answer import Again, Ask, Step, http_date, judge, origin, read_body
from flows.hub.patience import Clock, Patience
from flows.hub.robots import AGENT
from flows.hub.watch import Watch
from flows.runtime.settings import Settings
from warehouse.archive.captured import Capture
from warehouse.archive.http_message import OverLimitError
from warehouse.archive.outcome import Failed

ETAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e]*"')  # an ETag may come from anyone's WARC
AGE: Final = re.compile(r"[0-9]{1,9}")
DRAINED_BYTES: Final = 64 << 10
UNREACHABLE: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError)


class Wire:
    """One exchange at a time; not thread-safe."""

    def __init__(self, base: httpx.URL, settings: Settings, patience: Patience, clock: Clock) -> None:
        self._patience, self._clock = patience, clock
        self._bearer = Bearer(settings.hub_token, base) if settings.hub_token else None
        self._client = _client(settings.contact, patience)
        self._watch = Watch(patience.total_seconds)
        self.clock_skew: timedelta | None = None
        """How far this machine's clock is ahead of the Hub's, by the first answer with a Date."""

    def close(self) -> None:
        self._client.close()

    def get(self, ask: Ask, url: str, on_headers: Callable[[httpx.Headers], None]) -> Step:
        """Send one request; `on_headers` gets the answer's headers before its body is read."""
        fetched_at, status = self._clock.now(), None
        condition = {"If-None-Match": ask.known.etag} if ask.known and ETAG.fullmatch(ask.known.etag) else {}
        headers = {"Accept": ", ".join(ask.types) or "*/*"} | condition
        request = self._client.build_request("GET", url, headers=headers, extensions={"trace": self._watch.trace})
        with self._watch.exchange() as is_over:
            try:
                with closing(self._client.send(request, auth=self._bearer, stream=True)) as response:
                    status = response.status_code
                    on_headers(response.headers)
                    self._compare_clocks(response, fetched_at)
                    step = judge(response, ask, fetched_at)
                    if not response.is_stream_consumed:
                        with suppress(OverLimitError, httpx.TransportError):  # so the connection can be used again
                            read_body(response, DRAINED_BYTES)
            except httpx.TransportError as error:
                if is_over.is_set():
                    seconds = self._patience.total_seconds
                    return Failed(ask.url, fetched_at, f"its answer took longer than {seconds:g} seconds", status)
                failed = Failed(ask.url, fetched_at, self._reason(error), status)
                return Again(failed, is_unreachable=isinstance(error, UNREACHABLE))
        if self._bearer is not None and self._bearer.is_in(step):
            return Failed(ask.url, fetched_at, "the answer repeats PAPERLAKE_HUB_TOKEN, so it was not kept", status)
        return step

    def _compare_clocks(self, response: httpx.Response, fetched_at: datetime) -> None:
        hub_time = http_date(response.headers.get("Date", ""))
        if hub_time and self.clock_skew is None:
            stated = response.headers.get("Age", "").strip()  # since its Date, in a cache on the way (RFC 9111 §5.1)
            age = timedelta(seconds=int(stated)) if AGE.fullmatch(stated) else timedelta()
            self.clock_skew = fetched_at - hub_time - age

    def _reason(self, error: httpx.TransportError) -> str:
        """The failure in words; httpx's own messages never show a header that was sent."""
        if isinstance(error, httpx.ConnectTimeout):
            return f"no connection within {self._patience.connect_seconds:g} seconds"
        if isinstance(error, httpx.TimeoutException):
            return f"no answer within {self._patience.read_seconds:g} seconds"
        if isinstance(error, httpx.RemoteProtocolError):
            return f"its answer was cut short, or is no HTTP: {error}"
        return f"the connection failed: {error or type(error).__name__}"


class Bearer(httpx.Auth):
    """Sends the token to the Hub's own origin only."""

    def __init__(self, token: SecretStr, base: httpx.URL) -> None:
        self._token, self._origin = token, origin(base)

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        if origin(request.url) == self._origin:
            request.headers["Authorization"] = f"Bearer {self._token.get_secret_value()}"
        yield request

    def is_in(self, step: Step) -> bool:
        """Whether an answer repeats the token."""
        token = self._token.get_secret_value()
        if isinstance(step, Capture):
            texts = (step.etag, step.content_type, step.final_url, *chain.from_iterable(step.headers))
            return token.encode() in step.payload or any(token in text for text in texts if text)
        return token in repr(step)


def _client(contact: str | None, patience: Patience) -> httpx.Client:
    agent = f"{AGENT}/{version('paperlake')}"
    timeout = httpx.Timeout(patience.read_seconds, connect=patience.connect_seconds)
    return httpx.Client(
        headers={"User-Agent": f"{agent} (+{contact})" if contact else agent, "Accept-Encoding": "gzip"},
        timeout=timeout,
        limits=httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=30),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),  # none is kept
        follow_redirects=False,
    )
