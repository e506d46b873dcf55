"""What each line of a saved list is, its neighbours considered.

A list of 2026 shows upvotes above each title and its footers need no `·`: it is made of cards, one a paper. An
older one (Layouts A to C) is made of titles and abstracts in turn, and any line of it may be a title, even one
that reads `8 authors`, unless a footer's `·` stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from transforms.readers.text.item import STAR_COUNT, Item, Kind, count_of

LONGEST_LOGIN = 100
COUNT = re.compile(STAR_COUNT)
CARD = {Kind.TITLE, Kind.LEAD, Kind.SUBMITTER, Kind.VOTES, Kind.STARS, Kind.SUMMARY}
FOOTER = {Kind.AUTHORS, Kind.ORGANIZATION, Kind.DOT, Kind.DATE, Kind.STARS, Kind.VOTES}
WORDS = {Kind.TEXT, Kind.TITLE}


class Settled(NamedTuple):
    """`is_cards`: every paper has marks of its own, so that no two texts need to be paired."""

    items: list[Item]
    is_cards: bool


class Place(NamedTuple):
    """What stands around an item."""

    before: Kind | None
    after: Kind | None
    is_voted: bool
    is_cards: bool


def settled(items: list[Item]) -> Settled:
    """The items with every doubt resolved."""
    items = list(_with_values(items))
    after = _following(items)
    is_voted = _is_voted(items, after)
    is_cards = is_voted or any(item.kind in CARD for item in items)
    decided: list[Item] = []
    before: Kind | None = None
    for item, following in zip(items, after, strict=True):
        final = item if item.is_sure else _decide(item, Place(before, following, is_voted, is_cards))
        if final is not None:
            decided.append(final)
            before = before if final.kind is Kind.LINK else final.kind
    return Settled(decided, is_cards)


def _following(items: list[Item]) -> list[Kind | None]:
    """For each item the kind of the next one, addresses aside."""
    kinds: list[Kind | None] = []
    following: Kind | None = None
    for item in reversed(items):
        kinds.append(following)
        following = following if item.kind is Kind.LINK else item.kind
    return kinds[::-1]


def _is_voted(items: list[Item], after: list[Kind | None]) -> bool:
    """Whether upvotes stand above titles: they do above the first, or nowhere."""
    skipped = {Kind.LINK, Kind.SUBMITTER}
    first = next((place for place, item in enumerate(items) if item.kind not in skipped), None)
    return first is not None and items[first].kind is Kind.NUMBER and after[first] in WORDS


def _decide(item: Item, place: Place) -> Item | None:
    """What a doubtful item is; None where it is an ornament."""
    if item.kind is Kind.NUMBER:
        return _decide_number(item, place)
    if place.is_cards or place.before is Kind.DOT:
        return item
    if item.kind is Kind.AUTHORS and place.after is Kind.DOT:
        return item
    return item._replace(kind=Kind.TEXT)


def _decide_number(item: Item, place: Place) -> Item | None:
    if place.is_voted and place.after in WORDS:
        return item._replace(kind=Kind.LEAD)
    if place.before in FOOTER and item.text != "-":
        return item._replace(kind=Kind.COMMENTS)
    if place.is_cards and item.text == "-":
        return None
    return item._replace(kind=Kind.TEXT)


def _with_values(items: list[Item]) -> Iterator[Item]:
    """The items, labels joined with the values that stand below them."""
    label: Item | None = None
    for item in items:
        if label is not None and item.kind is not Kind.LINK:
            joined = _joined(label, item)
            if joined is None and label.text == "GitHub":
                yield label._replace(kind=Kind.STARS)
            label = None
            if joined is not None:
                yield joined
                continue
        if item.kind is Kind.LABEL:
            label = item
        else:
            yield item


def _joined(label: Item, value: Item) -> Item | None:
    links = (*label.links, *value.links)
    if label.text == "Upvote":
        return value._replace(kind=Kind.VOTES, links=links, is_sure=True) if value.kind is Kind.NUMBER else None
    if label.text == "GitHub":
        is_count = value.kind in {Kind.NUMBER, Kind.TEXT} and COUNT.fullmatch(value.text)
        return label._replace(kind=Kind.STARS, value=count_of(value.text), links=links) if is_count else None
    is_login = value.kind is Kind.TEXT and len(value.text) <= LONGEST_LOGIN
    return value._replace(kind=Kind.SUBMITTER, links=links) if is_login else None
