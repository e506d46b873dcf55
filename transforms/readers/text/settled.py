"""What each line of a saved list is, its neighbours considered.

A list of 2026 shows upvotes above each title and its footers need no `·`: it is made of cards, one a paper. An
older one (Layouts A to C) is made of titles and abstracts in turn, and any line of it may be a title, even one
that reads `8 authors`, unless a footer's `·` stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from transforms.readers.text.item import Item, Kind

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

    def decide(self, item: Item) -> Item | None:
        """What a doubtful item is here; None where it is an ornament."""
        if item.kind is Kind.NUMBER:
            if self.is_voted and self.after in WORDS:
                return item._replace(kind=Kind.LEAD)
            if self.before in FOOTER and item.text != "-":
                return item._replace(kind=Kind.COMMENTS)
            return None if self.is_cards and item.text == "-" else item._replace(kind=Kind.TEXT)
        is_kept = self.is_cards or self.before is Kind.DOT or (item.kind is Kind.AUTHORS and self.after is Kind.DOT)
        return item if is_kept else item._replace(kind=Kind.TEXT)


def settled(items: list[Item]) -> Settled:
    """The items with every doubt resolved."""
    items = list(_with_values(items))
    after: list[Kind | None] = [None for _ in items[:1]]  # for each item the kind of the next one, addresses aside
    for item in reversed(items[1:]):
        after.append(after[-1] if item.kind is Kind.LINK else item.kind)
    after.reverse()
    # upvotes stand above titles where they do above the first, or nowhere
    first = next((place for place, item in enumerate(items) if item.kind not in {Kind.LINK, Kind.SUBMITTER}), None)
    is_voted = first is not None and items[first].kind is Kind.NUMBER and after[first] in WORDS
    is_cards = is_voted or any(item.kind in CARD for item in items)
    decided: list[Item] = []
    before: Kind | None = None
    for item, following in zip(items, after, strict=True):
        final = item if item.is_sure else Place(before, following, is_voted, is_cards).decide(item)
        if final is not None:
            decided.append(final)
            before = before if final.kind is Kind.LINK else final.kind
    return Settled(decided, is_cards)


def _with_values(items: list[Item]) -> Iterator[Item]:
    """The items, labels joined with the values that stand below them."""
    label: Item | None = None
    for item in items:
        if label is not None and item.kind is not Kind.LINK:
            joined = label.joined_with(item)
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
