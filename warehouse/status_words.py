"""The words for rows of `paper_status` and `paper_publications`, the same wherever a paper is shown."""

from collections.abc import Mapping
from typing import Any, Final

NAMES: Final = {
    "crossref": "Crossref",
    "openalex": "OpenAlex",
    "publisher": "its publisher",
    "retraction-watch": "Retraction Watch",
}


def status_words(row: Mapping[str, Any]) -> str | None:
    """The status of a paper at arXiv in words; None for a paper that is there as it always was.

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


def publication_words(row: Mapping[str, Any]) -> str | None:
    """The status of the work that a paper was published as, in words; None where that is sound.

    >>> row = {"status": "retracted", "registry": "crossref", "doi": "10.5555/loom.7", "retracted_on": "2026-05-09"}
    >>> publication_words(row | {"told_by": ["publisher", "retraction-watch"]})
    'retracted on 2026-05-09 as 10.5555/loom.7, say its publisher and Retraction Watch, by Crossref'
    """
    words = {"retracted": "retracted", "concern": "doubted, or partly retracted,"}.get(row["status"])
    if words is None:
        return None
    told = [NAMES.get(one, one) for one in row["told_by"] or ()]
    who = f", {'say' if len(told) > 1 else 'says'} {' and '.join(told)}" if told else ""
    on = f" on {row['retracted_on']}" if row["retracted_on"] else ""
    return f"{words}{on} as {row['doi']}{who}, by {NAMES[row['registry']]}"
