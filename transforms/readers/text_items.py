"""What each line of a saved list may be. Where its neighbours have a say, text_settled.py decides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from transforms.readers.text_dates import Day, date_line
from transforms.readers.text_header import AUTHORS, NOISE, Body
from transforms.readers.text_marks import ADDRESS, ALT, DEFINITION, IMAGE, Link, Marks, Words, without_opener, words_of

LONGEST = 300  # characters of a line that is neither title nor abstract
UNCLOSED = 5  # lines of a title that an extractor broke
HEADING = re.compile(r"#{1,6}\s+")
BULLET = re.compile(r"\s*(?:[•*+-]\s*)")
NUMBER = re.compile(r"\d{1,9}|\d{1,3}(?:,\d{3}){1,2}|-")
STAR_COUNT = r"\d[\d.,]{0,9}[kKmM]?"
BUTTON = (
    rf"(?:(?:LINK: )?GitHub(?: {STAR_COUNT})?(?: auto)?|(?:View )?arXiv page|View PDF|Project page|Add to collection)"
)
BUTTONS = re.compile(rf"{BUTTON}(?: {BUTTON})*", re.IGNORECASE)
STARS = re.compile(rf"(?:GitHub|[⭐★]) ?({STAR_COUNT})")
UPVOTES = re.compile(r"Upvotes? (\d{1,9}|-)")
SUBMITTED = "Submitted by"
SUMMARY = "AI-generated summary"
LARGEST = 2**31
SCALES = {"k": 1_000, "m": 1_000_000}


class Kind(Enum):
    """What a line, or part of one, is."""

    TITLE = auto()  # a heading
    TEXT = auto()  # a title, an abstract, an organization: its place tells
    NUMBER = auto()  # upvotes or comments: its place tells
    LABEL = auto()  # the value stands on the next line
    LINK = auto()  # the address of what stands above
    SUMMARY = auto()
    LEAD = auto()  # upvotes above a title
    VOTES = auto()
    SUBMITTER = auto()
    AUTHORS = auto()
    ORGANIZATION = auto()
    DOT = auto()
    DATE = auto()
    COMMENTS = auto()
    STARS = auto()  # with the other buttons of its row


class Item(NamedTuple):
    """A line, or part of one. `text` is never repaired; `is_sure` is False where neighbours may turn it into TEXT."""

    kind: Kind
    line: int
    text: str = ""
    value: int | None = None
    day: Day | None = None
    links: tuple[Link, ...] = ()
    is_link: bool = False
    is_closed: bool = False
    is_indented: bool = False
    is_sure: bool = True


def items_of(lines: Sequence[str], body: Body, marks: Marks) -> list[Item]:
    """What stands in the lines of the papers, blank ones and ornaments aside."""
    items: list[Item] = []
    index = body.start
    while index < body.stop:
        line = body.first if index == body.start and body.first is not None else lines[index]
        if marks.is_marked and HEADING.match(line.lstrip()):
            item, index = _heading(lines, index, body.stop, marks)
            items.append(item)
            continue
        items.extend(_items(line, index + 1, marks))
        index += 1
    return items


def _heading(lines: Sequence[str], index: int, stop: int, marks: Marks) -> tuple[Item, int]:
    """A heading and the index after it: it goes on over lines that are indented, or until its link is closed."""
    parts, number = [_unhashed(lines[index])], index + 1
    while number < min(stop, index + UNCLOSED) and (
        _is_open(parts) or (lines[number].startswith("  ") and lines[number].strip())
    ):
        parts.append(_unhashed(lines[number]))
        number += 1
    words = words_of(" ".join(part.rstrip("\\") for part in parts), marks)
    text = without_opener(words.text, is_closed=words.is_closing)
    return Item(Kind.TITLE, index + 1, text, links=words.links, is_link=words.is_link), number


def _unhashed(line: str) -> str:
    bare = line.strip()
    return bare[match.end() :] if (match := HEADING.match(bare)) else bare


def _is_open(parts: list[str]) -> bool:
    return parts[0].startswith("[") and not any("](" in part or "][" in part for part in parts)


def _items(line: str, number: int, marks: Marks) -> Iterator[Item]:
    """The items of one line that is no heading."""
    bare = line.strip()
    if not bare:
        return
    is_short = len(bare) <= LONGEST
    if marks.is_marked:
        words = words_of(bare, marks)
        if not _is_ornament(bare, words.text):
            yield from _marked(line, words, number)
    elif is_short and (items := list(_structure(bare, bare, number, (), is_bulleted=bool(BULLET.match(line))))):
        yield from items
    else:
        yield Item(Kind.TEXT, number, bare, is_indented=line.startswith("  "))


def _is_ornament(bare: str, text: str) -> bool:
    """Pictures, empty bullets, brackets on lines of their own, the list of addresses at the end."""
    if NOISE.fullmatch(text[:LONGEST]):
        return (text not in {"-", "·"} and not bare.startswith("]")) or bool(IMAGE.search(bare[:LONGEST]))
    return bool(ALT.match(text) or DEFINITION.match(bare))


def _marked(line: str, words: Words, number: int) -> Iterator[Item]:
    bare = line.strip()
    if not words.text or ADDRESS.match(bare):
        target = words.links[0].target if words.links else bare
        yield Item(Kind.LINK, number, links=(Link("", target),))
        return
    text = without_opener(words.text, is_closed=False)
    items = list(_structure(bare, text, number, words.links, is_bulleted=True)) if len(text) <= LONGEST else []
    yield from items or [
        Item(
            Kind.TEXT,
            number,
            words.text,
            links=words.links,
            is_link=words.is_link,
            is_closed=words.is_closing,
            is_indented=line.startswith("  "),
        )
    ]


def _structure(bare: str, text: str, number: int, links: tuple[Link, ...], *, is_bulleted: bool) -> Iterator[Item]:
    """The items of a short line that is neither title nor abstract; none where it may be one."""
    unbulleted = text[match.end() :].strip() if (match := BULLET.match(text)) else text
    if found := date_line(bare) or date_line(text):
        yield _dated(found, number, bare, is_sure=bare.startswith("Published on "))
    elif authors := AUTHORS.fullmatch(unbulleted):
        yield Item(Kind.AUTHORS, number, text, int(authors[1]), is_sure=is_bulleted)
    elif NUMBER.fullmatch(text):
        yield Item(Kind.NUMBER, number, text, count_of(text), links=links, is_sure=False)
    elif text == "·":
        yield Item(Kind.DOT, number)
    elif "·" in bare:
        yield from _footer(bare, text, number, links)
    else:
        yield from _labelled(text, number, links)


def _dated(found: tuple[Day, int | None], number: int, text: str, *, is_sure: bool) -> Item:
    day, comments = found
    return Item(Kind.DATE, number, text, comments, day, is_sure=is_sure)


def _footer(bare: str, text: str, number: int, links: tuple[Link, ...]) -> Iterator[Item]:
    """A footer on one line: `8 authors · Oct 6, 2022 3`, `AI at Meta · Published on Sep 23, 2025`."""
    left, right = text.rpartition("·")[0].strip(), bare.rpartition("·")[2].strip()
    found, authors = date_line(right), AUTHORS.fullmatch(right)
    if found is None and (authors is None or left):
        return
    bulletless = left[match.end() :].strip() if (match := BULLET.match(left)) else left
    if counted := authors or AUTHORS.fullmatch(bulletless):
        yield Item(Kind.AUTHORS, number, left, int(counted[1]))
    elif left:
        yield Item(Kind.ORGANIZATION, number, left, links=links)
    yield Item(Kind.DOT, number)
    if found:
        yield _dated(found, number, right, is_sure=True)


def _labelled(text: str, number: int, links: tuple[Link, ...]) -> Iterator[Item]:
    """Words of the site with their value, or with the value on the next line."""
    if text in {SUBMITTED, "Upvote", "GitHub"}:
        yield Item(Kind.LABEL, number, text, links=links)
    elif text.startswith(f"{SUBMITTED} ") and " " not in text.removeprefix(f"{SUBMITTED} "):
        yield Item(Kind.SUBMITTER, number, text.removeprefix(f"{SUBMITTED} "), links=links)
    elif votes := UPVOTES.fullmatch(text):
        yield Item(Kind.VOTES, number, text, count_of(votes[1]), links=links)
    elif text == SUMMARY:
        yield Item(Kind.SUMMARY, number)
    elif BUTTONS.fullmatch(text) or STARS.fullmatch(text):
        stars = STARS.search(text)
        yield Item(Kind.STARS, number, text, count_of(stars[1]) if stars else None, links=links)


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
