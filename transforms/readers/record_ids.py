"""Ids of the Hub's records: the moment a record was made, then the machine that made it, then a count.

The records of a paper's authors are made at once, and that of its discussion soon after by the same machine: so in all
7,742 items of real lists, in at most 164 seconds (docs/source.md §4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

RECORD = re.compile(r"[5-9a-f][0-9a-f]{23}")  # made since 2012; ids that were made up have lower digits
RECORDS = re.compile(rf"(?:{RECORD.pattern} )+")
AT_ONCE, OF_ONE = slice(18), slice(8, 18)  # moment and machine; machine
SOON = 3600  # seconds


def records_of(ids: Iterable[object]) -> list[str]:
    """Those of some ids that are of records."""
    texts = [one for one in ids if isinstance(one, str)]
    if RECORDS.fullmatch(" ".join((*texts, ""))):  # nearly always all are, and one look is enough
        return texts
    return [one for one in texts if RECORD.fullmatch(one)]


def are_of_one_paper(authors: list[str], discussion: str | None) -> bool:
    """Whether the records of some authors can be of one paper, and of the paper of a discussion.

    >>> are_of_one_paper(["65f11d4afd7e9976e3f7b745"], "65f11d4bfd7e9976e3f7b74a")
    True
    >>> are_of_one_paper(["65f11d4afd7e9976e3f7b745", "65f0cc4afd7e9976e3f7b745"], None)
    False
    """
    if len({one[AT_ONCE] for one in authors}) > 1:
        return False
    if not authors or not records_of([discussion]) or discussion is None:
        return True
    seconds = int(discussion[:8], 16) - int(authors[0][:8], 16)
    return discussion[OF_ONE] == authors[0][OF_ONE] and 0 <= seconds <= SOON
