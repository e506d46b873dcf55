"""Papers of a saved list, gathered from its items: which text is a title, which an abstract, and what is around."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from typing import NamedTuple

from transforms.readers.text.item import Item, LineKind, Settled
from transforms.readers.text.marks import first_id, profile, without_opener

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
        """Whether the text above a footer's `·` is an organization.

        It is if it stands in the footer's block, or its link leads to one, or it is one more than title and abstract
        need.
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


LONGEST_TITLE = 200  # the longest title of 10,049 has 175 characters (docs/source.md §7)
LONGEST_WRAPPED = 200  # characters of a line that an extractor broke; they break at 80 to 120
MOST_WRAPPED = 40  # lines of an abstract: the longest has 1,923 characters, in lines of some 80
PAIR = 2


class Piece(NamedTuple):
    """A title or an abstract: its first and last line (from 1), its text."""

    first: int
    last: int
    text: str


class TextPaper(NamedTuple):
    """One paper of a list; `card` is what stands around it. Without a title, `stray` says what it lacks."""

    first: int
    last: int
    card: Card
    title: Piece | None = None
    abstract: Piece | None = None
    summary: Piece | None = None
    stray: Piece | None = None


def papers_of(card: Card, *, is_cards: bool) -> Iterator[TextPaper]:
    """The papers of a card: one of a list of cards, else as many as it has pairs of title and abstract.

    The footer belongs to the last of them.
    """
    if is_cards or card.title is not None or card.arxiv_id is not None or not card.texts:
        yield _single(card)
        return
    pairs = list(_pairs(list(_pieces(card.texts))))
    for place, (title, abstract) in enumerate(pairs, 1):
        is_last = place == len(pairs)
        last = max(abstract.last if abstract else title.last, card.last if is_last else 0)
        around = card if is_last else Card()
        if abstract is None and not _may_be_title(title):
            yield TextPaper(title.first, last, around, stray=title)
        else:
            yield TextPaper(title.first, last, around, title, abstract)


def _single(card: Card) -> TextPaper:
    """The one paper of a card: title, then the summary if its mark stands below, then the abstract."""
    title, texts = None, card.texts
    if card.title is not None:
        line, text = card.title.line, card.title.text.strip()
        title = Piece(line, line, text) if text else None
    elif texts:
        first, *more = _blocks(texts)
        if not more or texts[0].is_link or _is_dense(first):
            # a line and those below it that go on with it: titles break before two spaces (docs/source.md §7)
            first = [first[0], *takewhile(lambda item: item.is_indented, first[1:])]
        title, texts = _text(first), texts[len(first) :]
    mark = max(0, (card.summary_at or 0) - (len(card.texts) - len(texts)))
    summary, abstract = (_text(part) if part else None for part in (texts[:mark], texts[mark:]))
    if title is None or (card.title is None and abstract is None and len(title.text) > LONGEST_TITLE):
        return TextPaper(title.first if title else card.last, card.last, card, stray=title or abstract)
    return TextPaper(title.first, card.last, card, title, abstract, summary)


def _blocks(items: list[Item]) -> list[list[Item]]:
    """Texts on lines one below the other, between blank lines."""
    blocks = [[items[0]]]
    for item in items[1:]:
        if item.line == blocks[-1][-1].line + 1:
            blocks[-1].append(item)
        else:
            blocks.append([item])
    return blocks


def _pieces(items: list[Item]) -> Iterator[Piece]:
    """The texts of a card that is titles and abstracts in turn.

    They are its lines where no blank line parts them (Layout B), else what stands between blank lines (Layouts A and
    C).
    """
    blocks = _blocks(items)
    if len(blocks) == 1 or all(len(block) == PAIR and not block[1].is_indented for block in blocks):
        blocks = [[item] for item in items]
    for block in blocks:
        yield from (_text([item]) for item in block) if _is_dense(block) else [_text(block)]


def _is_dense(block: list[Item]) -> bool:
    """Whether the lines of a block are texts of their own, rather than one text that an extractor broke."""
    long = sum(len(item.text) > LONGEST_WRAPPED for item in block)
    return len(block) > 1 and (long >= max(1, len(block) // 3) or len(block) > MOST_WRAPPED)


def _text(items: list[Item]) -> Piece:
    """Lines as one text, without the bracket of the link around them."""
    text = " ".join(item.text.strip() for item in items)
    if items[0].is_marked:
        text = without_opener(text, is_closed=any(item.is_closed for item in items))
    return Piece(items[0].line, items[-1].line, text)


def _pairs(pieces: list[Piece]) -> Iterator[tuple[Piece, Piece | None]]:
    """Titles with their abstracts, in turn.

    Of an odd number one has no other: the last if it may be a title, as where a page was cut short; else the one
    without which the fewest pairs look swapped, best one that may be a title, best far down.
    """
    in_turn: list[Piece | None] = [*pieces]
    if len(pieces) % 2 and _may_be_title(pieces[-1]):
        in_turn.append(None)
    elif len(pieces) % 2:
        before, after = _swapped(pieces[:-1]), _swapped(pieces[1:])
        costs = [
            before[place] + after[-1] - after[place] + (not _may_be_title(pieces[PAIR * place]))
            for place in range(len(before))
        ]
        in_turn.insert(PAIR * min(reversed(range(len(costs))), key=costs.__getitem__) + 1, None)
    for title, abstract in zip(in_turn[::PAIR], in_turn[1::PAIR], strict=True):
        if title is not None:
            yield title, abstract


def _may_be_title(piece: Piece) -> bool:
    return len(piece.text) <= LONGEST_TITLE and not piece.text.endswith(".")


def _swapped(pieces: list[Piece]) -> list[int]:
    """How many of the first n pairs look swapped, for every n from 0."""
    pairs = ((pieces[place], pieces[place + 1]) for place in range(0, len(pieces) - 1, PAIR))
    is_swapped = (not _may_be_title(title) or len(title.text) > len(abstract.text) for title, abstract in pairs)
    return list(accumulate(is_swapped, initial=0))
