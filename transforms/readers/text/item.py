"""The kinds of lines in a saved list, and which one a line is, by its neighbours.

A list of 2026 shows upvotes above each title and its footers need no `·`: it is made of cards, one a paper. An
older one (Layouts A to C) is made of titles and abstracts in turn, and any line of it may be a title, even one
that reads `8 authors`, unless a footer's `·` stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from transforms.readers.text.dates import Day
from transforms.readers.text.marks import TextLink

STAR_COUNT = r"\d[\d.,]{0,9}[kKmM]?"
SCALES = {"k": 1_000, "m": 1_000_000}
LARGEST = 2**31
LONGEST_LOGIN = 100  # characters


class LineKind(Enum):
    """The kind of a line, or of a part of one."""

    TITLE = auto()  # a heading
    TEXT = auto()  # a title, an abstract, an organization: its place decides
    NUMBER = auto()  # upvotes or comments: its place decides
    LABEL = auto()  # the value stands on the next line
    LINK = auto()  # the address of what stands above
    SUMMARY = auto()  # what stands above is no abstract
    LEAD = auto()  # upvotes above a title
    VOTES = auto()  # upvotes that say so
    SUBMITTER = auto()
    AUTHORS = auto()
    ORGANIZATION = auto()  # with the date beside it
    DOT = auto()
    DATE = auto()
    COMMENTS = auto()
    STARS = auto()  # with the other buttons of its row


class Item(NamedTuple):
    """A line, or part of one.

    `last` is the last line of a title that goes on. `is_sure` is False where its neighbours may show that it is mere
    text.
    """

    kind: LineKind
    line: int
    text: str = ""
    value: int | None = None
    day: Day | None = None
    links: tuple[TextLink, ...] = ()
    is_link: bool = False
    is_marked: bool = False
    is_closed: bool = False
    is_indented: bool = False
    is_sure: bool = True
    last: int = 0

    def joined_with(self, value: Item) -> Item | None:
        """A label with the value that stands below it; None where what stands there is none."""
        links = (*self.links, *value.links)
        if self.text == "Upvote":
            return (
                value._replace(kind=LineKind.VOTES, links=links, is_sure=True)
                if value.kind is LineKind.NUMBER
                else None
            )
        if self.text == "GitHub":
            is_count = value.kind in {LineKind.NUMBER, LineKind.TEXT} and re.fullmatch(STAR_COUNT, value.text)
            return self._replace(kind=LineKind.STARS, value=count_of(value.text), links=links) if is_count else None
        is_login = value.kind is LineKind.TEXT and len(value.text) <= LONGEST_LOGIN
        return value._replace(kind=LineKind.SUBMITTER, links=links) if is_login else None


def count_of(text: str) -> int | None:
    """A count as pages write it; None where no table could hold it.

    >>> count_of("2.63k"), count_of("1,204"), count_of("-")
    (2630, 1204, 0)
    """
    if text == "-":
        return 0
    digits, scale = text.rstrip("kKmM").replace(",", ""), SCALES.get(text[-1].lower(), 1)
    whole, _, part = digits.partition(".")
    part = part.replace(".", "")
    count = int(whole) * scale + int(part or "0") * scale // 10 ** len(part)
    return count if count < LARGEST else None


CARD = {LineKind.TITLE, LineKind.LEAD, LineKind.SUBMITTER, LineKind.VOTES, LineKind.STARS, LineKind.SUMMARY}
FOOTER = {LineKind.AUTHORS, LineKind.ORGANIZATION, LineKind.DOT, LineKind.DATE, LineKind.STARS, LineKind.VOTES}
WORDS = {LineKind.TEXT, LineKind.TITLE}


class Settled(NamedTuple):
    """`is_cards`: every paper has marks of its own, so that no two texts need to be paired."""

    items: list[Item]
    is_cards: bool


def settled(items: list[Item]) -> Settled:
    """The items with every doubt resolved."""
    items = list(_with_values(items))
    after: list[LineKind | None] = [None for _ in items[:1]]  # for each item the kind of the next one, addresses aside
    for item in reversed(items[1:]):
        after.append(after[-1] if item.kind is LineKind.LINK else item.kind)
    after.reverse()
    # upvotes stand above titles where they do above the first, or nowhere
    first = next(
        (place for place, item in enumerate(items) if item.kind not in {LineKind.LINK, LineKind.SUBMITTER}), None
    )
    is_voted = first is not None and items[first].kind is LineKind.NUMBER and after[first] in WORDS
    is_cards = is_voted or any(item.kind in CARD for item in items)
    decided: list[Item] = []
    before: LineKind | None = None
    for item, following in zip(items, after, strict=True):
        final = (
            item if item.is_sure else decided_by_place(item, before, following, is_voted=is_voted, is_cards=is_cards)
        )
        if final is not None:
            decided.append(final)
            before = before if final.kind is LineKind.LINK else final.kind
    return Settled(decided, is_cards)


def decided_by_place(
    item: Item, before: LineKind | None, after: LineKind | None, *, is_voted: bool, is_cards: bool
) -> Item | None:
    """A doubtful item, decided by what stands before and after it; None where it is an ornament."""
    if item.kind is LineKind.NUMBER:
        if is_voted and after in WORDS:
            return item._replace(kind=LineKind.LEAD)
        if before in FOOTER and item.text != "-":
            return item._replace(kind=LineKind.COMMENTS)
        return None if is_cards and item.text == "-" else item._replace(kind=LineKind.TEXT)
    is_kept = is_cards or before is LineKind.DOT or (item.kind is LineKind.AUTHORS and after is LineKind.DOT)
    return item if is_kept else item._replace(kind=LineKind.TEXT)


def _with_values(items: list[Item]) -> Iterator[Item]:
    """The items, labels joined with the values that stand below them."""
    label: Item | None = None
    for item in items:
        if label is not None and item.kind is not LineKind.LINK:
            joined = label.joined_with(item)
            if joined is None and label.text == "GitHub":
                yield label._replace(kind=LineKind.STARS)
            label = None
            if joined is not None:
                yield joined
                continue
        if item.kind is LineKind.LABEL:
            label = item
        else:
            yield item
