"""Turns one HTTP answer of a source into a page to keep, a redirect, a retry or a failure with its reason.

What may pass is asked for again, less and less often, and then no more.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final, TypeAlias

import httpx
from tenacity import RetryCallState, Retrying, retry_if_result, stop_after_attempt, wait_exponential_jitter

from flows.hub.budget import Clock, Patience
from flows.runtime.progress import log
from warehouse.archive.captured import Capture, Failed, Known, Limits, Outcome, Unchanged, in_utc
from warehouse.archive.http_message import OverLimitError, UndecodableError, headers_of, inflated

MAY_PASS: Final = (408, 425, 429)  # and every 5xx; no other status changes on a retry
GZIP: Final = "gzip"  # the only encoding we ask for
IDENTITY: Final = "identity"
LOCATION: Final = "location"  # the extension of a response that keeps it


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One address to fetch. `types` are the content types that its page may have; none means any.

    `source` is whose it is, in words; `headers` are those that the source wants beside the usual ones.
    """

    url: str
    types: tuple[str, ...]
    limits: Limits
    known: Known | None = None
    source: str = "the Hub"
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Again:
    """A failure worth a retry, after `after_seconds` where the Hub asks for a wait, unless it `is_final`."""

    failed: Failed
    after_seconds: float | None = None
    is_unreachable: bool = False
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class Moved:
    """A redirect to another address of the same host."""

    url: str
    http_status: int


NextStep: TypeAlias = Outcome | Again | Moved


def keep_location(response: httpx.Response) -> None:
    """Take a redirect's address away from httpx, which parses it, and fails, before the redirect is judged."""
    if response.has_redirect_location:
        response.extensions[LOCATION] = response.headers.pop("Location")


def judge(response: httpx.Response, ask: Ask, fetched_at: datetime) -> NextStep:
    """Decide what to do with an answer; reads the body of a page to keep. httpx.TransportError where it breaks off.

    A reason quotes the Hub's words whole and as they came: who passes it on looks for secrets in it, and cuts it.
    """
    status = response.status_code
    if status in MAY_PASS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Again(
            Failed(ask.url, fetched_at, f"HTTP status {status}", status), retry_after_seconds(response, fetched_at)
        )
    if LOCATION in response.extensions:
        return _moved(response, ask, fetched_at)
    if status == HTTPStatus.NOT_MODIFIED:
        if ask.known is None:
            reason = "the Hub answered 304 (unchanged) to a request without a condition"
            return Failed(ask.url, fetched_at, reason, status)
        etag = response.headers.get("ETag", ask.known.etag)
        return Unchanged(ask.url, fetched_at, etag, headers_of(response.headers.raw))
    return _page(response, ask, fetched_at)


def retry_after_seconds(response: httpx.Response, now: datetime) -> float | None:
    """The wait that Retry-After asks for, in seconds; None where it is missing or malformed.

    A date is compared with the answer's own Date, else with `now`.
    """
    value = response.headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdecimal():
        return float(value)
    moment = http_date(value)
    clock = http_date(response.headers.get("Date", "")) or now
    return max(0.0, (moment - clock).total_seconds()) if moment else None


def http_date(text: str) -> datetime | None:
    """A date of an HTTP header as UTC without zone; None where it is malformed."""
    try:
        return in_utc(parsedate_to_datetime(text))
    except (ValueError, OverflowError):
        return None


def _moved(response: httpx.Response, ask: Ask, fetched_at: datetime) -> Moved | Failed:
    """A redirect is followed only within the source's own scheme, host and port."""
    location = response.extensions[LOCATION]
    try:
        to = response.url.join(location)
    except httpx.InvalidURL:
        return Failed(ask.url, fetched_at, f"a redirect to what is no address: {location}", response.status_code)
    if not to.host:
        reason = f"a redirect to what is no web address: {location}"
    elif origin(to) != origin(response.url):
        reason = f"a redirect off {ask.source}'s host, to {to.scheme}://{to.netloc.decode()}"
    elif to.userinfo:
        reason = f"a redirect to {ask.source}'s host under a user name"
    else:
        return Moved(str(to.copy_with(fragment=None)), response.status_code)
    return Failed(ask.url, fetched_at, reason, response.status_code)


def origin(url: httpx.URL) -> tuple[str, str, int | None]:
    """The origin of an address: scheme, host and port."""
    return url.scheme, url.host, url.port


def _page(response: httpx.Response, ask: Ask, fetched_at: datetime) -> Capture | Failed | Again:
    """The answer as a capture."""
    status = response.status_code
    if reason := _wrong_form(response, ask.types):
        return Failed(ask.url, fetched_at, reason, status)
    try:
        body = read_body(response, ask.limits.payload_bytes)
        payload = inflated(body, ask.limits.payload_bytes) if _coding(response) == GZIP else body
    except OverLimitError:
        size = _stated_bytes(response)
        too_large = ask.limits.page_too_large(size if size > ask.limits.payload_bytes else None)
        return Failed(ask.url, fetched_at, too_large, status)
    except UndecodableError as error:
        return Again(Failed(ask.url, fetched_at, str(error), status))
    return Capture(
        payload=payload,
        url=ask.url,
        final_url=str(response.url) if response.url != httpx.URL(ask.url) else None,
        fetched_at=fetched_at,
        http_status=status,
        content_type=response.headers.get("Content-Type"),
        etag=response.headers.get("ETag"),
        headers=headers_of(response.headers.raw),
    )


def _coding(response: httpx.Response) -> str:
    coding: str = response.headers.get("Content-Encoding", "").strip().lower()
    return coding or IDENTITY


def _wrong_form(response: httpx.Response, types: tuple[str, ...]) -> str | None:
    """Why an answer is not in a form we asked for; None where it is. An error may have any content type."""
    coding = _coding(response)
    if coding not in {GZIP, IDENTITY}:
        return f"its encoding was not asked for: {coding}"
    stated = response.headers.get("Content-Type", "")
    if not response.is_success or not types or stated.partition(";")[0].strip().lower() in types:
        return None
    return f"its content type is {stated or 'missing'}, in place of {' or '.join(types)}"


def read_body(response: httpx.Response, limit: int) -> bytes:
    """The body as it is sent; OverLimitError as soon as it has, or is said to have, more than `limit` bytes."""
    if _stated_bytes(response) > limit:
        raise OverLimitError
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > limit:
            raise OverLimitError
    return bytes(body)


def _stated_bytes(response: httpx.Response) -> int:
    """Content-Length, which h11 has found to be a number; 0 where it is missing."""
    return int(response.headers.get("Content-Length", 0))


def retrying(patience: Patience, clock: Clock) -> Retrying:
    """Calls again what gives `Again`, as often as patience lasts; gives the last of them in the end."""
    return Retrying(
        retry=retry_if_result(lambda step: isinstance(step, Again) and not step.is_final),
        stop=stop_after_attempt(patience.tries),
        wait=wait_exponential_jitter(
            multiplier=patience.backoff_seconds,
            max=patience.longest_backoff_seconds,
            jitter=patience.backoff_seconds,
        ),
        sleep=clock.sleep,
        before_sleep=_say_again,
        retry_error_callback=lambda state: state.outcome and state.outcome.result(),  # the last failure
    )


def given_up(last: Again, patience: Patience) -> Failed:
    """The failure that an address ends with."""
    tries = "" if last.is_final else f"; given up after {patience.tries} tries"
    return replace(last.failed, reason=f"{last.failed.reason}{tries}")


def _say_again(state: RetryCallState) -> None:
    """Say why nothing comes, and when it is asked for again, where a source cannot be reached at all."""
    found = state.outcome.result() if state.outcome else None
    if isinstance(found, Again) and found.is_unreachable and state.next_action:
        seconds = state.next_action.sleep
        log.info("%s cannot be reached (%s): asked again in %.0f s", found.failed.url, found.failed.reason, seconds)
