"""The captured page behind a row: its bytes, where and when they came, and the record that holds them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from warehouse.archive.archive import Archive
from warehouse.errors import UsageError
from warehouse.store.store import Store


@dataclass(frozen=True, slots=True)
class Evidence:
    """A captured page. `file`, `offset` and `length` are its record in the archive, a gzip member of a WARC file.

    `fetched_at` is UTC without zone; what is not known is None. `payload` has the SHA-256 that is stated.
    """

    capture_id: str
    url: str | None
    fetched_at: datetime | None
    http_status: int | None
    content_type: str | None
    payload_sha256: str
    file: str
    offset: int
    length: int
    erased: str | None  # the note on a page in which a person was masked
    payload: bytes = field(repr=False)

    @property
    def text(self) -> str:
        """The page as text; bytes that are none are shown by a sign of their own."""
        return self.payload.decode("utf-8", "replace")

    def json(self) -> Any:  # noqa: ANN401 - whatever the source answered
        """The page's JSON; UsageError where it is none."""
        try:
            return json.loads(self.payload)
        except ValueError as error:
            kind = self.content_type or "of an unknown type"
            raise UsageError(f"the captured page {self.capture_id} is {kind}, and no JSON; .text has it") from error


def evidence_of(store: Store, capture_id: str) -> Evidence:
    """The page of a `capture_id`, checked against its digest; NothingThere where it was never landed."""
    archive = Archive(store)
    entry = archive.find(capture_id)
    return Evidence(
        capture_id=entry.capture_id,
        url=entry.url,
        fetched_at=entry.fetched_at,
        http_status=entry.http_status,
        content_type=entry.content_type,
        payload_sha256=entry.payload_sha256,
        file=f"raw/warc/{entry.filename}",
        offset=entry.offset,
        length=entry.length,
        erased=entry.erased,
        payload=archive.read(entry).payload,
    )
