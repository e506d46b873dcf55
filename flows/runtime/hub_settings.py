"""What the settings of the source may be, as environment variables write them. A wrong secret is never shown."""

from __future__ import annotations

import re
from datetime import timedelta
from ipaddress import ip_address
from itertools import pairwise
from typing import Annotated, Final, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, SecretStr, ValidationInfo
from pydantic_settings import NoDecode

AGE: Final = re.compile(r"([1-9][0-9]{0,4})([hd])")
HOURS: Final = {"h": 1, "d": 24}
MOST_AGE: Final = timedelta(days=365)
MOST_SEARCHES: Final = 20  # a call each and day, of the 500 that an anonymous client has in five minutes
MOST_CHARACTERS: Final = 200


def _hub_url(url: str) -> str:
    """The address stands in every capture: it may hold no secret."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("it must be an address that begins with https:// or http://")
    if "@" in parts.netloc or "?" in url or "#" in url or not url.isprintable() or " " in url:
        raise ValueError("it must be a plain address, without user, password, query and fragment")
    return url


def _token(token: SecretStr | None, known: ValidationInfo) -> SecretStr | None:
    """One word, as a header takes it; never sent where anyone on the way may read it."""
    if token is None or not (value := token.get_secret_value()):
        return None
    if not (value.isascii() and value.isprintable()) or " " in value:
        raise ValueError("it must be one word of ASCII characters")
    hub = urlsplit(known.data.get("hub_url", ""))
    if hub.scheme == "http" and not _is_loopback(hub.hostname or ""):
        raise ValueError("it is sent over https:// only; see PAPERLAKE_HUB_URL")
    return token


def _contact(contact: str) -> str:
    if not (contact.isascii() and contact.isprintable()) or set(contact) & set("()\\"):
        raise ValueError("it must be the address of a page or a mailbox, in ASCII characters, without brackets")
    return contact


def _unless_empty(value: object) -> object:
    """An empty variable is one that is not set."""
    return None if value == "" else value


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _ages(value: object) -> object:
    """`1h,6h,1d` as spans of time."""
    if not isinstance(value, str):
        return value
    found = [AGE.fullmatch(part.strip()) for part in value.split(",") if part.strip()]
    if not all(found):
        raise ValueError("it must be ages in hours and days with commas between them, for example 1h,6h,1d,30d")
    return tuple(timedelta(hours=int(age[1]) * HOURS[age[2]]) for age in found if age)


def _increasing(ages: tuple[timedelta, ...]) -> tuple[timedelta, ...]:
    if any(later <= earlier for earlier, later in pairwise(ages)):
        raise ValueError("each age must be greater than the one before it")
    if ages and ages[-1] > MOST_AGE:
        raise ValueError(f"no age may be over {MOST_AGE.days}d")
    return ages


def _some(ages: tuple[timedelta, ...]) -> tuple[timedelta, ...]:
    if not ages:
        raise ValueError("it must have at least one age, for example 1h,6h,1d,30d")
    return ages


def _queries(value: object) -> object:
    """`first query; second query`, each once."""
    if not isinstance(value, str):
        return value
    return tuple(dict.fromkeys(query.strip() for query in value.split(";") if query.strip()))


def _limited(queries: tuple[str, ...]) -> tuple[str, ...]:
    if len(queries) > MOST_SEARCHES:
        raise ValueError(f"it may have {MOST_SEARCHES} queries, and has {len(queries)}")
    if any(len(query) > MOST_CHARACTERS or not query.isprintable() for query in queries):
        raise ValueError(f"a query may have {MOST_CHARACTERS} printable characters")
    return queries


HubUrl: TypeAlias = Annotated[str, AfterValidator(_hub_url)]
HubToken: TypeAlias = Annotated[SecretStr | None, AfterValidator(_token)]
Contact: TypeAlias = Annotated[Annotated[str, AfterValidator(_contact)] | None, BeforeValidator(_unless_empty)]
Ages: TypeAlias = Annotated[tuple[timedelta, ...], NoDecode, BeforeValidator(_ages), AfterValidator(_increasing)]
SomeAges: TypeAlias = Annotated[Ages, AfterValidator(_some)]
Searches: TypeAlias = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_queries), AfterValidator(_limited)]
