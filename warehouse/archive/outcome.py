"""The outcome of fetching one address: a Capture, an Unchanged or a Failed. None of them is an exception."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from warehouse.archive.captured import Capture, identify

NOT_MODIFIED: Final = 304
NO_PAGE: Final = "it is a revisit record, whose page is in another record; land the WARC file that has that one"


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
    """A capture out of a WARC file whose payload is in another record, of the same address and with this digest."""

    capture: Capture
    payload_sha256: str

    @property
    def capture_id(self) -> str:
        """The id of the whole capture, with its payload."""
        if self.capture.erased:
            return self.capture.capture_id
        return identify(self.capture.url, self.capture.fetched_at, self.payload_sha256)
