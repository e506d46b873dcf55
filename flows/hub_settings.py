"""What the settings of the source may be. What is wrong with a secret is told without it."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Annotated, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, SecretStr, ValidationInfo


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


HubUrl: TypeAlias = Annotated[str, AfterValidator(_hub_url)]
HubToken: TypeAlias = Annotated[SecretStr | None, AfterValidator(_token)]
Contact: TypeAlias = Annotated[Annotated[str, AfterValidator(_contact)] | None, BeforeValidator(_unless_empty)]
