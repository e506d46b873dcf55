"""The clock by which everything is dated."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The present moment, UTC without zone."""
    return datetime.now(UTC).replace(tzinfo=None)
