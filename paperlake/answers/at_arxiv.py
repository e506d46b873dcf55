"""What is said of a paper that is not sound any more: withdrawn at arXiv, perhaps so, deleted, or back again; and of
one that was retracted where it was published.

Where arXiv or Crossref was never asked, and in releases of before, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from warehouse.status_words import publication_words, status_words

if TYPE_CHECKING:
    from warehouse.release.query import Database

StatusRow = dict[str, Any]
PAPER_STATUS: Final = "paper_status"  # which a release of an older paperlake lacks
SAID: Final = """
SELECT paper_id, status, is_undone, withdrawn_on, superseded_by FROM mart.paper_status_as_of(coalesce($2, 'infinity'))
WHERE (status <> 'present' OR is_undone) AND paper_id IN (SELECT unnest($1))
"""
PUBLICATIONS: Final = "paper_publications"  # the same
DOUBTED: Final = """
SELECT paper_id, status, registry, doi, retracted_on, told_by
FROM mart.paper_publications_as_of(coalesce($2, 'infinity'))
WHERE status IN ('retracted', 'concern') AND paper_id IN (SELECT unnest($1))
ORDER BY paper_id, rank
"""


def status_words_of(database: Database, paper_ids: Sequence[str], at: datetime | None = None) -> dict[str, str]:
    """What is to be said of those of some papers of which anything is; with `at`, what was known at a moment."""
    found: dict[str, list[str]] = {}
    for name, sql, words_of in ((PAPER_STATUS, SAID, status_words), (PUBLICATIONS, DOUBTED, publication_words)):
        for row in database.rows(sql, [list(paper_ids), at]).dicts() if name in database.names else ():
            if words := words_of(row):
                found.setdefault(row["paper_id"], []).append(words)
    return {paper_id: "; ".join(words) for paper_id, words in found.items()}


def with_status(database: Database, rows: Iterable[StatusRow], at: datetime | None = None) -> list[StatusRow]:
    """Rows of papers, each with its `status` in words where anything is to be said of it."""
    given = list(rows)
    said = status_words_of(database, [row["paper_id"] for row in given], at)
    return [row | {"status": said[row["paper_id"]]} if row["paper_id"] in said else row for row in given]
