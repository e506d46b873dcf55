"""What came of asking the source for one address: a Capture, an Unchanged or a Failed. None of them is an exception."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from warehouse.capture import Capture


@dataclass(frozen=True, slots=True)
class Known:
    """What an earlier capture of an address says of it: its ETag, and how many items it lists where that is known."""

    etag: str
    item_count: int | None = None


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The source says (304) that the page is still the one with this ETag. `fetched_at` is UTC without zone."""

    url: str
    fetched_at: datetime
    etag: str


@dataclass(frozen=True, slots=True)
class Failed:
    """An address that gave no page that could be kept: why, in words for a person, when, and the last HTTP status."""

    url: str
    fetched_at: datetime
    reason: str
    http_status: int | None = None


Outcome: TypeAlias = Capture | Unchanged | Failed
