"""What a line of a saved list can be."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

from transforms.readers.text.dates import Day
from transforms.readers.text.marks import Link

STAR_COUNT = r"\d[\d.,]{0,9}[kKmM]?"
SCALES = {"k": 1_000, "m": 1_000_000}
LARGEST = 2**31
LONGEST_LOGIN = 100  # characters


class Kind(Enum):
    """What a line, or part of one, is."""

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
    """A line, or part of one; `last` is the last line of a title that goes on. `is_sure` is False where its neighbours
    may show that it is mere text.
    """

    kind: Kind
    line: int
    text: str = ""
    value: int | None = None
    day: Day | None = None
    links: tuple[Link, ...] = ()
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
            return value._replace(kind=Kind.VOTES, links=links, is_sure=True) if value.kind is Kind.NUMBER else None
        if self.text == "GitHub":
            is_count = value.kind in {Kind.NUMBER, Kind.TEXT} and re.fullmatch(STAR_COUNT, value.text)
            return self._replace(kind=Kind.STARS, value=count_of(value.text), links=links) if is_count else None
        is_login = value.kind is Kind.TEXT and len(value.text) <= LONGEST_LOGIN
        return value._replace(kind=Kind.SUBMITTER, links=links) if is_login else None


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
