"""What a row of `paper_status` says, in words: the same wherever a paper is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def status_words(row: Mapping[str, Any]) -> str | None:
    """What became of a paper at arXiv; None of a paper that is there as it always was.

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
