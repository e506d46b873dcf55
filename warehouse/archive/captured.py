"""The outcomes of fetching one address: a Capture, an Unchanged or a Failed. None of them is an exception.

A capture is one page as it was, with what is known about how it was fetched.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, TypeAlias

from warehouse.page_text import codings_of, text_in
from warehouse.people.accounts import accounts_shown, of_one_account
from warehouse.people.ledger import Ledger
from warehouse.people.pages import masked_page
from warehouse.people.person import Person

NOT_ON_A_LINE: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
REASON_LENGTH: Final = 1000
ID_LENGTH: Final = 20
Note = Callable[[str], str]  # a capture's id → the note on the erasure in its record
ERASED: Final = re.compile(r"[0-9a-f]{20} \S.*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """One captured page. `fetched_at` is UTC without zone; None means unknown, for every field but the payload.

    `damage` says what is wrong with the bytes where the file they came from says so itself (a WARC record whose
    digest does not match): such a capture is kept, and rejected whole when it is read. `final_url` is where a redirect
    led; None where `url` itself answered. `etag` is the answer's, to ask later whether the page has changed.
    `headers` are all of the answer's, in order, as it had them; empty where they were not kept. `failure` says why an
    address that was asked gave no page that could be kept: such a capture has no payload, and records the attempt.
    `erased` is the note on a page in which a person was masked: the capture's id, when, and under which rule.
    """

    payload: bytes
    url: str | None = None
    fetched_at: datetime | None = None
    http_status: int | None = None
    content_type: str | None = None
    final_url: str | None = None
    etag: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    damage: str | None = None
    failure: str | None = None
    erased: str | None = None
    payload_sha256: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "payload_sha256", hashlib.sha256(self.payload).hexdigest())

    @property
    def capture_id(self) -> str:
        """The capture's id, 20 hex digits: the same URL, fetch time and bytes give the same id anywhere.

        A capture in which a person was masked keeps its id, so that landing the original page again is recognised.
        """
        if self.erased:
            return self.erased[:ID_LENGTH]
        return identify(self.url, self.fetched_at, self.payload_sha256, self.failure)


def identify(url: str | None, fetched_at: datetime | None, payload_sha256: str, failure: str | None = None) -> str:
    """The id of a capture with these facts; `failure` distinguishes a failed attempt from an empty page."""
    facts = [url or "", fetched_at.isoformat() if fetched_at else "", payload_sha256]
    if failure is not None:
        facts.append(reason_text(failure))
    return hashlib.sha256("\n".join(facts).encode("utf-8", "surrogateescape")).hexdigest()[:ID_LENGTH]


def reason_text(failure: str) -> str:
    """Why an attempt failed, in the form that is kept: one line, never empty."""
    return one_line(failure, REASON_LENGTH) or "unknown"


def one_line(text: str | None, length: int) -> str | None:
    """Text fit for a header: control characters and runs of space become one space; None where nothing is left."""
    return NOT_ON_A_LINE.sub(" ", text or "").strip()[:length].strip() or None


def in_utc(instant: datetime) -> datetime:
    """The instant in UTC without zone; one without zone is taken for UTC.

    >>> in_utc(datetime.fromisoformat("2024-03-13T08:15:08+02:00"))
    datetime.datetime(2024, 3, 13, 6, 15, 8)
    """
    return instant.astimezone(UTC).replace(tzinfo=None) if instant.tzinfo else instant


def instant_of(text: str) -> datetime:
    """An ISO 8601 instant in UTC; ValueError for anything else, a bare date included: it is no instant.

    >>> instant_of("2024-03-13T06:15:08Z")
    datetime.datetime(2024, 3, 13, 6, 15, 8)
    """
    text = text.strip()
    if len(text) <= len("2024-03-13"):
        raise ValueError(text)
    try:
        return in_utc(datetime.fromisoformat(text))
    except OverflowError as error:  # the year 1 or 9999, moved over the edge by its offset
        raise ValueError(text) from error


@dataclass(frozen=True, slots=True)
class Refused:
    """An input that was not landed: which one, and why, with the next step where there is one."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should know about the inputs; nothing was refused."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits in bytes on one input that is landed; each field is the setting PAPERLAKE_<FIELD>.

    A page is refused over `payload_bytes`, before it is read, and again while its transfer or content encoding is
    taken off. A gzipped WARC is refused from where it has inflated to more than `inflated_bytes`, or to more than
    1 MiB and `inflated_ratio` times its own size.
    """

    payload_bytes: int = 64 << 20
    inflated_bytes: int = 4 << 30
    inflated_ratio: int = 1000

    def inflated_from(self, compressed_bytes: int) -> int:
        """Bytes that a gzipped WARC of this size may inflate to."""
        return min(self.inflated_bytes, max(1 << 20, self.inflated_ratio * compressed_bytes))

    def page_too_large(self, size: int | None = None) -> str:
        """Why a page was refused, in words; without a size where it was not read to its end."""
        found = "it has more" if size is None else f"it has {size:,} bytes"
        return f"a page may have {self.payload_bytes:,} bytes and {found}; raise PAPERLAKE_PAYLOAD_BYTES to land it"


def shown(text: str, length: int = 200) -> str:
    """Text of unknown origin (a file name, an address) on one line, fit for a terminal."""
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return plain if len(plain) <= length else plain[: length - 1] + "…"


def masked_capture(person: Person, capture: Capture, note: Note) -> Capture:
    """The capture with the person masked, under the same id; the capture itself where nothing in it is theirs."""
    masked = replace(
        capture,
        payload=masked_page(person, capture.payload),
        url=_masked(person, capture.url),
        final_url=_masked(person, capture.final_url),
        headers=tuple((name, person.of_value(value)) for name, value in capture.headers),
        failure=_masked(person, capture.failure),
    )
    return capture if masked == capture else replace(masked, erased=capture.erased or note(capture.capture_id))


def without_erased(ledger: Ledger, capture: Capture) -> Capture:
    """A capture that is to be landed, with everybody in the ledger masked."""
    said = (capture.url, capture.final_url, capture.failure, *(value for _, value in capture.headers))
    texts = [text_in(coding, capture.payload) for coding in codings_of(capture.payload)]
    text = "\n".join([*texts, *(one for one in said if one)])
    for entry, person in ledger.people_in(text):
        logins = of_one_account(person.logins, accounts_shown(capture.payload))
        capture = masked_capture(replace(person, logins=logins), capture, entry.note)
    return capture


def _masked(person: Person, text: str | None) -> str | None:
    return None if text is None else person.of_value(text)


NOT_MODIFIED: Final = 304
NO_PAGE: Final = "it is a revisit record, whose page is in another record; land the WARC file that has that one"
UNNAMED: Final = (
    "it is a revisit record, whose page no SHA-256 names, and no record before it has; land the WARC file that has it "
    "first, by the same command"
)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of an address from an earlier capture: its ETag, and whether it was a full page of a list."""

    etag: str
    is_full: bool | None = None


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The source says (304) that the page is still the one with this ETag. `fetched_at` is UTC without zone.

    `headers` are those of the 304, as a Capture has them.
    """

    url: str
    fetched_at: datetime
    etag: str
    headers: tuple[tuple[str, str], ...] = ()

    def as_capture(self) -> Capture:
        """A capture without the page's bytes, which an earlier capture has."""
        return Capture(
            payload=b"",
            url=self.url,
            fetched_at=self.fetched_at,
            http_status=NOT_MODIFIED,
            etag=self.etag,
            headers=self.headers,
        )


@dataclass(frozen=True, slots=True)
class Failed:
    """A failed attempt to fetch a page: when, why, in words for a person, and the last HTTP status."""

    url: str
    fetched_at: datetime
    reason: str
    http_status: int | None = None

    def as_capture(self) -> Capture:
        """The attempt, as the archive keeps it."""
        return Capture(
            payload=b"",
            url=self.url,
            fetched_at=self.fetched_at,
            http_status=self.http_status,
            failure=self.reason,
        )


Outcome: TypeAlias = Capture | Unchanged | Failed


@dataclass(frozen=True, slots=True)
class Revisit:
    """A capture out of a WARC file whose payload is in another record, with this digest."""

    capture: Capture
    payload_sha256: str

    @property
    def capture_id(self) -> str:
        """The id of the whole capture, with its payload."""
        if self.capture.erased:
            return self.capture.capture_id
        return identify(self.capture.url, self.capture.fetched_at, self.payload_sha256)
