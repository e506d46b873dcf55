"""Series: figures that one phrase counts up (`by 8.7%, 12.2% and 11.0%`), with the words around them."""

from __future__ import annotations

import re

from msgspec import Struct

from transforms.claims.figures import Figure
from transforms.claims.sentences import Span, sentence_at

BEFORE, AFTER = 150, 120  # code points: as far as a phrase about a number reaches
FARTHEST = 24  # between two members of a series
TOLD = 300  # and as far as one looks for what a sentence is about: a sentence has no bound, and must not be read anew
BETWEEN_MEMBERS = re.compile(
    r"\+?\)?\s?(?:,|/|;|and|or|&|,\sand|,\sor|to)?\s?(?:(?:by\s)?(?:up\sto|over|about|nearly|around|to|by|a"
    r"|approximately)\s)?[+~>(]?"
)
# A bare number that is a year, or a part of a name (`Ovi 1.1 and 60.9%`)
NO_MEMBER = re.compile(r"(?:\b(?:19|20)\d\d|\b[A-Z][\w-]{0,20}\s[\d.,]{1,9})$")


class Series(Struct, frozen=True, gc=False):
    """Figures of one phrase. `before` and `after` are what stands around them in the sentence, `told` is as much of
    the sentence as says whether it tells of a result; all in lower case.

    A move is `from 73% to 81%`: two values, not two changes.
    """

    figures: tuple[Figure, ...]
    sentence: Span
    number: int
    before: str
    after: str
    told: str
    is_move: bool

    @property
    def last(self) -> Figure:
        return self.figures[-1]


def series_of(text: str, lower: str, figures: list[Figure], sentences: list[Span]) -> list[Series]:
    """All figures of a text in series, in order."""
    groups: list[list[Figure]] = []
    for figure in figures:
        if groups and _belongs(text, groups[-1][-1], figure):
            groups[-1].append(figure)
        else:
            groups.append([figure])
    return [_series(lower, group, sentences) for group in groups]


def _belongs(text: str, last: Figure, figure: Figure) -> bool:
    """Whether a figure goes on with what the one before it counts up: `3.8x and 3.6x`, `8.7, 12.2 and 11.0%`."""
    if figure.start - last.end > FARTHEST or last.shape not in {figure.shape, "bare"}:
        return False
    if last.shape == "bare" and figure.shape != "bare" and NO_MEMBER.search(text, max(last.start - 24, 0), last.end):
        return False
    if last.shape == "bare" and text[last.end : figure.start].isspace():
        return False
    return BETWEEN_MEMBERS.fullmatch(text, last.end, figure.start) is not None


def _series(lower: str, group: list[Figure], sentences: list[Span]) -> Series:
    shape = group[-1].shape
    members = tuple(Figure(one.start, one.end, shape, one.low, one.high, one.noun) for one in group)
    start, end = members[0].start, members[-1].end
    number = sentence_at(sentences, start)
    sentence = sentences[number]
    before = lower[max(sentence[0], start - BEFORE) : start]
    after = lower[end : min(max(sentence[1], end), end + AFTER)]
    is_move = len(group) > 1 and lower[group[0].end : group[1].start].strip("+ ").startswith("to")
    told = lower[max(sentence[0], start - TOLD) : min(sentence[1], end + TOLD)]
    return Series(members, sentence, number, before, after, told, is_move)
