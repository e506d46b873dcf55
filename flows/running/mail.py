"""The mail of the digest: its configuration, and the relay that takes one letter after the other.

The relay speaks STARTTLS or TLS. Of its answer only numbers are kept: its words may repeat an address.
"""

import re
import smtplib
import ssl
from contextlib import suppress
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.utils import parseaddr
from pathlib import Path
from smtplib import SMTP, SMTPDataError, SMTPRecipientsRefused, SMTPResponseException
from typing import Final, Literal, NamedTuple, Self
from urllib.parse import urlsplit

from flows.runtime.environment import require_extra, variable
from flows.runtime.settings import Settings
from warehouse.errors import MailFailed, UsageError

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
    import dkim  # of the extra of the digest

    try:
        key = path.expanduser().read_bytes()
        dkim.sign(b"From: papers\r\n\r\n", selector.encode(), domain.encode(), key)
    except OSError as error:
        raise UsageError(f"{variable('digest_dkim_key')}: cannot read {path}: {error.strerror}") from error
    except (dkim.DKIMException, ValueError):
        raise UsageError(f"{variable('digest_dkim_key')}: {path} is no RSA key in PEM") from None
    return DkimKey(domain, selector, key)


SECONDS: Final = 60.0
ENHANCED: Final = re.compile(r"\s*([245]\.\d{1,3}\.\d{1,3})\b")
# Of RFC 5321: no such mailbox, not here, no mailbox may be called that. The other 5xx are of the letter or the relay
DEAD: Final = frozenset({550, 551, 553})
POLICY, ADDRESS = "5.7.", "5.1."  # of RFC 3463: the relay does not want it; there is no such address


class Relayed(NamedTuple):
    """The outcome of a letter. A deferred one is tried again; a bounced one went to an address that takes none."""

    state: Literal["sent", "deferred", "bounced"]
    status: str = ""


CUT_OFF: Final = Relayed("deferred", "cut off")


class Mailer:
    """Hands letters to the relay, one after the other; a context manager, at whose end it hangs up."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._client: SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._client is not None:
            with suppress(OSError):
                self._client.quit()
            self._client.close()

    def connect(self) -> None:
        """Connect, if not connected any more; MailFailed where the relay does not answer or refuses us."""
        if self._client is not None and self._client.sock is not None:
            return
        try:
            self._client = connected(self._relay, SECONDS)
        except OSError as error:  # as is every error of smtplib
            code = f" ({error.smtp_code})" if isinstance(error, SMTPResponseException) else ""
            raise MailFailed(
                f"the mail relay {self._relay!r} cannot be reached or refuses us: {type(error).__name__}{code}; "
                f"look at {variable('digest_smtp_url')}, {variable('digest_smtp_user')} and "
                f"{variable('digest_smtp_password')}"
            ) from None

    def hand_over(self, sender: str, address: str, letter: bytes) -> Relayed:
        """Give a letter to the connected relay. Where the connection breaks, it may have taken the letter or not."""
        client = self._client
        assert client is not None
        try:
            client.sendmail(sender, [address], letter)
        except SMTPRecipientsRefused as error:
            [(code, said)] = error.recipients.values()
            return outcome_of(code, _words(said), is_of_address=True)
        except SMTPResponseException as error:
            words = _words(error.smtp_error)
            is_of_address = isinstance(error, SMTPDataError) and ADDRESS in words
            return outcome_of(error.smtp_code, words, is_of_address=is_of_address)
        except OSError:  # as is what smtplib raises for a lost connection, and for one that does not answer in time
            client.close()
            return CUT_OFF
        return Relayed("sent")


def _words(said: bytes | str) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else said


def outcome_of(code: int, words: str, *, is_of_address: bool) -> Relayed:
    """The outcome that a refusal means, by its SMTP code and its enhanced code (RFC 3463).

    >>> outcome_of(550, "5.1.1 <ada@example.org>: no such user", is_of_address=True)
    Relayed(state='bounced', status='550 5.1.1')
    >>> outcome_of(550, "5.7.1 relay access denied", is_of_address=True).state
    'deferred'
    >>> outcome_of(451, "", is_of_address=True).state
    'deferred'
    """
    found = ENHANCED.match(words)
    enhanced = found[1] if found else ""
    is_dead = is_of_address and code in DEAD and not enhanced.startswith(POLICY)
    return Relayed("bounced" if is_dead else "deferred", f"{code} {enhanced}".strip())
