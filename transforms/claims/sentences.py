"""Sentences of an abstract, as spans of code points."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise

Span = tuple[int, int]

# A full stop ends a sentence before a capital, a bracket, a quote or a formula; abbreviations do not
END = re.compile(
    r"[.!?](?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bet"
    r" al\.)(?<!\bvs\.)(?<!\bcf\.)(?<!\bresp\.)(?<!\bFig\.)(?<!\bSec\.)(?<!\bEq\.)(?<!\bapprox\.)(?<!\bDr\.)(?<!\bMr"
    r"\.)(?<!\bProf\.)(?<!\bSt\.)(?<!\s[A-Z]\.)[\"'\u201d\u2019)\]]?\s(?=[\s\"'\u201c\u2018(\[$\\{~]?[A-Z0-9\\{$-])"
)


def sentences_of(text: str) -> list[Span]:
    """The sentences of a text in order, without the space between them.

    >>> sentences_of("We win, e.g. 2x. It is 3.5 times faster.")
    [(0, 16), (17, 40)]
    """
    starts = [0, *(found.end() for found in END.finditer(text)), len(text) + 1]
    return [(start, end - 1) for start, end in pairwise(starts) if end - 1 > start]


def sentence_at(sentences: list[Span], place: int) -> int:
    """The number of the sentence that holds a place of the text."""
    return max(bisect_right(sentences, place, key=lambda span: span[0]) - 1, 0)
