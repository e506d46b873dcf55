"""Papers of a saved list, gathered from its items: what stands above, in and below each."""

from __future__ import annotations

from dataclasses import dataclass, field

from transforms.readers.text.item import Item, LineKind, Settled
from transforms.readers.text.marks import first_id, profile

LONGEST_NAME = 120  # characters of an organization's name
NAMED = 3  # texts of a card with an organization: title, abstract, name
LONGEST_UNREAD = 30  # characters of what may stand in a footer in place of a date
FOOTER = {
    LineKind.AUTHORS,
    LineKind.ORGANIZATION,
    LineKind.DOT,
    LineKind.DATE,
    LineKind.COMMENTS,
    LineKind.STARS,
    LineKind.VOTES,
}
# The fields of a card that hold an item as it is, and those that hold the number of the first one
OF_ITEM = {LineKind.TITLE: "title", LineKind.SUBMITTER: "submitter"}
OF_COUNT = {LineKind.LEAD: "votes", LineKind.VOTES: "votes", LineKind.AUTHORS: "authors", LineKind.COMMENTS: "comments"}


@dataclass(slots=True)
class Card:
    """Items that belong together: one paper in a list of cards; in an older list, every text up to a footer."""

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

    def ends_before(self, item: Item) -> bool:
        """Whether an item is the first of the next paper."""
        if item.kind is LineKind.TEXT:
            link = first_id(item.links) if item.is_link else None
            leads_elsewhere = self.has_words and link is not None and self.arxiv_id not in {None, link}
            return self.has_footer or leads_elsewhere
        if item.kind in {LineKind.TITLE, LineKind.LEAD, LineKind.SUBMITTER}:
            return self.has_words or self.has_footer
        return item.kind is LineKind.VOTES and self.votes is not None

    def ends_in_name(self, dot: Item, *, is_cards: bool) -> bool:
        """Whether the text above a footer's `·` is an organization: it stands in the footer's block, or its link leads
        to one, or it is one more than title and abstract need.
        """
        count = len(self.texts) + (self.title is not None)
        if self.authors is not None or self.organization is not None or not self.texts or count == 1:
            return False
        last = self.texts[-1]
        if len(last.text) > LONGEST_NAME:
            return False
        begins_block = len(self.texts) == 1 or self.texts[-2].line < last.line - 1
        if profile(last.links) or (begins_block and last.line == dot.line - 1):
            return True
        return count >= NAMED if is_cards else count % 2 == 1

    def take(self, item: Item) -> None:
        """Note what an item of the paper says."""
        if item.kind in OF_ITEM:
            setattr(self, OF_ITEM[item.kind], item)
        elif (name := OF_COUNT.get(item.kind)) and getattr(self, name) is None:
            setattr(self, name, item.value)
        elif item.kind is LineKind.TEXT:
            self.texts.append(item)
        elif item.kind is LineKind.SUMMARY:
            self.summary_at = len(self.texts)
        elif item.kind is LineKind.LINK and profile(item.links) and self.texts:
            # an address on a line of its own belongs to the words above it
            self.texts[-1] = self.texts[-1]._replace(links=(*self.texts[-1].links, *item.links))
        elif item.kind in FOOTER:
            self._take_footer(item)
        # upvotes above the title end nothing
        self.has_footer = self.has_footer or (
            item.kind in FOOTER and (self.has_words or item.kind is not LineKind.VOTES)
        )
        self.last = max(self.last, item.line, item.last)
        if item.is_link or item.kind not in {LineKind.TEXT, LineKind.SUBMITTER}:
            self.arxiv_id = self.arxiv_id or first_id(item.links)

    def _take_footer(self, item: Item) -> None:
        """Note a date with what stands beside it, or the stars and addresses of a row of buttons."""
        if item.kind is LineKind.ORGANIZATION:
            self.organization = item._replace(text=item.text.rpartition("·")[0].strip())
        if item.kind in {LineKind.DATE, LineKind.ORGANIZATION} and self.date is None:
            self.date, self.comments = item, item.value if item.value is not None else self.comments
        if item.kind is not LineKind.STARS:
            return
        self.stars = item.value if item.value is not None else self.stars
        for link in item.links:
            if "github.com/" in link.target:
                self.github_url = link.target
            elif link.text.casefold() == "project page":
                self.project_url = link.target


def cards_of(settled: Settled) -> list[Card]:
    """The cards of a page, in its order."""
    cards = [Card()]
    items = settled.items
    for before, item, after in zip([None, *items], items, [*items[1:], None], strict=False):
        # a short line that ends the block of a footer, where the date should be
        is_below = before is not None and before.kind is LineKind.DOT and item.line == before.line + 1
        is_last = after is None or after.line > item.line + 1
        if item.kind is LineKind.TEXT and is_below and is_last and len(item.text) <= LONGEST_UNREAD:
            cards[-1].unread, cards[-1].last = item, item.line
            continue
        if cards[-1].ends_before(item):
            cards.append(Card())
        if item.kind is LineKind.DOT and cards[-1].ends_in_name(item, is_cards=settled.is_cards):
            cards[-1].organization = cards[-1].texts.pop()
        cards[-1].take(item)
    return [card for card in cards if card.says_anything]
