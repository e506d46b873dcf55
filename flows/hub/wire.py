"""The connection to a source: one request, and its answer or failure. Sets User-Agent, token and ETag headers."""

import re
import socket
import ssl
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib.metadata import version
from typing import Any, Final
from urllib.parse import quote

import httpx
from pydantic import SecretStr

from flows.hub.answer import Again, Ask, NextStep, http_date, judge, keep_location, origin, read_body
from flows.hub.budget import Clock, Patience
from flows.runtime.setting_types import mounts_of
from warehouse.archive.captured import Capture, Failed, shown
from warehouse.archive.http_message import OverLimitError

AGENT: Final = "paperlake"
STREAM_IS_OPEN: Final = ("connect_tcp.complete", "start_tls.complete")


class Watch:
    """Shuts down a client's only connection when an exchange has lasted `seconds`; for one exchange at a time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._socket: socket.socket | None = None
        self._over = threading.Event()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """The `trace` extension of a request, from which the open connection is known."""
        if event.endswith(STREAM_IS_OPEN):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._over.is_set():
                self._shut()

    @contextmanager
    def exchange(self) -> Iterator[threading.Event]:
        """Limit the time of the block; the event is set when it is over, just before the connection fails."""
        self._over = threading.Event()
        timer = threading.Timer(self._seconds, self._shut)
        timer.daemon = True
        timer.start()
        try:
            yield self._over
        finally:
            timer.cancel()
            timer.join()

    def _shut(self) -> None:
        self._over.set()
        if self._socket is not None:
            with suppress(OSError):  # it is closed already
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)  # not TLS's own, which changes state under read


ETAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e]*"')  # an ETag may come from anyone's WARC
AGE: Final = re.compile(r"[0-9]{1,9}")
DRAINED_BYTES: Final = 64 << 10
REASON_LENGTH: Final = 300
TOO_LARGE: Final = 431  # what h11 calls a header, or the line before a chunk, over 100 KiB
CUT: Final = (ssl.SSLEOFError, ssl.SSLZeroReturnError)  # the errors of TLS that may pass
UNREACHABLE: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError)


class Wire:
    """The connection of one client, for one exchange at a time; not thread-safe."""

    def __init__(
        self, base: httpx.URL, contact: str | None, patience: Patience, clock: Clock, token: SecretStr | None = None
    ) -> None:
        self._patience, self._clock = patience, clock
        self._bearer = Bearer(token, base) if token else None
        self._client = _client(str(base), contact, patience)
        self._watch = Watch(patience.total_seconds)
        self.clock_skew: timedelta | None = None
        """How far this machine's clock is ahead of the Hub's, by the first answer with a Date."""

    def close(self) -> None:
        self._client.close()

    def get(self, ask: Ask, url: str, on_headers: Callable[[httpx.Headers], None]) -> NextStep:
        """Send one request; `on_headers` gets the answer's headers before its body is read.

        Whatever the answer says, no text that is returned has the token in it, and a reason is fit for a terminal.
        """
        fetched_at = self._clock.now()
        step = self._exchange(ask, url, on_headers, fetched_at)
        if self._bearer is not None and self._bearer.is_in(step):
            failed = step.failed if isinstance(step, Again) else step
            status = failed.http_status if isinstance(failed, Capture | Failed) else None
            return Failed(ask.url, fetched_at, "the answer repeats PAPERLAKE_HUB_TOKEN, so it was not kept", status)
        if isinstance(step, Again):
            return replace(step, failed=_in_plain(step.failed))
        return _in_plain(step) if isinstance(step, Failed) else step

    def _exchange(
        self, ask: Ask, url: str, on_headers: Callable[[httpx.Headers], None], fetched_at: datetime
    ) -> NextStep:
        """The outcome of one request, with a reason in the Hub's own words."""
        status = None
        condition = {"If-None-Match": ask.known.etag} if ask.known and ETAG.fullmatch(ask.known.etag) else {}
        headers = {"Accept": ", ".join(ask.types) or "*/*", **dict(ask.headers)} | condition
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
                causes = list(_causes(error))
                if any(getattr(cause, "error_status_hint", None) == TOO_LARGE for cause in causes):
                    what = "its header" if status is None else "the header of a chunk of its answer"
                    return Failed(ask.url, fetched_at, f"{what} is too large (over 100 KiB)", status)
                failed = Failed(ask.url, fetched_at, self._reason(error), status)
                is_final = any(isinstance(cause, ssl.SSLError) and not isinstance(cause, CUT) for cause in causes)
                return Again(failed, is_unreachable=isinstance(error, UNREACHABLE), is_final=is_final)
        return step

    def _compare_clocks(self, response: httpx.Response, fetched_at: datetime) -> None:
        hub_time = http_date(response.headers.get("Date", ""))
        if hub_time and self.clock_skew is None:
            stated = response.headers.get("Age", "").strip()  # since its Date, in a cache on the way (RFC 9111 §5.1)
            age = timedelta(seconds=int(stated)) if AGE.fullmatch(stated) else timedelta()
            self.clock_skew = fetched_at - hub_time - age

    def _reason(self, error: httpx.TransportError) -> str:
        """The failure in words; those of httpx and h11 quote what the Hub has sent, whatever that is."""
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

    def is_in(self, step: NextStep) -> bool:
        """Whether an answer repeats the token: in any case (that of a host is lost), quoted as in an address or not."""
        token = self._token.get_secret_value().lower()
        if isinstance(step, Capture) and token.encode() in step.payload.lower():
            return True
        rest = repr(replace(step, payload=b"") if isinstance(step, Capture) else step).lower()
        forms = (token, quote(token, safe="").lower())
        return any(form.replace("\\", "") in rest.replace("\\", "") for form in forms)  # which repr puts in


@cache  # 30 ms, and each source has a client
def trusted() -> ssl.SSLContext:
    """The authorities by which servers are known."""
    return httpx.create_ssl_context()


def _client(url: str, contact: str | None, patience: Patience) -> httpx.Client:
    agent = f"{AGENT}/{version('paperlake')}"
    timeout = httpx.Timeout(patience.read_seconds, connect=patience.connect_seconds)
    return httpx.Client(
        headers={"User-Agent": f"{agent} (+{contact})" if contact else agent, "Accept-Encoding": "gzip"},
        timeout=timeout,
        verify=trusted(),
        limits=httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=30),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),  # none is kept
        follow_redirects=False,
        mounts=mounts_of(url),
        event_hooks={"response": [keep_location]},
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and those it came from: httpx wraps those of httpcore, which wraps those of h11 and ssl."""
    while error is not None:
        yield error
        error = error.__context__  # httpcore sets no cause


def _in_plain(failed: Failed) -> Failed:
    return replace(failed, reason=shown(failed.reason, REASON_LENGTH))
