"""Types of the settings, as environment variables write them. No message shows a value: it may be a secret."""

import re
from collections.abc import Callable
from datetime import timedelta
from email.utils import parseaddr
from ipaddress import ip_address
from itertools import pairwise
from typing import Annotated, Final, TypeAlias, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, HttpUrl, SecretStr, ValidationInfo
from pydantic_settings import NoDecode

from warehouse.inventory.keep_rule import KeepRule, rule_of
from warehouse.limits import MEMORY

AGE: Final = re.compile(r"([1-9][0-9]{0,4})([hd])")
HOURS: Final = {"h": 1, "d": 24}
MOST_AGE: Final = timedelta(days=365)
MOST_SEARCHES: Final = 20  # each is a call a day, and an anonymous client has 500 calls in five minutes
MOST_CHARACTERS: Final = 200
SECRET_CHARACTERS: Final = 32
ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
REGION: Final = re.compile(rf"(?![0-9]+$){LABEL}")  # as botocore takes it: a part of the name of a host
SELECTOR: Final = re.compile(r"[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*")
REPOSITORY: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
# An address with `=?` is one that the library of mail takes for an encoded word, and fails on
MAILBOX: Final = re.compile(rf"(?=[^@]{{1,64}}@)(?!.*=\?){ATOM}(?:\.{ATOM})*@(?:{LABEL}\.)+{LABEL}")


T = TypeVar("T")


def must(holds: Callable[[T], bool], rule: str) -> AfterValidator:
    """A validator of a setting; a value for which `holds` is false is refused with `rule` as the message."""

    def checked(value: T) -> T:
        if not holds(value):
            raise ValueError(rule)
        return value

    return AfterValidator(checked)


def from_text(read: Callable[[str], object]) -> BeforeValidator:
    """A validator that reads a setting's text; a default, which is none, stays as it is."""
    return BeforeValidator(lambda value: read(value) if isinstance(value, str) else value)


def together_with(field: str) -> AfterValidator:
    """A validator of a setting that is set if and only if another one is, which is read before it."""

    def checked(value: T, known: ValidationInfo) -> T:
        if (known.data.get(field) is None) != (value is None):
            raise ValueError(f"it goes together with PAPERLAKE_{field.upper()}; set both or neither")
        return value

    return AfterValidator(checked)


def _is_word(secret: SecretStr) -> bool:
    """Whether a header takes it."""
    value = secret.get_secret_value()
    return value.isascii() and value.isprintable() and " " not in value


def _to_hub(token: SecretStr, known: ValidationInfo) -> SecretStr:
    """A token that is never sent where anyone on the way may read it."""
    hub = urlsplit(known.data.get("hub_url", ""))
    if hub.scheme == "http" and not _is_loopback(hub.hostname or ""):
        raise ValueError("it is sent over https:// only; see PAPERLAKE_HUB_URL")
    return token


def is_safe(url: str, schemes: set[str], plain: str) -> bool:
    """Whether an address is of one of the schemes; of the plain one only on this machine.

    >>> is_safe("http://127.0.0.1:8025", {"https"}, "http"), is_safe("http://example.org", {"https"}, "http")
    (True, False)
    """
    try:
        parts = urlsplit(url)
        has_port = parts.port is None or parts.port > 0
    except ValueError:  # whose words repeat what was no port
        return False
    host = parts.hostname or ""
    is_plain = url.isprintable() and not set(url) & set("?# ") and "@" not in parts.netloc and has_port
    return is_plain and bool(host) and (parts.scheme in schemes or (parts.scheme == plain and _is_loopback(host)))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def mounts_of(url: str) -> dict[str, None]:
    """For httpx: this machine is reached without the environment's proxy, which would read what is plain, a secret too.

    >>> mounts_of("http://127.0.0.1:8025/hook"), mounts_of("https://example.org")
    ({'all://127.0.0.1:8025': None}, {})
    """
    parts = urlsplit(url)
    return {f"all://{parts.netloc}": None} if _is_loopback(parts.hostname or "") else {}


def age_of(text: str) -> timedelta | None:
    """An age in hours or days; None for any other text.

    >>> age_of("30h"), age_of("soon")
    (datetime.timedelta(days=1, seconds=21600), None)
    """
    found = AGE.fullmatch(text.strip())
    return timedelta(hours=int(found[1]) * HOURS[found[2]]) if found else None


def _age(text: str) -> timedelta:
    """`30h` as a span of time."""
    if (age := age_of(text)) is None:
        raise ValueError("it must be an age in hours or days, for example 30h or 2d")
    return age


def _ages(text: str) -> tuple[timedelta, ...]:
    """`1h,6h,1d` as spans of time."""
    found = [age_of(part) for part in text.split(",") if part.strip()]
    if not all(found):
        raise ValueError("it must be ages in hours and days with commas between them, for example 1h,6h,1d,30d")
    return tuple(filter(None, found))


def _queries(text: str) -> tuple[str, ...]:
    """`first query; second query`, each once."""
    return tuple(dict.fromkeys(query.strip() for query in text.split(";") if query.strip()))


# Without secrets: it is kept with every capture
HubUrl: TypeAlias = Annotated[
    str,
    must(
        lambda url: is_safe(url, {"https", "http"}, "http"),
        "it must be an address that begins with https:// or http://, without user, password, query and fragment",
    ),
]
HeaderWord: TypeAlias = Annotated[SecretStr, must(_is_word, "it must be one word of ASCII characters")]
HubToken: TypeAlias = Annotated[HeaderWord, AfterValidator(_to_hub)]
PushTo: TypeAlias = Annotated[
    str, must(lambda name: bool(REPOSITORY.fullmatch(name)), "it must be a dataset repository of the Hub, OWNER/NAME")
]
Contact: TypeAlias = Annotated[
    str,
    must(
        lambda contact: contact.isascii() and contact.isprintable() and not set(contact) & set("()\\"),
        "it must be the address of a page or a mailbox, in ASCII characters, without brackets",
    ),
]
AgesSetting: TypeAlias = Annotated[
    tuple[timedelta, ...],
    NoDecode,
    from_text(_ages),
    must(
        lambda ages: all(earlier < later for earlier, later in pairwise(ages)),
        "each age must be greater than the one before it",
    ),
    must(lambda ages: not ages or ages[-1] <= MOST_AGE, f"no age may be over {MOST_AGE.days}d"),
]


Age: TypeAlias = Annotated[timedelta, from_text(_age)]
MemorySize: TypeAlias = Annotated[
    str, must(lambda size: bool(MEMORY.fullmatch(size)), "it must be a size of memory, for example 2GB or 500MB")
]
Keep: TypeAlias = Annotated[KeepRule, NoDecode, from_text(rule_of)]
SomeAges: TypeAlias = Annotated[AgesSetting, must(bool, "it must have at least one age, for example 1h,6h,1d,30d")]
S3Endpoint: TypeAlias = Annotated[
    HttpUrl,
    must(
        lambda url: not (url.username or url.password or url.query or url.fragment),
        "it must be https://host:port; the keys are settings of their own",
    ),
]
S3Region: TypeAlias = Annotated[
    str,
    must(lambda region: bool(REGION.fullmatch(region)), "it must be the name of a region, for example eu-central-1"),
]
S3Secret: TypeAlias = Annotated[SecretStr | None, together_with("s3_access_key_id")]
Searches: TypeAlias = Annotated[
    tuple[str, ...],
    NoDecode,
    from_text(_queries),
    must(lambda queries: len(queries) <= MOST_SEARCHES, f"it may have {MOST_SEARCHES} queries at most"),
    must(
        lambda queries: all(len(query) <= MOST_CHARACTERS and query.isprintable() for query in queries),
        f"a query may have {MOST_CHARACTERS} printable characters",
    ),
]
DigestUrl: TypeAlias = Annotated[
    str,
    must(
        lambda url: is_safe(url, {"https"}, "http"),
        "it must be an address that begins with https:// (http:// on this machine only), without user and query",
    ),
]
MailFrom: TypeAlias = Annotated[
    str,
    must(
        lambda sender: sender.isprintable() and bool(MAILBOX.fullmatch(parseaddr(sender)[1])),
        "it must be a mailbox, for example Daily papers <papers@example.org>",
    ),
]
DigestSecret: TypeAlias = Annotated[
    SecretStr,
    must(
        lambda secret: len(secret.get_secret_value()) >= SECRET_CHARACTERS,
        f"it must have {SECRET_CHARACTERS} characters or more, by chance: openssl rand -hex 32",
    ),
]
SmtpUrl: TypeAlias = Annotated[
    str,
    must(
        lambda url: is_safe(url, {"smtps", "smtp+starttls"}, "smtp"),
        "it must be smtps://host:port or smtp+starttls://host:port (smtp:// on this machine only); user and "
        "password are settings of their own",
    ),
]
SmtpUser: TypeAlias = Annotated[str, must(str.isascii, "it must be in ASCII characters, as smtplib sends no other")]
SmtpPassword: TypeAlias = Annotated[
    SecretStr | None,
    together_with("digest_smtp_user"),
    must(
        lambda password: password is None or password.get_secret_value().isascii(),
        "it must be in ASCII characters, as smtplib sends no other",
    ),
]
Selector: TypeAlias = Annotated[
    str | None,
    together_with("digest_dkim_key"),
    must(lambda name: name is None or bool(SELECTOR.fullmatch(name)), "it must be a name in DNS, for example digest"),
]
Webhook: TypeAlias = Annotated[
    SecretStr,  # an address often holds a secret, so that no message shows it
    must(
        lambda url: is_safe(re.split(r"[?#]", url.get_secret_value())[0], {"https"}, "http"),
        "it must be an address that begins with https:// (http:// on this machine only)",
    ),
]
Mailbox: TypeAlias = Annotated[
    str, must(lambda address: bool(MAILBOX.fullmatch(address)), "it must be a mailbox, ada@example.org")
]
LineageTo: TypeAlias = Annotated[
    str,
    must(
        lambda where: "://" not in where or is_safe(where, {"https"}, "http"),
        "it must be a file, or an address that begins with https:// (http:// on this machine only), without user",
    ),
]
