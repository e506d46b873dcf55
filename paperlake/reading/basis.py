"""What answers rest on: the release, how new it is and which days it has; the captured page behind a row."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from warehouse.archive.archive import Archive
from warehouse.errors import UsageError
from warehouse.release.manifest import Parent
from warehouse.store.store import Store

if TYPE_CHECKING:
    from warehouse.release.query import Database

BASIS: Final = """
SELECT
    (SELECT max(fetched_at) FROM core.captures),
    min(listed_on), max(listed_on),
    count(*) FILTER (state = 'complete'), count(*) FILTER (state = 'partial'), count(*) FILTER (state = 'missing'),
    (SELECT list(DISTINCT licence ORDER BY licence) FROM about._columns WHERE licence IS NOT NULL)
FROM core.coverage WHERE source = 'api' AND (is_expected OR state IN ('complete', 'partial'))
"""


class CoveredDays(Struct, frozen=True):
    """Which daily lists a release has: from the first to the last day, how many it has whole, in part, or lacks."""

    first_on: date | None
    last_on: date | None
    complete: int
    partial: int
    missing: int


class Basis(Struct, frozen=True):
    """What an answer rests on: the release, when it was published, its newest page, the days it has, its licences.

    Instants are UTC, as ISO 8601 has them. `cite` is a line for a text that uses the answer.
    """

    release: str
    released_at: str
    newest_page_at: datetime | None
    coverage: CoveredDays
    is_retracted: bool
    licences: tuple[str, ...]
    cite: str


def basis_of(database: Database, named: Parent, released_at: str, *, is_retracted: bool) -> Basis:
    """The basis of a release, whose manifest is named by its hash."""
    [(newest, first, last, complete, partial, missing, licences)] = database.rows(BASIS).rows
    return Basis(
        release=named.version,
        released_at=released_at,
        newest_page_at=newest,
        coverage=CoveredDays(first, last, complete, partial, missing),
        is_retracted=is_retracted,
        licences=tuple(licences or ()),
        cite=f"paperlake, release {named.version}, manifest SHA-256 {named.manifest_sha256[:16]}",
    )


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
