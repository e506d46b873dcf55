"""What every answer of a release rests on: which release it is, how new, which days it has, and how to cite it."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from warehouse.release.manifest import Parent

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
