"""What is said of a paper that is not simply there at arXiv any more: withdrawn, perhaps so, deleted, or back again.

Where arXiv was never asked, and in releases of before, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from warehouse.status_words import status_words

if TYPE_CHECKING:
    from warehouse.release.query import Database

StatusRow = dict[str, Any]
PAPER_STATUS: Final = "paper_status"  # which a release of an older paperlake lacks
SAID: Final = """
SELECT paper_id, status, is_undone, withdrawn_on, superseded_by FROM mart.paper_status_as_of(coalesce($2, 'infinity'))
WHERE (status <> 'present' OR is_undone) AND paper_id IN (SELECT unnest($1))
"""


def status_words_of(database: Database, paper_ids: Sequence[str], at: datetime | None = None) -> dict[str, str]:
    """What is to be said of those of some papers of which anything is; with `at`, what was known at a moment."""
    if PAPER_STATUS not in database.names:
        return {}
    rows = database.rows(SAID, [list(paper_ids), at]).dicts()
    return {row["paper_id"]: words for row in rows if (words := status_words(row))}


def with_status(database: Database, rows: Iterable[StatusRow], at: datetime | None = None) -> list[StatusRow]:
    """Rows of papers, each with its `status` in words where anything is to be said of it."""
    given = list(rows)
    said = status_words_of(database, [row["paper_id"] for row in given], at)
    return [row | {"status": said[row["paper_id"]]} if row["paper_id"] in said else row for row in given]
