"""How to reach an object store: plain values, given by whoever knows the environment."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Options:
    """Without an endpoint it is AWS; without keys the usual AWS chain (environment, profile, role) finds them."""

    endpoint_url: str | None = None
    region: str | None = None
    access_key_id: str | None = None
    secret_access_key: str | None = field(default=None, repr=False)
    attempts: int = 5  # of one request, the first one counted; pauses between them grow to 20 s at most
    connect_seconds: float = 5
    read_seconds: float = 60  # a store answers nothing while it joins the parts of a large file
