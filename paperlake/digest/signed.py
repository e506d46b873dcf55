"""Signed links: each is for one purpose and one subscriber, and a link for one purpose opens no other."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

from itsdangerous import BadData, URLSafeTimedSerializer

from paperlake.digest.subscribers import UNCONFIRMED

DAY: Final = 86_400


class _Use(NamedTuple):
    path: str
    seconds: float | None


class Purpose(Enum):
    """What a link is for, and how long it is valid. A letter may be forwarded: no page shows an address."""

    CONFIRM = _Use("confirm", UNCONFIRMED.total_seconds())
    PREFERENCES = _Use("preferences", 30 * DAY)
    FIRST = _Use("first", UNCONFIRMED.total_seconds())
    UNSUBSCRIBE = _Use("unsubscribe", None)


def link(url: str, secret: bytes, purpose: Purpose, number: int) -> str:
    """The address of the page for a subscriber and a purpose."""
    return f"{url}/{purpose.value.path}/{token(secret, purpose, number)}"


def token(secret: bytes, purpose: Purpose, number: int) -> str:
    """The signed part of a link."""
    text = _serializer(secret, purpose).dumps(number)
    return text if isinstance(text, str) else text.decode()


def number_of(secret: bytes, purpose: Purpose, text: str) -> int | None:
    """The subscriber that a token is for; None where it is forged, too old, or for something else."""
    try:
        number = _serializer(secret, purpose).loads(text, max_age=purpose.value.seconds)  # type: ignore[arg-type]
    except BadData:
        return None
    return number if isinstance(number, int) else None


def _serializer(secret: bytes, purpose: Purpose) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(secret, salt=f"paperlake.digest.{purpose.value.path}")
