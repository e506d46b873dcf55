"""What the comments on a paper at arXiv say of its withdrawal: whether it is, and what took its place.

`has been withdrawn` anywhere says nothing: `supersedes 2101.00001, which has been withdrawn` stands on a sound paper.
"""

from __future__ import annotations

import re
from typing import Final

from warehouse.schema.columns import ARXIV_ID

PAPER: Final = r"(?:paper|article|submission|manuscript|preprint|work|version|report|document|letter|note|draft|thesis)"
IS: Final = r"(?:(?:has|have)(?: now| since)? been|is|was|is being)(?: now| temporarily| permanently| voluntarily)?"
GONE: Final = r"withdrawn\b(?! from (?!(?:the )?(?:arxiv|public)\b))"  # not from a conference
THIS_IS: Final = rf"th(?:is|e|e present) (?:arxiv )?{PAPER} {IS} {GONE}"
WITHDRAWN: Final = re.compile(
    rf"[\[(*]{{0,2}}(?:{THIS_IS}"
    rf"|(?:this is a |temporarily |now )?{GONE}"
    r"|(?:I|we|(?:the )?authors?) (?:(?:has|have|hereby|am|are) )?withdr(?:awn?|ew|awing) "
    rf"(?:this|the|our|my|their) {PAPER}\b"
    rf"|{PAPER} (?:{IS} )?{GONE})"
    rf"|\d+ pages?\b[^;:()]{{0,60}}?[.;,] (?-i:T){THIS_IS.removeprefix('t')}",
    re.IGNORECASE | re.ASCII,
)
ID: Final = ARXIV_ID.removeprefix("^").removesuffix("$")
SUPERSEDED: Final = re.compile(
    r"\b(?i:superseded by|now (?:a )?part of|see)\b[^.;:]{0,60}?"
    rf"(?:(?i:arxiv ?: ?|(?:https?://)?arxiv\.org/(?:abs|pdf)/))?(?<![\w.])({ID})(?:v[0-9]{{1,3}})?(?![\w/])",
    re.ASCII,
)


def says_withdrawn(comments: str | None) -> bool:
    """Whether comments begin by saying that this paper is withdrawn.

    >>> says_withdrawn("This paper has been withdrawn by the author due to an error in Eq. 3")
    True
    >>> says_withdrawn("8 pages; supersedes 2101.00001, which has been withdrawn")
    False
    """
    return comments is not None and WITHDRAWN.match(comments) is not None


def superseding(comments: str, arxiv_id: str) -> tuple[str, int, int] | None:
    """The other paper that took the place of one, where its comments say so, and where these words begin and end.

    >>> superseding("Withdrawn. It is superseded by arXiv:2406.01234v2", "2405.00001")
    ('2406.01234', 18, 47)
    """
    for found in SUPERSEDED.finditer(comments):
        if found[1] != arxiv_id:
            return found[1], found.start(), found.end(1)
    return None
