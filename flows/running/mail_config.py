"""The configuration of the digest, made of the settings; its relay; whether the packages of its extra are there."""

from __future__ import annotations

import smtplib
import ssl
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.utils import parseaddr
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from flows.runtime.environment import require_extra, variable
from warehouse.errors import UsageError

if TYPE_CHECKING:
    from flows.runtime.settings import Settings

PACKAGES: Final = ("css_inline", "dkim", "flufl.bounce", "itsdangerous", "starlette", "uvicorn")
NEEDED: Final = ("digest_url", "digest_from", "digest_secret", "digest_smtp_url")
PORTS: Final = {"smtps": 465, "smtp+starttls": 587, "smtp": 25}


class Relay(NamedTuple):
    """The SMTP server that takes the letters. Its repr has no password."""

    scheme: str
    host: str
    port: int
    user: str | None = None
    password: str | None = None

    def __repr__(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class DkimKey:
    """The DKIM key of a domain, and the selector under which its DNS has the public half."""

    domain: str
    selector: str
    key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestConfig:
    """The settings of a run of the digest: the subscribers' folder, the pages' address, the sender, keys, the relay.

    Under `lake_url` people read the lake; it is empty where they do not.
    """

    folder: Path
    url: str
    sender: Address
    secret: bytes = field(repr=False)
    relay: Relay
    dkim: DkimKey | None
    per_minute: int
    lake_url: str = ""


def require_packages() -> None:
    """UsageError where the packages that only the digest needs are not installed."""
    require_extra("the digest", "digest", *PACKAGES)


def is_set_up(settings: Settings) -> bool:
    """Whether letters are to be sent: any of the settings that this needs is set."""
    return any(getattr(settings, name) is not None for name in NEEDED)


def config_of(settings: Settings) -> DigestConfig:
    """The configuration; UsageError names the settings that are missing."""
    url, sender, secret, _ = (getattr(settings, name) for name in NEEDED)
    if missing := [variable(name) for name in NEEDED if getattr(settings, name) is None]:
        raise UsageError(f"the digest is not set up: set {', '.join(missing)} (docs/digest.md)")
    name, address = parseaddr(sender)
    whose = Address(display_name=name, addr_spec=address)
    return DigestConfig(
        folder=settings.state.expanduser(),
        url=url.rstrip("/"),
        sender=whose,
        secret=secret.get_secret_value().encode(),
        relay=relay_of(settings),
        dkim=_dkim_key(settings, whose.domain),
        per_minute=settings.digest_per_minute,
        lake_url=(settings.digest_lake_url or "").rstrip("/"),
    )


def relay_of(settings: Settings) -> Relay:
    """The relay that the settings name."""
    parts, password = urlsplit(settings.digest_smtp_url or ""), settings.digest_smtp_password
    return Relay(
        parts.scheme,
        parts.hostname or "",
        parts.port or PORTS[parts.scheme],
        settings.digest_smtp_user,
        None if password is None else password.get_secret_value(),
    )


def connected(relay: Relay, seconds: float) -> smtplib.SMTP:
    """A connection to the relay, by TLS where that is asked for; OSError, as SMTPException is, where there is none.

    Without TLS it is to this machine only: the settings see to that.
    """
    if relay.scheme == "smtps":
        tls = ssl.create_default_context()
        client: smtplib.SMTP = smtplib.SMTP_SSL(relay.host, relay.port, timeout=seconds, context=tls)
    else:
        client = smtplib.SMTP(relay.host, relay.port, timeout=seconds)
    try:
        if relay.scheme == "smtp+starttls":
            client.starttls(context=ssl.create_default_context())
        if relay.user and relay.password:
            client.login(relay.user, relay.password)
    except OSError:
        client.close()
        raise
    return client


def _dkim_key(settings: Settings, domain: str) -> DkimKey | None:
    path, selector = settings.digest_dkim_key, settings.digest_dkim_selector
    if path is None or selector is None:
        return None
    try:
        return DkimKey(domain, selector, path.expanduser().read_bytes())
    except OSError as error:
        raise UsageError(f"{variable('digest_dkim_key')}: cannot read {path}: {error.strerror}") from error
