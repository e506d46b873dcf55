"""What huggingface_hub raises: what it says, whether the same call may succeed later, and when."""

from __future__ import annotations

from typing import Final

import httpx2
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.utils import parse_ratelimit_headers

MOST_SECONDS: Final = 330.0  # the Hub counts requests by windows of five minutes
REFUSED: Final = {401, 403}
MISSING: Final = 404
CONFLICT: Final = {409, 412}
PASSING: Final = {408, 429, 500, 502, 503, 504}
# Of a request, of a thread that uploads, of an answer that is none
FAILURES: Final = (httpx2.HTTPError, OSError, RuntimeError, ValueError)


def _root(error: BaseException) -> BaseException:
    """What made an upload in a thread fail; else the error itself."""
    return error.__cause__ if isinstance(error, RuntimeError) and error.__cause__ else error


def status_of(error: BaseException) -> int | None:
    """The status of the answer that was an error; None where there was no answer."""
    cause = _root(error)
    return cause.response.status_code if isinstance(cause, HfHubHTTPError) else None


def words_of(error: BaseException) -> str:
    """What went wrong in a line without addresses: those of uploads are signed, and let anyone write."""
    cause = _root(error)
    if type(cause) in {httpx2.UnsupportedProtocol, ValueError}:  # ours, and what is wrong with a card
        return str(cause).partition("\n")[0]
    return (getattr(cause, "server_message", None) or type(cause).__name__).partition("\n")[0]


def passes(error: BaseException) -> bool:
    """Whether the same call may succeed a moment later."""
    cause = _root(error)
    if isinstance(cause, HfHubHTTPError):
        return cause.response.status_code in PASSING
    return isinstance(cause, httpx2.TransportError) and not isinstance(cause, httpx2.UnsupportedProtocol)


def pause_after(error: BaseException, usual: float) -> float:
    """How many seconds to wait: until the window of the Hub's count is over, where it says when."""
    limit = parse_ratelimit_headers(error.response.headers) if isinstance(error, HfHubHTTPError) else None
    return min(limit.reset_in_seconds, MOST_SECONDS) if limit and limit.remaining == 0 else usual
