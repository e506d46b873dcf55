"""The possible kinds of a saved list's lines, by their form: votes, authors, dates, words of the site; else text.

Where its neighbours have a say, `settled` decides (item.py).
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from transforms.readers.text.dates import Day, date_line
from transforms.readers.text.header import AUTHORS, NOISE, Body
from transforms.readers.text.item import STAR_COUNT, Item, LineKind, count_of
from transforms.readers.text.marks import (
    ADDRESS,
    ALT,
    DEFINITION,
    IMAGE,
    PageMarks,
    TextLink,
    paper_id,
    without_opener,
    words_of,
)

LONGEST = 300  # characters of a line that is neither title nor abstract
BULLET = re.compile(r"\s*[•*+-]\s*")
NUMBER = re.compile(r"\d{1,9}|\d{1,3}(?:,\d{3}){1,2}|-")
BUTTON = (
    rf"(?:(?:LINK: )?GitHub(?: {STAR_COUNT})?(?: auto)?|(?:View )?arXiv page|View PDF|Project page|Add to collection)"
)
BUTTONS = re.compile(rf"{BUTTON}(?: {BUTTON})*", re.IGNORECASE)
STARS = re.compile(rf"(?:GitHub|[⭐★]) ?({STAR_COUNT})")
UPVOTES = re.compile(r"Upvotes? (\d{1,9}|-)")
PUBLISHED = "Published on "
SUBMITTED = "Submitted by"
SUMMARY = "AI-generated summary"
LABELS = {SUBMITTED, "Upvote", "GitHub"}


class TextLine(NamedTuple):
    """A line: as it stands, its words, its number from 1, its links, and how it was written."""

    bare: str
    text: str
    number: int
    links: tuple[TextLink, ...] = ()
    is_marked: bool = False
    is_bulleted: bool = False


def structure(row: TextLine) -> Iterator[Item]:
    """The items of a short line that is neither title nor abstract; none where it may be one."""
    if len(row.text) > LONGEST:
        return
    if found := date_line(row.bare) or date_line(row.text):
        yield _dated(LineKind.DATE, found, row, is_sure=row.bare.startswith(PUBLISHED))
    elif authors := AUTHORS.fullmatch(_unbulleted(row.text)):
        yield Item(LineKind.AUTHORS, row.number, row.text, int(authors[1]), is_sure=row.is_bulleted)
    elif NUMBER.fullmatch(row.text):
        yield Item(LineKind.NUMBER, row.number, row.text, count_of(row.text), links=row.links, is_sure=False)
    elif row.text == "·":
        yield Item(LineKind.DOT, row.number)
    elif "·" in row.bare:
        yield from _footer(row)
    else:
        yield from _site_words(row)


def _unbulleted(text: str) -> str:
    return text[match.end() :].strip() if (match := BULLET.match(text)) else text


def _dated(kind: LineKind, found: tuple[Day, int | None], row: TextLine, *, is_sure: bool) -> Item:
    day, comments = found
    return Item(kind, row.number, row.bare, comments, day, is_sure=is_sure)


def _footer(row: TextLine) -> Iterator[Item]:
    """A footer on one line: `8 authors · Oct 6, 2022 3`, `AI at Meta · Published on Sep 23, 2025`."""
    left, right = row.text.rpartition("·")[0].strip(), row.bare.rpartition("·")[2].strip()
    found, counted = date_line(right), AUTHORS.fullmatch(_unbulleted(left) or right)
    if counted and (found or not left):
        yield Item(LineKind.AUTHORS, row.number, row.text, int(counted[1]))
    elif found and left:
        named = _dated(LineKind.ORGANIZATION, found, row, is_sure=row.is_marked)
        yield named._replace(links=row.links, text=row.text if row.is_marked else row.bare)
        return
    if found or (counted and not left):
        yield Item(LineKind.DOT, row.number)
    if found:
        yield _dated(LineKind.DATE, found, row, is_sure=True)


def _site_words(row: TextLine) -> Iterator[Item]:
    """Words of the site with their value, or with the value on the next line."""
    text, number, links = row.text, row.number, row.links
    if text in LABELS:
        yield Item(LineKind.LABEL, number, text, links=links)
    elif text.startswith(f"{SUBMITTED} ") and " " not in text.removeprefix(f"{SUBMITTED} "):
        yield Item(LineKind.SUBMITTER, number, text.removeprefix(f"{SUBMITTED} "), links=links)
    elif votes := UPVOTES.fullmatch(text):
        yield Item(LineKind.VOTES, number, text, count_of(votes[1]), links=links)
    elif text == SUMMARY:
        yield Item(LineKind.SUMMARY, number)
    elif BUTTONS.fullmatch(text) or STARS.fullmatch(text):
        stars = STARS.search(text)
        yield Item(LineKind.STARS, number, text, count_of(stars[1]) if stars else None, links=links)


UNCLOSED = 5  # lines of a title that an extractor broke
HEADING = re.compile(r"#{1,6}\s+")


def items_of(lines: Sequence[str], body: Body, marks: PageMarks) -> list[Item]:
    """The items in the lines of the papers, without blank lines and ornaments."""
    items: list[Item] = []
    index = body.start
    while index < body.stop:
        line = body.first if index == body.start and body.first is not None else lines[index]
        if marks.is_marked and HEADING.match(line.lstrip()):
            item, index = _heading(lines, index, body.stop, marks)
            items.append(item)
            continue
        if line and not line.isspace():
            is_alone = index == 0 or not lines[index - 1].strip()
            items.extend(_items_of_line(line, index + 1, marks, is_alone=is_alone))
        index += 1
    return items


def _heading(lines: Sequence[str], index: int, stop: int, marks: PageMarks) -> tuple[Item, int]:
    """A heading and the index after it: it goes on over lines that are indented, or until its link is closed."""
    parts, number = [_unhashed(lines[index])], index + 1
    while number < min(stop, index + UNCLOSED):
        is_open = parts[0].startswith("[") and not any("](" in part or "][" in part for part in parts)
        if not is_open and not (lines[number].startswith("  ") and lines[number].strip()):
            break
        parts.append(_unhashed(lines[number]))
        number += 1
    words = words_of(" ".join(part.rstrip("\\") for part in parts), marks)
    text = without_opener(words.text, is_closed=words.is_closing)
    return Item(LineKind.TITLE, index + 1, text, links=words.links, is_link=words.is_link, last=number), number


def _unhashed(line: str) -> str:
    return HEADING.sub("", line.strip(), count=1)


def _items_of_line(line: str, number: int, marks: PageMarks, *, is_alone: bool) -> list[Item]:
    """The items of a line that is no heading; what is neither a count nor a date nor the site's word is text."""
    bare, is_indented = line.strip(), line.startswith("  ")
    if not marks.is_marked:
        items = structure(TextLine(bare, bare, number, is_bulleted=bool(BULLET.match(line))))
        return list(items) or [Item(LineKind.TEXT, number, bare, is_indented=is_indented)]
    words = words_of(bare, marks)
    # pictures, empty bullets, brackets on lines of their own, the list of addresses at the end
    is_sign = len(words.text) <= LONGEST and bool(NOISE.fullmatch(words.text))
    is_stray = words.text not in {"-", "·"} and not bare.startswith("]")
    is_ornament = (
        is_stray or IMAGE.search(bare[:LONGEST]) if is_sign else ALT.match(words.text) or DEFINITION.match(bare)
    )
    if is_ornament:
        return []
    address = words.links[0].target if words.links and not words.text else bare
    if not words.text or (ADDRESS.match(bare) and (is_alone or paper_id(bare))):
        return [Item(LineKind.LINK, number, links=(TextLink("", address),))]
    text = without_opener(words.text, is_closed=False)
    items = structure(TextLine(bare, text, number, words.links, is_marked=True, is_bulleted=True))
    whole = Item(LineKind.TEXT, number, words.text, links=words.links, is_link=words.is_link, is_marked=True)
    return list(items) or [whole._replace(is_closed=words.is_closing, is_indented=is_indented)]
