"""The values that a release gives beside frames: a paper, the basis of answers, and the changes since another release.

A paper is every part that a release has of it, each a table. Answers rest on the release, on how new it is and which
days it has, and on the captured page behind a row. What changed is the rows, and how many cells and rows by cause.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from html import escape
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from paperlake.answers.newest_page import NEWEST
from paperlake.answers.one_paper import OnePaper
from warehouse.archive.archive import Archive
from warehouse.errors import NothingThere, UsageError
from warehouse.page_text import in_utf8
from warehouse.release import moves
from warehouse.release.manifest import Latest, Manifest, Parent
from warehouse.release.query import Database
from warehouse.store.local_files import local_files
from warehouse.store.store import Store
from warehouse.tex import untexed

if TYPE_CHECKING:
    import polars as pl

    from warehouse.changes.step_chain import TableChanges


class Paper:
    """One paper: `facts`, its row of `papers`; `paper["claims"]` and the other `parts`, each a frame.

    As text it is what `paperlake show paper` prints.
    """

    def __init__(self, rows: OnePaper) -> None:
        self.rows = rows

    @property
    def facts(self) -> dict[str, Any]:
        """Its row of the table `papers`."""
        [row] = self.rows["paper"]
        return row

    @property
    def parts(self) -> list[str]:
        """The names of all parts."""
        return list(self.rows)

    def __getitem__(self, part: str) -> pl.DataFrame:
        """The rows of a part, in order; UsageError where it is none."""
        import polars as pl

        if part not in self.rows:
            raise UsageError(f"a paper has no part {part!r}; its parts are {', '.join(self.rows)}")
        return pl.DataFrame(self.rows[part], infer_schema_length=None)

    def __str__(self) -> str:
        from paperlake.answers.one_paper_text import one_paper_text

        return one_paper_text(self.rows)

    def __repr__(self) -> str:
        return f"<Paper {self.facts['paper_id']}: {untexed(self.facts['title'] or '')}>"

    def _repr_html_(self) -> str:
        facts = self.facts
        names = ", ".join(row["name"] for row in self.rows["authors"][:12])
        texts = (untexed(facts["title"] or ""), names, untexed(facts["abstract"] or ""))
        title, authors, abstract = map(escape, texts)
        return f"<h4>{title}</h4><p>{authors}</p><p>{abstract}</p><p><code>{escape(facts['paper_id'])}</code></p>"


BASIS: Final = f"""
SELECT
    ({NEWEST}),
    min(listed_on), max(listed_on),
    count(*) FILTER (state = 'complete'), count(*) FILTER (state = 'partial'), count(*) FILTER (state = 'missing'),
    (SELECT list(DISTINCT licence ORDER BY licence) FROM about._columns WHERE licence IS NOT NULL)
FROM core.coverage WHERE source = 'api' AND (is_expected OR state IN ('complete', 'partial'))
"""  # noqa: S608


class CoveredDays(Struct, frozen=True):
    """Which daily lists a release has: from the first to the last day, how many it has whole, in part, or lacks."""

    first_on: date | None
    last_on: date | None
    complete: int
    partial: int
    missing: int


class Basis(Struct, frozen=True):
    """The basis of an answer: the release, when it was published, its newest page, the days it has, its licences.

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
        return in_utf8(self.payload).decode("utf-8", "replace")

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


CHANGED: Final = ("table_name", "change", "column_name", "cause", "cell_count")


def rows_since(store: Store, to: Parent, since: str, past: Sequence[Latest], *, whole: bool) -> dict[str, TableChanges]:
    """What to delete and insert, by table, to come from one release to a later one; the first may be dropped by now.

    NothingThere where it was never published, StepsMissing where no steps lead on from it.
    """
    from warehouse.changes.step_chain import changes_between

    older = None
    try:
        older = moves.published(store, since, past)
    except NothingThere:
        if since not in {move.version for move in past}:
            raise
    with local_files(store) as files:
        return changes_between(files, to, since, older, whole=whole)


def causes_since(store: Store, older: Manifest, newer: Manifest) -> pl.DataFrame:
    """How many cells and rows differ between two releases, each with its cause, found file by file."""
    import polars as pl

    from warehouse.changes.explain import diff_with_causes

    found = diff_with_causes(store, older, newer)
    rows = [(one.table, one.change, one.column, one.cause, one.count) for one in found.why]
    return pl.DataFrame(rows, dict.fromkeys(CHANGED[:4], pl.String) | {CHANGED[4]: pl.Int64}, orient="row")
