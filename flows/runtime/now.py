"""The one clock: whatever is dated, is dated by it."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The moment in UTC without zone."""
    return datetime.now(UTC).replace(tzinfo=None)
