"""Which texts of a card are a title, which an abstract."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, takewhile
from typing import NamedTuple

from transforms.readers.text.cards import Card
from transforms.readers.text.item import Item
from transforms.readers.text.marks import one_paragraph, without_opener

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
    """The papers of a card: one of a list of cards; else as many as it has pairs of title and abstract, the last
    of which the footer belongs to.
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
        title, texts = _joined(first), texts[len(first) :]
    mark = max(0, (card.summary_at or 0) - (len(card.texts) - len(texts)))
    summary, abstract = _joined(texts[:mark]), _joined(texts[mark:])
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
    """The texts of a card that is titles and abstracts in turn: its lines where no blank line parts them (Layout B),
    else what stands between blank lines (Layouts A and C).
    """
    blocks = _blocks(items)
    if len(blocks) == 1 or all(len(block) == PAIR and not block[1].is_indented for block in blocks):
        yield from map(_piece, items)
    else:
        for block in blocks:
            yield from map(_piece, block) if _is_dense(block) else filter(None, [_joined(block)])


def _is_dense(block: list[Item]) -> bool:
    """Whether the lines of a block are texts of their own, rather than one text that an extractor broke."""
    long = sum(len(item.text) > LONGEST_WRAPPED for item in block)
    return len(block) > 1 and (long >= max(1, len(block) // 3) or len(block) > MOST_WRAPPED)


def _piece(item: Item) -> Piece:
    return _text([item])


def _joined(items: list[Item]) -> Piece | None:
    return _text(items) if items else None


def _text(items: list[Item]) -> Piece:
    """Lines as one text, without the bracket of the link around them."""
    text = one_paragraph(item.text for item in items)
    if items[0].is_marked:
        text = without_opener(text, is_closed=any(item.is_closed for item in items))
    return Piece(items[0].line, items[-1].line, text)


def _pairs(pieces: list[Piece]) -> Iterator[tuple[Piece, Piece | None]]:
    """Titles with their abstracts, in turn. Of an odd number one has no other: the last if it may be a title, as
    where a page was cut short; else the one without which the fewest pairs look swapped, best one that may be a
    title, best far down.
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
