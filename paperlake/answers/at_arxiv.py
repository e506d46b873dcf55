"""What is said of a paper that is not simply there at arXiv any more: withdrawn, perhaps so, deleted, or back again.

Where arXiv was never asked, and in releases of before, nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from warehouse.release.query import Database

StatusRow = dict[str, Any]
KNOWS_STATUS: Final = "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'paper_status'"
NEWEST: Final = """
SELECT paper_id, status, is_undone, withdrawn_on, superseded_by FROM mart.paper_status
WHERE is_newest AND (status <> 'present' OR is_undone) AND paper_id IN (SELECT unnest($1))
"""


def knows_status(database: Database) -> bool:
    """Whether a release has the mart; those of an older paperlake have none."""
    [(count,)] = database.rows(KNOWS_STATUS).rows
    return bool(count)


def status_words_of(database: Database, paper_ids: Sequence[str]) -> dict[str, str]:
    """What is to be said of those of some papers of which anything is."""
    if not knows_status(database):
        return {}
    rows = database.rows(NEWEST, [list(paper_ids)]).dicts()
    return {row["paper_id"]: words for row in rows if (words := status_words(row))}


def status_words(row: StatusRow) -> str | None:
    """What a row of `paper_status` says, in words; None of a paper that is there as it always was.

    >>> row = {"status": "withdrawn", "withdrawn_on": "2026-01-12", "superseded_by": "2601.00001", "is_undone": False}
    >>> status_words(row)
    'withdrawn at arXiv on 2026-01-12; its author names 2601.00001 in its place'
    """
    named = f"; its author names {row['superseded_by']} in its place" if row["superseded_by"] else ""
    words = {
        "withdrawn": f"withdrawn at arXiv on {row['withdrawn_on']}{named}",
        "suspected": "perhaps withdrawn at arXiv: one of two signs says so",
        "deleted": "deleted at arXiv",
        "present": "was withdrawn at arXiv, and is back" if row["is_undone"] else None,
    }
    return words[row["status"]]
