"""A paper's own page saved as text (SOURCES §8): plain, or as Markdown of several extractors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from transforms.readers.request import Request
from transforms.readers.text_dates import DAY, Day, Told, page_year, tell
from transforms.readers.text_items import BUTTONS, SUMMARY, count_of
from transforms.readers.text_lines import broken_line, lines_of, one_paragraph, one_sentence
from transforms.readers.text_marks import Link, Marks, arxiv_id, first_id, marks_of, profile, searched, words_of
from transforms.reading import Author, Reading, Reject, Sighting

SNIFFED = 8_192  # bytes; the site's menu may stand above the paper
LONGEST = 400  # characters of a line that is no abstract
IDENTIFIER = re.compile(r"(?:Papers\W{1,3})?arxiv: ?(\S{1,40})", re.IGNORECASE)
PUBLISHED = re.compile(rf"Published on {DAY}")
SUBMITTED = re.compile(rf"Submitted by ([^\n]{{1,100}}?) on {DAY}")
SUBMITTER = re.compile(r"Submitted by ([^\s·]{1,100})")
UPVOTES = re.compile(r"Upvotes? (\d{1,9}|-)(?!\S)")
CITED = re.compile(r"Cite arxiv\.org/abs/(\S{1,40}) in a ")
CITING = {name: re.compile(rf"{name} citing this paper (\d{{1,9}})(?!\S)") for name in ("Models", "Datasets", "Spaces")}
STARS = re.compile(r"GitHub (\d[\d.,]{0,9}[kKmM]?)(?!\S)")
STRAY = re.compile(r"[=-]{3,}|[\[\]\s]*|\[[^\[\]]*\]")  # underlines of titles, brackets, pictures
TITLE_LINES = 3  # lines of the longest title
BELOW_TITLE = re.compile(r"Published on .*|·|Submitted by.*|Upvote.*|#\d+ Paper of .*|Authors:.*|Abstract")
BELOW_ABSTRACT = re.compile(r"View arXiv page.*|Community|(?:Models|Datasets|Spaces) citing this paper.*|Ask HuggingChat.*")
AUTHORS = "Authors:"
ABSTRACT = "Abstract"


class Line(NamedTuple):
    """A line that says something: its number from 1, its words, its links."""

    number: int
    text: str
    links: tuple[Link, ...] = ()


class Parts(NamedTuple):
    """The parts of a page, in its order."""

    title: Sequence[Line]
    facts: Sequence[Line]
    authors: Sequence[Line]
    summary: Sequence[Line]
    abstract: Sequence[Line]
    rest: Sequence[Line]


def is_text_paper(payload: bytes) -> bool:
    """Whether the first few KiB hold a line `arxiv:ID` and one `Published on …`; or, where an extractor lost the
    first, the lines of the submitter and of the authors.
    """
    lines = [line.text for line in _lines(lines_of(payload[:SNIFFED]), Marks(is_marked=True))]
    if not any(PUBLISHED.match(line) for line in lines):
        return False
    if any(_identifier(line) for line in lines):
        return True
    return any(line.startswith("Submitted by") for line in lines) and any(line.startswith(AUTHORS) for line in lines)


def read_text_paper(payload: bytes, request: Request, fetched_at: datetime | None) -> Reading:
    """The one paper of the page, or the reason it cannot be taken."""
    lines = lines_of(payload)
    parts = _parts(list(_lines(lines, marks_of(lines))))
    facts = _joined(parts.facts)
    submitted, published = SUBMITTED.search(facts), _day(PUBLISHED.search(facts))
    days = [published, Day.of(*submitted.groups()[1:]) if submitted else None]
    told = tell(published, page_year(filter(None, days), fetched_at))
    reading = Reading(reader="text_paper", source="text", list_kind="paper")
    reject = _reject(parts, lines, told, published)
    if reject is not None:
        reading.rejects = [reject]
    else:
        reading.sightings = [_sighting(parts, request, told)]
    return reading


def _lines(lines: Sequence[str], marks: Marks) -> Iterator[Line]:
    """The lines without Markdown; blank ones, underlines, pictures and stray brackets aside."""
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        words = words_of(bare.lstrip("#"), marks) if marks.is_marked else Words(bare)
        text = words.text.removeprefix("[") if len(words.text) <= LONGEST and "]" not in words.text else words.text
        if text and not STRAY.fullmatch(text):
            yield Line(number, text, words.links)


def _identifier(line: str) -> str | None:
    match = IDENTIFIER.fullmatch(line) if len(line) <= LONGEST else None
    return arxiv_id(match[1]) if match else None


def _parts(lines: list[Line]) -> Parts:
    """Cut a page at the lines that only such a page has."""
    texts = [line.text for line in lines]
    named = _find(texts, lambda text: _identifier(text) is not None, 0)
    dated = _find(texts, lambda text: bool(PUBLISHED.match(text)), 0)
    top = named + 1 if named < len(texts) else _above(lines, dated)
    below = _find(texts, lambda text: bool(BELOW_TITLE.fullmatch(text[:LONGEST])), top)
    abstract = _find(texts, lambda text: text == ABSTRACT, below)
    authors = _find(texts[:abstract], lambda text: text.startswith(AUTHORS), below)
    end = _find(texts, lambda text: bool(BELOW_ABSTRACT.fullmatch(text[:LONGEST]) or BUTTONS.fullmatch(text)), abstract)
    mark = _find(texts[:end], lambda text: text == SUMMARY, abstract)
    is_marked = mark < end
    return Parts(
        title=lines[top:below],
        facts=lines[below:authors],
        authors=lines[authors:abstract],
        summary=lines[abstract + 1 : mark] if is_marked else (),
        abstract=lines[(mark if is_marked else abstract) + 1 : end],
        rest=lines[end:],
    )


def _find(texts: Sequence[str], is_it: Callable[[str], bool], start: int) -> int:
    """Where the first text of a kind stands, from `start` on; the end where none does."""
    return next((place for place in range(start, len(texts)) if is_it(texts[place])), len(texts))


def _above(lines: list[Line], dated: int) -> int:
    """Where the title begins on a page that lost its arXiv line: the lines right above the date of publication, if
    they are few; a page that lost its blank lines too has the site's menu there.
    """
    top = dated
    while top > 0 and dated - top < TITLE_LINES and (top == dated or lines[top - 1].number == lines[top].number - 1):
        top -= 1
    is_menu = top > 0 and dated - top == TITLE_LINES and lines[top - 1].number == lines[top].number - 1
    return dated - 1 if is_menu else top


def _joined(lines: Sequence[Line]) -> str:
    return one_paragraph(line.text for line in lines)


def _day(match: re.Match[str] | None) -> Day | None:
    return Day.of(match[1], match[2], match[3]) if match else None


def _reject(parts: Parts, lines: Sequence[str], told: Told, published: Day | None) -> Reject | None:
    """Why the paper cannot be a sighting; None where it can."""
    used = [line.number for part in parts[:-1] for line in part]
    first = parts.title[0].number if parts.title else 0
    broken = broken_line(lines, first, max(used)) if first else None
    if not first:
        rule, detail = "no_title", "no title stands where a paper's page has it"
    elif broken is not None:
        rule, detail = "invalid_utf8", f"line {broken} holds bytes that are no UTF-8"
    elif told.is_impossible and published is not None:
        rule, detail = "published_on_impossible", f"line {_line_of(parts)}: no calendar has the day `{published.text}`"
    else:
        return None
    return Reject(position=1, pointer=f"line {first}", rule=rule, detail=detail)


def _line_of(parts: Parts) -> int:
    return next(line.number for line in parts.facts if line.text.startswith("Published on"))


def _sighting(parts: Parts, request: Request, told: Told) -> Sighting:
    everything, rest = _joined(parts.facts), _joined(parts.rest)
    login, name = _submitter(parts.facts)
    authors = list(_authors(parts.authors)) or None
    stars = STARS.search(_joined([line for line in parts.rest if BUTTONS.search(line.text[:LONGEST])][:1]))
    return Sighting(
        position=1,
        pointer=f"line {parts.title[0].number}",
        title=_joined(parts.title),
        arxiv_id=parts.arxiv_id or _cited(parts.rest) or arxiv_id(request.path.rpartition("/papers/")[2]),
    )
