"""Papers of a saved list, gathered from its items: what stands above, in and below each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from transforms.readers.text.item import Item, Kind
from transforms.readers.text.marks import first_id, profile
from transforms.readers.text.settled import Settled

LONGEST_NAME = 120  # characters of an organization's name
NAMED = 3  # texts of a card with an organization: title, abstract, name
LONGEST_UNREAD = 30  # characters of what may stand in a footer in place of a date


@dataclass(slots=True)
class Card:
    """What stands together: in a list of cards one paper; in an older list every text up to a footer."""

    title: Item | None = None
    texts: list[Item] = field(default_factory=list)
    summary_at: int | None = None
    votes: int | None = None
    submitter: Item | None = None
    authors: int | None = None
    organization: Item | None = None
    date: Item | None = None
    comments: int | None = None
    stars: int | None = None
    github_url: str | None = None
    project_url: str | None = None
    arxiv_id: str | None = None
    unread: Item | None = None
    has_footer: bool = False
    last: int = 0

    @property
    def has_words(self) -> bool:
        return self.title is not None or bool(self.texts)

    @property
    def says_anything(self) -> bool:
        facts = (self.votes, self.submitter, self.authors, self.organization, self.date)
        return self.has_words or any(fact is not None for fact in facts)


def cards_of(settled: Settled) -> list[Card]:
    """The cards of a page, in its order."""
    cards = [Card()]
    before: Item | None = None
    for item, after in _with_next(settled.items):
        if before is not None and _is_unread(before, item, after):
            cards[-1].unread, cards[-1].last = item, item.line
        else:
            if _begins(item, cards[-1]):
                cards.append(Card())
            _put(item, cards[-1], is_cards=settled.is_cards)
        before = item
    return [card for card in cards if card.says_anything]


def _with_next(items: list[Item]) -> Iterator[tuple[Item, Item | None]]:
    yield from pairwise(items)
    if items:
        yield items[-1], None


def _is_unread(before: Item, item: Item, after: Item | None) -> bool:
    """Whether a short line ends the block of a footer where the date should be."""
    is_last = after is None or after.line > item.line + 1
    is_below = before.kind is Kind.DOT and item.line == before.line + 1
    return item.kind is Kind.TEXT and is_below and is_last and len(item.text) <= LONGEST_UNREAD


def _begins(item: Item, card: Card) -> bool:
    """Whether an item is the first of the next paper."""
    if item.kind is Kind.TEXT:
        return card.has_footer or _is_of_another(item, card)
    if item.kind in {Kind.TITLE, Kind.LEAD, Kind.SUBMITTER}:
        return card.has_words or card.has_footer
    return item.kind is Kind.VOTES and card.votes is not None


def _is_of_another(item: Item, card: Card) -> bool:
    """Whether a text is a link to another paper than the card's."""
    link = first_id(item.links) if item.is_link else None
    return card.has_words and link is not None and card.arxiv_id not in {None, link}


def _put(item: Item, card: Card, *, is_cards: bool) -> None:
    if item.kind is Kind.DOT and _ends_in_name(card, item, is_cards=is_cards):
        card.organization = card.texts.pop()
    PUT[item.kind](card, item)
    # upvotes above the title end nothing
    card.has_footer = card.has_footer or (item.kind in FOOTER and (card.has_words or item.kind is not Kind.VOTES))
    card.last = max(card.last, item.line)
    if item.is_link or item.kind not in {Kind.TEXT, Kind.SUBMITTER}:
        card.arxiv_id = card.arxiv_id or first_id(item.links)


def _ends_in_name(card: Card, dot: Item, *, is_cards: bool) -> bool:
    """Whether the text above a footer's `·` is an organization: it stands in the footer's block, or its link leads
    to one, or it is one more than title and abstract need.
    """
    count = len(card.texts) + (card.title is not None)
    if card.authors is not None or card.organization is not None or not card.texts or count == 1:
        return False
    last = card.texts[-1]
    if len(last.text) > LONGEST_NAME:
        return False
    begins_block = len(card.texts) == 1 or card.texts[-2].line < last.line - 1
    if profile(last.links) or (begins_block and last.line == dot.line - 1):
        return True
    return count >= NAMED if is_cards else count % 2 == 1


def _put_text(card: Card, item: Item) -> None:
    card.texts.append(item)


def _put_title(card: Card, item: Item) -> None:
    card.title = item


def _put_link(card: Card, item: Item) -> None:
    """An address on a line of its own belongs to the words above it."""
    if profile(item.links) and card.texts:
        card.texts[-1] = card.texts[-1]._replace(links=(*card.texts[-1].links, *item.links))


def _put_date(card: Card, item: Item) -> None:
    if card.date is None:
        card.date = item
        card.comments = item.value if item.value is not None else card.comments


def _put_organization(card: Card, item: Item) -> None:
    card.organization = item._replace(text=item.text.rpartition("·")[0].strip())
    _put_date(card, item)


def _put_stars(card: Card, item: Item) -> None:
    card.stars = item.value if item.value is not None else card.stars
    for link in item.links:
        if "github.com/" in link.target:
            card.github_url = link.target
        elif link.text.casefold() == "project page":
            card.project_url = link.target


def _put_count(name: str) -> Callable[[Card, Item], None]:
    def put(card: Card, item: Item) -> None:
        if getattr(card, name) is None:
            setattr(card, name, item.value)

    return put


def _put_item(name: str) -> Callable[[Card, Item], None]:
    def put(card: Card, item: Item) -> None:
        setattr(card, name, item)

    return put


def _put_summary(card: Card, item: Item) -> None:  # noqa: ARG001
    card.summary_at = len(card.texts)


def _put_nothing(card: Card, item: Item) -> None:
    """The mark itself says nothing more."""


PUT: dict[Kind, Callable[[Card, Item], None]] = {
    Kind.TITLE: _put_title,
    Kind.TEXT: _put_text,
    Kind.LINK: _put_link,
    Kind.SUMMARY: _put_summary,
    Kind.LEAD: _put_count("votes"),
    Kind.VOTES: _put_count("votes"),
    Kind.SUBMITTER: _put_item("submitter"),
    Kind.AUTHORS: _put_count("authors"),
    Kind.ORGANIZATION: _put_organization,
    Kind.DOT: _put_nothing,
    Kind.DATE: _put_date,
    Kind.COMMENTS: _put_count("comments"),
    Kind.STARS: _put_stars,
}
FOOTER = {Kind.AUTHORS, Kind.ORGANIZATION, Kind.DOT, Kind.DATE, Kind.COMMENTS, Kind.STARS, Kind.VOTES}
