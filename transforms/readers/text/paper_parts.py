"""The parts of a paper's own page saved as text, cut at the lines that only such a page has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from transforms.readers.text.dates import DAY
from transforms.readers.text.item import STAR_COUNT
from transforms.readers.text.items import HEADING
from transforms.readers.text.lines import one_sentence
from transforms.readers.text.marks import Link, Marks, Words, arxiv_id, without_opener, words_of
from transforms.readers.text.structure import BUTTONS, SUMMARY

LONGEST = 400  # characters of a line that is no abstract
TITLE_LINES = 3  # lines of the longest title
IDENTIFIER = re.compile(r"(?:Papers\W{1,3})?arxiv: ?(\S{1,40})", re.IGNORECASE)
PUBLISHED = re.compile(rf"Published on {DAY}")
BELOW_TITLE = re.compile(r"Published on .*|·|(?:· )?Submitted by.*|Upvote.*|#\d+ Paper of .*|Authors:.*|Abstract")
BELOW_ABSTRACT = re.compile(r"View arXiv page.*|Community|(?:Models|Datasets|Spaces) citing this paper.*")
BUTTON = re.compile(rf"View arXiv.*|{STAR_COUNT}")
UNDERLINE = re.compile(r"[=-]{3,}")
STRAY = re.compile(r"[\[\]\s]*|\[[^\[\]]*\]")  # brackets on lines of their own, the words of pictures
SUBMITTED = "Submitted by"
AUTHORS = "Authors:"
ABSTRACT = "Abstract"


class Line(NamedTuple):
    """A line that says something: its number from 1, its words, its links."""

    number: int
    text: str
    links: tuple[Link, ...] = ()


class Parts(NamedTuple):
    """The parts of a page, in its order. The page has no `summary` where it does not mark one."""

    arxiv_id: str | None
    title: list[Line]
    facts: list[Line]
    authors: list[Line]
    summary: list[Line]
    abstract: list[Line]
    buttons: list[Line]
    rest: list[Line]

    @property
    def first(self) -> int:
        """The line the title begins on; 0 where there is no title."""
        return self.title[0].number if self.title else 0

    @property
    def last(self) -> int:
        """The last line that says something of the paper itself."""
        parts = (self.title, self.facts, self.authors, self.summary, self.abstract, self.buttons)
        return max((part[-1].number for part in parts if part), default=0)


def said_lines(lines: Sequence[str], marks: Marks) -> Iterator[Line]:
    """The lines without Markdown; blank ones, underlines, pictures and stray brackets aside."""
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        if not bare or UNDERLINE.fullmatch(bare):
            continue
        words = words_of(HEADING.sub("", bare, count=1), marks) if marks.is_marked else Words(bare)
        text = without_opener(words.text, is_closed=False)
        if not STRAY.fullmatch(text):
            yield Line(number, text, words.links)


def identifier(text: str) -> str | None:
    """The arXiv id of the line `arxiv:ID`."""
    match = IDENTIFIER.fullmatch(text) if len(text) <= LONGEST else None
    return arxiv_id(match[1]) if match else None


def parts_of(lines: list[Line]) -> Parts:
    """The parts of a page; those it lacks are empty."""
    texts = [line.text for line in lines]
    named = _find(texts, lambda text: identifier(text) is not None)
    dated = _find(texts, lambda text: bool(PUBLISHED.match(text)))
    top = named + 1 if named < len(texts) else _above(lines, dated)
    facts = _find(texts, lambda text: bool(BELOW_TITLE.fullmatch(text[:LONGEST])), top)
    abstract = _find(texts, lambda text: text == ABSTRACT, facts)
    end = _find(
        texts,
        lambda text: bool(BELOW_ABSTRACT.fullmatch(text[:LONGEST])) or _fits(BUTTONS, text),
        facts if abstract == len(texts) else abstract,
    )
    abstract = min(abstract, end)
    authors = _find(texts[:abstract], lambda text: text.startswith(AUTHORS), facts)
    mark = _find(texts[:end], lambda text: text == SUMMARY, abstract)
    summary = mark if mark < end else abstract
    rest = _find(texts, lambda text: not (_fits(BUTTON, text) or _fits(BUTTONS, text)), end)
    return Parts(
        arxiv_id=identifier(texts[named]) if named < len(texts) else None,
        title=lines[top:facts],
        facts=lines[facts:authors],
        authors=lines[authors:abstract],
        summary=lines[abstract + 1 : summary],
        abstract=lines[summary + 1 : end],
        buttons=lines[end:rest],
        rest=lines[rest:],
    )


def _fits(pattern: re.Pattern[str], text: str) -> bool:
    return len(text) <= LONGEST and pattern.fullmatch(text) is not None


def _find(texts: Sequence[str], is_it: Callable[[str], bool], start: int = 0) -> int:
    """Where the first text of a kind stands, from `start` on; the end where none does."""
    return next((place for place in range(start, len(texts)) if is_it(texts[place])), len(texts))


def _above(lines: list[Line], dated: int) -> int:
    """Where the title begins on a page that lost its arXiv line: the lines right above the date of publication, if
    they are few; on a page that lost its blank lines too, the site's menu runs into the title.
    """
    top = dated
    while top > 0 and dated - top <= TITLE_LINES and (top == dated or lines[top].number - lines[top - 1].number == 1):
        top -= 1
    return top if dated - top <= TITLE_LINES else dated - 1


def part_words(part: Sequence[Line], lines: Sequence[str], marks: Marks) -> Words:
    """A part in words. Its links may run over lines, so the lines are joined first."""
    if not part:
        return Words("")
    raw = (line for line in lines[part[0].number - 1 : part[-1].number] if not UNDERLINE.fullmatch(line.strip()))
    text = one_sentence(raw)
    return words_of(text, marks) if marks.is_marked else Words(text)
