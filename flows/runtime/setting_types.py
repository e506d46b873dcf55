"""Types of the settings, as environment variables write them. No message shows a value: it may be a secret."""

from __future__ import annotations

import re
from datetime import timedelta
from ipaddress import ip_address
from itertools import pairwise
from typing import Annotated, Final, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, HttpUrl, SecretStr, ValidationInfo
from pydantic_settings import NoDecode

AGE: Final = re.compile(r"([1-9][0-9]{0,4})([hd])")
HOURS: Final = {"h": 1, "d": 24}
MOST_AGE: Final = timedelta(days=365)
MOST_SEARCHES: Final = 20  # each is a call a day, and an anonymous client has 500 calls in five minutes
MOST_CHARACTERS: Final = 200


def _hub_url(url: str) -> str:
    """An address without secrets: it is kept with every capture."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("it must be an address that begins with https:// or http://")
    if "@" in parts.netloc or "?" in url or "#" in url or not url.isprintable() or " " in url:
        raise ValueError("it must be a plain address, without user, password, query and fragment")
    return url


def _token(token: SecretStr, known: ValidationInfo) -> SecretStr:
    """One word, as a header takes it; never sent where anyone on the way may read it."""
    value = token.get_secret_value()
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


def _s3_endpoint(url: HttpUrl) -> HttpUrl:
    if url.username or url.password or url.query or url.fragment:
        raise ValueError("it must be https://host:port; the keys are settings of their own")
    return url


def _s3_secret(secret: SecretStr | None, known: ValidationInfo) -> SecretStr | None:
    if (known.data.get("s3_access_key_id") is None) != (secret is None):
        raise ValueError("it goes together with PAPERLAKE_S3_ACCESS_KEY_ID; set both or neither")
    return secret


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
HubToken: TypeAlias = Annotated[SecretStr, AfterValidator(_token)] | None
Contact: TypeAlias = Annotated[str, AfterValidator(_contact)] | None
Ages: TypeAlias = Annotated[tuple[timedelta, ...], NoDecode, BeforeValidator(_ages), AfterValidator(_increasing)]
SomeAges: TypeAlias = Annotated[Ages, AfterValidator(_some)]
S3Endpoint: TypeAlias = Annotated[HttpUrl, AfterValidator(_s3_endpoint)] | None
S3Secret: TypeAlias = Annotated[SecretStr | None, AfterValidator(_s3_secret)]
Searches: TypeAlias = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_queries), AfterValidator(_limited)]
